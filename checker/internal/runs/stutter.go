package runs

import (
	"context"
	"time"

	"pnmc/automata"
	"pnmc/automata/stutter"
	"pnmc/checker/internal/lanes"
	"pnmc/logic/ltl"
)

// stuttering is what is known of whether a question of linear time can see that letters
// are repeated.
type stuttering struct {
	decided, invariant bool
}

// stutterLimit is how long it is looked whether an automaton can: what is not decided
// then is not relied on.
const stutterLimit = 2 * time.Second

// StutterInvariant reports whether repeated letters make no difference to l, as far as
// that is known. It is known by the operators of the formula, or by what was decided of
// the automaton. Claims of the automaton are not used. Whoever asks first decides it,
// within whole.
func (l *Question) StutterInvariant(ctx, whole context.Context) bool {
	if l.Formula != nil {
		return l.Formula.Has(ltl.StutterInvariant)
	}
	if l.Automaton.Kind != automata.Plain {
		return false
	}
	lanes.Lock(ctx, &l.Translation)
	defer l.Translation.Unlock()
	if !l.stutter.decided {
		limited, cancel := context.WithTimeout(whole, stutterLimit)
		defer cancel()
		v, err := stutter.DecideInvariance(limited, l.Automaton)
		l.stutter = stuttering{decided: true, invariant: err == nil && v.Whole && !v.Refuted}
	}
	return l.stutter.invariant
}

package runs

import (
	"context"

	"pnmc/internal/account"
	"pnmc/internal/backwards"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/logic/ltl"
)

// Truth is one of three values: yes, no, or not known.
type Truth int8

// The values of Truth.
const (
	No      Truth = -1
	Unknown Truth = 0
	Yes     Truth = 1
)

// Evidence is what is known of a run: the truth of some predicates in its markings, from the
// initial one on, and how it goes on after the last of them. It decides formulas for which one run
// is enough.
//
// Why three values. A run of a coloured net, or the beginning of a run, shows only part of what
// happens. It may be too expensive to find out whether a transition is enabled, and nobody knows
// what comes after the last marking. So the question is never "is it true" but "is it surely true",
// once for the formula and once for its negation. For each subformula and position there is one
// bit: surely true there.
//
// For example, let the markings show p, p, and not p, with an unknown continuation. Surely F ¬p, by
// the third. Surely not G p, that is, F ¬p again. Neither G F p nor its negation is sure, as both
// depend on what follows. If the third marking is a deadlock, it repeats for ever, and F G ¬p is
// sure.
//
// Each operator is a fixpoint over positions: F is the least one of v[i] = p[i] or v[next(i)], G
// the greatest of v[i] = p[i] and v[next(i)]. Where next is not known, v[next(i)] counts as not
// sure. Around a loop the equations refer to themselves; going backwards twice solves them
// (backwards.Solve).
type Evidence struct {
	Length  int                          // the number of markings
	Letters map[*logic.Predicate][]Truth // of each predicate, by marking
	Loop    int                          // the marking that follows the last one, or -1
	Ended   bool                         // the last marking is a deadlock; loop is -1
}

// Surely reports whether the run surely satisfies f, a formula of linear time in negation normal form,
// however it goes on after its last marking. If it has a loop it goes around that for ever. A deadlock
// repeats its last marking. The cost is the size of f times the length of the run. An error is that of
// work.
func (e *Evidence) Surely(work *account.Account, l *Question, f *ltl.Formula) (bool, error) {
	next := e.next
	if e.Ended {
		next = func(i int) int { return min(i+1, e.Length-1) }
	}
	known := make(map[*ltl.Formula][]bool)
	var values func(f *ltl.Formula) ([]bool, error)
	values = func(f *ltl.Formula) ([]bool, error) {
		if v, ok := known[f]; ok {
			return v, nil
		}
		var o [][]bool
		if f.Operator() != logic.Not {
			for _, g := range f.Operands() {
				v, err := values(g)
				if err != nil {
					return nil, err
				}
				o = append(o, v)
			}
		}
		if err := work.Charge(e.work(len(f.Operands()))); err != nil {
			return nil, err
		}
		v := make([]bool, e.Length)
		known[f] = v
		then := func(i int) bool { return next(i) >= 0 && v[next(i)] }
		switch f.Operator() {
		case logic.True:
			e.fill(v, func(int) bool { return true })
		case ltl.Atom:
			e.literal(v, l.Predicates[f.Proposition()], Yes)
		case logic.Not:
			e.literal(v, l.Predicates[f.Operands()[0].Proposition()], No)
		case logic.And, logic.Or:
			all := f.Operator() == logic.And
			e.fill(v, func(i int) bool {
				for _, w := range o {
					if w[i] != all {
						return !all
					}
				}
				return all
			})
		case ltl.Next:
			e.fill(v, func(i int) bool { return next(i) >= 0 && o[0][next(i)] })
		case ltl.Finally:
			backwards.Solve(v, false, func(i int) bool { return o[0][i] || then(i) })
		case ltl.Until:
			backwards.Solve(v, false, func(i int) bool { return o[1][i] || o[0][i] && then(i) })
		case ltl.StrongRelease:
			backwards.Solve(v, false, func(i int) bool { return o[1][i] && (o[0][i] || then(i)) })
		case ltl.Globally:
			backwards.Solve(v, true, func(i int) bool { return o[0][i] && then(i) })
		case ltl.WeakUntil:
			backwards.Solve(v, true, func(i int) bool { return o[1][i] || o[0][i] && then(i) })
		case ltl.Release:
			backwards.Solve(v, true, func(i int) bool { return o[1][i] && (o[0][i] || then(i)) })
		}
		return v, nil // all false for other operators, of which nothing is sure
	}
	v, err := values(f)
	return err == nil && v[0], err
}

// work returns about what it costs to evaluate an operator of so many operands at each marking, in
// nanoseconds; it takes less memory in bytes.
func (e *Evidence) work(operands int) int { return 64 + (16+4*operands)*e.Length }

// Proves reports whether the run surely shows a formula of CTL, or if negated its negation. The run
// is one path of those that the initial marking has. So it may show what some path does. A run
// shows what all paths do only if it happens at once, or in a deadlock, where there is no other
// path. An error is that of work.
func (e *Evidence) Proves(work *account.Account, f *ctl.Formula, negated bool) (bool, error) {
	v, err := e.branching(work, f, negated)
	return err == nil && v[0], err
}

// TruthOf returns the truth of a formula of CTL, as far as the run shows it before work ends.
func (e *Evidence) TruthOf(work *account.Account, f *ctl.Formula) Truth {
	return decided(
		func() (bool, error) { return e.Proves(work, f, false) },
		func() (bool, error) { return e.Proves(work, f, true) })
}

// decided returns Yes if proves says so, and No if refutes does. An error is Unknown.
func decided(proves, refutes func() (bool, error)) Truth {
	if yes, err := proves(); err != nil {
		return Unknown
	} else if yes {
		return Yes
	}
	if no, err := refutes(); err == nil && no {
		return No
	}
	return Unknown
}

// branching returns for each marking whether the run surely shows f, or its negation, there.
func (e *Evidence) branching(work *account.Account, f *ctl.Formula, negated bool) ([]bool, error) {
	if f.Operator == logic.Not {
		return e.branching(work, f.Operands[0], !negated)
	}
	var o [][]bool
	for _, g := range f.Operands {
		v, err := e.branching(work, g, negated)
		if err != nil {
			return nil, err
		}
		o = append(o, v)
	}
	if err := work.Charge(e.work(len(f.Operands))); err != nil {
		return nil, err
	}
	v := make([]bool, e.Length)
	end := func(i int) bool { return e.Ended && i == e.Length-1 }
	then := func(i int) bool { return e.next(i) >= 0 && v[e.next(i)] }
	switch f.Operator {
	case ctl.State:
		wanted := Yes
		if negated {
			wanted = No
		}
		e.literal(v, f.Predicate, wanted)
		return v, nil
	case logic.And, logic.Or:
		all := (f.Operator == logic.And) != negated
		e.fill(v, func(i int) bool {
			for _, w := range o {
				if w[i] != all {
					return !all
				}
			}
			return all
		})
		return v, nil
	}
	// some: one path is enough for the operator, or for the negated operator.
	some := negated
	switch f.Operator {
	case ctl.ExistsNext, ctl.ExistsFinally, ctl.ExistsGlobally, ctl.ExistsUntil:
		some = !negated
	}
	switch f.Operator {
	case ctl.ExistsNext, ctl.AllNext:
		e.fill(v, func(i int) bool {
			if some {
				return e.next(i) >= 0 && o[0][e.next(i)]
			}
			return end(i)
		})
		return v, nil
	case ctl.ExistsUntil, ctl.AllUntil:
		switch {
		case !negated:
			backwards.Solve(v, false, func(i int) bool { return o[1][i] || some && o[0][i] && then(i) })
		default: // never the second before the first fails
			backwards.Solve(v, true, func(i int) bool { return o[1][i] && (o[0][i] || end(i) || some && then(i)) })
		}
		return v, nil
	}
	finally := f.Operator == ctl.ExistsFinally || f.Operator == ctl.AllFinally
	if finally != negated {
		backwards.Solve(v, false, func(i int) bool { return o[0][i] || some && then(i) })
	} else {
		backwards.Solve(v, true, func(i int) bool { return o[0][i] && (end(i) || some && then(i)) })
	}
	return v, nil
}

// Accepted reports whether the automaton of l surely accepts the run.
func (e *Evidence) Accepted(ctx context.Context, l *Question) bool {
	loop := e.Loop
	if e.Ended {
		loop = e.Length - 1
	}
	if loop < 0 {
		return false
	}
	if account.Of(ctx).Reserve(e.Length*(24+8+len(l.Predicates))) != nil {
		return false
	}
	letters := make([][]bool, e.Length)
	for i := range letters {
		for _, p := range l.Predicates {
			t := e.Letters[p][i]
			if t == Unknown {
				return false
			}
			letters[i] = append(letters[i], t == Yes)
		}
	}
	accepted, err := l.accepts(ctx, letters, loop)
	return err == nil && accepted
}

// next returns the position after i, or -1 if that is not known or there is none.
func (e *Evidence) next(i int) int {
	if i+1 < e.Length {
		return i + 1
	}
	return e.Loop
}

// literal sets v where p is known to have the wanted truth.
func (e *Evidence) literal(v []bool, p *logic.Predicate, wanted Truth) {
	for i, t := range e.Letters[p] {
		v[i] = t == wanted
	}
}

// fill sets each v[i] to value(i).
func (e *Evidence) fill(v []bool, value func(i int) bool) {
	for i := range v {
		v[i] = value(i)
	}
}

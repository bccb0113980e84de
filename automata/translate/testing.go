package translate

import (
	"context"
	"errors"

	"pnmc/automata"
	"pnmc/automata/reduce"
	"pnmc/automata/stutter"
	"pnmc/automata/testingautomata"
	"pnmc/logic/ltl"
)

// Construction says how a testing automaton is made of a formula.
type Construction uint8

// The constructions of testing automata.
const (
	// Smaller takes the result of TwoStep or of Direct that has fewer states, or
	// as many and fewer edges.
	Smaller Construction = iota
	// TwoStep makes the small generalized Büchi automaton that ToAutomaton gives,
	// and a testing automaton of that.
	TwoStep
	// Direct pairs the formulas of the tableau with valuations, without reducing
	// an automaton in between.
	Direct
)

// ToTGTA returns a transition-based generalized testing automaton for the runs that
// satisfy f, as testingautomata.NewTGTA describes it. The direct construction is what
// "Model Checking using Generalized Testing Automata" (Ben Salem, Duret-Lutz,
// Kordon, 2012) leaves to future work. Formulas without X are stutter-invariant,
// and so are all formulas of their tableaux; of others the languages are examined.
//
// An error wraps ErrLimit or testingautomata.ErrTooLarge if a limit was reached,
// or is that of the context.
func ToTGTA(ctx context.Context, s *ltl.Formulas, f *ltl.Formula, options Options, c Construction) (*automata.Automaton, error) {
	var best *automata.Automaton
	var failures []error
	for _, each := range []struct {
		construction Construction
		source       func() (*automata.Automaton, bool, error)
	}{
		{TwoStep, func() (*automata.Automaton, bool, error) { return twoStepSource(ctx, s, f, options) }},
		{Direct, func() (*automata.Automaton, bool, error) { return directSource(ctx, s, f, options) }},
	} {
		if c != Smaller && c != each.construction {
			continue
		}
		a, invariant, err := each.source()
		if err == nil {
			a, err = testingAutomaton(ctx, a, invariant)
		}
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			if len(failures) == 0 || err.Error() != failures[0].Error() {
				failures = append(failures, err)
			}
		case best == nil || a.States() < best.States() || a.States() == best.States() && a.Edges() < best.Edges():
			best = a
		}
	}
	if best == nil {
		return nil, errors.Join(failures...)
	}
	best.Name = title(s, f, options)
	return best, nil
}

// testingAutomaton returns a testing automaton of a; if invariant, the language of each of
// its states is stutter-invariant. Otherwise that is decided first, which may take far longer than
// the construction; so it asks before whether the construction is possible at all.
func testingAutomaton(ctx context.Context, a *automata.Automaton, invariant bool) (*automata.Automaton, error) {
	v := stutter.Invariance{Whole: true, States: make([]bool, a.States())}
	for s := range v.States {
		v.States[s] = true
	}
	if err := testingautomata.TooLarge(ctx, a); err != nil {
		return nil, err
	}
	if !invariant {
		decide := stutter.DecideInvariance
		if a.Claims&automata.ClaimStutterInvariant != 0 { // claims of ToAutomaton are true
			decide = stutter.DecideStatesInvariance
		}
		var err error
		if v, err = decide(ctx, a); err != nil {
			return nil, err
		}
	}
	return testingautomata.NewTGTA(ctx, a, v)
}

// twoStepSource returns the small automaton. Reductions may give it states whose
// language no formula without X describes, so that nothing is said of those.
func twoStepSource(ctx context.Context, s *ltl.Formulas, f *ltl.Formula, options Options) (*automata.Automaton, bool, error) {
	a, err := ToAutomaton(ctx, s, f, options)
	return a, false, err
}

// directSource returns the tableau, without the states that no accepting run visits.
func directSource(ctx context.Context, s *ltl.Formulas, f *ltl.Formula, options Options) (*automata.Automaton, bool, error) {
	w, simple, err := newWork(ctx, s, f, options)
	if err != nil {
		return nil, false, err
	}
	a, err := w.tableau(variant{formula: simple})
	if err != nil {
		return nil, false, err
	}
	a, err = reduce.Prune(ctx, a)
	return a, simple.Has(ltl.StutterInvariant), err
}

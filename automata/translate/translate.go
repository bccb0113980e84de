package translate

import (
	"context"
	"fmt"

	"pnmc/automata"
	"pnmc/logic"
)

// Limits bound a translation; zero values stand for the defaults.
type Limits struct {
	States   int // of an automaton before reduction: 20,000
	Edges    int // of an automaton before reduction: 500,000
	Formulas int // different formulas met: 500,000
	Nodes    int // of the decision diagrams of labels: 4,000,000
	Depth    int // of the formula: 10,000
}

func (l Limits) orDefaults() Limits {
	for _, p := range []struct {
		limit   *int
		initial int
	}{{&l.States, 20_000}, {&l.Edges, 500_000}, {&l.Formulas, 500_000}, {&l.Nodes, 4_000_000}, {&l.Depth, 10_000}} {
		if *p.limit == 0 {
			*p.limit = p.initial
		}
	}
	return l
}

// Options say how to translate.
type Options struct {
	Limits Limits
	// Negate translates the negation of the formula.
	Negate bool
}

// ToAutomaton is a generalized Büchi automaton that accepts exactly the runs that
// satisfy f, a formula that s made, over the propositions that occur in f. It
// has few states and edges, and is deterministic where that costs no state; its
// claims are true. An error wraps ErrLimit if a limit was reached, or is that of
// the context.
func ToAutomaton(ctx context.Context, s *logic.Formulas, f *logic.Formula, options Options) (*automata.Automaton, error) {
	limits := options.Limits.orDefaults()
	if f.Depth() > limits.Depth {
		return nil, fmt.Errorf("%w: formula nested deeper than %d", ErrLimit, limits.Depth)
	}
	formulas := logic.NewFormulas()
	w := &work{ctx: ctx, limits: limits, formulas: formulas, rewriter: logic.NewRewriter(formulas)}
	own := w.rewriter.NegationNormal(formulas.Import(f, s), options.Negate)
	a, err := w.best(w.rewriter.Simplify(own))
	if err != nil {
		return nil, err
	}
	return a, nil
}

// work is one translation, with what its parts share.
type work struct {
	ctx      context.Context
	limits   Limits
	formulas *logic.Formulas
	rewriter *logic.Rewriter
}

// tableau is the automaton of f as the tableau gives it.
func (w *work) tableau(f *logic.Formula) (*automata.Automaton, error) {
	n := len(w.formulas.Propositions())
	t := &tableau{
		ctx: w.ctx, formulas: w.formulas, rewriter: w.rewriter, limits: w.limits,
		functions:    automata.NewFunctions(n+variableLimit, w.limits.Nodes),
		propositions: n,
		meaning:      map[meaningKey]automata.Function{},
		next:         map[*logic.Formula]int{},
		promise:      map[*logic.Formula]int{},
		state:        map[*logic.Formula]automata.State{},
		canonical:    map[automata.Function]*logic.Formula{},
	}
	return t.build(f)
}

// best is the smallest automaton of f found.
func (w *work) best(f *logic.Formula) (*automata.Automaton, error) {
	a, err := w.tableau(f)
	if err != nil {
		return nil, err
	}
	a, err = automata.Prune(w.ctx, a)
	if err != nil {
		return nil, err
	}
	small, err := automata.ReduceBySimulation(w.ctx, a)
	if err != nil {
		return nil, err
	}
	weak, err := w.obligation(f, a)
	if err != nil {
		return nil, err
	}
	if weak != nil && weak.States() <= small.States() {
		small = weak
	}
	return automata.SimplifyAcceptance(w.ctx, small)
}

// subsetLimit is the number of subsets up to which a deterministic weak automaton
// is looked for.
const subsetLimit = 2000

// obligation is the minimal deterministic weak automaton of f, of which a is
// some automaton, or nil if f is no obligation or the automaton is large.
func (w *work) obligation(f *logic.Formula, a *automata.Automaton) (*automata.Automaton, error) {
	weak, err := automata.MinimizeObligation(w.ctx, a, subsetLimit)
	if err != nil {
		return nil, w.ctx.Err()
	}
	if f.Has(logic.Obligation) {
		return weak, nil
	}
	complement, err := automata.ComplementWeak(w.ctx, weak)
	if err != nil {
		return nil, err
	}
	if meet, err := intersect(a, complement); err != nil || meet {
		return nil, err
	}
	negation, err := w.tableau(w.rewriter.Simplify(w.rewriter.Negate(f)))
	if err != nil {
		return nil, w.ctx.Err()
	}
	if meet, err := intersect(negation, weak); err != nil || meet {
		return nil, err
	}
	return weak, nil
}

// intersect tells whether some word is accepted by both.
func intersect(a, b *automata.Automaton) (bool, error) {
	product, err := automata.Product(a, b)
	if err != nil {
		return false, err
	}
	return automata.HasAcceptingCycle(product), nil
}

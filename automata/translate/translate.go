package translate

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"pnmc/automata"
	"pnmc/automata/bdd"
	"pnmc/automata/reduce"
	"pnmc/automata/stutter"
	"pnmc/internal/account"
	"pnmc/logic/ltl"
	"pnmc/logic/ltl/rewrite"
)

// Options say how to translate. The limits bound a translation; zero values stand for the defaults.
type Options struct {
	// Negate translates the negation of the formula.
	Negate bool

	MaxStates   int // of an automaton before reduction: 20,000
	MaxEdges    int // of an automaton before reduction: 500,000
	MaxFormulas int // different formulas met: 500,000
	MaxNodes    int // of the decision diagrams of labels: 1,000,000
	MaxDepth    int // of the formula: 10,000
}

// limits bound a translation.
type limits struct{ States, Edges, Formulas, Nodes, Depth int }

// limits returns those of o, with defaults in place of zeros.
func (o Options) limits() limits {
	return limits{
		States: cmp.Or(o.MaxStates, 20_000), Edges: cmp.Or(o.MaxEdges, 500_000), Formulas: cmp.Or(o.MaxFormulas, 500_000),
		Nodes: cmp.Or(o.MaxNodes, 1_000_000), Depth: cmp.Or(o.MaxDepth, 10_000),
	}
}

// The strategy. A formula is rewritten, and a tableau made of it (tableau.go), which is pruned and
// reduced. The number of states depends on choices that no rule decides well: whether X(a | b) is
// asked whole or in parts, and whether subformulas are gathered by what they have in common. So
// small formulas are translated in all these variants, and the smallest automaton is kept (best).
// Of an obligation, a formula whose language some deterministic weak automaton accepts, the minimal
// one is computed, too (obligation). For example, the tableau of F a & F b has four states, one for
// each set of eventualities that still wait. The minimal automaton has four, too. It is
// deterministic, so it is taken.
//
// Why the result is right: each variant accepts the language of the formula by itself, so that any
// choice among them does. That a minimized automaton has the language of the formula is known from
// the formula's shape, or shown by two products with empty languages.
//
// What it costs: the first variant alone must not fail, and has two orders of variables for that
// (ordered); others are tried only up to variantStates and variantEdges. The limits end all of them. The
// idea of trying several ways and keeping the smallest is that of Spot's ltl2tgba (Duret-Lutz,
// "LTL translation improvements in Spot 1.0", 2014); weak minimization is Dax, Eisinger, Klaedtke,
// "Mechanizing the powerset construction for restricted classes of ω-automata" (ATVA 2007).

// ToAutomaton returns a generalized Büchi automaton that accepts exactly the runs that
// satisfy f, a formula that s made, over the propositions that occur in f. It
// has few states and edges, and is deterministic where that costs no state; its
// claims are true. An error wraps ErrLimit if a limit was reached, or is that of
// the context.
func ToAutomaton(ctx context.Context, s *ltl.Formulas, f *ltl.Formula, options Options) (*automata.Automaton, error) {
	w, simple, err := newWork(ctx, s, f, options)
	if err != nil {
		return nil, err
	}
	a, err := w.automaton(simple)
	if err != nil {
		return nil, err
	}
	if a, err = progressFirst(a); err != nil {
		return nil, err
	}
	a.Name = title(s, f, options)
	if a.Edges() < claimedEdges {
		a.Claims = automata.DetectClaims(ctx, a)
	}
	invariant := simple.Has(ltl.StutterInvariant)
	if !invariant && a.States() <= invariantStates {
		negation := func() (*automata.Automaton, error) { return w.negation(simple) }
		if invariant, err = stutter.DecideWholeInvariance(ctx, a, negation); err != nil {
			return nil, err
		}
	}
	if invariant {
		a.Claims |= automata.ClaimStutterInvariant
	}
	return a, nil
}

// negation returns an automaton of the negation of f, or nil if a limit was reached or a label has
// many cubes.
func (w *work) negation(f *ltl.Formula) (*automata.Automaton, error) {
	short := *w
	short.cubes = bdd.ManyCubes
	negated, err := w.negated(f)
	if err != nil {
		return nil, err
	}
	a, err := short.automaton(negated)
	if err != nil {
		return nil, w.ctx.Err()
	}
	return a, nil
}

// negated returns the negation of f, simplified. An error is that of the context, at whose end the
// rewriter leaves formulas that are not in negation normal form.
func (w *work) negated(f *ltl.Formula) (*ltl.Formula, error) {
	g := w.rewriter.Simplify(w.rewriter.Negate(f))
	return g, w.ctx.Err()
}

// invariantStates is the number of states up to which automata of formulas with X
// are examined for stutter invariance.
const invariantStates = 32

// longestTitle is the length of formulas up to which automata are named after them.
const longestTitle = 100_000

// title returns the formula that is translated, unless it is long: bounded operators in
// one another stand for exponentially much text.
func title(s *ltl.Formulas, f *ltl.Formula, options Options) string {
	if f.Length() > longestTitle {
		return ""
	}
	if options.Negate {
		f = s.Not(f)
	}
	return s.Text(f, ltl.SpotSyntax)
}

// newWork starts a translation, with formulas of its own, and rewrites f.
func newWork(ctx context.Context, s *ltl.Formulas, f *ltl.Formula, options Options) (*work, *ltl.Formula, error) {
	limits := options.limits()
	if f.Depth() > limits.Depth {
		return nil, nil, fmt.Errorf("%w: formula nested deeper than %d", ErrLimit, limits.Depth)
	}
	formulas := ltl.NewFormulas()
	w := &work{ctx: ctx, limits: limits, formulas: formulas, rewriter: rewrite.New(formulas)}
	w.rewriter.Watch(ctx)
	own, err := formulas.ImportWithin(account.Of(ctx).Charge, f, s)
	if err != nil {
		return nil, nil, cmp.Or(ctx.Err(), err) // of the limit that the context is
	}
	simple := w.rewriter.Simplify(w.rewriter.NegationNormal(own, options.Negate))
	if len(formulas.Propositions()) > fewPropositions {
		simple = w.rewriter.Wait(simple)
	}
	return w, simple, ctx.Err()
}

// claimedEdges is the number of edges up to which claims are looked for, which is
// quadratic in the edges of a state.
const claimedEdges = 20_000

// work is one translation, with what its parts share.
type work struct {
	ctx      context.Context
	limits   limits
	formulas *ltl.Formulas
	rewriter *rewrite.Rewriter
	cubes    int // most of a label, or 0: as many as diagrams give
}

// newTableau returns a tableau without states.
func (w *work) newTableau(v variant) *tableau {
	n := len(w.formulas.Propositions())
	t := &tableau{
		ctx: w.ctx, work: account.Of(w.ctx), formulas: w.formulas, rewriter: w.rewriter, limits: w.limits, cubes: w.cubes,
		functions:    bdd.New(n+demandLimit, w.limits.Nodes),
		variant:      v,
		propositions: n,
		first:        n,
		atoms:        make([]int, n),
		meaning:      map[meaningKey]bdd.Function{},
		next:         map[*ltl.Formula]int{},
		promise:      map[*ltl.Formula]int{},
		state:        map[*ltl.Formula]automata.State{},
		canonical:    map[bdd.Function]*ltl.Formula{},
	}
	t.functions.Watch(w.ctx)
	for p := range t.atoms {
		t.atoms[p] = p
		if v.interleaved {
			t.first, t.atoms[p] = 0, -1
		}
	}
	return t
}

// variants returns ways to build a tableau for f, the first one being the one that
// gives a small automaton most often.
func (w *work) variants(f *ltl.Formula) []variant {
	all := []variant{{formula: f}, {formula: f, divided: true}}
	if g := w.rewriter.Gather(f); g != f {
		all = append(all, variant{formula: g}, variant{formula: g, divided: true})
	}
	return all
}

// variant is one way to build a tableau.
type variant struct {
	formula *ltl.Formula
	divided bool // X(a | b) is asked as X a | X b
	// interleaved orders the variables of decision diagrams as they are met, rather
	// than propositions first. Edges then overlap more, but formulas in which many
	// propositions each decide alone what is asked next stay small.
	interleaved bool
	// ending makes no promises. It is for guarantee formulas with more than 64 eventualities: an
	// edge has no more marks. The only acceptance set has the edges to states that ask nothing:
	// there all eventualities are fulfilled, and only there. What is asked never grows, so that a
	// run that never gets there puts off some eventuality for ever, and is rejected.
	ending bool
}

// variantStates and variantEdges are the sizes of the first tableau up to which
// others are tried.
const (
	variantStates = 300
	variantEdges  = 10_000
)

// Of formulas with more than fewPropositions, diagrams in either order of variables
// get quickNodes first: where one order needs exponentially many, the other may do
// with few, and a million take half a gigabyte.
const (
	fewPropositions = 12
	quickNodes      = 1 << 15
)

// ordered returns the tableau of v with variables in an order with which it stays small
// enough. Another order than propositions first is tried only if mayInterleave, which
// is for the one tableau that must not fail.
func (w *work) ordered(v variant, mayInterleave bool) (*automata.Automaton, error) {
	interleaved := v
	interleaved.interleaved = true
	if len(w.formulas.Propositions()) > fewPropositions && w.limits.Nodes > quickNodes {
		quick := *w
		quick.limits.Nodes = quickNodes
		a, err := quick.tableau(v)
		if !mayInterleave || !errors.Is(err, bdd.ErrTooLarge) {
			return a, err
		}
		quick.limits.States, quick.limits.Edges = min(variantStates, w.limits.States), min(variantEdges, w.limits.Edges)
		if a, err := quick.tableau(interleaved); err == nil || w.ctx.Err() != nil {
			return a, err
		}
	}
	a, err := w.tableau(v)
	if mayInterleave && errors.Is(err, bdd.ErrTooLarge) && !v.formula.Has(ltl.Boolean) {
		return w.tableau(interleaved)
	}
	return a, err
}

// tableau returns the automaton of v as the tableau gives it.
func (w *work) tableau(v variant) (*automata.Automaton, error) {
	a, err := w.newTableau(v).build(v.formula)
	if errors.Is(err, errTooManySets) && v.formula.Has(ltl.Guarantee) {
		v.ending = true
		return w.newTableau(v).build(v.formula)
	}
	return a, err
}

// best returns the smallest automaton of f found.
func (w *work) best(f *ltl.Formula) (*automata.Automaton, error) {
	var best *automata.Automaton
	for i, v := range w.variants(f) {
		a, err := w.ordered(v, i == 0)
		if err != nil && (i == 0 || w.ctx.Err() != nil) {
			return nil, err
		}
		if err != nil {
			continue
		}
		large := a.States() > variantStates || a.Edges() > variantEdges
		if a, err = reduce.Prune(w.ctx, a); err != nil {
			return nil, err
		}
		if i == 0 {
			if best, err = w.obligation(f, a); err != nil {
				return nil, err
			}
		}
		if a, err = w.reduced(a); err != nil {
			return nil, err
		}
		if best == nil || smaller(w.ctx, a, best) {
			best = a
		}
		if large {
			break
		}
	}
	return best, nil
}

// reduced returns a smaller automaton with the language of a, or a itself if its labels are too
// large to find one.
func (w *work) reduced(a *automata.Automaton) (*automata.Automaton, error) {
	b, err := reduce.BySimulation(w.ctx, a)
	if err == nil {
		b, err = reduce.SimplifyAcceptance(w.ctx, b)
	}
	if errors.Is(err, bdd.ErrTooLarge) {
		return a, nil
	}
	return b, err
}

// smaller reports whether a is the better one: by fewer states, then by determinism,
// which makes products smaller, then by fewer edges.
func smaller(ctx context.Context, a, b *automata.Automaton) bool {
	if a.States() != b.States() {
		return a.States() < b.States()
	}
	if a.Edges() < claimedEdges && b.Edges() < claimedEdges {
		first, _ := automata.IsDeterministic(ctx, a)
		if second, _ := automata.IsDeterministic(ctx, b); first != second {
			return first
		}
	}
	return a.Edges() < b.Edges()
}

// subsetLimit is the number of subsets up to which a deterministic weak automaton
// is looked for.
const subsetLimit = 2000

// obligationEdges and obligationPairs bound the automata for which that is tried,
// and the products that check it.
const (
	obligationEdges = 20_000
	obligationPairs = 200_000
)

// obligation returns the minimal deterministic weak automaton of f, or nil if f is no
// obligation or the automaton is large. a is some automaton of f.
func (w *work) obligation(f *ltl.Formula, a *automata.Automaton) (*automata.Automaton, error) {
	if a.Edges() > obligationEdges {
		return nil, nil
	}
	weak, err := reduce.MinimizeObligation(w.ctx, a, subsetLimit)
	if err != nil {
		return nil, w.ctx.Err()
	}
	if f.Has(ltl.Obligation) {
		return reduce.SimplifyAcceptance(w.ctx, weak)
	}
	if a.States()*weak.States() > obligationPairs {
		return nil, nil
	}
	complement, err := reduce.ComplementWeak(w.ctx, weak)
	if err != nil {
		return nil, w.ctx.Err()
	}
	if meet, err := intersect(w.ctx, a, complement); err != nil || meet {
		return nil, err
	}
	short := *w
	short.cubes = bdd.ManyCubes
	negated, err := w.negated(f)
	if err != nil {
		return nil, err
	}
	negation, err := short.ordered(variant{formula: negated}, false)
	if err != nil || negation.States()*weak.States() > obligationPairs || negation.Edges() > obligationEdges {
		return nil, w.ctx.Err()
	}
	if meet, err := intersect(w.ctx, negation, weak); err != nil || meet {
		return nil, err
	}
	return reduce.SimplifyAcceptance(w.ctx, weak)
}

// intersect reports whether some word is accepted by both.
func intersect(ctx context.Context, a, b *automata.Automaton) (bool, error) {
	product, err := automata.Product(ctx, a, b)
	if err != nil {
		return false, err
	}
	return automata.HasAcceptingCycle(ctx, product)
}

package symbolic

import (
	"context"
	"errors"
	"fmt"

	"pnmc/automata"
	"pnmc/automata/testingautomata"
	"pnmc/logic"
)

// A product synchronizes the reachable states of a system with an automaton, in
// a forest with further levels for the automaton's state. A reachable state
// without successors repeats itself for ever.
type product struct {
	forest       *Forest
	space        *StateSpace
	state        stateVariable
	conditions   *conditions
	propositions []condition
	dead         condition // states without successors
	sets         int       // acceptance sets

	phases   []*phase
	crossing []transfer // from the first phase to the second

	// pieces holds the rules of which others consist. Only the relations of reach
	// saturate by them, since results of firing a rule are remembered by its
	// number.
	pieces *Relation
	guards map[guardKey]*guardedEvent
	merged map[string][]uint32

	supports map[condition][]bool // by level: whether propositions depend on it
}

// errAutomaton says that an automaton is none that symbolic products take.
var errAutomaton = errors.New("symbolic products need a TGBA or TGTA: an automaton with generalized Büchi acceptance")

// emptyProduct returns a product without forest and relations, if these operands have one.
func emptyProduct(s *StateSpace, a *automata.Automaton, propositions []*logic.Predicate, o ProductOptions) (*product, error) {
	switch {
	case !s.Complete:
		return nil, errors.New("the reachable states are not known")
	case !a.Acceptance.IsGeneralizedBuchi() || a.Kind == automata.TA || (o.Testing != nil || o.Aggregate) && a.Kind != automata.Plain:
		return nil, errAutomaton
	case len(propositions) != len(a.Propositions):
		return nil, fmt.Errorf("%d predicates for %d propositions", len(propositions), len(a.Propositions))
	case o.Testing != nil && len(o.Testing.States) != a.States() && !o.Testing.Whole:
		return nil, fmt.Errorf("stutter-invariance of %d states for %d", len(o.Testing.States), a.States())
	case a.Kind == automata.TGTA && len(propositions) > 64:
		return nil, fmt.Errorf("%w: %d propositions, more than 64", testingautomata.ErrTooLarge, len(propositions))
	}
	p := productOf(s)
	p.sets = a.Acceptance.Sets
	return p, nil
}

// productOf returns a product without automaton, forest and relations.
func productOf(s *StateSpace) *product {
	return &product{space: s, guards: map[guardKey]*guardedEvent{}, supports: map[condition][]bool{}, merged: map[string][]uint32{}}
}

// newProduct builds the relations. Propositions are predicates over the
// variables and events of s, one for each proposition of a.
func newProduct(ctx context.Context, s *StateSpace, a *automata.Automaton, propositions []*logic.Predicate, o ProductOptions) (*product, error) {
	p, err := emptyProduct(s, a, propositions, o)
	if err != nil {
		return nil, err
	}
	states := a.States()
	if o.Testing != nil && !o.Testing.Whole {
		states *= 2 // see buildObserved
	}
	p.state = newStateVariable(o.StateVariable, states, s.Forest.height)
	p.forest = NewForest(s.Forest.height+p.state.levels, o.Memory)
	if p.forest.Memory() > p.forest.budget {
		return nil, p.forest.overBudget()
	}
	p.forest.eager = o.eager
	p.forest.limitedBy(s.Forest.account.Budget())
	p.pieces = p.forest.NewRelation()
	defer p.forest.within(ctx)()
	defer s.Forest.within(ctx)()
	_, err = p.forest.guarded(nil, func() Node {
		p.observe(propositions)
		switch {
		case a.Kind == automata.TGTA:
			p.buildTesting(a)
		case o.Testing != nil:
			p.buildObserved(a, *o.Testing)
		default:
			p.buildPlain(a)
		}
		return Empty
	})
	return p, err
}

// observe makes the conditions of the propositions, the L of Definition 2, at
// the levels that the system's variables have in the product.
func (p *product) observe(propositions []*logic.Predicate) {
	b := p.space.predicates()
	p.conditions = b.table
	for _, q := range propositions {
		p.propositions = append(p.propositions, b.table.shifted(b.condition(q), uint32(p.state.below)))
	}
	p.dead = b.table.shifted(b.deadlocked(), uint32(p.state.below))
}

// buildPlain builds the relations of Definition 5: a disjunction over the
// automaton's edges of the events that start in states that the edge's label
// allows.
func (p *product) buildPlain(a *automata.Automaton) {
	x := p.addPhase()
	groups := map[condition]*eventGroup{}
	for e := range automata.Edge(a.Edges()) {
		label := p.label(a, e)
		if groups[label] == nil {
			groups[label] = p.group(label)
		}
		x.transfers = append(x.transfers, transfer{a.Source(e), a.Destination(e), a.Marks(e), groups[label]})
	}
	for _, q := range a.Initial() {
		p.addStart(x, q)
	}
}

// group returns all events, and the loops of deadlocked states, in states that fulfil
// the condition.
func (p *product) group(before condition) *eventGroup {
	g := &eventGroup{}
	for t := range p.space.System.Events {
		g.events = append(g.events, guardedStep{t, before, always})
	}
	g.events = append(g.events, guardedStep{Stutter, p.conditions.and(before, p.dead), always})
	return g
}

// label returns the condition that the label of e puts on valuations.
func (p *product) label(a *automata.Automaton, e automata.Edge) condition {
	c := never
	for i := range a.Cubes(e) {
		cube := a.Cube(e, i)
		all := always
		for j, q := range p.propositions {
			if occurs, positive := cube.Literal(j); occurs {
				if !positive {
					q = p.conditions.not(q)
				}
				all = p.conditions.and(all, q)
			}
		}
		c = p.conditions.or(c, all)
	}
	return c
}

// initialVector returns the system's initial state by level of the product, with the
// automaton's levels zero.
func (p *product) initialVector() []uint32 {
	initial := make([]uint32, p.forest.height)
	for v, level := range p.space.Levels {
		initial[p.state.below+level-1] = p.space.System.Initial[v]
	}
	return initial
}

// addStart adds the initial state of the system with state q of the automaton.
func (p *product) addStart(x *phase, q automata.State) {
	n := Unit
	vector := p.initialVector()
	p.state.put(vector, q)
	for i, value := range vector {
		n = p.forest.single(i+1, value, n)
	}
	old := x.start // kept: a root while n is united with it
	p.forest.push(n)
	x.start = p.forest.Keep(p.forest.union(old, n))
	p.forest.pop()
	p.forest.Release(old)
}

package symbolic

import (
	"context"
	"errors"
	"fmt"

	"pnmc/automata"
	"pnmc/logic"
)

// A product synchronizes the reachable states of a system with an automaton, in
// a forest with one level more: on top is the automaton's state. A reachable
// state without successors repeats itself for ever.
//
// For automata that read valuations it is Definition 5 of the paper of 2014: the
// transition relation is a disjunction over the automaton's edges of the events
// that start in states that the edge's label allows. Every event then consults
// the automaton's state, and saturation is left with one level to work on.
//
// For testing automata it is Definition 10, with the relation of Equation (1):
// events that change no proposition are fired without looking at the automaton,
// since each of its states has a stuttering loop. They stay at the levels of the
// variables that they touch, which is what saturation needs.
type product struct {
	forest       *Forest
	space        *StateSpace
	automaton    *automata.Automaton
	conditions   *conditions
	propositions []condition
	dead         condition
	top          int // level of the automaton's state

	start     Node        // Definition 5 and 10: P0
	reach     *Relation   // for reachability: T without loops
	step      *Relation   // T, as one rule
	accepting []*Relation // T_f, as one rule each
	// pieces holds the rules of which the others consist. Only reach may saturate,
	// since results of firing a rule are remembered by its number.
	pieces *Relation
}

// ErrAutomaton tells that an automaton is none that symbolic products take.
var ErrAutomaton = errors.New("symbolic products need a TGBA or TGTA: an automaton with generalized Büchi acceptance")

// newProduct builds the relations. Propositions are predicates over the
// variables and events of s, one for each proposition of a.
func newProduct(ctx context.Context, s *StateSpace, a *automata.Automaton, propositions []*logic.Predicate, memory int64) (*product, error) {
	switch {
	case !s.Complete:
		return nil, errors.New("the reachable states are not known")
	case !a.Acceptance.IsGeneralizedBuchi() || a.Kind == automata.TA:
		return nil, ErrAutomaton
	case len(propositions) != len(a.Propositions):
		return nil, fmt.Errorf("%d predicates for %d propositions", len(propositions), len(a.Propositions))
	case a.Kind == automata.TGTA && len(propositions) > 64:
		return nil, fmt.Errorf("%d propositions in a testing automaton, more than 64", len(propositions))
	}
	p := &product{space: s, automaton: a, top: s.Forest.height + 1}
	p.forest = NewForest(p.top, memory)
	p.pieces = p.forest.NewRelation()
	defer p.forest.within(ctx)()
	defer s.Forest.within(ctx)()
	_, err := p.forest.guarded(nil, func() Node {
		b := s.predicates()
		p.conditions = b.table
		for _, q := range propositions {
			p.propositions = append(p.propositions, b.condition(q))
		}
		p.dead = b.deadlocked()
		if a.Kind == automata.TGTA {
			p.buildTesting()
		} else {
			p.buildPlain()
		}
		return Empty
	})
	return p, err
}

// An automatonEdge is an edge with the rules for the system's part of it.
type automatonEdge struct {
	from, to automata.State
	marks    automata.Marks
	rules    []uint32
}

// buildPlain builds the relations of Definition 5.
func (p *product) buildPlain() {
	a := p.automaton
	rulesOf := map[condition][]uint32{}
	var edges []automatonEdge
	for e := range automata.Edge(a.Edges()) {
		label := p.label(e)
		rules, ok := rulesOf[label]
		if !ok {
			for t := range p.space.System.Events {
				if r := newGuardedEvent(p.pieces, p.conditions, p.steps(t)).rule(0, label, always); r.possible {
					rules = append(rules, r.rule)
				}
			}
			rules = append(rules, p.deadLoop(label)...)
			rulesOf[label] = rules
		}
		edges = append(edges, automatonEdge{a.Source(e), a.Destination(e), a.Marks(e), rules})
	}
	p.reach = p.relation(edges, nil)
	p.step = p.reach
	for f := range a.Acceptance.Sets {
		p.accepting = append(p.accepting, p.relation(marked(edges, f), nil))
	}
	for _, q := range a.Initial() {
		p.addStart(q)
	}
}

func marked(edges []automatonEdge, set int) []automatonEdge {
	var some []automatonEdge
	for _, e := range edges {
		if e.marks.Has(set) {
			some = append(some, e)
		}
	}
	return some
}

// steps are the steps of the event, descending by level.
func (p *product) steps(event int) []Step {
	var steps []Step
	for _, g := range p.space.System.Events[event] {
		steps = append(steps, Step{p.space.Levels[g.Variable], g.Low, g.High, g.Delta})
	}
	sortSteps(steps)
	return steps
}

// deadLoop is the rule of states without successors that fulfil the label, which
// stay as they are; at most one.
func (p *product) deadLoop(label condition) []uint32 {
	r := newGuardedEvent(p.pieces, p.conditions, nil).rule(0, p.conditions.and(label, p.dead), always)
	if !r.possible {
		return nil
	}
	return []uint32{r.rule}
}

// label is the condition that the label of e puts on valuations.
func (p *product) label(e automata.Edge) condition {
	c := never
	for i := range p.automaton.Cubes(e) {
		cube := p.automaton.Cube(e, i)
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

// relation is the relation of these edges, as one rule at the top level, and of
// the rules below it, each at its own level.
func (p *product) relation(edges []automatonEdge, below []uint32) *Relation {
	r := p.forest.NewRelation()
	type pair struct{ from, to automata.State }
	joined := map[pair][]uint32{}
	var order []pair
	for _, e := range edges {
		if len(e.rules) == 0 {
			continue
		}
		at := pair{e.from, e.to}
		if joined[at] == nil {
			order = append(order, at)
		}
		joined[at] = append(joined[at], e.rules...)
	}
	var alternatives []alternative
	for _, at := range order {
		for _, next := range p.pieces.mergeRules(joined[at]) {
			alternatives = append(alternatives, alternative{int64(at.to) - int64(at.from), uint32(at.from), uint32(at.from), next})
		}
	}
	if len(alternatives) > 0 {
		r.addRule(r.rule(p.top, alternatives))
	}
	for _, rule := range below {
		r.addRule(rule)
	}
	r.merge()
	return r
}

// addStart adds the initial state of the system with state q of the automaton.
func (p *product) addStart(q automata.State) {
	n := Unit
	for i, value := range append(p.initialVector(), uint32(q)) {
		n = p.forest.single(i+1, value, n)
	}
	old := p.start // kept: a root while n is united with it
	p.forest.push(n)
	p.start = p.forest.Keep(p.forest.union(old, n))
	p.forest.pop()
	p.forest.Release(old)
}

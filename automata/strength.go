package automata

import (
	"context"
)

// Strength says how hard a strongly connected component, or an automaton, makes
// the search for an accepted run. The order is from the easiest. In a terminal component the search
// is over; in a weak one any cycle will do, and one depth-first search finds it; in a strong one the
// marks of a cycle must be looked at.
//
// For example, the automaton of F a waits in a rejecting component and ends in a terminal one. That
// of G a is weak: its loop is accepted, but a letter without a ends the run. That of G F a is strong:
// one state whose loop on a is accepted and whose loop on !a is not.
type Strength uint8

// The strengths. The terms are those of Bloem, Ravi and Somenzi ("Efficient decision
// procedures for model checking of linear time logic properties", 1999), in the
// inherent sense: the cycles of a component decide, not its marks.
const (
	// Rejecting: no cycle is accepted, or there is none.
	Rejecting Strength = iota
	// Terminal: every run that gets there is accepted, whatever it reads.
	Terminal
	// Weak: every cycle is accepted.
	Weak
	// Strong: some cycles are accepted and others are not.
	Strong
)

// Strengths returns the strength of each component of a. The price is linear for
// generalized Büchi conditions but for checking that the outgoing labels of an accepting
// component's states cover all valuations, and exponential in the number of Fin in the
// condition or its negation at worst. The bound on work, or the context, may leave a
// component undecided. Then it counts as Strong, or as Weak where only Terminal is in
// question. To take a component for harder than it is costs time, but is never wrong.
func Strengths(ctx context.Context, a *Automaton, c *Components) []Strength {
	strengths := make([]Strength, c.Count())
	accepted, rejected := newCycleSearch(ctx, a), newCycleSearch(ctx, a)
	outgoing := NewOutgoing(ctx, a)
	negation := a.Acceptance.Condition.Negation()
	for n := range strengths {
		edges := insideEdges(a, c, Component(n))
		switch {
		case len(edges) == 0:
			strengths[n] = Rejecting
		case !accepted.accepting(edges, a.Acceptance.Condition) && accepted.Err == nil:
			strengths[n] = Rejecting
		case accepted.Err != nil || rejected.accepting(edges, negation) || rejected.Err != nil:
			strengths[n] = Strong
		case outgoing.terminal(c, Component(n), strengths):
			strengths[n] = Terminal
		default:
			strengths[n] = Weak
		}
	}
	return strengths
}

// TerminalStates returns for each state whether it is in a terminal component, as far as
// Strengths finds them out: whatever follows, it is accepted.
func TerminalStates(ctx context.Context, a *Automaton) []bool {
	c := FindComponents(a)
	strengths := Strengths(ctx, a, c)
	terminal := make([]bool, a.States())
	for s := range terminal {
		terminal[s] = strengths[c.Of(State(s))] == Terminal
	}
	return terminal
}

// StrengthOf returns the greatest strength of the components of a that are reachable
// from its initial states, as far as Strengths finds them out.
func StrengthOf(ctx context.Context, a *Automaton) Strength {
	c := FindComponents(a)
	strengths := Strengths(ctx, a, c)
	greatest := Rejecting
	for s, reached := range Reachable(a) {
		if reached {
			greatest = max(greatest, strengths[c.Of(State(s))])
		}
	}
	return greatest
}

// VeryWeak reports whether no component has more than one state.
func (c *Components) VeryWeak() bool { return c.Count() == len(c.of) }

// Reachable returns for each state whether it is reachable from an initial one.
func Reachable(a *Automaton) []bool {
	return ReachableFrom(a.States(), a.initial, func(s State, visit func(State)) {
		first, end := a.Out(s)
		for e := first; e < end; e++ {
			visit(a.destination[e])
		}
	})
}

// ReachableFrom returns for each of so many states whether it is reachable from initial
// ones; successors calls visit for each successor of s.
func ReachableFrom(states int, initial []State, successors func(s State, visit func(State))) []bool {
	reached := make([]bool, states)
	var todo []State
	visit := func(s State) {
		if !reached[s] {
			reached[s] = true
			todo = append(todo, s)
		}
	}
	for _, s := range initial {
		visit(s)
	}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		successors(s, visit)
	}
	return reached
}

// insideEdges returns the edges that stay in component n.
func insideEdges(a *Automaton, c *Components, n Component) []Edge {
	var edges []Edge
	for _, s := range c.States(n) {
		first, end := a.Out(s)
		for e := first; e < end; e++ {
			if c.Inside(a, e) {
				edges = append(edges, e)
			}
		}
	}
	return edges
}

// terminal reports whether every state of component n, all of whose cycles are
// accepted, has a successor for every valuation, always in n or in a terminal
// component. It reports false when the effort ends.
func (o *Outgoing) terminal(c *Components, n Component, strengths []Strength) bool {
	stays := func(e Edge) bool {
		d := c.Of(o.a.destination[e])
		return d == n || strengths[d] == Terminal
	}
	for _, s := range c.States(n) {
		if complete, _ := o.Complete(s, stays); !complete {
			return false
		}
	}
	return true
}

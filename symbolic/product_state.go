package symbolic

import (
	"math/bits"

	"pnmc/automata"
	"pnmc/internal/suggest"
)

// StateVariable says where the automaton's state lies among the levels of a
// product, and how it is written there.
type StateVariable uint8

// The placements, named as by Sebastiani, Tonetta, Vardi, "Symbolic systems,
// explicit properties" (2005), who compare them for BDDs.
const (
	// LogTop writes the state in binary, a level for each bit, above all
	// variables: the encoding of the paper of 2014.
	LogTop StateVariable = iota
	// Top gives it one level with a value for each state, above all variables:
	// the sets of system states for each automaton state lie side by side, as in
	// property-driven partitioning.
	Top
	// LogBottom and Bottom are the same below all variables.
	LogBottom
	Bottom
)

// DefaultStateVariable is the placement of the paper of 2014.
const DefaultStateVariable = LogTop

var stateVariableNames = suggest.Names[StateVariable]{"log-top", "top", "log-bottom", "bottom"}

// String returns log-top, top, log-bottom or bottom.
func (v StateVariable) String() string { return stateVariableNames.Of(v) }

// StateVariableNames returns the names of all placements.
func StateVariableNames() []string { return stateVariableNames.All() }

// ParseStateVariable returns the placement of a name, as String writes it.
func ParseStateVariable(name string) (StateVariable, error) { return stateVariableNames.Parse(name) }

// stateVariable lays out the automaton's state over levels of its own. The lowest is
// above first levels of others.
type stateVariable struct {
	first  int // levels below
	levels int
	below  int // levels of the state if it is at the bottom, otherwise 0
	digit  int // bits of a level
}

// newStateVariable lays out that many states beside variables.
func newStateVariable(where StateVariable, states, variables int) stateVariable {
	v := stateVariable{first: variables, levels: 1, digit: 32}
	if where == LogTop || where == LogBottom {
		v.levels, v.digit = max(1, bits.Len(uint(max(0, states-1)))), 1
	}
	if where == LogBottom || where == Bottom {
		v.first, v.below = 0, v.levels
	}
	return v
}

// value returns what the state has at its i-th level from below.
func (v stateVariable) value(q automata.State, i int) uint32 {
	return uint32(uint64(q) >> (i * v.digit) & (1<<v.digit - 1))
}

// put writes q into a vector of the product.
func (v stateVariable) put(vector []uint32, q automata.State) {
	for i := range v.levels {
		vector[v.first+i] = v.value(q, i)
	}
}

// of returns the automaton's state in a vector of the product.
func (v stateVariable) of(vector []uint32) automata.State {
	q := uint32(0)
	for i := range v.levels {
		q |= vector[v.first+i] << (i * v.digit)
	}
	return automata.State(q)
}

// A stateMove leads from one state to another, and then follows a rule of the
// levels below.
type stateMove struct {
	from, to automata.State
	next     uint32
}

// rules returns the rules of r for the moves: at most one.
func (v stateVariable) rules(r *Relation, moves []stateMove) []uint32 {
	if len(moves) == 0 {
		return nil
	}
	return []uint32{v.rule(r, v.levels-1, moves)}
}

// rule returns the rule for the moves from the i-th level down, at least one: at each
// level those with equal digits go together.
func (v stateVariable) rule(r *Relation, i int, moves []stateMove) uint32 {
	var alternatives []alternative
	put := func(m stateMove, next uint32) {
		from, to := v.value(m.from, i), v.value(m.to, i)
		alternatives = append(alternatives, alternative{int64(to) - int64(from), from, from, next})
	}
	if i == 0 {
		seen := map[stateMove]bool{}
		for _, m := range moves {
			same := stateMove{automata.State(v.value(m.from, 0)), automata.State(v.value(m.to, 0)), m.next}
			if !seen[same] {
				seen[same] = true
				put(m, m.next)
			}
		}
		return r.rule(v.first+1, alternatives)
	}
	type digits struct{ from, to uint32 }
	parts := map[digits][]stateMove{}
	var order []digits
	for _, m := range moves {
		at := digits{v.value(m.from, i), v.value(m.to, i)}
		if parts[at] == nil {
			order = append(order, at)
		}
		parts[at] = append(parts[at], m)
	}
	for _, at := range order {
		put(parts[at][0], v.rule(r, i-1, parts[at]))
	}
	return r.rule(v.first+1+i, alternatives)
}

package twin

import (
	"errors"
	"math"
	"slices"
)

// Net is a place/transition net. A name of a place or transition may stand for
// several: those that a coloured one unfolds to.
type Net struct {
	Initial []int64
	// Inputs and Outputs have for each transition its arcs.
	Inputs, Outputs [][]Arc
	// Inhibitors have for each transition the places that must have fewer tokens than the
	// weight; Resets the places that it empties; nil: none. Capacities are by place, where there are any.
	Inhibitors [][]Arc
	Resets     [][]int
	Capacities map[int]int64
	// Places and Transitions tell what names stand for, in the order of PlaceNames
	// and TransitionNames.
	Places, Transitions         map[string][]int
	PlaceNames, TransitionNames []string
	// Bindings are transitions of a coloured net with values of variables, such as
	// t[x=c0,y=c1].
	Bindings map[string][]int
}

// Arc is one end of an arc: the place and the weight.
type Arc struct {
	Place  int
	Weight int64
}

// NewNet returns a net without nodes.
func NewNet() *Net {
	return &Net{Places: map[string][]int{}, Transitions: map[string][]int{}, Capacities: map[int]int64{}, Bindings: map[string][]int{}}
}

// AddPlace adds a place that name stands for, perhaps beside others.
func (n *Net) AddPlace(name string, tokens int64) int {
	if n.Places[name] == nil {
		n.PlaceNames = append(n.PlaceNames, name)
	}
	n.Places[name] = append(n.Places[name], len(n.Initial))
	n.Initial = append(n.Initial, tokens)
	return len(n.Initial) - 1
}

// AddTransition adds a transition that name stands for, perhaps beside others.
func (n *Net) AddTransition(name string, inputs, outputs []Arc) int {
	if n.Transitions[name] == nil {
		n.TransitionNames = append(n.TransitionNames, name)
	}
	n.Transitions[name] = append(n.Transitions[name], len(n.Inputs))
	n.Inhibitors, n.Resets = append(n.Inhibitors, nil), append(n.Resets, nil)
	n.Inputs, n.Outputs = append(n.Inputs, merged(inputs)), append(n.Outputs, merged(outputs))
	return len(n.Inputs) - 1
}

// merged adds up the weights of arcs at the same place.
func merged(arcs []Arc) []Arc {
	var list []Arc
	at := make(map[int]int)
	for _, a := range arcs {
		i, known := at[a.Place]
		if known {
			list[i].Weight += a.Weight
			continue
		}
		at[a.Place] = len(list)
		list = append(list, a)
	}
	return list
}

// Plain reports whether the net has neither inhibitor nor reset arcs nor capacities.
func (n *Net) Plain() bool {
	some := func(arcs []Arc) bool { return len(arcs) > 0 }
	return len(n.Capacities) == 0 && !slices.ContainsFunc(n.Inhibitors, some) &&
		!slices.ContainsFunc(n.Resets, func(places []int) bool { return len(places) > 0 })
}

// Enabled reports whether transition t can fire in m. A place with a capacity must not have
// more tokens afterwards than that, if t leaves more there than it found.
func (n *Net) Enabled(m []int64, t int) bool {
	for _, a := range n.Inputs[t] {
		if m[a.Place] < a.Weight {
			return false
		}
	}
	if n.Inhibitors != nil {
		for _, a := range n.Inhibitors[t] {
			if m[a.Place] >= a.Weight {
				return false
			}
		}
	}
	if len(n.Capacities) == 0 {
		return true
	}
	next, err := n.Fire(m, t)
	for p, capacity := range n.Capacities {
		if err != nil || next[p] > capacity && next[p] > m[p] {
			return false
		}
	}
	return true
}

// Deadlock reports whether nothing can fire in m.
func (n *Net) Deadlock(m []int64) bool {
	for t := range n.Inputs {
		if n.Enabled(m, t) {
			return false
		}
	}
	return true
}

// ErrTooMany is what a firing ends with that puts 2^63 tokens or more in a place.
var ErrTooMany = errors.New("more tokens than 63 bits hold")

// Fire returns what m becomes when t, which must be enabled, fires.
func (n *Net) Fire(m []int64, t int) ([]int64, error) {
	next := append([]int64(nil), m...)
	for _, a := range n.Inputs[t] {
		next[a.Place] -= a.Weight
	}
	if n.Resets != nil {
		for _, p := range n.Resets[t] {
			next[p] = 0
		}
	}
	for _, a := range n.Outputs[t] {
		if next[a.Place] > math.MaxInt64-a.Weight {
			return nil, ErrTooMany
		}
		next[a.Place] += a.Weight
	}
	return next, nil
}

package measure

import (
	"slices"

	"pnmc/petri"
)

// A sentNet is a net as bench sends it to the processes that measure: flat slices of numbers, which
// take a few bytes an arc. The same net in PNML takes some sixty. Each measurement is a process of
// its own, so it has its own memory. It gets the net by a pipe rather than reading its file again.
type sentNet struct {
	ID, Name            string
	Places, Transitions []petri.Label
	Initial             []int64
	Capacities          []int64 // nil: no place has one

	Inputs, Outputs, Inhibitors, Resets sentArcs

	HasUnits bool
	Units    []petri.Unit
	Root     int
	Safe     bool
	Likely   bool
}

// sentArcs are arcs of a kind: those of each transition follow those of the one before.
//
// For example, take three transitions. The first has inputs p2 and p5, of weight 1 and 3, the
// second has none, and the third has p2 of weight 1. Lengths are 2 0 1, Places 2 5 2, and Weights
// 1 3 1.
type sentArcs struct {
	Lengths []uint32 // by transition; nil: there is no arc
	Places  []uint32
	Weights []int64
}

// newSentNet returns the net to send.
func newSentNet(net *petri.Net) sentNet {
	s := sentNet{ID: net.ID, Name: net.Name, Initial: net.Initial()}
	for p := range petri.Place(net.Places()) {
		s.Places = append(s.Places, net.PlaceLabel(p))
		if net.Capacity(p) == petri.Unbounded {
			continue
		}
		if s.Capacities == nil {
			s.Capacities = slices.Repeat([]int64{petri.Unbounded}, net.Places())
		}
		s.Capacities[p] = net.Capacity(p)
	}
	for t := range petri.Transition(net.Transitions()) {
		s.Transitions = append(s.Transitions, net.TransitionLabel(t))
	}
	s.Inputs = sendArcs(net, net.Pre)
	s.Outputs = sendArcs(net, net.Post)
	s.Inhibitors = sendArcs(net, net.Inhibitors)
	s.Resets = sendArcs(net, func(t petri.Transition) (list []petri.Arc) {
		for _, p := range net.Resets(t) {
			list = append(list, petri.Arc{Place: p, Weight: 1})
		}
		return list
	})
	if units := net.NUPN(); units != nil {
		s.HasUnits, s.Units, s.Root, s.Safe, s.Likely = true, units.Units, units.Root, units.Safe, units.Likely
	}
	return s
}

// sendArcs returns the arcs that of gives for each transition.
func sendArcs(net *petri.Net, of func(petri.Transition) []petri.Arc) (s sentArcs) {
	count := 0
	for t := range petri.Transition(net.Transitions()) {
		count += len(of(t))
	}
	if count == 0 {
		return s
	}
	s = sentArcs{make([]uint32, net.Transitions()), make([]uint32, 0, count), make([]int64, 0, count)}
	for t := range petri.Transition(net.Transitions()) {
		arcs := of(t)
		s.Lengths[t] = uint32(len(arcs))
		for _, a := range arcs {
			s.Places = append(s.Places, uint32(a.Place))
			s.Weights = append(s.Weights, a.Weight)
		}
	}
	return s
}

// build makes the net that was sent.
func (s *sentNet) build() (*petri.Net, error) {
	b := petri.Builder{ID: s.ID, Name: s.Name}
	for p, label := range s.Places {
		place, err := b.AddPlace(label.ID, label.Name, s.Initial[p])
		if err == nil && s.Capacities != nil && s.Capacities[p] != petri.Unbounded {
			err = b.SetCapacity(place, s.Capacities[p])
		}
		if err != nil {
			return nil, err
		}
	}
	for _, label := range s.Transitions {
		if _, err := b.AddTransition(label.ID, label.Name); err != nil {
			return nil, err
		}
	}
	for _, kind := range []struct {
		arcs sentArcs
		add  func(petri.Place, petri.Transition, int64) error
	}{
		{s.Inputs, b.AddInput},
		{s.Outputs, func(p petri.Place, t petri.Transition, weight int64) error { return b.AddOutput(t, p, weight) }},
		{s.Inhibitors, b.AddInhibitor},
		{s.Resets, func(p petri.Place, t petri.Transition, _ int64) error { return b.AddReset(p, t) }},
	} {
		if err := kind.arcs.addTo(kind.add); err != nil {
			return nil, err
		}
	}
	if s.HasUnits {
		b.SetNUPN(&petri.NUPN{Units: s.Units, Root: s.Root, Safe: s.Safe, Likely: s.Likely})
	}
	return b.Build()
}

// addTo adds the arcs one by one.
func (s *sentArcs) addTo(add func(petri.Place, petri.Transition, int64) error) error {
	next := 0
	for t, length := range s.Lengths {
		for range length {
			if err := add(petri.Place(s.Places[next]), petri.Transition(t), s.Weights[next]); err != nil {
				return err
			}
			next++
		}
	}
	return nil
}

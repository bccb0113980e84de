package marked

import (
	"pnmc/automata"
	"pnmc/automata/bdd"
)

// meaning is what the marks mean in one component.
type meaning uint8

const (
	MarksDecide meaning = iota // some cycles are accepted
	NoneAccepted
	AllAccepted
)

// NormalizeMarks gives equal marks to what accepts equally: none to edges that no
// cycle takes and to those of components where no cycle is accepted, all to
// those of components where every cycle is accepted. It tells which components
// are which.
func (r *Reducible) NormalizeMarks() (*automata.Components, []meaning) {
	c := r.Components()
	accepting := r.AcceptingComponents(c)
	meanings := make([]meaning, c.Count())
	for n := range meanings {
		switch {
		case !accepting[n]:
			meanings[n] = NoneAccepted
		case r.everyCycleAccepted(c, automata.Component(n)):
			meanings[n] = AllAccepted
		}
		for _, s := range c.States(automata.Component(n)) {
			for i, e := range r.Out[s] {
				switch {
				case c.Of(e.To) != automata.Component(n) || meanings[n] == NoneAccepted:
					r.Out[s][i].Marks = 0
				case meanings[n] == AllAccepted:
					r.Out[s][i].Marks = r.All()
				}
			}
			r.Merge(s)
		}
	}
	return c, meanings
}

// everyCycleAccepted reports whether each cycle of component n has all marks.
func (r *Reducible) everyCycleAccepted(c *automata.Components, n automata.Component) bool {
	for set := range r.Sets {
		if r.cycleWithout(c, n, 1<<set) {
			return false
		}
	}
	return true
}

// cycleWithout reports whether component n has a cycle without any of these marks.
// A graph without cycle loses all its states to repeated removal of sinks.
func (r *Reducible) cycleWithout(c *automata.Components, n automata.Component, marks uint64) bool {
	degree := map[automata.State]int{}
	before := map[automata.State][]automata.State{}
	var sinks []automata.State
	for _, s := range c.States(n) {
		for _, e := range r.Out[s] {
			if c.Of(e.To) == n && e.Marks&marks == 0 {
				degree[s]++
				before[e.To] = append(before[e.To], s)
			}
		}
		if degree[s] == 0 {
			sinks = append(sinks, s)
		}
	}
	removed := 0
	for len(sinks) > 0 {
		s := sinks[len(sinks)-1]
		sinks = sinks[:len(sinks)-1]
		removed++
		for _, p := range before[s] {
			if degree[p]--; degree[p] == 0 {
				sinks = append(sinks, p)
			}
		}
	}
	return removed < len(c.States(n))
}

// DisjointMarks makes the edges from one state to another disjoint: where two of
// them could be taken, one with the marks of both remains. A run that takes
// either infinitely often can take both in turn.
func (r *Reducible) DisjointMarks(s automata.State) {
	f := r.Functions
	var result []Link
	for first, end := 0, 0; first < len(r.Out[s]); first = end {
		start := len(result)
		for end = first; end < len(r.Out[s]) && r.Out[s][end].To == r.Out[s][first].To; end++ {
			e := r.Out[s][end]
			for i := start; i < len(result) && e.Label != bdd.FalseFunction; i++ {
				common := f.And(result[i].Label, e.Label)
				if common == bdd.FalseFunction {
					continue
				}
				marks := result[i].Marks | e.Marks
				if rest := f.And(result[i].Label, f.Not(common)); rest != bdd.FalseFunction {
					result = append(result, Link{e.To, result[i].Marks, rest})
				}
				result[i].Label, result[i].Marks = common, marks
				e.Label = f.And(e.Label, f.Not(common))
			}
			if e.Label != bdd.FalseFunction {
				result = append(result, e)
			}
		}
	}
	r.Out[s] = result
	r.Merge(s)
}

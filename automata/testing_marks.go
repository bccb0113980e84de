package automata

// meaning is what the marks mean in one component.
type meaning uint8

const (
	marksDecide meaning = iota // some cycles are accepted
	noneAccepted
	allAccepted
)

// normalizeMarks gives equal marks to what accepts equally: none to edges that no
// cycle takes and to those of components where no cycle is accepted, all to
// those of components where every cycle is accepted. It tells which components
// are which.
func (r *reducible) normalizeMarks() (*Components, []meaning) {
	c := r.components()
	accepting := r.acceptingComponents(c)
	meanings := make([]meaning, c.Count())
	for n := range meanings {
		switch {
		case !accepting[n]:
			meanings[n] = noneAccepted
		case r.everyCycleAccepted(c, Component(n)):
			meanings[n] = allAccepted
		}
		for _, s := range c.States(Component(n)) {
			for i, e := range r.out[s] {
				switch {
				case c.Of(e.to) != Component(n) || meanings[n] == noneAccepted:
					r.out[s][i].marks = 0
				case meanings[n] == allAccepted:
					r.out[s][i].marks = r.all()
				}
			}
			r.merge(s)
		}
	}
	return c, meanings
}

// everyCycleAccepted tells whether each cycle of component n has all marks.
func (r *reducible) everyCycleAccepted(c *Components, n Component) bool {
	for set := range r.sets {
		if r.cycleWithout(c, n, 1<<set) {
			return false
		}
	}
	return true
}

// cycleWithout tells whether component n has a cycle without any of these marks.
// A graph without cycle loses all its states to repeated removal of sinks.
func (r *reducible) cycleWithout(c *Components, n Component, marks uint64) bool {
	degree := map[State]int{}
	before := map[State][]State{}
	var sinks []State
	for _, s := range c.States(n) {
		for _, e := range r.out[s] {
			if c.Of(e.to) == n && e.marks&marks == 0 {
				degree[s]++
				before[e.to] = append(before[e.to], s)
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

// disjointMarks makes the edges from one state to another disjoint: where two of
// them could be taken, one with the marks of both remains. A run that takes
// either infinitely often can take both in turn.
func (r *reducible) disjointMarks(s State) {
	f := r.functions
	var result []link
	for first, end := 0, 0; first < len(r.out[s]); first = end {
		start := len(result)
		for end = first; end < len(r.out[s]) && r.out[s][end].to == r.out[s][first].to; end++ {
			e := r.out[s][end]
			for i := start; i < len(result) && e.label != FalseFunction; i++ {
				common := f.And(result[i].label, e.label)
				if common == FalseFunction {
					continue
				}
				marks := result[i].marks | e.marks
				if rest := f.And(result[i].label, f.Not(common)); rest != FalseFunction {
					result = append(result, link{e.to, result[i].marks, rest})
				}
				result[i].label, result[i].marks = common, marks
				e.label = f.And(e.label, f.Not(common))
			}
			if e.label != FalseFunction {
				result = append(result, e)
			}
		}
	}
	r.out[s] = result
	r.merge(s)
}

package automata

import "context"

// Limits of the simulation by which stutter-invariance is shown.
const (
	stutterShortcuts  = 1 << 11 // in all
	stutterSimulators = 1 << 20 // combinations of two states and a shortcut
)

// stutterSimulation shows that languages are stutter-invariant: the automaton of
// the words that differ from accepted ones by repetitions is simulated by the
// automaton itself, edge by edge and with at least the same marks. What is shown
// is true; where nothing is shown, the language may be invariant nevertheless.
// Neither complement nor degeneralization is needed, and letters are not
// enumerated: the states of that automaton are pairs of a state and the letter
// just read, which may be read again, and for two states p and q a Boolean
// function tells for which letters q simulates p.
type stutterSimulation struct {
	*reducible
	shortcuts [][]link // steps, and what several steps for one letter do in one
	simulates []Function
}

// newStutterSimulation compares all states; nil where a limit is exceeded.
func newStutterSimulation(ctx context.Context, r *reducible) *stutterSimulation {
	s := &stutterSimulation{reducible: r, shortcuts: make([][]link, len(r.out))}
	total, components := 0, r.components()
	for p := range r.out {
		list, ok := r.shortcuts(components, State(p), stutterShortcuts-total)
		if !ok {
			return nil
		}
		s.shortcuts[p] = list
		total += len(list)
	}
	n := len(r.out)
	if total*n > stutterSimulators {
		return nil
	}
	s.simulates = make([]Function, n*n)
	for i := range s.simulates {
		s.simulates[i] = TrueFunction
	}
	for changed := true; changed; {
		changed = false
		for p := range State(n) {
			for q := range State(n) {
				at := int(p)*n + int(q)
				before := s.simulates[at]
				if before == FalseFunction {
					continue
				}
				s.simulates[at] = s.letters(p, q)
				changed = changed || s.simulates[at] != before
			}
		}
		if r.functions.Err() != nil || ctx.Err() != nil {
			return nil
		}
	}
	return s
}

// shortcuts are the steps out of p, and what several steps for the same letters do;
// ok is false if there are more than limit. What leaves a component has no marks.
func (r *reducible) shortcuts(c *Components, p State, limit int) (list []link, ok bool) {
	f := r.functions
	add := func(e link) {
		if c.Of(p) != c.Of(e.to) {
			e.marks = 0
		}
		for _, known := range list {
			if known.to == e.to && known.marks&e.marks == e.marks {
				e.label = f.Minus(e.label, known.label)
			}
		}
		if e.label != FalseFunction {
			list = append(list, e)
		}
	}
	for _, e := range r.out[p] {
		add(e)
	}
	for i := 0; i < len(list) && len(list) <= limit; i++ {
		for _, e := range r.out[list[i].to] {
			add(link{e.to, e.marks | list[i].marks, f.And(list[i].label, e.label)})
		}
	}
	return list, len(list) <= limit && f.Err() == nil
}

// letters are those that, read again or not after they led to p, do not lead to
// more than from q, as far as the relation has got.
func (s *stutterSimulation) letters(p, q State) Function {
	if !s.steps(s.shortcuts[p], s.out[q], false) {
		return FalseFunction
	}
	// Reading the letter again leaves p where it is.
	f := s.functions
	stay := FalseFunction
	for _, e := range s.out[q] {
		stay = f.Or(stay, f.And(e.label, s.simulates[int(p)*len(s.out)+int(e.to)]))
	}
	return f.And(s.simulates[int(p)*len(s.out)+int(q)], stay)
}

// steps tells whether each of the steps has counterparts among the edges. At the
// start of a run marks do not matter.
func (s *stutterSimulation) steps(steps, edges []link, start bool) bool {
	f := s.functions
	for _, step := range steps {
		open := step.label
		for _, e := range edges {
			if open == FalseFunction {
				break
			}
			if start || e.marks&step.marks == step.marks {
				open = f.Minus(open, f.And(e.label, s.simulates[int(step.to)*len(s.out)+int(e.to)]))
			}
		}
		if open != FalseFunction {
			return false
		}
	}
	return true
}

// invariant tells, if it is true, that the language of these states together is
// stutter-invariant.
func (s *stutterSimulation) invariant(from []State) bool {
	var edges []link
	for _, p := range from {
		edges = append(edges, s.out[p]...)
	}
	for _, p := range from {
		if !s.steps(s.shortcuts[p], edges, true) {
			return false
		}
	}
	return s.functions.Err() == nil
}

package symmetric

import "slices"

// runner runs the plans of one transition, binding by binding. It recurs over the steps of a plan:
// each step tries its candidates one after the other, and for each goes on with the next step.
// found is called for each binding that passes all steps; it may end the run.
//
// For an unfolding no binding may be found twice. When a token is new, each plan with a trigger on
// its place matches it with the trigger, and other arcs of the same place with any token so far,
// the new one among them. A binding in which the new token matches two arcs would be found from
// both triggers. So arcs before the trigger do not match the new token (match). For example, t
// takes x and y from p, and token 2 comes after 1: the first trigger finds (2, 1) and (2, 2), the
// second (1, 2) only.
type runner struct {
	transition *Transition
	number     int        // of the transition
	divisions  *divisions // nil if no colours are merged
	net        *Net
	binding    []int64
	colours    []int64 // scratch for the tuple that is matched
	trigger    *atom
	tuple      int64              // that of the trigger
	found      func([]int64) bool // called for each binding; false ends the run
	visited    func() bool        // called at each step; false ends the run
	looked     func(int) bool     // unless nil, called before so many comparisons; false ends the run
	offset     func(int64) int64  // draws where to begin among so many; nil: at 0
	repeat     bool               // atoms before the trigger may match its tuple, too
}

// start runs a plan from the tuple that its trigger matches, if it has one. It reports false if
// found or visited has ended it.
func (r *runner) start(p *plan, tuple int64) bool {
	r.trigger, r.tuple = p.trigger, tuple
	if p.trigger != nil && !r.unify(p.trigger, tuple, nil, true) {
		return r.look(p.cost)
	}
	if !r.look(p.work + p.cost) {
		return false
	}
	for _, g := range p.before {
		if !g.guard.holds(r.binding, g.date) {
			return true
		}
	}
	return r.run(p.steps)
}

// look reports whether there is time for so many comparisons of guards. A step counts as one, which
// a guard of thousands is not.
func (r *runner) look(comparisons int) bool {
	return comparisons == 0 || r.looked == nil || r.looked(comparisons)
}

// unify binds the variables of the terms at the positions free, or with all at all positions, so
// that the terms give the tuple. It reports false if they cannot.
func (r *runner) unify(a *atom, tuple int64, free []int, all bool) bool {
	terms, domain := a.terms, r.net.Places[a.place].Domain
	colours := r.colours[:len(domain)]
	domain.Split(tuple, colours)
	if all {
		// A variable may occur twice: bind first, then compare.
		for i, t := range terms {
			r.bind(t, domain[i], colours[i])
		}
		for i, t := range terms {
			if r.standing(a.place, i, t.Colour(domain[i], r.binding)) != colours[i] {
				return false
			}
		}
		return true
	}
	for _, i := range free {
		r.bind(terms[i], domain[i], colours[i])
	}
	for _, i := range free {
		if r.standing(a.place, i, terms[i].Colour(domain[i], r.binding)) != colours[i] {
			return false
		}
	}
	return true
}

// bind gives the variable of t the colour that makes t the given colour.
func (r *runner) bind(t Term, class *Class, colour int64) {
	if t.Kind != Variable {
		return
	}
	if colour -= t.Value; colour < 0 {
		colour += class.Size
	}
	if r.divisions != nil {
		colour = r.divisions.variables[r.number][t.Variable].of(colour)
	}
	r.binding[t.Variable] = colour
}

// standing returns the colour that stands for those merged with one at a position.
func (r *runner) standing(place, position int, colour int64) int64 {
	if r.divisions == nil {
		return colour
	}
	return r.divisions.places[place][position].of(colour)
}

// run takes the steps that remain. It reports false if the run has been ended.
func (r *runner) run(steps []step) bool {
	if len(steps) == 0 {
		return r.found(r.binding)
	}
	s := &steps[0]
	switch {
	case s.equation != nil:
		e := s.equation
		class := r.transition.Variables[e.variable].Class
		r.binding[e.variable] = (e.other.Number(r.binding) - e.steps + class.Size) % class.Size
		return r.tested(s, steps)
	case s.match != nil:
		return r.match(s, steps)
	}
	low, high := int64(0), r.transition.Variables[s.variable].Class.Size
	if !r.look(s.work) {
		return false
	}
	for _, g := range s.tests {
		low, high = g.guard.narrow(s.variable, r.binding, low, high, g.date)
	}
	if low >= high {
		return r.visited()
	}
	if r.divisions != nil {
		if x := r.divisions.variables[r.number][s.variable]; !x.told {
			return r.blocks(x, s, steps, low, high)
		}
	}
	colour := low + r.begin(high-low)
	for range high - low {
		if colour++; colour >= high {
			colour = low
		}
		r.binding[s.variable] = colour
		if !r.tested(s, steps) {
			return false
		}
	}
	return true
}

// blocks goes on with each colour from low to below high that stands for a block of x, the division of
// the variable of step s. It reports false if the run has been ended.
func (r *runner) blocks(x *division, s *step, steps []step, low, high int64) bool {
	i, _ := slices.BinarySearch(x.least, low)
	for ; i < len(x.least) && x.least[i] < high; i++ {
		r.binding[s.variable] = x.least[i]
		if !r.tested(s, steps) {
			return false
		}
	}
	return r.look(1)
}

// begin draws where to begin among so many candidates, and returns the number before that.
func (r *runner) begin(size int64) int64 {
	if r.offset == nil || size == 0 {
		return -1
	}
	return r.offset(size) - 1
}

// tested goes on with the next step if the guard allows. It reports false if the search
// has to stop.
func (r *runner) tested(s *step, steps []step) bool {
	if !r.visited() || !r.look(s.work) {
		return false
	}
	for _, g := range s.tests {
		if !g.guard.holds(r.binding, g.date) {
			return true
		}
	}
	return r.run(steps[1:])
}

// match runs through the tuples that fit an atom, and reports false if the search has to stop. It
// looks them up by terms whose colours are all different for the net: constants, and variables that
// a guard or another input arc uses. The trigger's own tuple is the newest one. Atoms before the
// trigger do not match it, unless repeat allows that.
func (r *runner) match(s *step, steps []step) bool {
	m := s.match
	domain := r.net.Places[m.atom.place].Domain
	if !r.look(len(m.bound) / comparisonsPerStep) {
		return false
	}
	key := int64(0)
	for _, i := range m.bound {
		key = key*domain[i].Size + m.atom.terms[i].Colour(domain[i], r.binding)
	}
	old := !r.repeat && r.trigger != nil && m.atom.place == r.trigger.place && m.atom.order < r.trigger.order
	list := m.index.tuples[key]
	next := int(r.begin(int64(len(list))))
	for range list {
		if next++; next >= len(list) {
			next = 0
		}
		tuple := list[next]
		if !r.look(len(m.free) / comparisonsPerStep) {
			return false
		}
		if old && tuple == r.tuple || !r.unify(m.atom, tuple, m.free, false) {
			if !r.visited() {
				return false
			}
			continue
		}
		if !r.tested(s, steps) {
			return false
		}
	}
	return true
}

package replay

import (
	"slices"

	"pnmc/petri/symmetric"
)

// Enabled reports whether a binding of a transition is enabled in the marking of the run. After
// limit steps it gives up; certain is then false.
//
// It backtracks: it chooses the input arc with unbound variables whose place has the fewest tokens,
// tries each of these tokens, and goes on with what that binds. When no arc is left it tries the
// colours of the variables that no arc binds, within the limits of the guard. It shares no index
// and no plan with a symmetric.Walk: what a Walk has found is confirmed by other code.
//
// For example, let t take x from p and (x, y) from q, with the guard y < z. p has tokens 1 and 2,
// and q has (2, 5), (3, 1) and (4, 4). p has fewer tokens, and so x comes from there. With 1 no
// token of q matches. With 2, (2, 5) binds y to 5. No arc binds z; colours from 6 on are tried
// for it.
func (r *Run) Enabled(transition, limit int) (enabled, certain bool) {
	t := &r.net.Transitions[transition]
	if slices.ContainsFunc(t.Inhibitors, func(a symmetric.Inhibitor) bool { return r.sums[a.Place] >= a.Weight }) {
		return false, true
	}
	s := &bindingSearch{run: r, transition: t, left: limit, binding: make([]int64, len(t.Variables))}
	for i := range s.binding {
		s.binding[i] = unbound
	}
	if t.Guard != nil {
		s.effort = t.Guard.Parts()
	}
	for _, a := range t.Pre {
		if slices.ContainsFunc(a.Expression, func(m symmetric.Monomial) bool { return m.Coefficient < 0 }) {
			continue // of what is added, something is subtracted again
		}
		for _, m := range a.Expression {
			if !slices.ContainsFunc(m.Terms, func(t symmetric.Term) bool { return t.Kind == symmetric.All }) {
				s.needs = append(s.needs, need{a.Place, m.Terms})
				s.effort += 1 + len(m.Terms)
			}
		}
	}
	enabled = s.extend()
	return enabled, enabled || s.left > 0 && !s.failed
}

// unbound is the colour of a variable that has none yet.
const unbound = -1

// A bindingSearch extends a binding, arc by arc and then variable by variable.
type bindingSearch struct {
	run        *Run
	transition *symmetric.Transition
	binding    []int64
	needs      []need
	bound      []int // variables that needs have bound, in that order
	effort     int   // how much there is to look at in each step that extends the binding
	work       int   // since the last look at the context
	left       int   // steps
	failed     bool  // an arc moves a negative number of tokens, or too many
}

// need is a tuple of constants and variables of which a place must have a token.
type need struct {
	place int
	terms []symmetric.Term
}

// goesOn counts a step, in which so many parts of guard and arcs are looked at. It reports whether there
// may be more.
func (s *bindingSearch) goesOn(parts int) bool {
	s.left--
	if s.work += partsPerStep + parts; s.work >= stepsPerLook*partsPerStep {
		s.work = 0
		if s.run.Context != nil && s.run.Context.Err() != nil {
			s.left = 0
		}
	}
	return s.left > 0
}

// stepsPerLook is how many steps there are between two looks at the context: less than a millisecond.
// As many parts as partsPerStep take as long as a step.
const (
	stepsPerLook = 1 << 10
	partsPerStep = 16
)

// extend reports whether some extension of the binding is enabled.
func (s *bindingSearch) extend() bool {
	if !s.goesOn(s.effort) {
		return false
	}
	if g := s.transition.Guard; g != nil {
		if holds, known := soFar(g, s.binding); known && !holds {
			return false
		}
	}
	best := -1
	for i, n := range s.needs {
		switch tokens := s.run.marking[n.place]; {
		case s.isBound(n):
			if tokens[s.tuple(n)] == 0 {
				return false
			}
		case best < 0 || len(tokens) < len(s.run.marking[s.needs[best].place]):
			best = i
		}
	}
	if best >= 0 {
		return s.extendBy(s.needs[best])
	}
	free := slices.Index(s.binding, unbound)
	if free < 0 {
		return s.covered()
	}
	low, high := int64(0), s.transition.Variables[free].Class.Size
	if g := s.transition.Guard; g != nil {
		low, high = between(g, free, true, s.binding, low, high)
	}
	for c := low; c < high && s.left > 0; c++ {
		if s.binding[free] = c; s.extend() {
			return true
		}
	}
	s.binding[free] = unbound
	return false
}

// extendBy matches a need with the tokens that its place has. It reports what extend
// does.
func (s *bindingSearch) extendBy(n need) bool {
	domain := s.run.net.Places[n.place].Domain
	colours, before := make([]int64, len(domain)), len(s.bound)
	for tuple := range s.run.marking[n.place] {
		if !s.goesOn(len(domain)) {
			break
		}
		domain.Split(tuple, colours)
		matches := true
		for i, t := range n.terms {
			want := t.Value
			if t.Kind == symmetric.Variable {
				if s.binding[t.Variable] == unbound {
					s.bound = append(s.bound, t.Variable)
					s.binding[t.Variable] = (colours[i] - t.Value + domain[i].Size) % domain[i].Size
				}
				want = t.Colour(domain[i], s.binding)
			}
			matches = matches && want == colours[i]
		}
		if matches && s.extend() {
			return true
		}
		for _, v := range s.bound[before:] {
			s.binding[v] = unbound
		}
		s.bound = s.bound[:before]
	}
	return false
}

// isBound reports whether all variables of a need are bound.
func (s *bindingSearch) isBound(n need) bool {
	return !slices.ContainsFunc(n.terms, func(t symmetric.Term) bool { return t.Kind == symmetric.Variable && s.binding[t.Variable] == unbound })
}

// tuple returns the number of the tuple that a bound need stands for.
func (s *bindingSearch) tuple(n need) int64 {
	number := int64(0)
	for i, class := range s.run.net.Places[n.place].Domain {
		number = number*class.Size + n.terms[i].Colour(class, s.binding)
	}
	return number
}

// covered reports whether the marking has what all arcs of a whole binding take together.
func (s *bindingSearch) covered() bool {
	type colour struct {
		place int
		tuple int64
	}
	taken := make(map[colour]int64)
	for _, a := range s.transition.Pre {
		tokens, ok := a.Expression.Tokens(s.run.net.Places[a.Place].Domain, s.binding, mostTokens)
		if !ok {
			s.failed = true
			return false
		}
		for tuple, count := range tokens {
			if count < 0 {
				s.failed = true
				return false
			}
			c := colour{a.Place, tuple}
			if count > s.run.marking[a.Place][tuple]-taken[c] {
				return false
			}
			taken[c] += count
		}
	}
	return true
}

// between narrows the interval of colours from low to below high. Outside of the result, g cannot
// have the wanted truth. The variable is unbound, and others may be, too. A symmetric.Walk narrows
// in another way. This function confirms it, and so does not share its code.
func between(g *symmetric.Guard, variable int, wanted bool, binding []int64, low, high int64) (int64, int64) {
	switch {
	case g.Operator == symmetric.Not:
		return between(g.Operands[0], variable, !wanted, binding, low, high)
	case g.Operator <= symmetric.Or && wanted == (g.Operator == symmetric.And): // so must all operands be
		for _, o := range g.Operands {
			low, high = between(o, variable, wanted, binding, low, high)
		}
		return low, high
	case g.Operator <= symmetric.Or: // some operand must be so
		least, most := high, low
		for _, o := range g.Operands {
			if from, to := between(o, variable, wanted, binding, low, high); from < to {
				least, most = min(least, from), max(most, to)
			}
		}
		return least, most
	}
	if holds, known := soFar(g, binding); known {
		if holds != wanted {
			return low, low
		}
		return low, high
	}
	this, other := &g.Left, &g.Right
	if this.Kind != symmetric.Variable || this.Variable != variable {
		this, other = other, this
	}
	if this.Kind != symmetric.Variable || this.Variable != variable || this.Value != 0 || this.Element != nil ||
		other.Kind == symmetric.Variable && binding[other.Variable] == unbound {
		return low, high
	}
	limit := other.Number(binding)
	switch below := this == &g.Left; {
	case g.Operator == symmetric.Equal && wanted:
		return max(low, limit), min(high, limit+1)
	case g.Operator == symmetric.Equal:
		return low, high
	case below == wanted && (g.Operator == symmetric.AtMost) == wanted: // the variable is at most limit
		return low, min(high, limit+1)
	case below == wanted: // it is less
		return low, min(high, limit)
	case (g.Operator == symmetric.AtMost) == wanted: // it is at least limit
		return max(low, limit), high
	}
	return max(low, limit+1), high
}

// soFar reports whether g holds, where some variables are unbound. known says whether
// that can be told yet.
func soFar(g *symmetric.Guard, binding []int64) (holds, known bool) {
	switch g.Operator {
	case symmetric.And, symmetric.Or:
		known = true
		for _, o := range g.Operands {
			h, k := soFar(o, binding)
			if k && h == (g.Operator == symmetric.Or) {
				return h, true
			}
			known = known && k
		}
		return g.Operator == symmetric.And, known
	case symmetric.Not:
		holds, known = soFar(g.Operands[0], binding)
		return !holds, known
	}
	for _, o := range []*symmetric.Operand{&g.Left, &g.Right} {
		if o.Term.Kind == symmetric.Variable && binding[o.Term.Variable] == unbound {
			return false, false
		}
	}
	return g.Holds(binding), true
}

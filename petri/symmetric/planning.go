package symmetric

import "slices"

// planning is a plan in the making.
type planning struct {
	*planner
	result   *plan
	dates    []int32    // of the variables: the step that binds them; unbound for the others
	next     candidates // equations that had one side bound, or constant
	nearest  candidates // atoms; one with more terms bound meanwhile is there once more
	free     []int32    // of each atom: how many terms are not bound; unbound if it is not to be matched
	smallest int        // variables in bySize before that are bound
	work     int        // not yet looked at
}

// plan makes the plan that starts from trigger. With useAtoms unset no arc is
// matched: all bindings that the guard allows come out. It returns nil if a limit is reached.
func (p *planner) plan(trigger *atom, useAtoms bool) *plan {
	if !p.limits.reserve(p.bytes) {
		return nil
	}
	variables := len(p.transition.Variables)
	n := &planning{planner: p, result: &plan{trigger: trigger}, dates: make([]int32, variables), free: make([]int32, len(p.atoms))}
	n.result.steps = make([]step, 0, variables+len(p.atoms))
	n.begin(trigger, useAtoms)
	for {
		next := n.equation()
		if next == nil {
			next = n.match()
		}
		if next == nil {
			next = n.enumerate()
		}
		if next == nil {
			break
		}
		n.result.steps = append(n.result.steps, *next)
		if !n.goesOn() {
			return nil
		}
	}
	if !n.tests() || !n.limits.look(n.work) {
		return nil
	}
	return n.result
}

// unbound is the date of a variable that no step binds yet, and the free terms of an atom that no step is to match.
const unbound = -1

// leastLook is from how much work on a planning asks its limits.
const leastLook = 1 << 10

// goesOn reports whether there is time to go on.
func (n *planning) goesOn() bool {
	if n.work < leastLook {
		return true
	}
	work := n.work
	n.work = 0
	return n.limits.look(work)
}

// begin binds what the trigger does, and collects what may come next.
func (n *planning) begin(trigger *atom, useAtoms bool) {
	for v := range n.dates {
		n.dates[v] = unbound
	}
	for i, a := range n.atoms {
		n.free[i] = unbound
		if useAtoms && a != trigger {
			n.free[i] = 0
			for _, t := range a.terms {
				if t.Kind == Variable {
					n.free[i]++
				}
			}
			n.nearest.push(n.candidate(i))
		}
	}
	for i, g := range n.conjuncts {
		if g.isEquation() && (g.Left.Kind == Constant || g.Right.Kind == Constant) {
			n.next.push(candidate{number: int32(i)})
		}
	}
	if trigger != nil {
		n.result.cost = len(trigger.terms) / comparisonsPerStep
		n.bindTerms(trigger.terms, 0)
	}
}

// candidate returns an atom as it is now.
func (n *planning) candidate(atom int) candidate {
	return candidate{n.free[atom], int32(len(n.atoms[atom].terms)) - n.free[atom], int32(atom)}
}

// bindTerms binds the variables of terms.
func (n *planning) bindTerms(terms []Term, date int32) {
	n.work += len(terms)
	for _, t := range terms {
		if t.Kind == Variable && n.dates[t.Variable] == unbound {
			n.bind(t.Variable, date)
		}
	}
}

// bind binds a variable, and tells all who use it.
func (n *planning) bind(variable int, date int32) {
	n.dates[variable] = date
	equations, atoms := n.equations.of(variable), n.matches.of(variable)
	n.work += 1 + len(equations) + len(atoms)
	for _, e := range equations {
		n.next.push(candidate{number: e})
	}
	for _, a := range atoms {
		if n.free[a] != unbound {
			n.free[a]--
			n.nearest.push(n.candidate(int(a)))
		}
	}
}

// date is that of the next step.
func (n *planning) date() int32 { return int32(len(n.result.steps) + 1) }

// equation finds a variable that the guard determines, by the first such conjunct.
func (n *planning) equation() *step {
	for len(n.next) > 0 {
		g := n.conjuncts[n.next.pop().number]
		for _, sides := range [][2]*Operand{{&g.Left, &g.Right}, {&g.Right, &g.Left}} {
			this, other := sides[0], sides[1]
			if this.Kind == Variable && n.dates[this.Variable] == unbound && (other.Kind == Constant || n.dates[other.Variable] != unbound) {
				n.bind(this.Variable, n.date())
				return &step{equation: &equation{this.Variable, this.Value, other}, variable: -1}
			}
		}
	}
	return nil
}

// match chooses the atom with the fewest terms that are not bound, which is a
// mere test if there are none; of several the one with most that are, and of these the first.
//
// An atom with no term bound multiplies: it is still better than to enumerate classes, since places
// hold few of their colours.
func (n *planning) match() *step {
	for len(n.nearest) > 0 {
		c := n.nearest.pop()
		if n.free[c.number] != c.free {
			continue // matched, or there once more
		}
		m := &matching{atom: n.atoms[c.number]}
		if c.bound > 0 {
			m.bound = make([]int, 0, c.bound)
		}
		if c.free > 0 {
			m.free = make([]int, 0, c.free)
		}
		for i, t := range m.atom.terms {
			if t.Kind == Constant || n.dates[t.Variable] != unbound {
				m.bound = append(m.bound, i)
			} else {
				m.free = append(m.free, i)
			}
		}
		n.free[c.number] = unbound
		m.index = n.register(m.atom.place, m.bound)
		n.bindTerms(m.atom.terms, n.date())
		return &step{match: m, variable: -1}
	}
	return nil
}

// enumerate chooses the free variable with the smallest class.
func (n *planning) enumerate() *step {
	for ; n.smallest < len(n.bySize); n.smallest++ {
		if v := int(n.bySize[n.smallest]); n.dates[v] == unbound {
			n.bind(v, n.date())
			return &step{variable: v}
		}
	}
	return nil
}

// tests has each conjunct tested at each step at which it says more than before, conjuncts in their
// order. It reports false if there is no time for that.
func (n *planning) tests() bool {
	var list []test
	work := make([]int, len(n.result.steps)+1) // by date
	count := make([]int, len(work))
	add := func(guard *dated, date int32, comparisons int) {
		list = append(list, test{guard, date})
		work[date] += comparisons
		count[date]++
	}
	d := &dating{dates: n.dates}
	for i, g := range n.conjuncts {
		if n.work++; !n.goesOn() {
			return false
		}
		if g.Operator > Or {
			add(&n.leaves[i], d.leaf(g), 1)
			continue
		}
		whole := d.of(g)
		if whole.date == never {
			continue
		}
		d.said = d.said[:0]
		d.say(&whole, 0)
		slices.Sort(d.said)
		n.work += 4 * len(d.said)
		// The root may say something, though not by a comparison: no operand is no disjunction.
		date := whole.date
		for k := 0; ; {
			for ; k < len(d.said) && d.said[k] == date; k++ {
			}
			if add(&whole, date, k); k == len(d.said) {
				break
			}
			date = d.said[k]
		}
	}
	byDate := make([]test, len(list))
	next := make([]int, len(work))
	for date, start := 0, 0; date < len(work); date++ {
		next[date] = start
		to := byDate[start : start+count[date] : start+count[date]]
		if start += count[date]; date == 0 {
			n.result.before, n.result.work = to, work[0]
		} else {
			n.result.steps[date-1].tests, n.result.steps[date-1].work = to, work[date]
		}
	}
	for _, t := range list {
		byDate[next[t.date]] = t
		next[t.date]++
	}
	return true
}

// candidate is an equation or an atom that may come next: the least one does. Equations go by number
// only.
type candidate struct {
	free, bound int32 // terms of an atom
	number      int32
}

// before reports whether a comes before b.
func (a candidate) before(b candidate) bool {
	switch {
	case a.free != b.free:
		return a.free < b.free
	case a.bound != b.bound:
		return a.bound > b.bound
	}
	return a.number < b.number
}

// candidates is a heap: each entry comes before the two at twice its place.
type candidates []candidate

// push adds one.
func (c *candidates) push(x candidate) {
	list := append(*c, x)
	*c = list
	i := len(list) - 1
	for ; i > 0 && x.before(list[(i-1)/2]); i = (i - 1) / 2 {
		list[i] = list[(i-1)/2]
	}
	list[i] = x
}

// pop takes the first one off.
func (c *candidates) pop() candidate {
	list := *c
	first, x := list[0], list[len(list)-1]
	list = list[:len(list)-1]
	*c = list
	i := 0
	for 2*i+1 < len(list) {
		least := 2*i + 1
		if least+1 < len(list) && list[least+1].before(list[least]) {
			least++
		}
		if !list[least].before(x) {
			break
		}
		list[i] = list[least]
		i = least
	}
	if len(list) > 0 {
		list[i] = x
	}
	return first
}

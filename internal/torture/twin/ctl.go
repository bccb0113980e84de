package twin

// CTL has for each marking of a whole graph whether f holds there. A deadlock
// ends the path, as in the Model Checking Contest: of what is said about a next
// marking, "all" is true there and "some" is false.
func (g *Graph) CTL(f *Formula) []bool {
	switch f.Op {
	case True, False:
		return g.where(func(int) bool { return f.Op == True })
	case Atomic:
		return g.where(func(i int) bool { return f.Atom.Holds(g.Net, g.Markings[i]) })
	case Not:
		x := g.CTL(f.Left)
		return g.where(func(i int) bool { return !x[i] })
	case And, Or:
		x, y := g.CTL(f.Left), g.CTL(f.Right)
		return g.where(func(i int) bool { return x[i] && y[i] || f.Op == Or && (x[i] || y[i]) })
	case Equivalent:
		x, y := g.CTL(f.Left), g.CTL(f.Right)
		return g.where(func(i int) bool { return x[i] == y[i] })
	case AllPaths, SomePath:
		return g.paths(f.Op == AllPaths, f.Left)
	}
	panic("no formula of CTL")
}

// paths decides a path formula for all paths, or for some, by repeated sweeps.
//
// For example, in a deadlock F and U hold if their goal does, G holds if its operand does, AX
// holds and EX does not. In a marking with successors F is a fixpoint: the goal holds, or F holds
// in all successors, or in some.
func (g *Graph) paths(all bool, f *Formula) []bool {
	x := g.CTL(f.Left)
	switch f.Op {
	case Next:
		return g.where(func(i int) bool { return g.next(i, all, x) })
	case Finally, Until:
		before, goal := g.where(func(int) bool { return true }), x
		if f.Op == Until {
			before, goal = x, g.CTL(f.Right)
		}
		return g.fixpoint(false, func(i int, v []bool) bool {
			return goal[i] || before[i] && len(g.Edges[i]) > 0 && g.next(i, all, v)
		})
	case Globally:
		return g.fixpoint(true, func(i int, v []bool) bool {
			return x[i] && (len(g.Edges[i]) == 0 || g.next(i, all, v))
		})
	}
	panic("no path formula of CTL")
}

// next reports whether all successors of i, or some, are in x.
func (g *Graph) next(i int, all bool, x []bool) bool {
	for _, e := range g.Edges[i] {
		if x[e.To] != all {
			return !all
		}
	}
	return all
}

// where returns the markings for which holds is true.
func (g *Graph) where(holds func(int) bool) []bool {
	v := make([]bool, len(g.Markings))
	for i := range v {
		v[i] = holds(i)
	}
	return v
}

// fixpoint applies step to all markings again and again until nothing changes: the least fixpoint if
// it starts from false, the greatest from true, as all steps here are monotone.
func (g *Graph) fixpoint(start bool, step func(i int, v []bool) bool) []bool {
	v := g.where(func(int) bool { return start })
	for changed := true; changed; {
		changed = false
		for i := len(v) - 1; i >= 0; i-- {
			if x := step(i, v); x != v[i] {
				v[i], changed = x, true
			}
		}
	}
	return v
}

// Boolean reports whether f, which has no temporal operators, holds at marking i.
func (g *Graph) Boolean(f *Formula, i int) bool {
	switch f.Op {
	case Atomic:
		return f.Atom.Holds(g.Net, g.Markings[i])
	case Not:
		return !g.Boolean(f.Left, i)
	case And:
		return g.Boolean(f.Left, i) && g.Boolean(f.Right, i)
	case Or:
		return g.Boolean(f.Left, i) || g.Boolean(f.Right, i)
	case Equivalent:
		return g.Boolean(f.Left, i) == g.Boolean(f.Right, i)
	}
	return f.Op == True
}

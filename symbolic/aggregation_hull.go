package symbolic

import (
	"slices"

	"pnmc/automata"
)

// Accepted cycles of a component are looked for forwards, as in Fig. 2 of the paper of
// 2014: states are dropped that no accepting edge among those left leads to, through
// any others, until nothing changes. The rest is reachable from accepted cycles. In a
// component with more than one state, runs that stay in one for ever are looked for
// first. All others take an edge between two states again and again. So states that no
// such edge leads to are dropped, too, however long runs stay in between. A round is an
// image closed by saturation, not a single step. Where all cycles of a component are
// accepted, nothing else is asked for.

// hull returns states of the component, within aggregates, that are reached from an
// accepted cycle of the component. It returns nil if there are none.
func (g *aggregation) hull(n automata.Component, all *family) *family {
	states := g.components.States(n)
	for _, q := range states {
		if lasting := g.lasting(q, all.aggregates[q]); lasting != Empty {
			found := g.newFamily()
			g.keep(&found.aggregates[q], lasting)
			return found
		}
	}
	if len(states) == 1 {
		return nil
	}
	left := g.newFamily()
	for _, q := range states {
		g.keep(&left.aggregates[q], all.aggregates[q])
	}
	sets := 0
	if g.strengths[n] == automata.Strong {
		sets = g.sets
	}
	for {
		next := left
		for set := anySet; set < sets; set++ {
			last := next
			next = g.following(n, last, set)
			if last != left {
				g.release(last)
			}
		}
		g.rounds++
		empty, stable := true, true
		for _, q := range states {
			empty = empty && next.aggregates[q] == Empty
			stable = stable && next.aggregates[q] == left.aggregates[q]
		}
		g.release(left)
		left = next
		switch {
		case empty:
			g.release(left)
			return nil
		case stable:
			return left
		}
	}
}

// anySet stands for an acceptance set where any edge between two states will do.
const anySet = -1

// following returns the states of the component that runs reach from an edge of the
// set within v.
func (g *aggregation) following(n automata.Component, v *family, set int) *family {
	next := g.newFamily()
	for _, q := range g.components.States(n) {
		for _, x := range g.states[q].exits {
			if g.components.Of(x.to) == n && (set == anySet || x.marks.Has(set)) {
				g.unite(&next.entered[x.to], g.after(v.aggregates[q], x.label))
			}
		}
		if set != anySet {
			g.unite(&next.entered[q], g.after(v.aggregates[q], g.states[q].inSets[set]))
		}
	}
	g.spread(n, next)
	return next
}

// lasting returns states of an aggregate of q that are reached from an accepted cycle
// that stays in q.
func (g *aggregation) lasting(q automata.State, aggregate Node) Node {
	f, s := g.forest, &g.states[q]
	// Sets in which all self-loops are need no care.
	var sets []condition
	for _, c := range s.inSets {
		if c == never {
			return Empty
		}
		if g.conditions.and(s.stay, g.conditions.not(c)) != never {
			sets = append(sets, c)
		}
	}
	within := f.Keep(g.restrict(aggregate, s.stay)) // closed under the events that stay
	defer func() { f.Release(within) }()
	if within == Empty {
		return Empty
	}
	if len(sets) == 0 {
		if dead := f.combine(operationIntersection, within, g.deadlocked); dead != Empty {
			return dead
		}
		return g.onCycles(s.stay, within)
	}
	cycling := g.related(g.cycling(s.stay, within))
	return g.untilStable(within, func(left *Node) {
		for _, c := range sets {
			g.keep(left, g.restrict(*left, c))
			g.keep(left, g.afterBy(cycling, *left))
			g.keep(left, g.close(cycling, *left))
		}
	})
}

// untilStable applies the operation, which takes states away, to n until it takes
// none away.
func (g *aggregation) untilStable(n Node, operation func(left *Node)) Node {
	left := g.forest.Keep(n)
	defer func() { g.forest.Release(left) }()
	for {
		before := g.forest.Keep(left) // or another set could get its number
		operation(&left)
		g.rounds++
		g.forest.Release(before)
		if left == before || left == Empty {
			return left
		}
	}
}

// onCycles returns states that are reached from a cycle of events that stay, within a
// set that is closed under these events.
//
// A cycle that changes a variable has an event that decreases it. So a round is an
// image by those events, closed under all events. If there is no such cycle, no cycle
// has an event that changes the variable, and the next search leaves these events out.
func (g *aggregation) onCycles(stay condition, within Node) Node {
	system := g.space.System
	for steps := g.cycling(stay, within); len(steps) > 0; {
		decreasing, others := splitByVariable(system, steps)
		crossing, all := g.related(decreasing), g.related(steps)
		found := g.untilStable(within, func(left *Node) {
			g.keep(left, g.forest.image(crossing, *left))
			g.keep(left, g.close(all, *left))
		})
		if found != Empty {
			return found
		}
		steps = balanced(system, others)
	}
	return Empty
}

// cycling returns those of the events that stay which a cycle within a set may have.
func (g *aggregation) cycling(stay condition, within Node) []guardedStep {
	var possible []guardedStep
	for _, s := range balanced(g.space.System, g.loopsOf(stay).staying) {
		rule := newGuardedEvent(g.pieces, g.conditions, g.steps(s.event)).rule(0, s.before, s.after)
		if rule.possible && g.forest.fire(nil, rule.rule, within, anything) != Empty {
			possible = append(possible, s)
		}
	}
	return balanced(g.space.System, possible)
}

// splitByVariable chooses the variable that most events change. It returns the events that decrease
// it, or may do so as they assign to it, and those that leave it as it is. Events that only increase
// it are in neither list. If no event changes anything, each is a cycle by itself, and all are
// returned as decreasing.
func splitByVariable(system *System, steps []guardedStep) (decreasing, others []guardedStep) {
	changing := make([]int, len(system.Names))
	variable := uint32(0)
	for _, s := range steps {
		for _, guard := range system.Events[s.event] {
			if guard.Delta != 0 {
				changing[guard.Variable]++
				if changing[guard.Variable] > changing[variable] {
					variable = guard.Variable
				}
			}
		}
	}
	if len(changing) == 0 || changing[variable] == 0 {
		return steps, nil
	}
	for _, s := range steps {
		event := system.Events[s.event]
		i := slices.IndexFunc(event, func(guard Guard) bool { return guard.Variable == variable })
		switch {
		case i < 0 || event[i].Delta == 0:
			others = append(others, s)
		case event[i].Delta < 0 || assigns(event[i].Delta):
			decreasing = append(decreasing, s)
		}
	}
	return decreasing, others
}

// related returns the relation of the steps, which may be closed over.
func (g *aggregation) related(steps []guardedStep) *Relation {
	r := g.forest.NewRelation()
	for _, s := range steps {
		if rule := newGuardedEvent(r, g.conditions, g.steps(s.event)).rule(0, s.before, s.after); rule.possible {
			r.addRule(rule.rule)
		}
	}
	r.merge()
	return r
}

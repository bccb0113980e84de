package symbolic

import (
	"slices"

	"pnmc/automata"
)

// A phase is a part of a product that runs enter once at most and stay in, or
// leave for good. Its relations are made when they are first asked for: where few
// states are reachable, or none, that is most of the work.
//
// The transition relation T is the union of two parts, by Equation (1) of the
// paper of 2014. T∅ are events that change no proposition and leave the
// automaton's state alone. Where all states of the phase have a stuttering loop,
// T∅ has no step at the automaton's levels: the predicate equal(q, q') is
// simplified away. T* is the rest. Without stuttering loops, which is how automata
// that read valuations are checked, all of T is in T*.
type phase struct {
	product *product
	start   Node // kept: P0 of Definitions 5 and 10

	transfers  []transfer        // T*
	stuttering *eventGroup       // T∅, but for deadlocked states, which repeat themselves; nil without it
	loops      []*stutteringLoop // by state of the automaton; nil: no loop, T∅ is not for the state
	// endings tell by state of the automaton in which states of the system a run
	// that stutters for ever is accepted.
	endings     func() []condition
	conditional bool // some state of the phase has no loop

	made struct {
		reach, changing, closure *Relation
		accepted, lasting        []*Relation
	}
}

// A stutteringLoop is the loop of a state of the automaton on the empty changeset.
type stutteringLoop struct {
	marks []bool // by acceptance set
}

// addPhase adds a phase, to be entered behind those there are.
func (p *product) addPhase() *phase {
	x := &phase{product: p}
	x.made.accepted = make([]*Relation, p.sets)
	x.made.lasting = make([]*Relation, p.sets)
	p.phases = append(p.phases, x)
	return x
}

// reach returns T, for saturation, but for loops of deadlocked states where they lead
// nowhere new.
func (x *phase) reach() *Relation {
	if x.made.reach == nil {
		switch {
		case x.stuttering == nil:
			x.made.reach = x.changing()
		case x.conditional:
			x.made.reach = x.product.relation(append(x.loopTransfers(x.stuttering), x.transfers...), nil)
		default:
			x.made.reach = x.product.relation(x.transfers, x.stuttering)
		}
	}
	return x.made.reach
}

// changing returns T*.
func (x *phase) changing() *Relation {
	if x.made.changing == nil {
		x.made.changing = x.product.relation(x.transfers, nil)
	}
	return x.made.changing
}

// closure returns T∅ without loops of deadlocked states, for saturation.
func (x *phase) closure() *Relation {
	if x.made.closure == nil {
		x.made.closure = x.stutterBy(x.stuttering)
	}
	return x.made.closure
}

// stutterBy returns T∅ by some events only.
func (x *phase) stutterBy(events *eventGroup) *Relation {
	if x.conditional {
		return x.product.relation(x.loopTransfers(events), nil)
	}
	return x.product.relation(nil, events)
}

// withDeadlocks returns events, and the loops of deadlocked states with them.
func (p *product) withDeadlocks(events *eventGroup) *eventGroup {
	return &eventGroup{events: append(events.events[:len(events.events):len(events.events)], guardedStep{Stutter, p.dead, always})}
}

// accepted returns the part of T* in an acceptance set: with lasting and T∅, the T_f of
// Definitions 5 and 10.
func (x *phase) accepted(set int) *Relation {
	if x.made.accepted[set] == nil {
		var some []transfer
		for _, t := range x.transfers {
			if t.marks.Has(set) {
				some = append(some, t)
			}
		}
		x.made.accepted[set] = x.product.relation(some, nil)
	}
	return x.made.accepted[set]
}

// lasts reports whether stuttering is in the acceptance set somewhere.
func (x *phase) lasts(set int) bool {
	for _, loop := range x.loops {
		if loop != nil && loop.marks[set] {
			return true
		}
	}
	return false
}

// lasting returns the identity on states whose stuttering is in the acceptance set.
func (x *phase) lasting(set int) *Relation {
	if x.made.lasting[set] == nil {
		x.made.lasting[set] = x.identity(func(q automata.State) condition {
			if x.loops[q].marks[set] {
				return always
			}
			return never
		})
	}
	return x.made.lasting[set]
}

// ending returns the identity on states where stuttering for ever is accepted.
func (x *phase) ending() *Relation {
	endings := x.endings()
	return x.identity(func(q automata.State) condition { return endings[q] })
}

// identity returns the identity on states that stutter and fulfil a condition.
func (x *phase) identity(on func(q automata.State) condition) *Relation {
	var guards []transfer
	for q, loop := range x.loops {
		if loop == nil {
			continue
		}
		if c := on(automata.State(q)); c != never {
			only := &eventGroup{events: []guardedStep{{Stutter, c, always}}}
			guards = append(guards, transfer{automata.State(q), automata.State(q), nil, only})
		}
	}
	return x.product.relation(guards, nil)
}

// loopTransfers returns transfers from each state that stutters to itself.
func (x *phase) loopTransfers(events *eventGroup) (loops []transfer) {
	for q, loop := range x.loops {
		if loop != nil {
			loops = append(loops, transfer{automata.State(q), automata.State(q), nil, events})
		}
	}
	return loops
}

// recurring returns events of T∅, among them all that a run can take for ever.
func (x *phase) recurring() *eventGroup {
	return &eventGroup{events: balanced(x.product.space.System, x.stuttering.events)}
}

// balanced returns those of the events that may be on a cycle made of such events. A cycle leads
// back to its values, so that every variable that one of its events increases is decreased by
// another one, and the other way round. Events for which there is no other one are removed, until
// none is. For example, of a→b, b→a and a→c, the last adds to c, from which no event takes: it is
// on no cycle. An assignment may increase, decrease, or do nothing.
func balanced(system *System, left []guardedStep) []guardedStep {
	increasing, decreasing := make([]int, len(system.Names)), make([]int, len(system.Names))
	events := make([][]int, len(system.Names)) // that change a variable
	for i, e := range left {
		for _, g := range system.Events[e.event] {
			if g.Delta != 0 {
				events[g.Variable] = append(events[g.Variable], i)
			}
			count(increasing, decreasing, g, 1)
		}
	}
	var queue []int // variables that are only increased, or only decreased
	for v := range system.Names {
		if increasing[v] == 0 || decreasing[v] == 0 {
			queue = append(queue, v)
		}
	}
	removed := make([]bool, len(left))
	for len(queue) > 0 { // each variable once
		v := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, i := range events[v] {
			if removed[i] || !slices.ContainsFunc(system.Events[left[i].event], func(g Guard) bool { return int(g.Variable) == v && g.Delta != 0 && !assigns(g.Delta) }) {
				continue
			}
			removed[i] = true
			for _, g := range system.Events[left[i].event] {
				was := increasing[g.Variable] > 0 && decreasing[g.Variable] > 0
				count(increasing, decreasing, g, -1)
				if was && (increasing[g.Variable] == 0 || decreasing[g.Variable] == 0) {
					queue = append(queue, int(g.Variable))
				}
			}
		}
	}
	var some []guardedStep
	for i, e := range left {
		if !removed[i] {
			some = append(some, e)
		}
	}
	return some
}

// count counts whether g may increase its variable, and decrease it: an assignment may do both.
func count(increasing, decreasing []int, g Guard, by int) {
	if g.Delta > 0 {
		increasing[g.Variable] += by
	}
	if g.Delta < 0 || assigns(g.Delta) {
		decreasing[g.Variable] += by
	}
}

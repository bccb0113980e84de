package reduce

import (
	"slices"

	"pnmc/internal/components"
)

// removeEnding removes the part of a net that comes to an end by itself, whatever happens. Such a
// part cannot keep a net from a deadlock, so that the kept part alone decides whether there is one.
//
// The flow leads from places to the transitions that leave fewer tokens there, and from
// transitions to the places where they leave more. The rule keeps the cycles of the flow, and the
// transitions that take nothing. With a transition it keeps the places that it needs, and with a
// place the transitions that change it.
//
// Why it is right. The rest changes no place that is kept. So a run of the net without the firings
// of the rest is a run of the kept part, and it ends in a deadlock if the run of the net does.
// Conversely, let the kept part be dead. Then only the rest can fire, and each of its transitions
// takes something. Its flow has no cycle. So a token of each place can be given more weight than
// all that any of these transitions makes of it: each firing loses weight. Therefore the rest
// ends, and then the net is dead.
//
// (Thierry-Mieg 2020 keeps the strongly connected components of the net and what leads to
// them; here transitions that only look at a place do not connect it.)
func removeEnding(d *draft, rule int) int {
	if !d.netDue(rule) {
		return 0
	}
	e := ending{draft: d, places: uint32(len(d.placeGone))}
	e.kept = make([]bool, len(d.placeGone)+len(d.transitions))
	for p, is := range d.protected {
		if is && !d.placeGone[p] {
			e.keep(uint32(p))
		}
	}
	for t := range d.transitions {
		if u := d.at(int32(t)); !u.removed && (d.isFixed(int32(t)) || !takes(u)) {
			e.keep(e.places + uint32(t))
		}
		if d.over(1) {
			return 0
		}
	}
	if !e.keepCycles() || !e.close() {
		return 0
	}
	n := 0
	for t := range d.transitions {
		if !d.transitions[t].removed && !e.kept[int(e.places)+t] {
			d.removeTransition(int32(t))
			n++
		}
	}
	n += d.removePlacesBut(e.kept)
	d.due.net &^= 1 << rule // what is left was kept without the rest
	return n
}

// ending is the search for what is kept. Nodes are places, and transitions after them.
type ending struct {
	*draft
	places uint32
	kept   []bool
	queue  []uint32 // kept, and what goes with it is not yet
}

// keep keeps a node. The first time it also goes into the queue.
func (e *ending) keep(node uint32) {
	if !e.kept[node] {
		e.kept[node] = true
		e.queue = append(e.queue, node)
	}
}

// takes reports whether firing t leaves some place with fewer tokens.
func takes(t *transition) bool { return !within(t.pre, t.post) }

// flow looks at the edges that leave node, from number next on. It returns the end of the
// first one, and the number of the edge after it. It reports false if there is none.
func (e *ending) flow(node, next uint32) (to, after uint32, ok bool) {
	if node < e.places {
		links := e.links[node]
		for ; int(next) < len(links); next++ {
			e.work++
			if l := links[next]; l.consumed > l.produced && !e.transitions[l.transition].removed {
				return e.places + uint32(l.transition), next + 1, true
			}
		}
		return 0, next, false
	}
	u := &e.transitions[node-e.places]
	for ; int(next) < len(u.post); next++ {
		e.work++
		a := u.post[next]
		i, found := slices.BinarySearchFunc(u.pre, a.place, func(b arc, p int32) int { return int(b.place) - int(p) })
		if !found || u.pre[i].weight < a.weight {
			return uint32(a.place), next + 1, true
		}
	}
	return 0, next, false
}

// keepCycles keeps what lies on a cycle of the flow. It reports false if the context ended.
func (e *ending) keepCycles() bool {
	var search components.Search
	search.Grow(len(e.kept))
	for p := range e.placeGone {
		if e.placeGone[p] || search.Met(uint32(p)) {
			continue
		}
		search.Enter(uint32(p), 0)
		for search.Active() {
			top := search.Top()
			to, after, ok := e.flow(top.Node, top.Next)
			if top.Next = after; ok {
				if search.Look(top, to) == components.New {
					search.Enter(to, 0)
				}
			} else if members := search.Leave(); len(members) > 1 {
				for _, node := range members {
					e.keep(node)
				}
			}
			if e.over(1) {
				return false
			}
		}
	}
	return true
}

// close keeps whatever the kept nodes need, too. It reports false if the context ended.
func (e *ending) close() bool {
	for len(e.queue) > 0 {
		node := e.queue[len(e.queue)-1]
		e.queue = e.queue[:len(e.queue)-1]
		work := 1
		if node < e.places {
			links := e.linksOf(int32(node))
			for _, l := range links {
				if l.consumed != l.produced && !e.transitions[l.transition].removed {
					e.keep(e.places + uint32(l.transition))
				}
			}
			work += len(links)
		} else {
			u := e.at(int32(node - e.places))
			for _, a := range u.pre {
				e.keep(uint32(a.place))
			}
			work += len(u.pre)
		}
		if e.over(work) {
			return false
		}
	}
	return true
}

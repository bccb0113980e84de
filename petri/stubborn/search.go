package stubborn

import "pnmc/petri"

// search looks at the graph in one marking.
type search struct {
	*graph
	enabled, met stamps
	// token is where the token of each long ring is, or nowhere.
	token []uint32
	// known are the rings of which it is known where the token may get to by itself: inside has
	// these places, numbered as they lie in rings.long, and blocked, from first to end, the
	// transitions that keep it from getting further.
	known, inside stamps
	first, end    []uint32
	blocked       []uint32
	todo          []uint32
	// looked counts the nodes, edges and arcs looked at.
	looked int
}

// nowhere is where the token of a ring is if there is none: never in a marking that is reachable.
const nowhere = ^uint32(0)

func newSearch(g *graph) search {
	n := g.rings.longs
	return search{
		graph: g, enabled: newStamps(int(g.transitions)), met: newStamps(g.nodes()),
		token: make([]uint32, n), known: newStamps(n), inside: newStamps(len(g.rings.long.members)),
		first: make([]uint32, n), end: make([]uint32, n),
	}
}

// begin looks for the tokens of rings in m.
func (s *search) begin(m petri.Marking, enabled []petri.Transition) {
	for _, set := range []*stamps{&s.enabled, &s.met, &s.known, &s.inside} {
		set.clear()
	}
	for _, t := range enabled {
		s.enabled.add(uint32(t))
	}
	s.blocked, s.looked = s.blocked[:0], len(enabled)
	if len(s.token) == 0 {
		return
	}
	for ring := range s.token {
		s.token[ring] = nowhere
	}
	s.looked += len(m) / 8
	for p, tokens := range m {
		if tokens > 0 {
			for _, ring := range s.rings.long.of(uint32(p)) {
				s.token[ring] = uint32(p)
			}
		}
	}
}

// edgesIn returns where the edges of a node begin and end in the marking. at finds them.
func (s *search) edgesIn(m petri.Marking, node uint32) (first, end uint32) {
	switch {
	case node < s.transitions:
		if !s.enabled.has(node) {
			first = s.scapegoat(m, node)
			return first, first + 1
		}
	case int(node) >= len(s.start)-1:
		ring := node - uint32(len(s.start)-1)
		return uint32(len(s.edges)) + s.first[ring], uint32(len(s.edges)) + s.end[ring]
	}
	return s.start[node], s.start[node+1]
}

// at returns where an edge leads.
func (s *search) at(edge uint32) uint32 {
	if int(edge) < len(s.edges) {
		return s.edges[edge]
	}
	return s.blocked[int(edge)-len(s.edges)]
}

// scapegoat returns the edge of the transition t, which is disabled in m: one that leads to a list
// that was met already, or else to a shortest one.
func (s *search) scapegoat(m petri.Marking, t uint32) (edge uint32) {
	least := ^uint32(0)
	for _, a := range s.relations.net.Pre(petri.Transition(t)) {
		s.looked++
		if m[a.Place] >= a.Weight {
			continue
		}
		p := uint32(a.Place)
		list := raisers
		if i := s.rings.long.start[p]; i < s.rings.long.start[p+1] {
			ring := s.rings.long.members[i]
			if at := s.token[ring]; at != nowhere { // if that is p, t needs more than there ever is
				list, p = lowerers, at
				if to := s.edge(list, p); s.met.has(s.edges[to]) {
					return to
				}
				if s.isCutOff(m, ring, i) {
					if s.met.has(s.node(lists, ring)) {
						return s.edge(lists, ring)
					}
					if n := s.end[ring] - s.first[ring]; n <= least {
						least, edge = n, s.edge(lists, ring)
					}
				}
			}
		}
		if s.prefer(list, p, &least, &edge) {
			return edge
		}
	}
	for _, a := range s.relations.net.Ceilings(petri.Transition(t)) {
		s.looked++
		if m[a.Place] >= a.Weight && s.prefer(lowerers, uint32(a.Place), &least, &edge) {
			return edge
		}
	}
	return edge
}

// prefer makes edge one to a list of p if that is shorter, and reports whether the list was met.
func (s *search) prefer(list, p uint32, least, edge *uint32) bool {
	to := s.edge(list, p)
	if s.met.has(s.edges[to]) {
		*edge = to
		return true
	}
	if n := s.size(list, p); n < *least {
		*least, *edge = n, to
	}
	return false
}

// isCutOff reports whether the token of a ring can't get by itself to the place of entry i of the rows
// of long rings.
func (s *search) isCutOff(m petri.Marking, ring, i uint32) bool {
	if !s.known.has(ring) {
		s.block(m, ring)
	}
	return !s.inside.has(i)
}

// block finds where the token of a ring may get to by itself, and the transitions that it is blocked
// by. A transition is blocked if it needs something that is not there, other than this token. Every
// run that brings the token to a place that is not inside has one of these: the first that takes it
// from a place inside to one that is not.
func (s *search) block(m petri.Marking, ring uint32) {
	net := s.relations.net
	s.known.add(ring)
	s.first[ring] = uint32(len(s.blocked))
	s.todo = s.todo[:0]
	s.enter(ring, s.token[ring])
	for len(s.todo) > 0 {
		p := s.todo[len(s.todo)-1]
		s.todo = s.todo[:len(s.todo)-1]
		for _, u := range s.relations.lowers.of(p) {
			if !s.enabled.has(u) && s.isBlocked(m, petri.Transition(u), ring) {
				s.blocked = append(s.blocked, u)
				continue
			}
			for _, a := range net.Post(petri.Transition(u)) {
				s.enter(ring, uint32(a.Place))
			}
		}
	}
	s.end[ring] = uint32(len(s.blocked))
}

// enter notes that the token of ring may get to p, if p is in the ring.
func (s *search) enter(ring, p uint32) {
	s.looked++
	for i := s.rings.long.start[p]; i < s.rings.long.start[p+1]; i++ {
		if s.rings.long.members[i] == ring && s.inside.add(i) {
			s.todo = append(s.todo, p)
		}
	}
}

// isBlocked reports whether u is disabled for a reason that is no matter of ring.
func (s *search) isBlocked(m petri.Marking, u petri.Transition, ring uint32) bool {
	for _, a := range s.relations.net.Pre(u) {
		s.looked++
		if m[a.Place] < a.Weight && !s.rings.has(ring, uint32(a.Place)) {
			return true
		}
	}
	for _, a := range s.relations.net.Ceilings(u) {
		s.looked++
		if m[a.Place] >= a.Weight && !s.rings.has(ring, uint32(a.Place)) {
			return true
		}
	}
	return false
}

// lookWork is about what it costs to look at a node, an edge or an arc, in nanoseconds.
const lookWork = 8

// Spent returns about how long the last choice took, in nanoseconds.
func (s *search) Spent() int { return lookWork * s.looked }

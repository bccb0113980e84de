package automorphism

import (
	"cmp"
	"errors"
	"slices"

	"pnmc/internal/account"
	"pnmc/petri"
)

// errEnough says that a search has done what it may do.
var errEnough = errors.New("enough was tried")

// search looks for automorphisms of a graph. It fixes one place after the other, until refining
// leaves none that could be exchanged. Going back, it looks at each level for automorphisms that map
// the place of the level to others of its cell, and keep those fixed before. So those that are found
// generate all that keep these, if nothing was given up (as saucy does: Darga, Liffiton, Sakallah,
// Markov, "Exploiting structure in symmetry detection for CNF", 2004).
//
// An automorphism is built in two partitions, as a map from the cells of one to those of the other.
// Where members of a cell lie in the same cell of both, they are mapped to themselves if possible,
// and pairs are exchanged. So few places are moved: identical components are exchanged two by two.
// A choice is not taken back. What can't be found so is not found.
type search struct {
	*refiner
	from, to partition
	image    []uint32
	moved    []uint32
	scratch  []edge
	found    [][]petri.Move // the automorphisms, as permutations of tokens
	rank     []uint32       // places by cells
	orbits   orbits
}

// buildWork is about what it costs to make a vertex or an edge of a graph, in nanoseconds.
const buildWork = 100

// newSearch returns a search that may do so much work. An error is that of a, or errEnough if the
// graph alone would be more.
func newSearch(a *account.Account, net *petri.Net, goals []Goal, work int) (*search, error) {
	size := net.Places() + net.Transitions() + net.Arcs()
	if size > work/buildWork {
		return nil, errEnough
	}
	g, err := newGraph(a, net, goals)
	if err != nil {
		return nil, err
	}
	if err := a.Reserve((refinerBytes + 3*partitionBytes) * len(g.colour)); err != nil {
		return nil, err
	}
	return &search{refiner: newRefiner(a, g, work), image: make([]uint32, len(g.colour))}, nil
}

// level is a place that was fixed, and the partition before.
type level struct {
	before *partition
	place  uint32
}

// mostLevelBytes bounds what the partitions of all levels take.
const mostLevelBytes = 64 << 20

// mostFound bounds the automorphisms that are looked for.
const mostFound = 1 << 10

// run looks for automorphisms. It ends early with errEnough, or the error of the account.
func (s *search) run() error {
	p, err := s.coarsest()
	if err != nil {
		return err
	}
	s.rank = p.ranks(s.graph.places)
	var levels []level
	for {
		c, ok := s.target(p)
		if !ok || (len(levels)+1)*partitionBytes*len(p.members) > mostLevelBytes {
			break
		}
		if err := errors.Join(s.account.Reserve(partitionBytes*len(p.members)), s.charge(partitionBytes*len(p.members))); err != nil {
			return err
		}
		fixed := slices.Min(p.of(c))
		next := new(partition)
		p.copyTo(next)
		levels = append(levels, level{p, fixed})
		if err := s.individualize(next, fixed); err != nil {
			return err
		}
		p = next
	}
	s.orbits = newOrbits(len(s.graph.colour))
	for _, l := range slices.Backward(levels) {
		if err := s.explore(l); err != nil {
			return err
		}
	}
	return nil
}

// ranks numbers so many vertices, the first ones, by their cells and then by themselves.
func (p *partition) ranks(vertices int) []uint32 {
	sorted := make([]uint32, vertices)
	for v := range sorted {
		sorted[v] = uint32(v)
	}
	slices.SortStableFunc(sorted, func(v, w uint32) int { return cmp.Compare(p.cell[v], p.cell[w]) })
	ranks := make([]uint32, vertices)
	for r, v := range sorted {
		ranks[v] = uint32(r)
	}
	return ranks
}

// target returns the smallest cell of several places.
func (s *search) target(p *partition) (cell uint32, ok bool) {
	for v := range uint32(s.graph.places) {
		c := p.cell[v]
		if p.size[c] > 1 && (!ok || p.size[c] < p.size[cell] || p.size[c] == p.size[cell] && c < cell) {
			cell, ok = c, true
		}
	}
	return cell, ok
}

// failures bounds the places of a level to which none could be mapped.
const failures = 4

// explore looks for automorphisms that map the place of the level to others.
func (s *search) explore(l level) error {
	others := slices.Clone(l.before.of(l.before.cell[l.place]))
	slices.Sort(others)
	failed := 0
	for _, other := range others {
		if s.orbits.of(other) == s.orbits.of(l.place) {
			continue
		}
		ok, err := s.find(l.before, l.place, other)
		if err != nil {
			return err
		}
		if !ok {
			if failed++; failed == failures {
				break
			}
			continue
		}
		if err := s.keep(); err != nil {
			return err
		}
		for _, v := range s.moved {
			s.orbits.join(v, s.image[v])
		}
	}
	return nil
}

// keep keeps the automorphism that was found, unless it moves no transition: then the places that it
// exchanges have the same arcs, and always equally many tokens.
func (s *search) keep() error {
	var moves []petri.Move
	transitions := false
	for _, v := range s.moved {
		switch v := int(v); {
		case v < s.graph.places:
			moves = append(moves, petri.Move{Place: petri.Place(s.image[v]), From: petri.Place(v)})
		case v < s.graph.places+s.graph.transitions:
			transitions = true
		}
	}
	if err := s.account.Reserve(32 * len(moves)); err != nil || !transitions {
		return err
	}
	slices.SortFunc(moves, func(a, b petri.Move) int { return cmp.Compare(a.Place, b.Place) })
	if s.found = append(s.found, moves); len(s.found) == mostFound {
		return errEnough
	}
	return nil
}

// find looks for an automorphism that maps place a to b, and cells to themselves. It reports whether
// there is one in image; moved has the vertices that it moves.
func (s *search) find(cells *partition, a, b uint32) (ok bool, err error) {
	if err := s.charge(8 * len(cells.members)); err != nil {
		return false, err
	}
	cells.copyTo(&s.from)
	cells.copyTo(&s.to)
	tried := 0
	for {
		if err := errors.Join(s.individualize(&s.from, a), s.individualize(&s.to, b)); err != nil {
			return false, err
		}
		if s.from.trace != s.to.trace {
			return false, nil
		}
		next, displaced := s.displaced()
		if err := s.charge(8 * len(cells.members)); err != nil {
			return false, err
		}
		if displaced {
			a, b = next, s.partner(next)
			continue
		}
		if s.isFound() {
			return true, s.charge(32 * len(s.moved))
		}
		// The identity on all cells of several is no automorphism. Perhaps it is on most of them.
		if tried++; tried > failures {
			return false, nil
		}
		c := slices.IndexFunc(s.from.members, func(v uint32) bool { return s.from.size[s.from.cell[v]] > 1 })
		if c < 0 {
			return false, nil
		}
		a = s.from.members[c]
		b = a
	}
}

// displaced returns the first vertex of a cell of several that lies in another cell of to.
func (s *search) displaced() (v uint32, ok bool) {
	for c := uint32(0); int(c) < len(s.from.members); c += s.from.size[c] {
		if s.from.size[c] != s.to.size[c] {
			return 0, false // not after equal traces
		}
		if s.from.size[c] == 1 {
			continue
		}
		for _, v := range s.from.of(c) {
			if s.to.cell[v] != c {
				return v, true
			}
		}
	}
	return 0, false
}

// partner returns what a displaced vertex is mapped to: the one that is mapped to it, if it is known
// and possible, else one that is displaced, too.
func (s *search) partner(v uint32) uint32 {
	c := s.from.cell[v]
	if d := s.to.cell[v]; s.to.size[d] == 1 && s.from.size[d] == 1 {
		if w := s.from.members[d]; s.to.cell[w] == c {
			return w
		}
	}
	for _, w := range s.to.of(c) {
		if s.from.cell[w] != c {
			return w
		}
	}
	return s.to.members[c]
}

// isFound makes the image of what is known, and the identity elsewhere, and reports whether it is an
// automorphism.
func (s *search) isFound() bool {
	s.moved = s.moved[:0]
	for i, v := range s.from.members {
		s.image[v] = v
		if c := s.from.cell[v]; s.from.size[c] == 1 && s.to.size[c] == 1 && s.to.members[i] != v {
			s.image[v] = s.to.members[i]
			s.moved = append(s.moved, v)
		}
	}
	return s.graph.isAutomorphism(s.image, s.moved, &s.scratch)
}

// orbits are classes of vertices: each leads to another one of its class, or is its number.
type orbits []uint32

func newOrbits(vertices int) orbits {
	o := make(orbits, vertices)
	for v := range o {
		o[v] = uint32(v)
	}
	return o
}

// of returns the number of the class of v.
func (o orbits) of(v uint32) uint32 {
	for o[v] != v {
		o[v] = o[o[v]]
		v = o[v]
	}
	return v
}

// join makes two classes one.
func (o orbits) join(v, w uint32) { o[o.of(v)] = o.of(w) }

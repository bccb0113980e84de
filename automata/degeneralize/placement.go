package degeneralize

import (
	"context"
	"errors"
	"slices"

	"pnmc/automata"
	"pnmc/automata/internal/effort"
	"pnmc/automata/internal/marked"
)

// part is one strongly connected component in flat rows. Its states are called by their
// places among its states, and all edges out of them are numbered in order.
type part struct {
	states      []automata.State
	all         uint64   // all acceptance sets
	start       []uint32 // of the edges out of each state, and the end of the last one's
	to          []int32  // the state that each edge leads to, or outside
	marks       []uint64 // of each edge, as they are
	before      []uint32 // the edges inside, grouped by the state that they lead to
	beforeStart []uint32
}

// outside is where edges lead that leave the component.
const outside = -1

// members returns the place of each state in its component.
func members(c *automata.Components) []uint32 {
	total := 0
	for n := range automata.Component(c.Count()) {
		total += len(c.States(n))
	}
	place := make([]uint32, total)
	for n := range automata.Component(c.Count()) {
		for i, s := range c.States(n) {
			place[s] = uint32(i)
		}
	}
	return place
}

// newPart returns component n in flat rows. Member is the place of each state in its component.
// It counts the edges that lead to each state first, so that before needs no lists: two passes,
// linear in edges.
func newPart(r *marked.Reducible, c *automata.Components, n automata.Component, member []uint32) *part {
	p := &part{states: c.States(n), all: r.All(), start: []uint32{0}}
	p.beforeStart = make([]uint32, len(p.states)+1)
	for _, s := range p.states {
		for _, e := range r.Out[s] {
			to := int32(outside)
			if c.Of(e.To) == n {
				to = int32(member[e.To])
				p.beforeStart[to+1]++
			}
			p.to, p.marks = append(p.to, to), append(p.marks, e.Marks)
		}
		p.start = append(p.start, uint32(len(p.to)))
	}
	for s := range p.states {
		p.beforeStart[s+1] += p.beforeStart[s]
	}
	p.before = make([]uint32, p.inside())
	next := slices.Clone(p.beforeStart)
	for e, to := range p.to {
		if to != outside {
			p.before[next[to]] = uint32(e)
			next[to]++
		}
	}
	return p
}

// inside returns the number of edges that stay in the component.
func (p *part) inside() int { return int(p.beforeStart[len(p.states)]) }

// placement is a way to place the marks of a component with the same meaning. If all
// edges into a state have a mark, those out of it may have it or not, because a run takes
// both kinds infinitely often or neither. The same holds with "into" and "out of"
// exchanged.
//
// For example, let s go to t in set 0 and to u in no set, and let t and u go back to s in set 1. As
// marked, in the order 0, 1, a run comes back to s on level 2 from t and on level 0 from u: with
// (t, 1) and (u, 0) that is four copies. All edges out of t and out of u are in set 1, so the edges to
// t and to u may be in it too. Then the edge to t is in both sets, (t, 2) is accepting, and a run
// comes back on level 0 from either: three copies.
//
// More marks let a run climb earlier, and fewer marks keep runs together that climbed at different
// edges; neither is always better, so all ways are tried.
type placement uint8

const (
	asMarked      placement = iota
	spreadBack              // with the marks that all edges after an edge have
	spreadBoth              // and with those that all edges before it have
	droppedBack             // as spreadBack, but each only once on the way
	droppedBoth             // as spreadBoth, likewise
	droppedMarked           // as marked, likewise
)

// placements are in the order in which they are tried.
var placements = []placement{droppedBack, droppedBoth, droppedMarked, asMarked, spreadBack, spreadBoth}

// place returns the marks of the edges. It does not change those of the component.
func (p *part) place(ctx context.Context, how placement) ([]uint64, error) {
	marks := p.marks
	switch how {
	case spreadBack, spreadBoth, droppedBack, droppedBoth:
		var err error
		if marks, err = p.spread(ctx, how == spreadBoth || how == droppedBoth); err != nil {
			return nil, err
		}
	}
	switch how {
	case droppedBack, droppedBoth, droppedMarked:
		marks = p.dropRepeated(marks)
	}
	return marks, nil
}

// spreadWork bounds the edges that are looked at to spread marks: a chain of n states may
// take n rounds. Marks that have not come as far as they might mean the same.
const spreadWork = 1 << 24

// spread adds to edges inside the marks that all edges after them have, and with both the
// marks that all edges before them have, until nothing changes.
func (p *part) spread(ctx context.Context, both bool) ([]uint64, error) {
	marks := slices.Clone(p.marks)
	into, outOf := make([]uint64, len(p.states)), make([]uint64, len(p.states))
	bound := effort.New(ctx, spreadWork)
	for changed := true; changed && bound.Spend(len(p.to)+1); {
		changed = false
		p.shared(marks, into, outOf)
		for s := range p.states {
			for e := p.start[s]; e < p.start[s+1]; e++ {
				if p.to[e] == outside {
					continue
				}
				m := marks[e] | outOf[p.to[e]]
				if both {
					m |= into[s]
				}
				changed = changed || m != marks[e]
				marks[e] = m
			}
		}
	}
	if errors.Is(bound.Err, effort.ErrSpent) {
		return marks, nil
	}
	return marks, bound.Err
}

// shared finds the marks that all edges inside into each state have, and those that all
// edges inside out of it have.
func (p *part) shared(marks, into, outOf []uint64) {
	for s := range p.states {
		into[s], outOf[s] = p.all, p.all
	}
	for s := range p.states {
		for e := p.start[s]; e < p.start[s+1]; e++ {
			if to := p.to[e]; to != outside {
				into[to] &= marks[e]
				outOf[s] &= marks[e]
			}
		}
	}
}

// dropRepeated takes from the edges out of each state the marks that all edges into it have. It
// leaves the loops of the state alone: a run that only loops there takes no other edge into it. It
// goes from state to state on the marks that are left, so that no two states drop a mark because
// of each other.
func (p *part) dropRepeated(from []uint64) []uint64 {
	marks := slices.Clone(from)
	for s := range p.states {
		into := p.all
		for _, e := range p.before[p.beforeStart[s]:p.beforeStart[s+1]] {
			into &= marks[e]
		}
		for e := p.start[s]; e < p.start[s+1]; e++ {
			if p.to[e] != int32(s) {
				marks[e] &^= into
			}
		}
	}
	return marks
}

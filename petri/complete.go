package petri

import (
	"slices"
	"sync"

	"pnmc/internal/growing"
	"pnmc/petri/internal/store"
)

// Completion makes a Kripke structure that of a graph which several threads have explored: its
// markings are there, and each thread writes rows of edges by an EdgeWriter. See package multicore.
type Completion struct {
	kripke *Kripke
	space  *space
	deltas bool // rows are written so, as there is no room for words

	mutex sync.Mutex // guards what follows, but for the entries of edges.row
	edges edges
}

// Complete begins to give k all markings that are reachable, with the numbers that they have in
// markings, packed as game has them, and so many edges. Until Finish k remains as it is. It must
// not leave out edges by a selection.
func (k *Kripke) Complete(game *Game, markings *store.Store, initial StateID, edges int64) *Completion {
	s := *k.space
	l := game.firing.layout
	s.layout, s.firing, s.store, s.initial = l, game.firing, markings, initial
	s.packed, s.held, s.implied = make([]uint64, l.words), 0, make([]int64, len(l.implied))
	// All fits into its fields: none will be widened.
	s.parent, s.trackParent, s.order = growing.Numbers{}, false, ruleOrder{}
	s.unbounded, s.lost = nil, nil
	c := &Completion{kripke: k, space: &s}
	c.edges.most = k.edges.most
	c.edges.row.GrowTo(markings.Len())
	words := 4 * (edges + int64(markings.Len()))
	if c.deltas = words > c.edges.most; !c.deltas {
		c.edges.used = words
	}
	return c
}

// Finish has k be what it was given, when all rows are written. It has edges that are firings, and
// so many of them.
func (c *Completion) Finish(firings int64) {
	k := c.kripke
	k.space, k.edges = c.space, c.edges
	k.edges.packed = c.deltas
	k.expanded, k.transitions = int64(k.Len()), firings
}

// EdgeWriter writes rows of edges for a thread.
type EdgeWriter struct {
	completion *Completion
	fill       edgeFill
}

// Writer returns a writer for another thread.
func (c *Completion) Writer() *EdgeWriter { return &EdgeWriter{completion: c} }

// Write writes the row of s, which no other thread does. Deadlock says that its only edge is that of
// a deadlock. A row for which there is no room will be found anew when it is asked for. It takes four
// bytes for each edge, and four more, at most.
func (w *EdgeWriter) Write(s StateID, ids []StateID, deadlock bool) {
	c, f := w.completion, &w.fill
	size := len(ids) + 1
	if c.deltas {
		f.encode(s, ids, deadlock)
		size = len(f.code)
	}
	switch {
	case len(ids)+1 > edgesPerChunk || size > edgesPerChunk:
		w.writeLarge(s, ids)
	case !f.holds(size) && !w.begin():
		w.leaveOut(s)
	case c.deltas:
		c.edges.row.Set(s, f.putCode())
	default:
		_, at := f.put(ids, deadlock)
		c.edges.row.Set(s, at)
	}
}

// begin begins another chunk. It reports false if there is no room for it.
func (w *EdgeWriter) begin() bool {
	c := w.completion
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if !c.deltas {
		return c.edges.begin(&w.fill, false) // there is room for all
	}
	if c.edges.used+edgesPerChunk > c.edges.most {
		return false
	}
	c.edges.used += edgesPerChunk
	return c.edges.begin(&w.fill, true)
}

// writeLarge keeps a row that is too long for a chunk, if there is room.
func (w *EdgeWriter) writeLarge(s StateID, ids []StateID) {
	c := w.completion
	size := 4 * int64(len(ids))
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.deltas && c.edges.used+size > c.edges.most {
		c.edges.leaveOut(s)
		return
	}
	if c.deltas {
		c.edges.used += size
	}
	if c.edges.large == nil {
		c.edges.large = map[StateID][]StateID{}
	}
	c.edges.large[s] = slices.Clone(ids)
	c.edges.row.Set(s, largeRow)
}

// leaveOut notes that the row of s is not kept.
func (w *EdgeWriter) leaveOut(s StateID) {
	c := w.completion
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.edges.leaveOut(s)
}

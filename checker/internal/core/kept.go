package core

import (
	"context"
	"runtime/debug"
	"sync"
	"time"

	"pnmc/checker/diagram"
	"pnmc/checker/inquiry"
	"pnmc/petri"
	"pnmc/petri/reduce"
)

// Kept is what a solver could make again, and keeps for later questions while there is
// memory. It has reduced nets with their facts, and for each of them the state graph
// and decision diagrams that nobody works on. All of it may be dropped at any time.
//
// An example: a question about places p and q has the net reduced, and its graph explored. The next
// question looks at p and q as well. It gets the same reduction, by its key, and takes the graph.
// While it works nobody else finds the graph. Afterwards the graph, now larger, is put back if
// there is room.
type Kept struct {
	mutex      sync.Mutex
	reductions map[reductionKey]*reduce.Reduction
	facts      map[*reduce.Reduction]petri.Facts
	graphs     map[*petri.Net]*petri.Kripke
	diagrams   map[*petri.Net]*diagram.Space
	winner     string // the order of variables of the last diagram that was made
}

// reductionKey is what a reduction was made of.
type reductionKey struct {
	net       *petri.Net
	protected string
	wanted    reduce.Preserves
}

// Besides memory, these bound the reductions and state graphs that are kept.
const (
	mostKept   = 500
	mostGraphs = 8
)

func newKept() *Kept {
	k := new(Kept)
	k.clear()
	return k
}

// clear forgets all that is kept. The caller holds the mutex, but for newKept.
func (k *Kept) clear() {
	k.reductions = make(map[reductionKey]*reduce.Reduction)
	k.facts = make(map[*reduce.Reduction]petri.Facts)
	k.graphs = make(map[*petri.Net]*petri.Kripke)
	k.diagrams = make(map[*petri.Net]*diagram.Space)
}

// Counts returns the numbers of what is kept.
func (k *Kept) Counts() (reductions, graphs, diagrams int) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	return len(k.reductions), len(k.graphs), len(k.diagrams)
}

// order returns the name of the order of variables that was best last, of another net or the same
// one reduced in another way; or no name.
func (k *Kept) order() string {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	return k.winner
}

// noteOrder notes an order of variables that was the best.
func (k *Kept) noteOrder(name string) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	k.winner = name
}

// Drop drops all that is kept, to make room.
func (k *Kept) Drop() {
	k.mutex.Lock()
	k.clear()
	k.mutex.Unlock()
	debug.FreeOSMemory()
}

// take returns what is kept of a net, and removes it, so that no other gets it. It returns
// nil if nothing is kept.
func take[V any](k *Kept, from func() map[*petri.Net]*V, net *petri.Net) *V {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	v := from()[net]
	delete(from(), net)
	return v
}

// graphMap returns the state graphs by net, for take, which calls it with the mutex held.
func (k *Kept) graphMap() map[*petri.Net]*petri.Kripke { return k.graphs }

// diagramMap returns the diagrams by net, for take.
func (k *Kept) diagramMap() map[*petri.Net]*diagram.Space { return k.diagrams }

// A reduction may take reductionShare of a task's time, at most longestReduction, but always so much work as is
// done in leastReduction. It is measured in work, of which about reductionWork is done in a
// millisecond: a net is used as far as it was reduced then.
const (
	reductionShare   = 0.25
	leastReduction   = 200 * time.Millisecond
	longestReduction = 20 * time.Second
	reductionWork    = 100_000
)

// reduceNet reduces the net, or that which was reduced for all open atoms, if that serves.
func (r *Task) reduceNet(ctx context.Context, protected []bool, wanted reduce.Preserves) (*reduce.Reduction, error) {
	work := int(max(leastReduction, r.ShareOf(reductionShare, longestReduction)).Milliseconds()) * reductionWork
	if all := r.forAll.Load(); all != nil && reduce.Serves(all.protected, all.wanted, protected, wanted) {
		return all.reduction.FurtherWithin(ctx, protected, wanted, work)
	}
	reduction, err := reduce.ApplyWithin(ctx, r.Net, protected, wanted, work)
	if err == nil && reduction.Stopped {
		r.Note("reduced the net for a time: %d places, %d transitions are left", reduction.Net.Places(), reduction.Net.Transitions())
	}
	return reduction, err
}

// ReduceNet reduces the net, or finds that it was reduced so before. The error is that of ctx,
// or says that memory did not do; there may be enough for something else. Reductions that change
// nothing are all the same one, whatever was to be preserved, so that they share a graph.
func (r *Task) ReduceNet(ctx context.Context, protected []bool, wanted reduce.Preserves) (*reduce.Reduction, error) {
	if !r.Shared.Uses(inquiry.StructuralReduction) {
		wanted = reduce.Everything
	}
	k := r.Shared.Kept
	bits := make([]byte, (len(protected)+7)/8)
	for p, is := range protected {
		if is {
			bits[p/8] |= 1 << (p % 8)
		}
	}
	key := reductionKey{r.Net, string(bits), wanted}
	k.mutex.Lock()
	known := k.reductions[key]
	k.mutex.Unlock()
	if known != nil {
		return known, nil
	}
	within, release := r.Shared.reducing(ctx)
	reduction, err := r.reduceNet(within, protected, wanted)
	release(err)
	if err != nil {
		return nil, err
	}
	room := r.Shared.HasRoom(ctx)
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if !isReduced(reduction) {
		// All that change nothing are one, whose graphs are of use to all.
		unchanged := reductionKey{net: r.Net}
		if first := k.reductions[unchanged]; first != nil {
			reduction = first
		} else if room {
			k.reductions[unchanged] = reduction
		}
	}
	if room {
		if len(k.reductions) >= mostKept {
			k.clear()
		}
		k.reductions[key] = reduction
	}
	return reduction, nil
}

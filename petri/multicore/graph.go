package multicore

import (
	"context"
	"math"
	"sync/atomic"

	"pnmc/petri"
)

// This file explores whole state graphs, markings with their edges, for a petri.Kripke. Whatever reads
// such a structure then works on it as on one that a single thread has explored.
//
// A thread that goes on from a marking notes its number and those of its successors in a list of its
// own (rows.go). When all is explored, numbers become dense (store.Finished), and the rows of all
// lists are written anew with these, a chunk of a list by one thread. Lists are given up meanwhile.

// Graph is an exploration of all of a state graph.
type Graph struct {
	// Kripke is what has the graph afterwards. It has all edges of its states: none are left out by a
	// selection.
	Kripke *petri.Kripke
	// Threads is how many explore, 0 for one.
	Threads int
	// First is how many states one thread finds the edges of before several begin anew. Many
	// graphs have no more.
	First int
	// Others, unless nil, is the context of the threads other than the caller's.
	Others context.Context
}

// Explore finds all states and edges. The context is that of the question at hand, which the Kripke
// structure has begun. It reports whether several threads explored: states have other numbers then,
// which differ from run to run, as does the order of the edges of a state. There are as many as with
// one thread.
//
// An error says why not all was explored. The structure has then what one thread found. A place that
// grows without bound is one such reason; one thread tells which it is. No thread is left when Explore
// returns.
func (g *Graph) Explore(ctx context.Context) (together bool, err error) {
	if g.Threads > 1 {
		more, err := g.alone(int64(g.First))
		if !more {
			return false, err
		}
		if err = g.Together(ctx); !Endless(err) {
			return err == nil, err
		}
	}
	_, err = g.alone(math.MaxInt64)
	return false, err
}

// alone finds the edges of at most so many states more, by one thread. It reports whether there are
// others left.
func (g *Graph) alone(most int64) (more bool, err error) {
	k := g.Kripke
	before, _ := k.Explored()
	for id := petri.StateID(0); int(id) < k.Len(); id++ {
		if explored, _ := k.Explored(); explored-before >= most && explored < int64(k.Len()) {
			return true, nil
		}
		if _, err := k.Successors(id); err != nil {
			return false, err
		}
		if u := k.Unbounded(); u != nil {
			return false, u
		}
	}
	return false, nil
}

// Together explores with several threads from the beginning, and so renumbers states. With an error
// the structure is what it was.
func (g *Graph) Together(ctx context.Context) error {
	k := g.Kripke
	x, err := newExploration(ctx, k.Net(), k.Facts(), k.Account().Budget(), g.Threads, false, nil)
	if err != nil {
		return err
	}
	for i, w := range x.workers {
		if i > 0 && g.Others != nil {
			w.account.Begin(g.Others)
		}
		w.rows = new(rowList)
	}
	if x.run(); x.reason != nil {
		return x.reason
	}
	return x.finish(k)
}

// finish gives k what was explored.
func (x *exploration) finish(k *petri.Kripke) error {
	var firings, deadlocks, markings int64
	var lists [][]byte
	for _, w := range x.workers {
		firings += w.firings
		deadlocks += w.deadlocks
		markings += w.arena.Count()
		// Rows of deadlocks may wait still: they wait for nothing.
		if err := w.rows.write(&w.account); err != nil {
			return err
		}
		lists = append(append(lists, w.rows.chunks...), w.rows.chunk)
		w.rows = nil
	}
	a := &x.workers[0].account
	if err := a.Reserve(x.store.FinishBytes() + 4*int(markings)); err != nil {
		return err
	}
	f := x.store.Finish(x.arenas())
	c := k.Complete(x.game, f.Store, f.Of(0), firings+deadlocks)
	var table, list atomic.Int64
	failed := make(chan error, len(x.workers))
	x.each(func(w *worker) {
		for i := table.Add(1) - 1; i < int64(f.Tables()); i = table.Add(1) - 1 {
			f.Renumber(int(i))
		}
		out := c.Writer()
		for i := list.Add(1) - 1; i < int64(len(lists)); i = list.Add(1) - 1 {
			if err := rewrite(&w.account, lists[i], f, out); err != nil {
				failed <- err
				return
			}
			lists[i] = nil
		}
	})
	select {
	case err := <-failed:
		return err
	default:
		c.Finish(firings)
		return nil
	}
}

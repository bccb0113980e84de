package multicore_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/petri/invariant"
	"pnmc/petri/multicore"
)

// atlas is what the threads of a run have found.
type atlas struct {
	mutex sync.Mutex
	of    map[petri.StateID]string // markings
	rows  map[petri.StateID][]string
}

// draw has each thread of k go depth-first through the state graph, in an order of its own, until one
// has been everywhere.
func draw(k *multicore.Kripke, a *atlas) error {
	return k.Run(context.Background(), context.Background(), func(w *multicore.Walker) error {
		rows := map[petri.StateID][]petri.StateID{}
		todo := []petri.StateID{k.Initial()}
		for len(todo) > 0 {
			if err := w.Poll(); err != nil {
				return err
			}
			s := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if rows[s] != nil {
				continue
			}
			row, err := w.Successors(s)
			if err != nil {
				return err
			}
			rows[s] = slices.Clone(row)
			for _, i := range rand.Perm(len(row)) {
				todo = append(todo, rows[s][i])
			}
		}
		a.mutex.Lock()
		defer a.mutex.Unlock()
		a.of, a.rows = map[petri.StateID]string{}, map[petri.StateID][]string{}
		for s, row := range rows {
			a.of[s] = marking(w, s)
			for _, to := range row {
				a.rows[s] = append(a.rows[s], marking(w, to))
			}
			slices.Sort(a.rows[s])
			if kept := k.Kept(s); kept != nil && !slices.Equal(kept, row) {
				return fmt.Errorf("%v are kept for %d, and %v were told", kept, s, row)
			}
			if w.Deadlock(s) != (slices.Equal(row, []petri.StateID{s}) && !fires(w, s)) {
				return fmt.Errorf("%s is a deadlock: %v", a.of[s], w.Deadlock(s))
			}
		}
		return nil
	})
}

// drawn is the net of the test at hand.
var drawn *petri.Net

// marking returns the marking of s, by two ways.
func marking(w *multicore.Walker, s petri.StateID) string {
	m := make(petri.Marking, drawn.Places())
	w.Marking(s, m)
	places, counts := make([]petri.Place, len(m)), make([]int64, len(m))
	for i := range places {
		places[i] = petri.Place(i)
	}
	if w.Tokens(s, places, counts); !slices.Equal(counts, m) {
		return fmt.Sprintf("%v or %v", m, counts)
	}
	return fmt.Sprint(m)
}

// fires reports whether some transition leads from s to itself.
func fires(w *multicore.Walker, s petri.StateID) bool {
	_, ok := w.Firing(s, s)
	return ok
}

// TestKripkeAgreesWithNaiveTwin: the graph is the same, for all threads and runs.
func TestKripkeAgreesWithNaiveTwin(t *testing.T) {
	for name, generator := range generators {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				net := generator.Draw(t, "net")
				g, finite := petritest.Explore(net, 150)
				if !finite {
					t.Skip("too large or unbounded")
				}
				drawn = net
				facts := petri.Facts{}
				if rapid.Bool().Draw(t, "facts") {
					facts = invariant.Prove(context.Background(), net, 0)
				}
				budget := petri.Budget{EdgeBytes: rapid.SampledFrom([]int64{0, 1, 1 << 18, 3 << 18}).Draw(t, "edges")}
				k := multicore.NewKripke(net, facts, budget, rapid.IntRange(1, 8).Draw(t, "threads"))
				k.Harass(give, 20, 5)
				for range 2 {
					var a atlas
					if err := draw(k, &a); err != nil {
						t.Fatal(err)
					}
					agreesWith(t, &a, g)
				}
				firings := 0
				for _, row := range g.Edges {
					firings += len(row)
				}
				if states, transitions := k.Explored(); states != int64(len(g.Markings)) || transitions != int64(firings) {
					t.Fatalf("%d states and %d firings, should be %d and %d", states, transitions, len(g.Markings), firings)
				}
			})
		})
	}
}

// agreesWith fails unless a is g, in which deadlocks have an edge to themselves.
func agreesWith(t rapid.TB, a *atlas, g *petritest.Graph) {
	want := map[string][]string{}
	for i, m := range g.Markings {
		row := []string{}
		for _, f := range g.Edges[i] {
			row = append(row, fmt.Sprint(g.Markings[f.To]))
		}
		if len(row) == 0 {
			row = append(row, fmt.Sprint(m))
		}
		slices.Sort(row)
		want[fmt.Sprint(m)] = row
	}
	if len(a.of) != len(want) {
		t.Fatalf("%d markings, should be %d", len(a.of), len(want))
	}
	for s, m := range a.of {
		if !slices.Equal(a.rows[s], want[m]) {
			t.Fatalf("%s has the successors %v, should have %v", m, a.rows[s], want[m])
		}
	}
}

// TestKripkeGoesOnAfterAnEnd: a run that was ended, wherever that was, leaves a graph with which the
// next one goes on.
func TestKripkeGoesOnAfterAnEnd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := rapid.SampledFrom([]*petri.Net{petritest.Philosophers(5), petritest.Kanban(1)}).Draw(t, "net")
		drawn = net
		g, _ := petritest.Explore(net, 1000)
		k := multicore.NewKripke(net, petri.Facts{}, petri.Budget{}, 4)
		k.Harass(give, 20, 5)
		for range 3 {
			left := rapid.IntRange(0, 150).Draw(t, "steps")
			ended := k.Run(context.Background(), context.Background(), func(w *multicore.Walker) error {
				if w.Number() == 3 {
					return w.Attend()
				}
				s := k.Initial()
				for range left {
					if err := w.Poll(); err != nil {
						return err
					}
					row, err := w.Successors(s)
					if err != nil {
						return err
					}
					s = row[rand.IntN(len(row))]
				}
				return errEnough
			})
			if ended != errEnough {
				t.Fatalf("ended by %v", ended)
			}
		}
		var a atlas
		if err := draw(k, &a); err != nil {
			t.Fatal(err)
		}
		agreesWith(t, &a, g)
	})
}

// TestKripkeEnds: an unbounded place, a context and a budget end a run, and tell why.
func TestKripkeEnds(t *testing.T) {
	walk := func(k *multicore.Kripke, ctx context.Context) error {
		return k.Run(ctx, ctx, func(w *multicore.Walker) error {
			for s := k.Initial(); ; {
				if err := w.Poll(); err != nil {
					return err
				}
				row, err := w.Successors(s)
				if err != nil {
					return err
				}
				s = row[rand.IntN(len(row))]
			}
		})
	}
	if err := walk(multicore.NewKripke(petritest.Counter(), petri.Facts{}, petri.Budget{}, 3), context.Background()); !multicore.Endless(err) {
		t.Errorf("unbounded: %v", err)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errEnough)
	k := multicore.NewKripke(petritest.Philosophers(6), petri.Facts{}, petri.Budget{}, 3)
	for range 2 {
		if err := walk(k, ctx); !errors.Is(err, errEnough) {
			t.Errorf("cancelled: %v", err)
		}
	}
	k = multicore.NewKripke(petritest.Philosophers(6), petri.Facts{}, petri.Budget{MemoryBytes: 1}, 3)
	var full *petri.MemoryError
	for range 2 {
		if err := walk(k, context.Background()); !errors.As(err, &full) {
			t.Errorf("without memory: %v", err)
		}
	}
}

var errEnough = errors.New("enough")

// TestKripkeDefect: a panic of a thread comes out of Run when all have ended.
func TestKripkeDefect(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("nothing panics")
		}
	}()
	k := multicore.NewKripke(petritest.Philosophers(3), petri.Facts{}, petri.Budget{}, 3)
	_ = k.Run(context.Background(), context.Background(), func(w *multicore.Walker) error {
		if w.Number() == 1 {
			panic("a defect")
		}
		return w.Attend()
	})
}

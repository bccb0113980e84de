package multicore_test

import (
	"context"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/petri/multicore"
)

// TestThreadsRest: threads that rest are given markings by others, take part in meetings, and the run ends
// when all have been gone to, each once.
func TestThreadsRest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := rapid.OneOf(petritest.AnyNet(), petritest.StateMachines(true), petritest.Loose()).Draw(t, "net")
		g, finite := petritest.Explore(net, 60)
		if !finite {
			t.Skip("too large or unbounded")
		}
		k := multicore.NewKripke(net, petri.Facts{}, petri.Budget{}, petritest.Threads(t))
		k.Harass(give, 20, 5)
		var mutex sync.Mutex
		pool := []petri.StateID{k.Initial()}
		met := map[petri.StateID]bool{k.Initial(): true}
		gone := 0
		err := k.Run(context.Background(), context.Background(), func(w *multicore.Walker) error {
			for {
				var s petri.StateID
				done, err := w.Rest(func() bool {
					mutex.Lock()
					defer mutex.Unlock()
					if len(pool) == 0 {
						return false
					}
					s, pool = pool[len(pool)-1], pool[:len(pool)-1]
					return true
				})
				if done || err != nil {
					return err
				}
				row, err := w.Successors(s)
				if err != nil {
					return err
				}
				mutex.Lock()
				gone++
				for _, to := range row {
					if !met[to] {
						met[to] = true
						pool = append(pool, to)
					}
				}
				mutex.Unlock()
				if w.Resting() {
					w.Wake()
				}
			}
		})
		if err != nil || gone != len(g.Markings) {
			t.Fatalf("%d markings were gone to, of %d; %v", gone, len(g.Markings), err)
		}
	})
}

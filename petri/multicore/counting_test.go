package multicore_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pnmc/internal/account"
	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/petri/invariant"
	"pnmc/petri/multicore"
)

// TestCountAgreesWithNaiveTwin: markings that are counted from the first on are as many as there are, unless
// a field without proof is too narrow.
func TestCountAgreesWithNaiveTwin(t *testing.T) {
	yields(t)
	narrow := 0
	for name, generator := range generators {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				net, threads := generator.Draw(t, "net"), rapid.IntRange(1, 8).Draw(t, "threads")
				facts := petri.Facts{}
				if rapid.Bool().Draw(t, "facts") {
					facts = invariant.Prove(context.Background(), net, 0)
				}
				layout, _ := net.InitialLayout(new(account.Account), facts)
				count := counted(t, layout.Unproven(), &narrow)
				if !agreesBy(t, count, net, facts, threads) {
					t.Skip("too large or unbounded")
				}
			})
		})
	}
	if narrow == 0 {
		t.Error("no field was too narrow")
	}
}

// counted counts markings from the first one on, or, if a field turns out too narrow, which only one that is unproven
// may, explores with numbers.
func counted(t rapid.TB, unproven bool, narrow *int) multicore.Exploring {
	return func(ctx context.Context, net *petri.Net, facts petri.Facts, budget petri.Budget, threads int, progress func(petri.Statistics), uncounted ...petri.Place) (petri.Statistics, error) {
		s, err := multicore.Count(ctx, net, facts, budget, threads, progress, uncounted...)
		if !multicore.TooNarrow(err) {
			return s, err
		}
		*narrow++
		if !unproven || s.Complete {
			t.Fatalf("%v, complete %v", err, s.Complete)
		}
		return multicore.Numbered(ctx, net, facts, budget, threads, progress, uncounted...)
	}
}

// TestCountStress runs TestCountAgreesWithNaiveTwin for as long as one likes, with nets of some thousand markings
// among them.
func TestCountStress(t *testing.T) {
	goesOn := petritest.Stress(t)
	compared, narrow, large := 0, 0, 0
	for goesOn() {
		reset := multicore.ForTests(give, 0, []int{0, 5, 50}[rand.IntN(3)])
		rapid.Check(t, func(t *rapid.T) {
			name := rapid.SampledFrom([]string{"any", "state machines", "false NUPN", "all arcs", "loose"}).Draw(t, "kind")
			net, threads := generators[name].Draw(t, "net"), petritest.Threads(t)
			for _, facts := range []petri.Facts{{}, invariant.Prove(context.Background(), net, 0)} {
				layout, _ := net.InitialLayout(new(account.Account), facts)
				if agreesBy(t, counted(t, layout.Unproven(), &narrow), net, facts, threads) {
					compared++
				}
			}
		})
		exploreLarge(t, counted(t, true, &narrow))
		large++
		reset()
	}
	t.Logf("%d countings of random nets, in %d of which a field was too narrow, %d of large ones", compared, narrow, large)
}

// TestExploreCountsTheRest: however many markings are explored before others are counted, and whether or not
// fields turn out too narrow, the figures are those of the naive twin.
func TestExploreCountsTheRest(t *testing.T) {
	yields(t)
	for name, generator := range generators {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				net, threads := generator.Draw(t, "net"), rapid.IntRange(1, 4).Draw(t, "threads")
				defer multicore.CountAfter(rapid.SampledFrom([]int{1, 10, 100}).Draw(t, "first"))()
				if !agreesBy(t, multicore.Explore, net, petri.Facts{}, threads) {
					t.Skip("too large or unbounded")
				}
				agreesBy(t, multicore.Explore, net, invariant.Prove(context.Background(), net, 0), threads)
			})
		})
	}
}

// TestCountingFamilies counts nets of more markings than tables have room for at first.
func TestCountingFamilies(t *testing.T) {
	for _, net := range large(petritest.Philosophers(9)) {
		for _, facts := range []petri.Facts{{}, invariant.Prove(context.Background(), net, 0)} {
			one, err := net.Explore(context.Background(), facts, petri.Budget{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, threads := range []int{1, 2, 3, 8} {
				got, err := multicore.Explore(context.Background(), net, facts, petri.Budget{}, threads, nil)
				if err != nil {
					t.Errorf("%d threads: %v", threads, err)
				}
				same(t, fmt.Sprintf("%d places, %d threads", net.Places(), threads), got, one)
				if got, err = multicore.Count(context.Background(), net, facts, petri.Budget{}, threads, nil); err != nil && (!multicore.TooNarrow(err) || len(facts.Bounds) > 0) {
					t.Errorf("%d threads: %v", threads, err)
				} else if err == nil {
					same(t, fmt.Sprintf("%d places, %d threads", net.Places(), threads), got, one)
				}
			}
		}
	}
}

// TestCountingLeavesOut: tokens of places that do not count are left out of the most.
func TestCountingLeavesOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := petritest.Net().Draw(t, "net")
		if _, finite := petritest.Explore(net, explorable); !finite {
			t.Skip("too large or unbounded")
		}
		var left []petri.Place
		for p := range petri.Place(net.Places()) {
			if rapid.Bool().Draw(t, "left out") {
				left = append(left, p)
			}
		}
		facts := invariant.Prove(context.Background(), net, 0)
		one, err := net.Explore(context.Background(), facts, petri.Budget{}, nil, left...)
		if err != nil {
			t.Fatal(err)
		}
		got, err := multicore.Count(context.Background(), net, facts, petri.Budget{}, 2, nil, left...)
		if multicore.TooNarrow(err) {
			t.Skip("a field is too narrow")
		}
		if err != nil || got.MaxTokensInPlace != one.MaxTokensInPlace || got.MaxTokensPerMarking.Cmp(one.MaxTokensPerMarking) != 0 {
			t.Fatalf("%+v, %v; expected %+v", got, err, one)
		}
	})
}

// TestExploreEndless: a net of which one thread says that a place is unbounded, or gets too many tokens, is
// told so after markings were counted, and the same of it.
func TestExploreEndless(t *testing.T) {
	defer multicore.CountAfter(3)()
	seen := 0
	if !petritest.CheckUntil(t, func() bool { return seen > 30 }, func(t *rapid.T) {
		net, threads := petritest.AnyNet().Draw(t, "net"), rapid.IntRange(1, 4).Draw(t, "threads")
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
		defer cancel()
		one, err := net.Explore(ctx, petri.Facts{}, petri.Budget{MemoryBytes: 1 << 30}, nil)
		if !errors.As(err, new(*petri.UnboundedError)) || one.States > explorable {
			t.Skip("bounded, or not known")
		}
		seen++
		long, end := context.WithTimeout(context.Background(), 20*time.Second)
		defer end()
		got, reason := multicore.Explore(long, net, petri.Facts{}, petri.Budget{MemoryBytes: 1 << 30}, threads, nil)
		if threads > 1 && errors.Is(reason, context.DeadlineExceeded) {
			t.Skip("the threads did not meet what covers an ancestor")
		}
		if fmt.Sprint(reason) != fmt.Sprint(err) || got.States != one.States || got.Firings != one.Firings {
			t.Fatalf("%d threads: %+v, %v; expected %+v, %v", threads, got, reason, one, err)
		}
	}) {
		t.Error("nothing was unbounded")
	}
}

// TestCountingEnds: the context and the memory end counting, at once and in the middle.
func TestCountingEnds(t *testing.T) {
	net := petritest.Kanban(4)
	facts := invariant.Prove(context.Background(), net, 0)
	before := runtime.NumGoroutine()
	reason := errors.New("enough")
	for _, threads := range []int{1, 3} {
		ctx, cancel := context.WithCancelCause(context.Background())
		cancel(reason)
		if got, err := multicore.Count(ctx, net, facts, petri.Budget{}, threads, nil); err != reason || got.Complete {
			t.Errorf("with an ended context: %v, complete %v", err, got.Complete)
		}
		var memory *petri.MemoryError
		if got, err := multicore.Count(context.Background(), net, facts, petri.Budget{MemoryBytes: 1}, threads, nil); !errors.As(err, &memory) || got.Complete {
			t.Errorf("with a byte of memory: %v, complete %v", err, got.Complete)
		}
		for range 5 {
			ctx, cancel := context.WithCancelCause(context.Background())
			after, last := rand.IntN(20), int64(0)
			var told atomic.Int64
			got, err := multicore.Count(ctx, net, facts, petri.Budget{}, threads, func(s petri.Statistics) {
				told.Add(1)
				if s.States < last || s.States > 454_475 {
					t.Errorf("%d markings after %d", s.States, last)
				}
				last = s.States
				if after--; after < 0 {
					cancel(reason)
				}
			})
			if err == nil && !got.Complete || err != nil && (err != reason || got.Complete || got.States >= 454_475) || told.Load() == 0 {
				t.Errorf("%+v, %v, told %d times", got, err, told.Load())
			}
			cancel(nil)
		}
	}
	alone(t, before)
}

// TestCountingDefect: what panics in a thread that counts panics in the caller's, when all have ended.
func TestCountingDefect(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, threads := range []int{1, 4} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("the caller sees nothing")
				}
			}()
			_, err := multicore.Count(context.Background(), petritest.Kanban(3), petri.Facts{}, petri.Budget{}, threads, func(petri.Statistics) { panic("a defect") })
			t.Errorf("counting ends with %v", err)
		}()
	}
	alone(t, before)
}

// TestExploreBeside: the threads other than the caller's have a context of their own. Its end ends all, with
// markings that are counted and with others.
func TestExploreBeside(t *testing.T) {
	over := errors.New("it is over")
	others, cancel := context.WithCancelCause(t.Context())
	cancel(over)
	for _, most := range []int{100, 1 << 30} { // markings of one word are counted, those that come first have numbers
		reset := multicore.CountAfter(most)
		net := petritest.Kanban(3)
		s, err := multicore.ExploreBeside(t.Context(), others, net, petri.Facts{}, petri.Budget{}, 3, nil)
		if most == 100 && (!errors.Is(err, over) || s.Complete) || most > 100 && (err != nil || s.States != 58_400) {
			t.Errorf("%d first: %d states, %v", most, s.States, err)
		}
		reset()
	}
	if s, err := multicore.NumberedBeside(t.Context(), others, petritest.Kanban(3), 3); !errors.Is(err, over) || s.Complete {
		t.Errorf("with numbers: %d states, %v", s.States, err)
	}
}

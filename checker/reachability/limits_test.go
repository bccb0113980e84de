package reachability_test

import (
	"context"
	"errors"
	"testing"
	"unsafe"

	"pnmc/checker/reachability"
	"pnmc/checker/walk"
	"pnmc/checker/witness"
	"pnmc/internal/account"
	"pnmc/internal/components"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
)

// TestLivenessChargesItsOwnWork: on a graph that is kept, whose exploration charges nothing any more,
// liveness charges each state, edge and member of a terminal component, with the room that it takes.
func TestLivenessChargesItsOwnWork(t *testing.T) {
	const switches, states, edges = 10, 1 << 10, 10 << 10
	for _, dead := range []bool{false, true} {
		net := petritest.Switches(switches, dead)
		k := petri.NewKripke(net, petri.Facts{}, petri.Budget{})
		if r, err := reachability.CheckLiveness(context.Background(), k, nil); err != nil || r.Live == dead || r.States != states {
			t.Fatalf("%+v, %v", r, err)
		}
		if _, err := reachability.CheckLiveness(context.Background(), k, nil); err != nil {
			t.Fatal(err)
		}
		// Each state is entered, with a room of its own in each table, looked at once an edge, and left.
		want := states*(account.StateWork+8+int(unsafe.Sizeof(components.Frame{}))) + (edges+states)*account.EdgeWork
		if dead { // all members are looked at, and a run is looked for
			want += states*(8*net.Places()+16) + 8*states + account.EdgeWork*edges/2
		}
		if spent := int(k.Account().Spent()) - 1<<20; spent < want { // an account begins with a look
			t.Errorf("dead %v: %d units charged, expected %d", dead, spent, want)
		}
	}
}

// TestRunsToDeadTransitionsAreCharged: a run is looked for along a chain, with a room for each state.
func TestRunsToDeadTransitionsAreCharged(t *testing.T) {
	const links = 400
	k := petri.NewKripke(petritest.BackwardChain(links), petri.Facts{}, petri.Budget{})
	for range 2 {
		if r, err := reachability.CheckLiveness(context.Background(), k, nil); err != nil || r.Live || len(r.Run) != links {
			t.Fatalf("%+v, %v", r, err)
		}
	}
	// A charge that is missing makes it less.
	const all = 138_504
	if spent := k.Account().Spent() - 1<<20; spent < all {
		t.Errorf("%d units charged, expected %d", spent, all)
	}
}

// TestLivenessEnds: the search ends at the first look after its context has.
func TestLivenessEnds(t *testing.T) {
	k := petri.NewKripke(petritest.Switches(12, false), petri.Facts{}, petri.Budget{})
	for _, looks := range []int{0, 1, 2} { // of the exploration, which has some, and of a graph that is kept
		if r, err := reachability.CheckLiveness(account.EndsAfter(looks), k, nil); !errors.Is(err, context.DeadlineExceeded) || r.Decided {
			t.Errorf("after %d looks: %+v, %v", looks, r, err)
		}
	}
	if _, err := reachability.CheckLiveness(context.Background(), k, nil); err != nil {
		t.Fatal(err)
	}
	for _, looks := range []int{0, 1} {
		if r, err := reachability.CheckLiveness(account.EndsAfter(looks), k, nil); !errors.Is(err, context.DeadlineExceeded) || r.Decided {
			t.Errorf("kept, after %d looks: %+v, %v", looks, r, err)
		}
	}
}

// TestNeverAgainEnds: each part of the second look at a marking asks its context: the run, what may fire
// when tokens are never taken away, and the markings.
func TestNeverAgainEnds(t *testing.T) {
	net, dead := petritest.Switches(100, false), petritest.Switches(100, true)
	var long []petri.Transition
	for range 1 << 17 {
		long = append(long, 0, 1)
	}
	const links = 400
	chain := petritest.BackwardChain(links) // in each round one more transition may fire
	for name, test := range map[string]struct {
		net         *petri.Net
		run         []petri.Transition
		transitions []uint32
		limit       int
		least       int // looks
	}{
		"run":      {net, long, []uint32{0}, 0, 2 * (1 << 17) * 64 >> 20},
		"relaxed":  {chain, nil, []uint32{0}, 0, links * links * 64 >> 20},
		"markings": {dead, nil, []uint32{200}, 300, 300 * (201*(64+8*200) + 100*8*200) >> 20},
	} {
		looks := &counting{Context: context.Background()}
		reachability.NeverAgain(looks, test.net, test.run, test.transitions, test.limit)
		if looks.looks < test.least {
			t.Errorf("%s: %d looks, expected %d", name, looks.looks, test.least)
		}
		if confirmed, refuted := reachability.NeverAgain(account.EndsAfter(test.least-1), test.net, test.run, test.transitions, test.limit); confirmed || refuted {
			t.Errorf("%s: confirmed %v, refuted %v after the end", name, confirmed, refuted)
		}
	}
}

// counting counts how often it is asked whether it has ended.
type counting struct {
	context.Context
	looks int
}

func (c *counting) Err() error {
	c.looks++
	return nil
}

// TestGoalsAreChargedTheirWork: a search for goals that take long to look at ends a few markings after its
// context, or after nobody asks for them any more, alone and with threads.
func TestGoalsAreChargedTheirWork(t *testing.T) {
	net := petritest.Switches(14, false)
	var operands []*logic.Predicate
	for range 1 << 15 { // 2¹⁸ ns a marking, so that there is a look every four
		operands = append(operands, &logic.Predicate{Operator: logic.Deadlocked})
	}
	never := walk.Goal{Predicate: &logic.Predicate{Operator: logic.Or, Operands: operands}}
	for _, threads := range []int{1, 2} {
		for _, ends := range []bool{false, true} {
			ctx, cancel := context.WithCancel(context.Background())
			asked := 0
			s := reachability.GoalSearch{
				Net: net, Goals: []walk.Goal{never}, Threads: threads,
				Open: func(int) bool {
					if asked++; ends {
						cancel()
					}
					return ends || asked <= threads
				},
				Found: func(int, int64, []witness.Burst) { t.Error("found a deadlock") },
			}
			err := s.Run(ctx)
			cancel()
			if s.States > 64*threads || ends && !errors.Is(err, context.Canceled) || !ends && err != nil {
				t.Errorf("%d threads, ended %v: %d markings, %v", threads, ends, s.States, err)
			}
		}
	}
}

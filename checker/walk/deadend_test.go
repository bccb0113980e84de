package walk_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pnmc/checker/reachability"
	"pnmc/checker/walk"
	"pnmc/internal/account"
	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/pnml"
)

// TestDeadEndsAreDead: beyond a dead end that walks find no marking of the state graph
// enables a transition of the group.
func TestDeadEndsAreDead(t *testing.T) {
	found, live := 0, 0
	if !petritest.CheckManyUntil(t, 2000, func() bool { return found > 0 && live > 0 }, func(t *rapid.T) {
		net, g := petritest.SmallNet(t)
		if net.Transitions() == 0 {
			return
		}
		var groups [][]uint32
		for tr := range uint32(net.Transitions()) {
			group := []uint32{tr}
			if other := rapid.Uint32Range(0, uint32(net.Transitions())-1).Draw(t, "other"); rapid.Bool().Draw(t, "pair") {
				group = append(group, other)
			}
			groups = append(groups, group)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Millisecond)
		defer cancel()
		var work account.Account
		work.Begin(ctx)
		run, group, err := walk.DeadEndsOn(net, groups, 1).Search(&work)
		if err != nil {
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Fatal(err)
			}
			live++
			return
		}
		found++
		number := make(map[string]int)
		for i, m := range g.Markings {
			number[fmt.Sprint(m)] = i
		}
		m := net.Initial()
		for _, tr := range run {
			if !net.Fire(m, tr) {
				t.Fatalf("run %v does not replay", run)
			}
		}
		met := map[int]bool{}
		for queue := []int{number[fmt.Sprint(m)]}; len(queue) > 0; queue = queue[1:] {
			for _, tr := range groups[group] {
				if net.Enabled(g.Markings[queue[0]], petri.Transition(tr)) {
					t.Fatalf("after %v, group %d is not dead: %v enables %d", run, group, g.Markings[queue[0]], tr)
				}
			}
			for _, f := range g.Edges[queue[0]] {
				if !met[f.To] {
					met[f.To] = true
					queue = append(queue, f.To)
				}
			}
		}
	}) {
		t.Errorf("%d dead ends were found, %d nets have none", found, live)
	}
}

// TestDeadEndOfUnboundedNet: where there are endless markings a dead end is seen, and
// confirmed though not all that follow can be looked at.
func TestDeadEndOfUnboundedNet(t *testing.T) {
	net, err := pnml.Reader{}.ReadFile("../reachability/../../testdata/mailbox.pnml")
	if err != nil {
		t.Fatal(err)
	}
	groups := [][]uint32{{0}, {1}, {2}} // send, receive, stop
	run, group, err := walk.DeadEndsOn(net, groups, 1).Search(new(account.Account))
	if err != nil || group == 0 {
		t.Fatalf("%v leads to the death of group %d, %v", run, group, err)
	}
	if confirmed, refuted := reachability.NeverAgain(t.Context(), net, run, groups[group], 10); !confirmed || refuted {
		t.Errorf("after %v group %d: confirmed %v, refuted %v", run, group, confirmed, refuted)
	}
	if confirmed, refuted := reachability.NeverAgain(t.Context(), net, run, groups[0], 10); confirmed || !refuted {
		t.Errorf("after %v sending: confirmed %v, refuted %v", run, confirmed, refuted)
	}
}

package atoms_test

import (
	"strings"
	"testing"
	"time"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/asking"
	"pnmc/checker/internal/atoms"
	"pnmc/checker/internal/core/coretest"
	"pnmc/checker/internal/ledger"
	"pnmc/internal/petritest"
	"pnmc/petri/reduce"
)

// TestFirstLookAtLargeNets: a large net is explored as it is before the plan, and the plan goes on with
// that where time was short. Others get the graph where no reduction applies. A net of fewer arcs is
// left alone.
func TestFirstLookAtLargeNets(t *testing.T) {
	net := petritest.Machines(2200) // 52,800 arcs
	g, _ := petritest.Explore(net, 1_000_000)
	for _, test := range []struct {
		limit   time.Duration
		further bool
	}{{time.Hour, false}, {20 * time.Millisecond, true}} {
		r, record := coretest.NewTask(t, net, 1, test.limit)
		r.Shared.Without = inquiry.RandomWalk
		r.Clock.Start = time.Now().Add(time.Minute) // the work counts, however slow the machine is
		questions := []inquiry.Question{inquiry.QuasiLive{}}
		for _, p := range asking.Parts(questions, ledger.NewAnswers(1, nil)) {
			r.Family = p.Family
			asking.Put(t.Context(), r, p, questions)
		}
		atoms.First(t.Context(), r)
		if further := r.Further != nil; further != test.further {
			t.Errorf("within %v: there is more to do: %t; %s", test.limit, further, record.Explained())
		}
		if err := atoms.Further(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		if got := record.Value(0); !got.IsTrue() {
			t.Errorf("within %v: the answer is %v; %s", test.limit, got, record.Explained())
		}
		if r.Further != nil {
			t.Error("what was explored is held for ever")
		}
		// The last transition may be met before the last marking.
		k := r.GraphOf(t.Context(), make([]bool, net.Places()), reduce.Everything).Kripke
		if k.Len() < 1000 || k.Len() > len(g.Markings) {
			t.Errorf("within %v: others get a graph of %d markings, of %d", test.limit, k.Len(), len(g.Markings))
		}
	}
	small, record := coretest.NewTask(t, petritest.Philosophers(3), 1, time.Hour)
	questions := []inquiry.Question{inquiry.Deadlock{}}
	for _, p := range asking.Parts(questions, ledger.NewAnswers(1, nil)) {
		asking.Put(t.Context(), small, p, questions)
	}
	if atoms.First(t.Context(), small); record.Value(0).IsKnown() || strings.Contains(record.Explained(), "as it is") {
		t.Errorf("a small net is looked at: %s", record.Explained())
	}
}

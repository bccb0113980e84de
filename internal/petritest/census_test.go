package petritest_test

import (
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/petritest"
	"pnmc/petri"
)

// TestDraws: each generator draws nets of each class that it is there for, one of 25 at least.
func TestDraws(t *testing.T) {
	plain := []string{"weights", "self loops", "read arcs", "deadlocks"}
	special := []string{"inhibitor arcs", "reset arcs", "capacities"}
	copied := func(g *rapid.Generator[petritest.Copied]) *rapid.Generator[*petri.Net] {
		return rapid.Map(g, func(c petritest.Copied) *petri.Net { return c.Net })
	}
	for name, c := range map[string]struct {
		nets *rapid.Generator[*petri.Net]
		have [][]string
	}{
		"Net":           {petritest.Net(), [][]string{plain, {"unbounded", "sources", "no transitions"}}},
		"AllArcs":       {petritest.AllArcs(), [][]string{plain, special, {"sources"}}},
		"AnyNet":        {petritest.AnyNet(), [][]string{plain, special, {"unbounded", "sources", "no transitions"}}},
		"Inhibited":     {petritest.Inhibited(), [][]string{plain, {"inhibitor arcs", "capacities"}}},
		"Loose":         {petritest.Loose(), [][]string{plain, {"unbounded", "sources"}}},
		"Chains":        {petritest.Chains(), [][]string{plain, {"unbounded", "sources"}}},
		"Copies":        {copied(petritest.Copies()), [][]string{plain, {"unbounded", "sources"}}},
		"SpecialCopies": {copied(petritest.SpecialCopies()), [][]string{plain, {"inhibitor arcs", "reset arcs"}}},
		"StateMachines": {petritest.StateMachines(true), [][]string{{"read arcs", "deadlocks", "unbounded"}}},
	} {
		t.Run(name, func(t *testing.T) {
			var census petritest.Census
			petritest.CheckMany(t, 1000, func(t *rapid.T) { census.Add(c.nets.Draw(t, "net")) })
			for _, names := range c.have {
				census.Require(t, 25, names...)
			}
		})
	}
}

// TestCensusTellsUnbounded compares with nets of which it is known.
func TestCensusTellsUnbounded(t *testing.T) {
	var b petri.Builder // a counter that nothing but a switch starts: it never has all that it began with
	off, _ := b.AddPlace("off", "", 1)
	on, _ := b.AddPlace("on", "", 0)
	many, _ := b.AddPlace("many", "", 0)
	begin, _ := b.AddTransition("begin", "")
	more, _ := b.AddTransition("more", "")
	if err := errors.Join(b.AddInput(off, begin, 1), b.AddOutput(begin, on, 1), b.AddInput(on, more, 1), b.AddOutput(more, on, 1), b.AddOutput(more, many, 1)); err != nil {
		t.Fatal(err)
	}
	started, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	for net, want := range map[*petri.Net]bool{started: true, petritest.Counter(): true, petritest.Philosophers(3): false, petritest.Philosophers(5): false, petritest.Kanban(2): false} {
		var census petritest.Census
		census.Add(net)
		failed := &recorder{TB: t}
		census.Require(failed, 1, "unbounded")
		if failed.any == want {
			t.Errorf("%s: unbounded is %t, expected %t", fmt.Sprint(net.Places(), " places"), !failed.any, want)
		}
	}
}

// recorder notes a failure.
type recorder struct {
	testing.TB
	any bool
}

func (r *recorder) Errorf(string, ...any) { r.any = true }

// TestCheckMany counts draws: as many as were asked for at least, without those that were skipped.
func TestCheckMany(t *testing.T) {
	want := 1050
	if testing.Short() {
		want = 100
	}
	drawn := 0
	petritest.CheckMany(t, 1050, func(t *rapid.T) {
		if rapid.Bool().Draw(t, "skip") {
			t.Skip("does not count")
		}
		drawn++
	})
	if drawn < want {
		t.Errorf("%d draws, expected %d", drawn, want)
	}
	cases := 0
	if !petritest.CheckManyUntil(t, 10, func() bool { return cases >= 777 }, func(*rapid.T) { cases++ }) || cases < 777 {
		t.Errorf("ended after %d draws", cases)
	}
	if petritest.CheckManyUntil(t, 10, func() bool { return false }, func(*rapid.T) {}) {
		t.Error("said to have seen what is not there")
	}
}

package main

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pnmc/cmd/pnmc/internal/told"
	"pnmc/internal/petritest"
	"pnmc/petri/symmetric"
	"pnmc/petri/symmetric/replay"
	"pnmc/pnml"
)

// TestColouredRuns replays runs of coloured nets with the bindings that they tell, by the
// definition of firing.
func TestColouredRuns(t *testing.T) {
	play := func(file string, arguments []string, shows func(name string, sums map[string]int64, run *told.Run) bool) {
		document, err := pnml.Reader{}.ReadDocumentFile(file)
		if err != nil {
			t.Fatal(err)
		}
		// A single check: nothing is drawn.
		rapid.Check(t, func(t *rapid.T) {
			for name, a := range askJSON(t, append([]string{"--pnml", file, "--total-timeout", "10s"}, arguments...)) {
				if a.Trace == nil {
					t.Fatalf("%s is %s, without a run", name, a.Verdict)
				}
				sums, again := replayColoured(t, document.Symmetric, a.Trace)
				if !again || !shows(name, sums, a.Trace) {
					t.Fatalf("%s is %s: %+v leads to %v, cycle closed: %t", name, a.Verdict, a.Trace, sums, again)
				}
			}
		})
	}
	play("testdata/token.pnml", []string{"--reachable", "work >= 3", "--invariant", "work <= 1", "--bound", "work",
		"--ltl", "G(work <= 2)", "--ltl", "F(work >= 3)", "--ltl", "G F fireable(stop_b)"},
		func(name string, sums map[string]int64, run *told.Run) bool {
			switch name {
			case "reachable work >= 3", "bound work":
				return sums["work"] == 3
			case "invariant work <= 1":
				return sums["work"] > 1
			}
			return true
		})
	play("testdata/doors.pnml", []string{"--deadlock", "--reachable", "guest_garden >= 2", "--ltl", "G(deadlock -> guest_cellar >= 1)"},
		func(name string, sums map[string]int64, run *told.Run) bool { return sums["guest"] == 2 })
	if !testing.Short() {
		play(petritest.ContestModel(t, "Philosophers-COL-000005"), []string{"--deadlock", "--ltl", "G !deadlock"},
			func(name string, sums map[string]int64, run *told.Run) bool { return len(run.Prefix) > 0 })
	}
}

// replayColoured fires a run, and returns the tokens of each place where its prefix ends,
// and whether the cycle leads back there.
func replayColoured(t *rapid.T, net *symmetric.Net, run *told.Run) (sums map[string]int64, returns bool) {
	again, err := replay.Start(t.Context(), net)
	if err != nil {
		t.Fatal(err)
	}
	before, err := replay.Start(t.Context(), net)
	if err != nil {
		t.Fatal(err)
	}
	fire := func(r *replay.Run, steps []told.Step) {
		for _, s := range steps {
			if s.Deadlock {
				continue
			}
			for range max(1, s.Times) {
				if err := r.Fire(firingOf(t, net, s)); err != nil {
					t.Fatalf("%+v of %+v: %v", s, run, err)
				}
			}
		}
	}
	fire(again, run.Prefix)
	fire(before, run.Prefix)
	sums = make(map[string]int64)
	for i, tokens := range again.Sums() {
		sums[net.Places[i].ID] = tokens
	}
	fire(again, run.Cycle)
	return sums, again.SameMarking(before)
}

// firingOf returns the binding that a step tells: in its own key, or in its name.
func firingOf(t *rapid.T, net *symmetric.Net, s told.Step) symmetric.Firing {
	binding := s.Binding
	id, colours, named := strings.Cut(strings.TrimSuffix(s.Name, "]"), "[")
	if binding == nil {
		binding = make(map[string]string)
		if named {
			for _, part := range strings.Split(colours, ",") {
				variable, colour, _ := strings.Cut(part, "=")
				binding[variable] = colour
			}
		} else {
			id = s.Transition
		}
	}
	for i := range net.Transitions {
		transition := &net.Transitions[i]
		if transition.ID != s.Transition && transition.ID != id && transition.Name != id {
			continue
		}
		f := symmetric.Firing{Transition: i}
		for _, v := range transition.Variables {
			colour := int64(0)
			for colour < v.Class.Size && v.Class.Colour(colour) != binding[v.Name] {
				colour++
			}
			f.Binding = append(f.Binding, colour)
		}
		return f
	}
	t.Fatalf("no transition for %+v", s)
	return symmetric.Firing{}
}

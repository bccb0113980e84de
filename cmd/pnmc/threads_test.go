package main

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"
)

// TestThreadsSearchProducts: with --threads several threads search a product that is large enough, and
// say so; what holds has as many states and edges as for one thread.
func TestThreadsSearchProducts(t *testing.T) {
	type report struct {
		Verdict     string `json:"verdict"`
		States      int64  `json:"product_states"`
		Transitions int64  `json:"product_transitions"`
		Threads     int    `json:"threads"`
	}
	asked := func(approach, threads string) (all []report) {
		var stdout, stderr bytes.Buffer
		run(context.Background(), []string{"pnmc", "--pnml", "../../testdata/store.pnml", "--timeout", "60s", "--format", "json", "--approach", approach, "--threads", threads,
			"--ltl", `G F "done = 3"`, "--ltl", `F "done = 3"`, "--ltl", `G(!"done = 2")`}, nil, &stdout, &stderr)
		for d := json.NewDecoder(&stdout); d.More(); {
			var r report
			if err := d.Decode(&r); err != nil {
				t.Fatal(err)
			}
			all = append(all, r)
		}
		if len(all) != 3 {
			t.Fatalf("%d answers: %s", len(all), stderr.String())
		}
		return all
	}
	for _, approach := range []string{"tgba", "ba", "tgta", "ta"} {
		one, three := asked(approach, "1"), asked(approach, "3")
		for i, r := range three {
			if r.Verdict == "holds" {
				one[i].Threads = 3
			}
			if r != one[i] {
				t.Errorf("%s, question %d: %+v, should be %+v", approach, i+1, r, one[i])
			}
		}
		if three[0].Verdict != "holds" || three[1].Verdict != "holds" || three[2].Verdict != "violated" {
			t.Errorf("%s: %+v", approach, three)
		}
	}
}

package tree_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/checker"
	"pnmc/checker/branching"
	"pnmc/checker/inquiry"
	"pnmc/checker/internal/checkertest"
	"pnmc/checker/internal/core/coretest"
	"pnmc/checker/internal/tree"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/petri"
)

// TestOrbitsAgreeWithNaiveTwin: on markings that stand for their images formulas have the values that they have on all, and runs
// that show them are replayed on the net.
func TestOrbitsAgreeWithNaiveTwin(t *testing.T) {
	answered, shown, cycles := map[bool]int{}, 0, 0
	if !petritest.CheckManyUntil(t, 1000, func() bool {
		return answered[true] > 30 && answered[false] > 30 && shown > 30 && cycles > 5
	}, func(t *rapid.T) {
		c := petritest.Rows().Draw(t, "net")
		g, complete := petritest.Explore(c.Net, 400)
		if !complete {
			t.Skip("too many markings")
		}
		var questions []inquiry.Question
		var want []bool
		var texts []string
		for range 3 {
			f := checkertest.AlikeCTL(t, c, 4)
			questions = append(questions, inquiry.Branching{Formula: f})
			want = append(want, checkertest.Truth(c.Net, g, f)[0])
			texts = append(texts, f.Text(func(p *logic.Predicate) string { return p.Text(checker.Vocabulary(c.Net)) }))
		}
		for _, a := range coretest.Decide(tree.Orbits, c.Net, questions...) {
			if a.Value != inquiry.Truth(want[a.Question]) {
				t.Fatalf("%s is %v, should be %t, by %v", texts[a.Question], a.Value, want[a.Question], a.By)
			}
			if a.Witness.Unshown != nil {
				t.Fatalf("%s is not shown: %v", texts[a.Question], a.Witness.Unshown)
			}
			if a.By&inquiry.Symmetries == 0 {
				continue
			}
			answered[want[a.Question]]++
			if len(a.Witness.Branches) > 0 {
				shown++
			}
			if slices.ContainsFunc(a.Witness.Branches, func(r *branching.Run) bool { return len(r.Cycle) > 0 }) {
				cycles++
			}
		}
	}) {
		t.Errorf("answered %v, %d of them shown, %d by cycles", answered, shown, cycles)
	}
}

// TestLongCyclesOfImages: a cycle of images that comes back after many rounds is shown if it is not too long, and what has not
// come back is not told as a cycle.
func TestLongCyclesOfImages(t *testing.T) {
	for sizes, length := range map[[2]int]int{{5, 4}: 40, {17, 16}: 544, {34, 33}: 0} {
		net := inStep(t, sizes)
		// One of s1 and s2 has a token: then it is the turn of a row for ever.
		turn := &logic.Predicate{Operator: logic.Equal, Sum: logic.Sum{Terms: []logic.Term{{Place: 2, Coefficient: 1}, {Place: 3, Coefficient: 1}}, Constant: -1}}
		f := ctl.New(ctl.ExistsFinally, ctl.New(ctl.ExistsGlobally, ctl.Of(turn)))
		answers := coretest.Decide(tree.Orbits, net, inquiry.Branching{Formula: f})
		if len(answers) != 1 || answers[0].Value != inquiry.Truth(true) || answers[0].By&inquiry.Symmetries == 0 {
			t.Fatalf("%v: %v", sizes, answers)
		}
		cycle := 0
		for _, run := range answers[0].Witness.Branches {
			cycle += len(run.Cycle)
		}
		if err := answers[0].Witness.Unshown; cycle != length || errors.Is(err, branching.ErrLongReplay) != (length == 0) {
			t.Errorf("%v: a cycle of %d firings, expected %d; not shown: %v", sizes, cycle, length, err)
		}
	}
}

// inStep returns a net of two rows of alike components, in each of which one component has a token. These tokens go on in turn, each
// to any other component of its row, and s1 or s2 says whose turn it is. The first transition goes to the next component, so that a run
// which always takes the first comes back when both rows have gone round.
func inStep(t *testing.T, sizes [2]int) *petri.Net {
	t.Helper()
	var b petri.Builder
	place := func(name string, tokens int64) petri.Place {
		p, err := b.AddPlace(name, "", tokens)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	fire := func(name string, from, to []petri.Place) {
		u, err := b.AddTransition(name, "")
		if err != nil {
			t.Fatal(err)
		}
		for i := range from {
			if err := errors.Join(b.AddInput(from[i], u, 1), b.AddOutput(u, to[i], 1)); err != nil {
				t.Fatal(err)
			}
		}
	}
	before := [2]petri.Place{place("begin", 1), place("half", 0)}
	turn := [2]petri.Place{place("s1", 0), place("s2", 0)}
	for row, size := range sizes {
		var empty, full []petri.Place
		for i := range size {
			empty, full = append(empty, place(fmt.Sprintf("empty%d.%d", row, i), 1)), append(full, place(fmt.Sprintf("full%d.%d", row, i), 0))
		}
		after := before[1]
		if row == 1 {
			after = turn[0]
		}
		for i := range size {
			fire(fmt.Sprintf("begin%d.%d", row, i), []petri.Place{before[row], empty[i]}, []petri.Place{after, full[i]})
		}
		for further := 1; further < size; further++ {
			for i := range size {
				j := (i + further) % size
				fire(fmt.Sprintf("go%d.%d.%d", row, i, j), []petri.Place{turn[row], full[i], empty[j]}, []petri.Place{turn[1-row], empty[i], full[j]})
			}
		}
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return net
}

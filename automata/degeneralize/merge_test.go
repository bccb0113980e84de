package degeneralize

import (
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/automata"
	"pnmc/automata/bdd"
	"pnmc/automata/internal/marked"
)

// naiveBorrow borrows marks as borrow is defined, by all pairs of states.
func naiveBorrow(r *marked.Reducible, links [][]marked.Link, wants func(automata.State) bool) {
	same := func(e, f marked.Link) bool { return e.To == f.To && e.Label == f.Label }
	for s, out := range r.Out {
		if len(out) == 0 || !wants(automata.State(s)) {
			continue
		}
		for t, others := range r.Out {
			if t != s && len(others) > 0 && others[0].Marks != 0 && slices.EqualFunc(links[s], links[t], same) {
				for i := range out {
					out[i].Marks = others[0].Marks
				}
				break
			}
		}
	}
}

// TestBorrowAgainstTheDefinition compares what is found by groups with what is found by
// looking at all pairs of states.
func TestBorrowAgainstTheDefinition(t *testing.T) {
	changed := 0
	rapid.Check(t, func(t *rapid.T) {
		states := rapid.IntRange(1, 12).Draw(t, "states")
		r, naive := &marked.Reducible{Graph: marked.Graph{Sets: 2}}, &marked.Reducible{Graph: marked.Graph{Sets: 2}}
		wanted := make([]bool, states)
		for s := range states {
			wanted[s] = rapid.Bool().Draw(t, "wants")
			marks := rapid.SampledFrom([]uint64{0, 0, 1, 2}).Draw(t, "marks")
			var out []marked.Link
			for range rapid.IntRange(0, 2).Draw(t, "edges") {
				label := bdd.Function(rapid.IntRange(1, 2).Draw(t, "label"))
				out = append(out, marked.Link{To: automata.State(rapid.IntRange(0, min(1, states-1)).Draw(t, "to")), Marks: marks, Label: label})
			}
			r.Out, naive.Out = append(r.Out, out), append(naive.Out, slices.Clone(out))
		}
		links := make([][]marked.Link, states)
		for s := range links {
			links[s] = r.Out[rapid.IntRange(0, states-1).Draw(t, "links of")]
		}
		if rapid.Bool().Draw(t, "forwards") {
			links = r.Out
		}
		before := make([][]marked.Link, states)
		copied := make([][]marked.Link, states)
		for s := range before {
			before[s], copied[s] = slices.Clone(r.Out[s]), slices.Clone(links[s])
		}
		wants := func(s automata.State) bool { return wanted[s] }
		naiveBorrow(naive, copied, wants)
		borrow(r, links, wants)
		if !reflect.DeepEqual(r.Out, naive.Out) {
			t.Fatalf("%v becomes %v, expected %v", before, r.Out, naive.Out)
		}
		if !reflect.DeepEqual(before, r.Out) {
			changed++
		}
	})
	if changed == 0 {
		t.Error("no marks were borrowed")
	}
}

// TestBorrowIsLinear: of very many states with the same edges, not all pairs are looked at.
func TestBorrowIsLinear(t *testing.T) {
	r := &marked.Reducible{Graph: marked.Graph{Sets: 1}}
	for range 300_000 {
		r.Out = append(r.Out, []marked.Link{{To: 0, Label: bdd.TrueFunction}})
	}
	asked := 0
	wants := func(automata.State) bool { asked++; return true }
	borrow(r, r.Out, wants)
	last := len(r.Out) - 1
	r.Out[last][0].Marks = 1
	borrow(r, r.Out, wants)
	if asked > 2*len(r.Out) || r.Out[0][0].Marks != 1 || r.Out[last-1][0].Marks != 1 {
		t.Errorf("asked %d times of %d states; marks %d, %d", asked, len(r.Out), r.Out[0][0].Marks, r.Out[last-1][0].Marks)
	}
}

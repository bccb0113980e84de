package testingautomata

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/automata"
	"pnmc/automata/bdd"
	"pnmc/automata/internal/marked"
	"pnmc/internal/account"
)

// naiveBorrow borrows marks as borrowLivelockMarks is defined: for each state the first other one
// that does the same with another mark.
func naiveBorrow(r *marked.Reducible) {
	c := r.Components()
	kind := func(s automata.State) (loop uint64, label bdd.Function, rest []marked.Link) {
		for _, e := range r.Out[s] {
			if isLoop(r, s, e) {
				loop, label = e.Marks, e.Label
			} else {
				rest = append(rest, e)
			}
		}
		return loop, label, rest
	}
	root := r.Initial[0]
	for i := range r.Out {
		s := automata.State(i)
		loop, label, rest := kind(s)
		if s == root || len(rest) == 0 || slices.ContainsFunc(rest, func(e marked.Link) bool { return c.Of(e.To) == c.Of(s) }) {
			continue
		}
		for j := range r.Out {
			otherLoop, otherLabel, other := kind(automata.State(j))
			if j == i || automata.State(j) == root || loop != otherLoop || label != otherLabel || len(other) == 0 || other[0].Marks == rest[0].Marks ||
				!slices.EqualFunc(rest, other, func(e, f marked.Link) bool { return e.To == f.To && e.Label == f.Label }) {
				continue
			}
			for k, e := range r.Out[s] {
				if !isLoop(r, s, e) {
					r.Out[s][k].Marks = other[0].Marks
				}
			}
			break
		}
	}
}

// variable returns the function that is true where the proposition is.
func variable(f *bdd.Functions, proposition int) bdd.Function {
	c := automata.NewCube(2)
	c[0], c[1] = 1<<proposition, 1<<proposition
	return f.Of(automata.Label{c})
}

// drawLivelock returns an automaton with several states that do the same, with loops that
// stutter, and edges that change something.
func drawLivelock(t *rapid.T) *marked.Reducible {
	f := bdd.New(2, 1<<12)
	change, other := variable(f, 0), f.And(variable(f, 0), variable(f, 1))
	r := &marked.Reducible{Propositions: []string{"a", "b"}, Functions: f, Initial: []automata.State{0}, Graph: marked.Graph{Sets: 3}}
	states := rapid.IntRange(2, 12).Draw(t, "states")
	for s := range states {
		var out []marked.Link
		if s > 0 && rapid.IntRange(0, 3).Draw(t, "loop") > 0 {
			out = append(out, marked.Link{To: automata.State(s), Marks: rapid.SampledFrom([]uint64{0, 4}).Draw(t, "livelock"), Label: f.Not(change)})
		}
		marks := rapid.Uint64Range(0, 3).Draw(t, "marks") // of a state with one Büchi set, all edges have the same
		if s > 1 && rapid.Bool().Draw(t, "alike") {
			r.Out = append(r.Out, alikeBut(f, r.Out[s-1], automata.State(s), marks))
			continue
		}
		for range rapid.IntRange(0, 2).Draw(t, "edges") {
			to := automata.State(rapid.IntRange(max(0, states-3), states-1).Draw(t, "to"))
			out = append(out, marked.Link{To: to, Marks: marks, Label: rapid.SampledFrom([]bdd.Function{change, other}).Draw(t, "label")})
		}
		r.Out = append(r.Out, out)
	}
	return r
}

// alikeBut returns the edges of the state before s as edges of s, with other marks on those that
// change something.
func alikeBut(f *bdd.Functions, before []marked.Link, s automata.State, marks uint64) []marked.Link {
	out := slices.Clone(before)
	for i, e := range out {
		if e.To == s-1 && f.Holds(e.Label, 0) {
			out[i].To = s
		} else {
			out[i].Marks = marks
		}
	}
	return out
}

// TestBorrowedMarksAgainstTheDefinition compares what is found by groups with what is found
// by looking at all pairs of states.
func TestBorrowedMarksAgainstTheDefinition(t *testing.T) {
	changed := 0
	rapid.Check(t, func(t *rapid.T) {
		r := drawLivelock(t)
		naive := *r
		naive.Out = nil
		for _, out := range r.Out {
			naive.Out = append(naive.Out, slices.Clone(out))
		}
		before := slices.Clone(naive.Out)
		for i := range before {
			before[i] = slices.Clone(before[i])
		}
		naiveBorrow(&naive)
		if err := borrowLivelockMarks(context.Background(), r); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(r.Out, naive.Out) {
			t.Fatalf("%v, expected %v", r.Out, naive.Out)
		}
		if !reflect.DeepEqual(before, naive.Out) {
			changed++
		}
	})
	if changed == 0 {
		t.Error("no marks were borrowed")
	}
}

// TestBorrowingEnds: states that do the same are not compared by pairs, and the context is
// looked at on the way.
func TestBorrowingEnds(t *testing.T) {
	f := bdd.New(2, 1<<12)
	r := &marked.Reducible{Propositions: []string{"a"}, Functions: f, Initial: []automata.State{0}, Graph: marked.Graph{Sets: 2}}
	for range 200_000 {
		r.Out = append(r.Out, []marked.Link{{To: 0, Label: variable(f, 0)}})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := borrowLivelockMarks(ctx, r); !errors.Is(err, context.Canceled) {
		t.Errorf("it goes on after the context has ended: %v", err)
	}
	if err := borrowLivelockMarks(account.EndsAfter(1000), r); err != nil {
		t.Errorf("200,000 states that do the same take as many looks as pairs do: %v", err)
	}
}

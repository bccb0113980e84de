package checker_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pnmc/checker"
	"pnmc/checker/internal/checkertest"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
)

// sharing returns a net of machines that wait for a tool, work with it and give it back, and how many
// wait and work as sums.
func sharing(t *testing.T, machines int) (net *petri.Net, waiting, working logic.Sum) {
	var b petri.Builder
	place := func(name string, tokens int64) petri.Place {
		p, err := b.AddPlace(name, "", tokens)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	move := func(name string, from, to []petri.Place) {
		u, err := b.AddTransition(name, "")
		for _, p := range from {
			err = errors.Join(err, b.AddInput(p, u, 1))
		}
		for _, p := range to {
			err = errors.Join(err, b.AddOutput(u, p, 1))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	tool := place("tool", 1)
	for i := range machines {
		idle, waits, works := place(fmt.Sprint("idle", i), 1), place(fmt.Sprint("waits", i), 0), place(fmt.Sprint("works", i), 0)
		move(fmt.Sprint("ask", i), []petri.Place{idle}, []petri.Place{waits})
		move(fmt.Sprint("take", i), []petri.Place{waits, tool}, []petri.Place{works})
		move(fmt.Sprint("give", i), []petri.Place{works}, []petri.Place{idle, tool})
		waiting.Terms = append(waiting.Terms, logic.Term{Place: uint32(waits), Coefficient: 1})
		working.Terms = append(working.Terms, logic.Term{Place: uint32(works), Coefficient: 1})
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return net, waiting, working
}

// TestSymmetriesAreUsed: where nothing but explicit search is left, answers about machines that are
// alike rest on symmetries, unless these are left out; and they are right, with runs that replay.
func TestSymmetriesAreUsed(t *testing.T) {
	net, waiting, working := sharing(t, 10) // has 6,144 markings, of which 21 are different
	atLeast := func(s logic.Sum, n int64) *logic.Predicate {
		more := logic.Sum{Constant: n}
		for _, x := range s.Terms {
			more.Terms = append(more.Terms, logic.Term{Place: x.Place, Coefficient: -x.Coefficient})
		}
		return &logic.Predicate{Operator: logic.AtMost, Sum: more}
	}
	both := &logic.Predicate{Operator: logic.And, Operands: []*logic.Predicate{atLeast(waiting, 9), atLeast(working, 1)}}
	for _, threads := range []int{1, 4} {
		for _, without := range []checker.Techniques{0, checker.Symmetries} {
			s, err := checker.New(checker.Problem{Net: net}, checker.Options{
				Threads: threads, MemoryBytes: testMemory,
				Without: ^(checker.ExplicitSearch | checker.StateCompression | checker.InitialState | checker.Symmetries) | without,
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range []struct {
				question checker.Question
				want     checker.Value
			}{
				{checker.Reachable{Predicate: both}, checker.Truth(true)},
				{checker.Reachable{Predicate: atLeast(working, 2)}, checker.Truth(false)},
				{checker.Bound{Sum: waiting}, checker.Number(10)},
				{checker.Deadlock{}, checker.Truth(false)},
			} {
				ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
				err := s.Decide(ctx, []checker.Question{c.question}, func(a checker.Answer) {
					if !a.Value.Equal(c.want) || (a.By&checker.Symmetries == 0) != (without != 0) {
						t.Errorf("%d threads without %v, %v: %v by %v, expected %v", threads, without, c.question, a.Value, a.By, c.want)
					}
					if c.want.Equal(checker.Truth(true)) && len(a.Witness.Run) == 0 {
						t.Errorf("%d threads without %v, %v: no run", threads, without, c.question)
					}
				})
				cancel()
				if err != nil {
					t.Fatal(err)
				}
			}
			s.Close()
		}
	}
}

// TestUnlikeNodes: questions about all places or all transitions have the right answers where only some
// of those that are alike are asked for.
func TestUnlikeNodes(t *testing.T) {
	questions := []checker.Question{checker.OneSafe{}, checker.StableMarking{}, checker.QuasiLive{}}
	var by, values [3][2]int
	if !petritest.CheckUntil(t, func() bool {
		for i := range questions {
			if by[i][1] < 10 || values[i][0] < 10 || values[i][1] < 10 {
				return false
			}
		}
		return true
	}, func(t *rapid.T) {
		net := petritest.Copies().Draw(t, "net").Net
		g, complete := petritest.Explore(net, 200)
		if !complete {
			t.Skip("too many markings")
		}
		twin := checkertest.NewTwin(net, g)
		s, err := checker.New(checker.Problem{Net: net}, checker.Options{MemoryBytes: testMemory})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		for i, a := range decideAll(t, ctx, s, questions) {
			want, ok := twin.Answer(questions[i])
			if !ok || !a.Value.IsKnown() {
				continue
			}
			if !a.Value.Equal(want) {
				t.Fatalf("%T is %v, expected %v", questions[i], a.Value, want)
			}
			count := func(of *[2]int, yes bool) {
				if yes {
					of[1]++
				} else {
					of[0]++
				}
			}
			count(&by[i], a.By&checker.Symmetries != 0)
			count(&values[i], want.IsTrue())
		}
	}) {
		t.Errorf("answers by symmetries are %v, values %v", by, values)
	}
}

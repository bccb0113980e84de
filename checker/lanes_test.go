package checker_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pnmc/checker"
	"pnmc/checker/internal/checkertest"
)

// TestOneThreadIsRepeatable: with one thread and the same seed, the same answers come in the
// same order by the same techniques. Where the machine is busy a slice of time may end an
// engine, so that there are a few tries.
func TestOneThreadIsRepeatable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		problem := checker.Problem{}
		var questions []checker.Question
		if rapid.Bool().Draw(t, "coloured") {
			net, _ := smallColoured(t)
			problem.Coloured = net
			for range 4 {
				q, _ := drawColoured(t, net, rapid.SampledFrom(kinds).Draw(t, "kind"))
				questions = append(questions, q)
			}
		} else {
			net, g := checkertest.AnyNet(t)
			if len(g.Markings) > checkertest.MostMarkings || net.Places() == 0 || net.Transitions() == 0 {
				t.Skip("not a net for this test")
			}
			problem.Net = net
			for range 4 {
				q, _ := drawQuestion(t, net, rapid.SampledFrom(kinds).Draw(t, "kind"))
				questions = append(questions, q)
			}
		}
		seed := rapid.Uint64().Draw(t, "seed")
		answers := func() (told string) {
			s, err := checker.New(problem, checker.Options{Seed: seed, Threads: 1, MemoryBytes: testMemory})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
			defer cancel()
			if err := s.Decide(ctx, questions, func(a checker.Answer) {
				told += fmt.Sprintf("%d %v %v\n", a.Question, a.Value, a.By)
			}); err != nil {
				t.Fatal(err)
			}
			return told
		}
		before := answers()
		for range 3 {
			now := answers()
			if now == before {
				return
			}
			t.Logf("first\n%sthen\n%s", before, now)
			before = now
		}
		t.Fatal("the answers are never the same")
	})
}

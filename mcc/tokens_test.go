package mcc

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pnmc/petri"
	"pnmc/petri/petritest"
)

// tokenRun is a run of StateSpace on net without a plan, and what it answers.
func tokenRun(net *petri.Net) (*run, *bytes.Buffer) {
	out := new(bytes.Buffer)
	r := &run{net: net, answers: &answers{out: out, start: time.Now(), given: make(map[string]string)}}
	r.board = &board{net: net, answers: r.answers, allDone: func() {}}
	r.tokens = newTokens(net, r.answers, 0)
	return r, out
}

// TestTokensAgreeWithAllMarkings: what is proven and what is reached lie on the two
// sides of the truth, and what is answered is the truth.
func TestTokensAgreeWithAllMarkings(t *testing.T) {
	answered := 0
	if !petritest.CheckUntil(t, func() bool { return answered > 0 }, func(t *rapid.T) {
		net, g := drawNet(t)
		most, inPlace := int64(0), make([]int64, net.Places())
		for _, m := range g.Markings {
			total := int64(0)
			for p, n := range m {
				total += n
				inPlace[p] = max(inPlace[p], n)
			}
			most = max(most, total)
		}
		r, out := tokenRun(net)
		boundTokens(context.Background(), r)
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
		defer cancel()
		walkTokens(ctx, r)
		largest := int64(0)
		for p, high := range r.tokens.placeHigh {
			if largest = max(largest, inPlace[p]); high < inPlace[p] {
				t.Fatalf("place %d: at most %d proven, %d reached", p, high, inPlace[p])
			}
		}
		if e := r.tokens.perMarking; e.low > most || e.high < most {
			t.Fatalf("tokens in a marking between %d and %d, in fact %d", e.low, e.high, most)
		}
		if e := r.tokens.inPlace; e.low > largest || e.high < largest {
			t.Fatalf("tokens in a place between %d and %d, in fact %d", e.low, e.high, largest)
		}
		want := map[string]string{"MAX_TOKEN_PER_MARKING": fmt.Sprint(most), "MAX_TOKEN_IN_PLACE": fmt.Sprint(largest)}
		for line := range strings.Lines(out.String()) {
			words := strings.Fields(line)
			if words[2] != want[words[1]] {
				t.Fatalf("%s, expected %v", line, want)
			}
			answered++
		}
	}) {
		t.Error("nothing was ever answered")
	}
}

// TestTokensWithoutStateSpace: both values are known of a net with 3^100 markings
// without any exploration.
func TestTokensWithoutStateSpace(t *testing.T) {
	r, out := tokenRun(petritest.Philosophers(100))
	boundTokens(context.Background(), r)
	walkTokens(context.Background(), r)
	for _, want := range []string{"MAX_TOKEN_PER_MARKING 200 ", "MAX_TOKEN_IN_PLACE 1 "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s, expected %s", out, want)
		}
	}
}

// TestTokensWithoutBound: a walk finds what can be repeated for ever, and nothing
// else is answered.
func TestTokensWithoutBound(t *testing.T) {
	var b petri.Builder
	p, _ := b.AddPlace("p", "", 1)
	q, _ := b.AddPlace("q", "", 0)
	u, _ := b.AddTransition("t", "")
	b.AddInput(p, u, 1)
	b.AddOutput(u, p, 1)
	b.AddOutput(u, q, 1)
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	r, out := tokenRun(net)
	boundTokens(context.Background(), r)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	r.board.allDone = cancel
	walkTokens(ctx, r)
	if got := strings.Count(out.String(), infinite); got != 4 || strings.Count(out.String(), "\n") != 4 {
		t.Errorf("expected four times %s:\n%s", infinite, out)
	}
}

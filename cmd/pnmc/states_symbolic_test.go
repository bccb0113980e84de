package main

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/internal/petritest"
	"pnmc/symbolic"
	"pnmc/symbolic/order"
)

// TestCountsAfterLimit: once the markings are there, a limit leaves out only counts that
// take long, and the reason says which is the first.
func TestCountsAfterLimit(t *testing.T) {
	space, err := symbolic.Explore(t.Context(), petritest.Philosophers(2000), symbolic.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("enough"))
	var r symbolicReport
	d := &diagramModel{}
	if err := r.count(ctx, d, space, true); err == nil || err.Error() != "transitions: enough" {
		t.Errorf("limit: %v", err)
	}
	if r.States == nil || r.MaxTokenPerMarking.String() != "4000" || r.Transitions != nil || r.Deadlocks != nil {
		t.Errorf("after the limit: %v firings, %v tokens, %v deadlocks", r.Transitions, r.MaxTokenPerMarking, r.Deadlocks)
	}
	if _, err := space.Firings(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := r.count(ctx, d, space, true); err == nil || !strings.HasPrefix(err.Error(), "deadlocks:") || r.Transitions == nil {
		t.Errorf("firings known: %v firings, %v", r.Transitions, err)
	}
	if err := r.count(ctx, d, space, false); err != nil {
		t.Errorf("deadlocks not asked for: %v", err)
	}
}

// TestReached: what was met before a limit is told where it tells something.
func TestReached(t *testing.T) {
	for _, test := range []struct {
		largest int64
		low     []int32
		want    string
	}{
		{0, nil, ""},
		{1, nil, "; some place has 1 token or more"},
		{65, nil, "; some place has 65 tokens or more"},
		{-3, []int32{-7}, "; some variable reaches -3 or more"},
		{math.MinInt64, []int32{-7}, ""},
	} {
		r := symbolicReport{MaxTokenInPlace: test.largest}
		if got := r.reached(&diagramModel{low: test.low}); got != test.want {
			t.Errorf("%d: %q, expected %q", test.largest, got, test.want)
		}
	}
}

// TestTooManyTokensForDiagrams: what diagrams cannot hold is no bad input, whichever way they are
// asked: the answer is unknown.
func TestTooManyTokensForDiagrams(t *testing.T) {
	net := filepath.Join(t.TempDir(), "large.pnml")
	if err := os.WriteFile(net, []byte(`<pnml><net id="n" type="ptnet"><place id="p"><initialMarking><text>5000000000</text></initialMarking></place></net></pnml>`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, arguments := range [][]string{
		{"states", "--engine", "symbolic", "--pnml", net},
		{"states", "--engine", "symbolic", "--format", "json", "--pnml", net},
		{"--pnml", net, "--ltl", "G(p >= 1)", "--approach", "sym-slap"},
	} {
		var stdout, stderr bytes.Buffer
		if code := run(t.Context(), append([]string{"pnmc"}, arguments...), nil, &stdout, &stderr); code != exit.Unknown || !strings.Contains(stderr.String(), "too large") {
			t.Errorf("%v: exit code %d, %s%s", arguments, code, &stdout, &stderr)
		}
	}
}

// TestOrderThatSaysNothing: a net for which the heuristic has no order is not bad, and the message says
// which flag asked for it.
func TestOrderThatSaysNothing(t *testing.T) {
	net := togglesFile(t, order.LargestFollow+1)
	var stdout, stderr bytes.Buffer
	code := run(context.Background(), []string{"pnmc", "states", "--pnml", net, "--engine", "symbolic", "--order", "follow-first"}, nil, &stdout, &stderr)
	if code != exit.Unknown || stdout.Len() > 0 || !strings.Contains(stderr.String(), "unknown: --order follow-first: ") {
		t.Errorf("exit code %d\n%s%s", code, &stdout, &stderr)
	}
}

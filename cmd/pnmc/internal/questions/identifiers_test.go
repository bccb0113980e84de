package questions

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pnmc/petri/symmetric"
)

// TestIdentifiersBeforeUnderscores finds what searching the text for each identifier does.
func TestIdentifiersBeforeUnderscores(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := new(symmetric.Net)
		for _, id := range rapid.SliceOfN(rapid.StringMatching("[ab_]{1,4}"), 0, 4).Draw(t, "places") {
			net.Places = append(net.Places, symmetric.Place{ID: id})
		}
		for _, id := range rapid.SliceOfN(rapid.StringMatching("[ab]{1,5}"), 0, 3).Draw(t, "transitions") {
			net.Transitions = append(net.Transitions, symmetric.Transition{ID: id})
		}
		text, want := rapid.StringMatching("[ab_ ]{0,12}").Draw(t, "text"), false
		for _, p := range net.Places {
			want = want || strings.Contains(text, p.ID+"_")
		}
		for _, n := range net.Transitions {
			want = want || strings.Contains(text, n.ID+"_")
		}
		if got := (&session{coloured: net, whole: context.Background()}).mayNameColours(text); got != want {
			t.Fatalf("%q: %v, want %v", text, got, want)
		}
	})
}

// looks is a context that counts how often somebody looks, and ends after some looks.
type looks struct {
	context.Context
	count, most int
}

func (l *looks) Err() error {
	if l.count++; l.count > l.most {
		return context.Canceled
	}
	return nil
}

// TestLookingForIdentifiersEnds: a long text with many underscores is looked through with looks at the time, which end it; the work is
// that of a few lengths at each underscore, however many nodes there are.
func TestLookingForIdentifiersEnds(t *testing.T) {
	net := new(symmetric.Net)
	for n := range 10_000 {
		net.Places = append(net.Places, symmetric.Place{ID: fmt.Sprintf("p%d", n)})
	}
	text := strings.Repeat("nosuchname_", 20_000)
	whole := &looks{Context: t.Context(), most: 1 << 30}
	if (&session{coloured: net, whole: whole}).mayNameColours(text) || whole.count < 10 || whole.count > 40 {
		t.Errorf("%d looks", whole.count)
	}
	short := &looks{Context: t.Context(), most: 3}
	if (&session{coloured: net, whole: short}).mayNameColours(text+"p1_1") || short.count != 4 {
		t.Errorf("%d looks, want an end after 4", short.count)
	}
	if !(&session{coloured: net, whole: t.Context()}).mayNameColours(text + "p1_1") {
		t.Error("the identifier at the end was not found")
	}
}

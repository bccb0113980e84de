package view_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"testing"

	"pnmc/internal/account"
	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/petri/symmetric"
	"pnmc/view"
)

// longInscriptions returns a coloured net of so many transitions. An inscription has so many pairs
// of names of that length.
func longInscriptions(transitions, pairs, length int) *symmetric.Net {
	d := &symmetric.Class{Name: "d", Size: 2, Constants: []string{strings.Repeat("a", length), strings.Repeat("b", length)}}
	pair := func(x, y int64) symmetric.Expression {
		var e symmetric.Expression
		for range pairs {
			e = append(e, symmetric.Monomial{Coefficient: 1, Terms: []symmetric.Term{{Kind: symmetric.Constant, Value: x}, {Kind: symmetric.Constant, Value: y}}})
		}
		return e
	}
	net := &symmetric.Net{Places: []symmetric.Place{{ID: "p", Domain: symmetric.Domain{d, d}, Initial: pair(0, 0)}}}
	for i := range transitions {
		net.Transitions = append(net.Transitions, symmetric.Transition{ID: fmt.Sprint("t", i),
			Pre: []symmetric.Arc{{Place: 0, Expression: pair(0, 0)}}, Post: []symmetric.Arc{{Place: 0, Expression: pair(0, 1)}}})
	}
	return net
}

// TestInscriptionsAskForRoom: inscriptions with long names are not made where there is no room for
// them, for a picture and for a page, and nothing is written then.
func TestInscriptionsAskForRoom(t *testing.T) {
	t.Run("many", func(t *testing.T) { askForRoom(t, longInscriptions(400, 1, 1<<17)) })
	t.Run("one", func(t *testing.T) { askForRoom(t, longInscriptions(1, 400, 1<<17)) })
}

// askForRoom makes a picture and a page of a coloured net for which there is no memory.
func askForRoom(t *testing.T, coloured *symmetric.Net) {
	t.Helper()
	plain := petritest.Philosophers(2)
	unfolding := &symmetric.Unfolding{Net: plain, Coloured: coloured, Places: make([][]petri.Place, 1), Transitions: make([][]petri.Transition, len(coloured.Transitions))}
	for name, draw := range map[string]func(ctx context.Context, out *bytes.Buffer) error{
		"picture": func(ctx context.Context, out *bytes.Buffer) error { return view.Picture(ctx, out, nil, coloured, nil) },
		"page": func(ctx context.Context, out *bytes.Buffer) error {
			page := view.NewPage(out, &view.Net{Net: plain, Unfolding: unfolding})
			page.Within(ctx)
			err := page.Close()
			if page.Begun() {
				t.Error("the page has begun")
			}
			return err
		},
	} {
		debug.FreeOSMemory()
		ctx, stop := account.Within(t.Context(), petri.Budget{MemoryBytes: account.InUse() + 24<<20})
		before := account.InUse()
		var out bytes.Buffer
		var full *petri.MemoryError
		if err := draw(ctx, &out); !errors.As(err, &full) || out.Len() > 0 {
			t.Errorf("%s: %v, %d bytes, expected that there is no memory", name, err, out.Len())
		}
		if made := account.InUse() - before; made > 64<<20 {
			t.Errorf("%s: %d MB were taken before", name, made>>20)
		}
		stop(nil)
	}
}

// TestDataAsksForRoom: the data of a page is not made where there is room for its texts, but not for
// what is made of them.
func TestDataAsksForRoom(t *testing.T) {
	b := petri.Builder{}
	for i := range 16 {
		if _, err := b.AddPlace(strings.Repeat(string(rune('a'+i)), 1<<20), "", 1); err != nil {
			t.Fatal(err)
		}
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	debug.FreeOSMemory()
	ctx, stop := account.Within(t.Context(), petri.Budget{MemoryBytes: account.InUse() + 40<<20})
	defer stop(nil)
	var out bytes.Buffer
	page := view.NewPage(&out, &view.Net{Net: net})
	page.Within(ctx)
	var full *petri.MemoryError
	if err := page.Close(); !errors.As(err, &full) || out.Len() > 0 {
		t.Errorf("%v, %d bytes, expected that there is no memory", err, out.Len())
	}
}

// TestLateAnswerHasNoRun: an answer for which there is no time any more is on the page, and says why
// it shows no run. A net for which there is none is not written.
func TestLateAnswerHasNoRun(t *testing.T) {
	net := petritest.Philosophers(2)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	answer := &view.Answer{Name: "second", Kind: "deadlock", Verdict: "holds", Runs: []view.Run{{From: -1, Prefix: []view.Step{{Transition: 0, Times: 1}}}}}
	var out bytes.Buffer
	page := view.NewPage(&out, &view.Net{Net: net})
	page.Within(ended)
	if err := page.Add(answer); !errors.Is(err, context.Canceled) || out.Len() > 0 || page.Begun() {
		t.Errorf("without time for the net: %v, %d bytes", err, out.Len())
	}
	page.Within(t.Context())
	if err := page.Add(&view.Answer{Name: "first", Kind: "deadlock", Verdict: "holds"}); err != nil || !page.Begun() {
		t.Fatal(err)
	}
	out.Reset()
	page.Within(ended)
	if err := page.Add(answer); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"name":"second"`, `"verdict":"holds"`, `no run is shown: context canceled`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %s in %s", want, &out)
		}
	}
	if strings.Contains(out.String(), `"runs"`) || len(answer.Runs) != 1 {
		t.Errorf("the run is there: %s", &out)
	}
}

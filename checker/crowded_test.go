package checker

import (
	"context"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"pnmc/checker/internal/atoms"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/core/coretest"
	"pnmc/checker/internal/ledger"
	"pnmc/checker/internal/linear"
	"pnmc/checker/internal/runs"
	"pnmc/checker/internal/tree"
	"pnmc/internal/account"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/logic/ltl"
	"pnmc/petri"
)

// TestMemoryFailuresAreNotRepeated searches a net that is too large for the memory
// there is: a few times, not until the time is over.
func TestMemoryFailuresAreNotRepeated(t *testing.T) {
	net := rings(t)
	// All tokens are in the last places of their rings in one marking, far away.
	far := &logic.Predicate{Operator: logic.Equal, Sum: logic.Sum{Constant: -40 * 12}}
	for p := uint32(2); p < uint32(net.Places()); p += 3 {
		far.Sum.Terms = append(far.Sum.Terms, logic.Term{Place: p, Coefficient: 1})
	}
	// There are never more: whoever waits for more there moves all tokens towards these places.
	all := &logic.Predicate{Operator: logic.AtMost, Sum: far.Sum}
	always := &runs.Question{Formulas: ltl.NewFormulas(), Predicates: []*logic.Predicate{all}}
	always.Formula = always.Formulas.Globally(always.Formulas.Atom("all"))
	for name, test := range map[string]struct {
		engine   core.Engine
		question *ledger.Question
		atoms    []*ledger.Atom
	}{
		"each alone": {atoms.OneByOne, &ledger.Question{OnReached: Truth(true), OnUnreachable: Truth(false)}, []*ledger.Atom{{Goal: far}}},
		"branching":  {tree.Search, &ledger.Question{CTL: ctl.New(ctl.ExistsFinally, ctl.Of(far))}, nil},
		"linear":     {linear.Products, &ledger.Question{LTL: always}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			debug.FreeOSMemory()
			r, record := coretest.NewTask(t, net, 1, time.Minute)
			r.Budget = petri.Budget{MemoryBytes: (account.InUse()+12<<20)/31*32 + 4<<20} // of which some is left
			r.Ledger.Ask(test.question, test.atoms...)
			ctx, cancel := context.WithDeadline(t.Context(), r.Clock.At(1))
			defer cancel()
			r.Whole = ctx
			go func() { // however slow the machine is, there is time to fail again
				for ctx.Err() == nil && !strings.Contains(record.Explained(), "memory limit") {
					time.Sleep(10 * time.Millisecond)
				}
				time.Sleep(time.Second)
				cancel()
			}()
			_ = test.engine(ctx, r) // it ends with ctx
			if failed := strings.Count(record.Explained(), "memory limit"); failed < 1 || failed > 5 {
				t.Errorf("%d searches filled the memory:\n%.2000s", failed, record.Explained())
			}
		})
	}
}

// rings returns a net of twelve rings of places with many tokens: more markings than fit
// anywhere.
func rings(t *testing.T) *petri.Net {
	b := new(petri.Builder)
	place := func(id string, tokens int64) petri.Place {
		p, err := b.AddPlace(id, "", tokens)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	for ring := range 12 {
		name := string(rune('a' + ring))
		places := []petri.Place{place(name+"1", 40), place(name+"2", 0), place(name+"3", 0)}
		for i, from := range places {
			number, err := b.AddTransition(name+string(rune('x'+i)), "")
			if err != nil {
				t.Fatal(err)
			}
			if err := b.AddInput(from, number, 1); err != nil {
				t.Fatal(err)
			}
			if err := b.AddOutput(number, places[(i+1)%3], 1); err != nil {
				t.Fatal(err)
			}
		}
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return net
}

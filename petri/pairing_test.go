package petri

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pnmc/internal/account"
)

// wide returns a net of machines of some states each, and transitions that move several of them, as those of
// petritest do.
func wide(t testing.TB, machines, states, transitions int) (*Net, Facts) {
	rng := rand.New(rand.NewPCG(uint64(machines), uint64(states)))
	b := &Builder{}
	place := make([][]Place, machines)
	var facts Facts
	check := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	for m := range machines {
		flow := Semiflow{Value: 1}
		for s := range states {
			p, err := b.AddPlace(fmt.Sprintf("m%ds%d", m, s), "", int64(1-min(s, 1)))
			check(err)
			place[m] = append(place[m], p)
			flow.Terms = append(flow.Terms, Arc{p, 1})
			facts.Bounds = append(facts.Bounds, 1)
		}
		facts.Semiflows = append(facts.Semiflows, flow)
	}
	now := make([]int, machines)
	for i := range transitions {
		u, err := b.AddTransition(fmt.Sprint("t", i), "")
		check(err)
		for _, m := range rng.Perm(machines)[:machines/3] {
			to := rng.IntN(states)
			check(b.AddInput(place[m][now[m]], u, 1))
			check(b.AddOutput(u, place[m][to], 1))
			now[m] = to
		}
		if rng.IntN(20) == 0 {
			clear(now)
		}
	}
	net, err := b.Build()
	check(err)
	return net, facts
}

// compiled returns the token game of a layout.
func compiled(t testing.TB, l *Layout) *firing {
	t.Helper()
	f, err := compileFiring(new(account.Account), l)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestPairsLookOften: wherever the account ends while rules are compiled and paired, that is an error.
func TestPairsLookOften(t *testing.T) {
	net, facts := wide(t, 30, 7, 5000)
	l := newLayout(new(account.Account), net, facts)
	looks := 0
	for ; ; looks++ {
		a := new(account.Account)
		a.Begin(account.EndsAfter(looks))
		f, err := compileFiring(a, l)
		if err == nil {
			if f.pairs == nil {
				t.Error("no pairs")
			}
			break
		}
		if f != nil || !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("after %d looks: %v", looks, err)
		}
	}
	if looks < 8 {
		t.Errorf("%d looks at the account, expected one for each millisecond", looks)
	}
}

// TestPairedRulesAreThoseFiled: in each marking of a walk, pairs find the rules that are found under the values of
// fields, in the same order, with places in groups and each by itself.
func TestPairedRulesAreThoseFiled(t *testing.T) {
	net, facts := wide(t, 30, 7, 5000)
	for _, facts := range []Facts{facts, {Bounds: facts.Bounds}, {}} {
		l := newLayout(new(account.Account), net, facts)
		paired := compiled(t, l)
		if paired.pairs == nil {
			t.Fatal("no pairs")
		}
		filed := *paired
		filed.pairs = nil
		packed := make([]uint64, l.words)
		if l.Pack(net.Initial(), packed) >= 0 {
			t.Fatal("too narrow")
		}
		markings, tried, err := filed.walkABit(new(account.Account), packed)
		if err != nil {
			t.Fatal(err)
		}
		looks, most := 0, 0
		for _, packed := range markings {
			want := filed.enabledRules(packed, nil, nil)
			if got := paired.enabledRules(packed, nil, nil); !slices.Equal(got, want) {
				t.Fatalf("in %b enabled %v, want %v", packed, got, want)
			}
			most = max(most, len(want))
			set := make([]uint64, paired.pairs.words)
			paired.pairs.marked(packed, set)
			_, n := paired.pairs.index.Within(set, nil)
			looks += n
		}
		if most < 2 || looks*4 > tried {
			t.Errorf("%d looks in place of %d, at most %d rules enabled", looks, tried, most)
		}
	}
}

// TestPairsOfFewRules: without many rules for each place there are no pairs.
func TestPairsOfFewRules(t *testing.T) {
	net, facts := wide(t, 30, 7, 300)
	if compiled(t, newLayout(new(account.Account), net, facts)).pairs != nil {
		t.Error("pairs")
	}
}

// BenchmarkTryRules finds what is enabled along a walk, by pairs and by the values of fields.
func BenchmarkTryRules(b *testing.B) {
	net, facts := wide(b, 40, 7, 31_000)
	l := newLayout(new(account.Account), net, facts)
	for _, filed := range []bool{false, true} {
		b.Run(fmt.Sprintf("model=Machines-31000/by=%s", map[bool]string{false: "pairs", true: "fields"}[filed]), func(b *testing.B) {
			f := compiled(b, l)
			packed := make([]uint64, l.words)
			l.Pack(net.Initial(), packed)
			markings, _, err := f.walkABit(new(account.Account), packed)
			if err != nil {
				b.Fatal(err)
			}
			if filed {
				f.pairs = nil
			}
			var list []uint32
			enabled := math.MaxInt
			for b.Loop() {
				enabled = 0
				for _, m := range markings {
					list = f.enabledRules(m, nil, list[:0])
					enabled += len(list)
				}
			}
			b.ReportMetric(float64(enabled), "enabled")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(markings)), "ns/marking")
		})
	}
}

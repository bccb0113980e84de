package symbolic

import (
	"context"
	"errors"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/petritest"
	"pnmc/petri"
)

// TestBesideAgreesWithNaiveTwin: a random net beside one whose race does not end soon wins, with the markings
// that its graph has, whatever its units claim.
func TestBesideAgreesWithNaiveTwin(t *testing.T) {
	slow := petritest.Kanban(40)
	petritest.CheckMany(t, 300, func(t *rapid.T) {
		net := rapid.OneOf(petritest.AnyNet(), petritest.StateMachines(true)).Draw(t, "net")
		g, complete := petritest.Explore(net, naiveLimit)
		if !complete {
			return
		}
		o := Options{Encoding: PerGroup, Slice: 1, Heuristic: rapid.SampledFrom([]string{"", "declared"}).Draw(t, "heuristic")}
		s, of, err := exploreBeside(context.Background(), slow, net, o, uint64(rapid.IntRange(0, 20).Draw(t, "from")))
		must(t, err)
		if of != net {
			t.Fatal("the net that does not end soon wins")
		}
		if s.States().Cmp(big.NewInt(int64(len(g.Markings)))) != 0 {
			t.Fatalf("%v markings, expected %d", s.States(), len(g.Markings))
		}
		for _, m := range g.Markings {
			if v, ok := s.Vector(func(p uint32) int64 { return m[p] }); !ok || !s.Forest.Contains(s.Reachable, v) {
				t.Fatalf("marking %v is not there", m)
			}
		}
	})
}

// TestBesideFirst: the first net wins where it ends before the other begins, where the other cannot be
// explored, and where the other is no faster.
func TestBesideFirst(t *testing.T) {
	net := petritest.Kanban(3)
	unbounded := producer(t)
	for name, other := range map[string]*struct {
		net  int
		from uint64
	}{"late": {1, 1 << 40}, "slow": {40, 0}} {
		s, of, err := exploreBeside(t.Context(), net, petritest.Kanban(int64(other.net)), Options{Slice: 1, Heuristic: "declared"}, other.from)
		must(t, err)
		if of != net || s.States().Int64() != 58400 {
			t.Errorf("%s: %v states", name, s.States())
		}
	}
	s, of, err := exploreBeside(t.Context(), net, unbounded, Options{Slice: 1, Memory: 64 << 20}, 0)
	must(t, err)
	if of != net || s.States().Int64() != 58400 {
		t.Errorf("beside an unbounded net: %v states", s.States())
	}
	if _, _, err := exploreBeside(t.Context(), unbounded, net, Options{Slice: 1}, 0); !isUnbounded(err) {
		t.Errorf("an unbounded net: %v", err)
	}
}

// TestBesideEnds: both races end with the context, and one goes on with all memory where the other is given up.
func TestBesideEnds(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	cancel(enough)
	slow := petritest.Kanban(40)
	if _, _, err := exploreBeside(ctx, slow, slow, Options{Slice: 1}, 0); !errors.Is(err, enough) {
		t.Errorf("ends with %v", err)
	}
	for given := range 2 {
		first, err := enter(t.Context(), petritest.Kanban(3), Options{Memory: 64 << 20})
		must(t, err)
		c := &contest{first: first}
		c.begin(t.Context(), slow)
		both := []*entry{c.first, c.second}
		c.giveUp(both[given])
		if c.first != both[1-given] || c.second != nil || c.first.race.options.Memory != 64<<20 || c.first.race.beside {
			t.Errorf("%d is given up: %+v is left, with %+v", given, c, c.first.race)
		}
	}
}

// producer returns a net whose one transition puts a token into a place, again and again.
func producer(t *testing.T) *petri.Net {
	var b petri.Builder
	p, err := b.AddPlace("p", "", 0)
	must(t, err)
	put, err := b.AddTransition("put", "")
	must(t, err)
	must(t, b.AddOutput(put, p, 1))
	net, err := b.Build()
	must(t, err)
	return net
}

package symbolic

import (
	"context"
	"errors"
	"fmt"
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
	for _, slow := range []*petri.Net{unbounded, petritest.Kanban(40)} { // given up, and outrun
		s, _, err := exploreBeside(t.Context(), net, slow, Options{Slice: 1, Memory: 64 << 20}, 0)
		must(t, err)
		if s.Forest.budget != 64<<20 {
			t.Errorf("who wins has %d bytes", s.Forest.budget)
		}
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

// TestBesideLyingUnits: where the second net's units lie and its own diagram does not end soon without them, the
// first goes on, and wins.
func TestBesideLyingUnits(t *testing.T) {
	net, other := petritest.Kanban(50), lyingAssignment(t, 16)
	_, of, err := exploreBeside(t.Context(), net, other, Options{Encoding: PerGroup}, 0)
	must(t, err)
	if of != net || other.FalseClaim() == nil {
		t.Errorf("the second won: %v; what was found false: %v", of == other, other.FalseClaim())
	}
}

// lyingAssignment returns a net in which each of n rows takes one of n columns, once two places are marked that a
// unit claims never to be marked together: without that claim its diagrams are as large as the sets of columns are many.
func lyingAssignment(t *testing.T, n int) *petri.Net {
	var b petri.Builder
	place := func(name string, tokens int64) petri.Place {
		p, err := b.AddPlace(name, "", tokens)
		must(t, err)
		return p
	}
	add := func(name string, takes, gives []petri.Place) {
		u, err := b.AddTransition(name, "")
		must(t, err)
		for _, p := range takes {
			must(t, b.AddInput(p, u, 1))
		}
		for _, p := range gives {
			must(t, b.AddOutput(u, p, 1))
		}
	}
	first, left, right := place("first", 1), place("left", 0), place("right", 0)
	add("lie", []petri.Place{first}, []petri.Place{left, right})
	columns := make([]petri.Place, n)
	for j := range columns {
		columns[j] = place(fmt.Sprintf("column%d", j), 1)
	}
	for i := range n {
		row := place(fmt.Sprintf("row%d", i), 1)
		for j, column := range columns {
			add(fmt.Sprintf("take%d,%d", i, j), []petri.Place{left, right, row, column}, []petri.Place{left, right, place(fmt.Sprintf("taken%d,%d", i, j), 0)})
		}
	}
	b.SetNUPN(&petri.NUPN{Safe: true, Root: 1, Units: []petri.Unit{
		{ID: "unit", Places: []petri.Place{first, left, right}}, {ID: "root", Subunits: []int{0}},
	}})
	net, err := b.Build()
	must(t, err)
	return net
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

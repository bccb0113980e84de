package symbolic

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"pnmc/internal/petritest"
	"pnmc/symbolic/order"
)

// TestHeuristicsAgree: every heuristic and method finds the same states of a net, in
// either encoding, and says which it was.
func TestHeuristicsAgree(t *testing.T) {
	net := petritest.Kanban(2)
	for _, name := range order.Names() {
		for _, m := range []Method{Saturation, Chaining, BreadthFirst} {
			for _, e := range []Encoding{PerPlace, PerGroup} {
				s, err := Explore(t.Context(), net, Options{Heuristic: name, Method: m, Encoding: e})
				if err != nil {
					t.Errorf("%s, %v, %v: %v", name, m, e, err)
					continue
				}
				if got := s.States().Int64(); got != 4600 || s.OrderName != name {
					t.Errorf("%s, %v, %v: %d states by %s, want 4600", name, m, e, got, s.OrderName)
				}
			}
		}
	}
}

// TestPreferredOrder: a preferred order wins where it is good enough, whatever its place among the
// others, and with any name for it the same states are found.
func TestPreferredOrder(t *testing.T) {
	net := petritest.Kanban(3)
	for _, name := range append(order.Names(), "", "of old") {
		s, err := Explore(t.Context(), net, Options{Prefer: name, Encoding: PerGroup, Slice: 2000})
		if err != nil {
			t.Errorf("%q: %v", name, err)
			continue
		}
		if got := s.States().Int64(); got != 58400 {
			t.Errorf("%q: %d states, want 58400", name, got)
		}
		if _, err := order.Named(name); err == nil && s.OrderName != name {
			t.Errorf("%q is preferred, but %q wins", name, s.OrderName)
		}
	}
}

// TestPreferredOrderHasAHeadStart: it has so many turns, once, before another order is looked for.
func TestPreferredOrderHasAHeadStart(t *testing.T) {
	system, _, err := netSystem(t.Context(), petritest.Kanban(40))
	must(t, err)
	r, err := newRace([]*System{system}, Options{Prefer: "declared", Slice: 1, Memory: 64 << 20})
	must(t, err)
	if r.runners[0].name != "declared" {
		t.Fatalf("%s is first", r.runners[0].name)
	}
	var spent []uint64
	for _, x := range r.runners[1:] {
		x.find = func() []int {
			spent = append(spent, r.spent)
			return nil
		}
	}
	if _, err := r.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(spent) == 0 || spent[0] != preferredTurns {
		t.Errorf("others begin after %v turns, expected %d", spent, preferredTurns)
	}
}

// TestManyVariables: orders of more variables than follow takes are found by the other
// heuristics, and who asks for follow is told that it says nothing.
func TestManyVariables(t *testing.T) {
	s := new(System)
	for v := range uint32(order.LargestFollow + 1) {
		s.Names, s.Initial = append(s.Names, fmt.Sprint("x", v)), append(s.Initial, 0)
		s.Events = append(s.Events, Event{{v, 0, 0, 1}})
	}
	space, err := ExploreSystem(t.Context(), s, Options{})
	must(t, err)
	if want := new(big.Int).Lsh(big.NewInt(1), order.LargestFollow+1); space.States().Cmp(want) != 0 {
		t.Errorf("not 2^%d states, by %s", order.LargestFollow+1, space.OrderName)
	}
	for _, h := range order.Names() {
		if !strings.Contains(h, "follow") {
			continue
		}
		if _, err := ExploreSystem(t.Context(), s, Options{Heuristic: h}); !errors.Is(err, ErrNoOrder) {
			t.Errorf("%s: %v", h, err)
		}
	}
}

// TestUnknownNames: heuristics and methods that there are not are told.
func TestUnknownNames(t *testing.T) {
	if _, err := Explore(t.Context(), petritest.Kanban(1), Options{Heuristic: "best"}); err == nil || !strings.Contains(err.Error(), "force") {
		t.Errorf("heuristic best: %v", err)
	}
	for _, m := range []Method{Saturation, Chaining, BreadthFirst} {
		if got, err := ParseMethod(m.String()); err != nil || got != m {
			t.Errorf("%v reads back as %v, %v", m, got, err)
		}
	}
	if _, err := ParseMethod("depth-first"); err == nil {
		t.Error("a method that there is not was read")
	}
}

// TestRaceEndsWithContext: all runners end when the context does, whosever turn it is,
// and what is known so far is told.
func TestRaceEndsWithContext(t *testing.T) {
	s := &System{Names: []string{"a", "b", "c"}, Initial: []uint32{0, 0, 0}}
	for v := range uint32(3) {
		s.Events = append(s.Events, Event{{v, 0, noLimit, 1}})
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	enough := errors.New("enough")
	r, err := newRace([]*System{s}, Options{Slice: 1, Memory: 64 << 20})
	must(t, err)
	// The context ends in the turn of a runner that is not the first.
	turns := 0
	for _, x := range r.runners {
		find := x.find
		x.find = func() []int {
			if turns++; turns == 2 {
				cancel(enough)
			}
			return find()
		}
	}
	space, err := r.run(ctx)
	if !errors.Is(err, enough) || space == nil || space.Complete {
		t.Fatalf("space %v, error %v", space, err)
	}
	for _, x := range r.runners {
		if x.space != nil && x.space.forest.pause != nil {
			t.Errorf("runner %s has not ended", x.name)
		}
	}
}

// TestTurnsAreAsLongAsTheySay: between two times that a race may pause there are pollEvery steps, or so. If
// there were half as many, a good order would have half its turn, and all others would have theirs first.
func TestTurnsAreAsLongAsTheySay(t *testing.T) {
	f := NewForest(1, 0)
	const expected = 50
	pauses := 0
	f.pause = func() { pauses++ }
	_, err := f.guarded(nil, func() Node {
		for range expected * pollEvery {
			f.step(2)
		}
		return Empty
	})
	must(t, err)
	if pauses < expected*3/4 || pauses > expected*5/4 {
		t.Errorf("%d pauses in %d steps, want about %d", pauses, expected*pollEvery, expected)
	}
}

// TestThinOut keeps the best by each measure, and drops the others.
func TestThinOut(t *testing.T) {
	s, _, err := netSystem(t.Context(), petritest.Kanban(20))
	must(t, err)
	r, err := newRace([]*System{s}, Options{Memory: DefaultMemory})
	must(t, err)
	for _, x := range r.runners {
		x.order = x.find()
		must(t, x.start(t.Context(), r))
	}
	best := r.runners[len(r.runners)-1]
	best.cost = -1
	all := r.runners
	r.thinOut()
	if want := (len(all) + 1) / 2; len(r.runners) != want {
		t.Errorf("%d of %d runners left, want %d", len(r.runners), len(all), want)
	}
	kept := map[*runner]bool{}
	for _, x := range r.runners {
		kept[x] = true
	}
	if !kept[best] {
		t.Error("the runner of least cost was dropped")
	}
	for _, x := range all {
		if ended := x.space.forest.pause == nil; ended == kept[x] {
			t.Errorf("runner %s: kept %v, ended %v", x.name, kept[x], ended)
		}
		x.drop()
	}
}

// TestLateRunner: places as variables take part where groups of them don't finish soon,
// or fail.
func TestLateRunner(t *testing.T) {
	net := petritest.Philosophers(12)
	plain, flows, err := netSystem(context.Background(), net)
	must(t, err)
	systems := append(netEncodings(t.Context(), net, plain, flows), plain)
	for name, prepare := range map[string]func(*race){
		"starts after others": func(r *race) { r.lateFrom = 0 },
		"others have no order": func(r *race) {
			for _, x := range r.runners {
				x.find = func() []int { return nil }
			}
		},
		"others have no end": func(r *race) {
			r.lateFrom = 0
			for _, x := range r.runners {
				x.system, x.orders = endless(x.system), nil
				x.find = func() []int { return order.Declared(len(x.system.Names)) }
			}
		},
	} {
		r, err := newRace(systems, Options{Slice: 1, Memory: 64 << 20})
		must(t, err)
		for _, x := range r.runners {
			if x.late || x.system.Codes == nil {
				t.Fatalf("runner %s starts with places as variables", x.name)
			}
		}
		if len(r.late) != 1 || r.late[0].system != plain {
			t.Fatalf("%d late runners, want one with places as variables", len(r.late))
		}
		prepare(r)
		s, err := r.run(t.Context())
		if err != nil || s.States().Int64() != 531441 { // 3^12
			t.Errorf("%s: %v states, %v", name, s.States(), err)
		} else if late := s.OrderName == "sloan-reversed of places"; late != (s.System == plain) || !late && name != "starts after others" {
			t.Errorf("%s: won by %s", name, s.OrderName)
		}
	}
}

// endless returns s with an event that is always possible.
func endless(s *System) *System {
	more := *s
	more.Names, more.Initial = append(more.Names[:len(more.Names):len(more.Names)], "endless"), append(more.Initial[:len(more.Initial):len(more.Initial)], 0)
	more.Events = append(more.Events[:len(more.Events):len(more.Events)], Event{{uint32(len(more.Names) - 1), 0, noLimit, 1}})
	return &more
}

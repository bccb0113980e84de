package petri

import (
	"errors"
	"math"
	"slices"
	"testing"

	"pnmc/internal/account"
)

// counters returns a net of places that count to three, each by itself; without proof.
func counters(t *testing.T, places int) *Net {
	t.Helper()
	var b Builder
	for i := range places {
		from, _ := b.AddPlace(string(rune('a'+i)), "", 3)
		to, _ := b.AddPlace(string(rune('A'+i)), "", 0)
		move, err := b.AddTransition(string(rune('0'+i)), "")
		if err != nil {
			t.Fatal(err)
		}
		b.AddInput(from, move, 1)
		b.AddOutput(move, to, 1)
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// TestRest: whenever an exploration ends, its rest has the successors of each marking that was
// explored, and counts their firings and no others.
func TestRest(t *testing.T) {
	net := counters(t, 7)
	complete := false
	for looks := 0; !complete; looks++ {
		e := &explorer{space: newSpace(new(account.Account), net, Facts{}), most: math.MaxInt}
		e.space.account = &account.Account{}
		e.space.account.Begin(account.EndsAfter(looks))
		e.measure = e.space.layout.Measure()
		complete = e.run(nil) == nil
		r := e.rest()
		game, err := r.Layout.Game(new(account.Account))
		if err != nil {
			t.Fatal(err)
		}
		player, words := game.Player(), r.Layout.Words()
		there := map[string]bool{}
		var explored [][]uint64
		ordered, last := true, true
		if err := r.Markings(func(packed []uint64, was bool) error {
			ordered, last = ordered && (last || !was), was
			there[key(packed)] = true
			if was {
				explored = append(explored, slices.Clone(packed))
			}
			return nil
		}); err != nil || !ordered {
			t.Fatalf("%v, explored first: %t", err, ordered)
		}
		for packed := range slices.Chunk(r.Waiting, words) {
			there[key(packed)] = true
		}
		firings, deadlocks := 0, 0
		for _, packed := range explored {
			var out []uint64
			for player.Begin(); !player.Done(); {
				if narrow := player.Successors(packed, &out); narrow >= 0 {
					t.Fatal("a marking that was explored has a successor that does not fit")
				}
			}
			if len(out) == 0 {
				deadlocks++
			}
			for next := range slices.Chunk(out, words) {
				firings++
				if !there[key(next)] {
					t.Fatalf("%d looks: %x is lost", looks, next)
				}
			}
		}
		if r.Found.Firings != int64(firings) || r.Found.Deadlocks != int64(deadlocks) {
			t.Fatalf("%d looks: %+v, expected %d firings, %d deadlocks", looks, r.Found, firings, deadlocks)
		}
		if complete && (len(explored) != 1<<14 || len(there) != 1<<14) {
			t.Errorf("%d markings explored of %d", len(explored), len(there))
		}
	}
}

func key(packed []uint64) string {
	var text []byte
	for _, w := range packed {
		for range 8 {
			text, w = append(text, byte(w)), w>>8
		}
	}
	return string(text)
}

// TestRestOfLostMarkings: where markings were lost while they were packed anew, the rest begins
// anew.
func TestRestOfLostMarkings(t *testing.T) {
	net := counters(t, 3)
	e := &explorer{space: newSpace(new(account.Account), net, Facts{}), most: math.MaxInt}
	e.measure = e.space.layout.Measure()
	if err := e.run(nil); err != nil {
		t.Fatal(err)
	}
	e.space.lost = errors.New("no room")
	r := e.rest()
	m, markings := make(Marking, net.Places()), 0
	if err := r.Markings(func(packed []uint64, explored bool) error {
		r.Layout.Unpack(packed, m)
		if markings++; explored || !slices.Equal(m, net.Initial()) {
			t.Errorf("%v, explored: %t", m, explored)
		}
		return nil
	}); err != nil || markings != 1 || r.Found.Firings != 0 || r.Found.Deadlocks != 0 || len(r.Waiting) > 0 {
		t.Errorf("%v, %d markings, %+v, %d waiting", err, markings, r.Found, len(r.Waiting))
	}
}

// TestWidenedAlike: all fields as narrow as one get wider than it was, but for those that are proven or
// claimed; where a claim was false, those of others are believed no more.
func TestWidenedAlike(t *testing.T) {
	var b Builder
	for i, tokens := range []int64{1, 0, 0, 0, 0, 0, 5, 200, 1} {
		if _, err := b.AddPlace(string(rune('a'+i)), "", tokens); err != nil {
			t.Fatal(err)
		}
	}
	b.SetNUPN(&NUPN{Safe: true, Units: []Unit{{ID: "u", Places: []Place{0, 1, 2, 3}}}})
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	bounds := slices.Repeat([]int64{Unbounded}, net.Places())
	bounds[5] = 3
	l := newLayout(new(account.Account), net, Facts{Bounds: bounds})
	widths := func(l *Layout) (list []int) {
		for p := range Place(net.Places()) {
			f := l.fields[l.fieldOf[p]]
			list = append(list, f.width*min(1, 2-len(f.places)/2))
		}
		return list
	}
	if got, want := widths(l), []int{0, 0, 0, 0, 1, 2, 3, 8, 1}; !slices.Equal(got, want) {
		t.Fatalf("%v, expected %v", got, want)
	}
	for _, test := range []struct {
		place Place
		want  []int
	}{
		{6, []int{0, 0, 0, 0, 1, 2, 6, 8, 1}}, // claims stay
		{4, []int{2, 2, 2, 2, 2, 2, 3, 8, 2}},
		{0, []int{2, 2, 2, 2, 2, 2, 3, 8, 2}},
		{7, []int{0, 0, 0, 0, 1, 2, 12, 16, 1}},
	} {
		wide, err := l.WidenedAlike(int(l.fieldOf[test.place]))
		if err != nil || !slices.Equal(widths(wide), test.want) {
			t.Errorf("place %d: %v, %v, expected %v", test.place, widths(wide), err, test.want)
		}
	}
	for i, f := range l.fields {
		if f.proven {
			continue
		}
		wide, err := l.WidenedAlike(i)
		twin, twinErr := widenedOneByOne(l, i)
		if err != nil || twinErr != nil || !slices.Equal(widths(wide), widths(twin)) {
			t.Errorf("field %d: %v, %v, expected %v, %v", i, widths(wide), err, widths(twin), twinErr)
		}
	}
}

// widenedOneByOne is the naive twin of WidenedAlike.
func widenedOneByOne(l *Layout, i int) (*Layout, error) {
	width, claimed := l.fields[i].width, l.fields[i].claimed()
	if l.fields[i].group() {
		width = 1
	}
	wide, err := l.Widened(i)
	for err == nil {
		next := slices.IndexFunc(wide.fields, func(f field) bool {
			return !f.proven && (f.group() || f.width <= width) && (claimed || !f.claimed())
		})
		if next < 0 {
			break
		}
		wide, err = wide.Widened(next)
	}
	return wide, err
}

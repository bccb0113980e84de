package disk

import (
	"context"
	"errors"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/account"
	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/petri/invariant"
)

// tiny draws sizes with which nearly everything goes to the disk.
func tiny(t *rapid.T) *sizes {
	return &sizes{
		slots: rapid.IntRange(leastSlots, 24).Draw(t, "slots"), piece: rapid.IntRange(1, 5).Draw(t, "piece"),
		blockBytes: rapid.IntRange(1, 64).Draw(t, "block"),
		fanIn:      rapid.IntRange(2, 5).Draw(t, "fan in"),
	}
}

// figures are what is to be the same.
type figures struct {
	states, firings, deadlocks, inPlace int64
	perMarking                          string
}

func figuresOf(s petri.Statistics) figures {
	return figures{s.States, s.Firings, s.Deadlocks, s.MaxTokensInPlace, s.MaxTokensPerMarking.String()}
}

// begun returns what is left after so many markings were explored in memory, unless a field turns
// out too narrow before. Successors of the last ones are waiting.
func begun(net *petri.Net, facts petri.Facts, most, waiting int) *petri.Rest {
	layout, initial := net.InitialLayout(new(account.Account), facts)
	game, err := layout.Game(new(account.Account))
	if err != nil {
		panic(err)
	}
	player, words := game.Player(), layout.Words()
	r := &petri.Rest{Layout: layout, Measure: layout.Measure()}
	met := [][]uint64{initial}
	explored := 0
	for ; explored < min(most, len(met)); explored++ {
		var out []uint64
		narrow := -1
		for player.Begin(); !player.Done() && narrow < 0; {
			narrow = player.Successors(met[explored], &out)
		}
		if narrow >= 0 {
			break
		}
		r.Measure.Observe(met[explored])
		r.Found.Firings += int64(len(out) / words)
		if len(out) == 0 {
			r.Found.Deadlocks++
		}
		if most-explored <= waiting {
			r.Waiting = append(r.Waiting, out...)
			continue
		}
		for key := range slices.Chunk(out, words) {
			if !slices.ContainsFunc(met, func(other []uint64) bool { return slices.Equal(key, other) }) {
				met = append(met, key)
			}
		}
	}
	r.Found.States = int64(len(met))
	r.Markings = func(visit func([]uint64, bool) error) error {
		for i, key := range met {
			if err := visit(slices.Clone(key), i < explored); err != nil {
				return err
			}
		}
		return nil
	}
	return r
}

// TestSameAsInMemory compares figures of random nets, with buffers of a few markings, from any
// marking on.
func TestSameAsInMemory(t *testing.T) {
	below := t.TempDir()
	anew := 0
	if !petritest.CheckUntil(t, func() bool { return anew > 0 }, func(t *rapid.T) {
		net := petritest.AllArcs().Draw(t, "net")
		facts := petri.Facts{}
		if rapid.Bool().Draw(t, "proven") {
			facts = invariant.Prove(context.Background(), net, 0)
		}
		if _, finite := petritest.Explore(net, 1000); !finite {
			t.Skip("too large or unbounded")
		}
		want, err := net.Explore(context.Background(), facts, petri.Budget{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		folder, err := NewFolder(below, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer folder.Remove()
		rest := begun(net, facts, rapid.IntRange(0, 40).Draw(t, "explored"), rapid.IntRange(0, 5).Draw(t, "waiting"))
		o := Options{Folder: folder, Tell: func(text string, _ ...any) {
			if strings.Contains(text, "anew") {
				anew++
			}
		}}
		got, err := explore(context.Background(), net, petri.Budget{}, rest, o, tiny(t))
		if err != nil || !got.Complete || figuresOf(got) != figuresOf(want) {
			t.Fatalf("%v: found %+v, expected %+v", err, figuresOf(got), figuresOf(want))
		}
	}) {
		t.Error("no layout was too narrow")
	}
	if entries, err := os.ReadDir(below); err != nil || len(entries) > 0 {
		t.Errorf("%v is left, %v", entries, err)
	}
}

// TestUnboundedOnDisk: what ends as unbounded has more markings than a twin finds; and no end
// comes without a reason.
func TestUnboundedOnDisk(t *testing.T) {
	below := t.TempDir()
	unbounded := 0
	petritest.CheckUntil(t, func() bool { return unbounded > 10 }, func(t *rapid.T) {
		net := petritest.AllArcs().Draw(t, "net")
		folder, err := NewFolder(below, 1<<15)
		if err != nil {
			t.Fatal(err)
		}
		defer folder.Remove()
		_, finite := petritest.Explore(net, 3000)
		got, err := explore(context.Background(), net, petri.Budget{}, begun(net, petri.Facts{}, 0, 0), Options{Folder: folder}, tiny(t))
		switch {
		case errors.As(err, new(*petri.UnboundedError)):
			unbounded++
			if finite {
				t.Fatalf("all markings are found, and %v", err)
			}
		case err == nil && !finite && got.States <= 3000:
			t.Fatalf("%d markings are all", got.States)
		case err != nil && !errors.As(err, new(*FullError)):
			t.Fatal(err)
		}
	})
	if unbounded == 0 {
		t.Error("nothing was unbounded")
	}
}

// explorePhilosophers explores 3^n markings.
func explorePhilosophers(ctx context.Context, t testing.TB, folder *Folder, n int, s sizes) (got petri.Statistics, err error) {
	net := petritest.Philosophers(n)
	return explore(ctx, net, petri.Budget{}, begun(net, invariant.Prove(context.Background(), net, 0), 10, 3), Options{Folder: folder}, &s)
}

func newFolder(t testing.TB, limit int64) *Folder {
	t.Helper()
	folder, err := NewFolder(t.TempDir(), limit)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		folder.Remove()
		if entries, err := os.ReadDir(folder.Path()); err != nil || len(entries) > 0 {
			t.Errorf("%v is left, %v", entries, err)
		}
	})
	return folder
}

// TestTenTimes: more than ten times as many markings as the buffer holds, in hundreds of runs.
func TestTenTimes(t *testing.T) {
	net := petritest.Philosophers(9)
	want, err := net.Explore(t.Context(), petri.Facts{}, petri.Budget{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []sizes{
		{slots: int(want.States / 15), piece: 100, blockBytes: 500, fanIn: 3},
		{slots: int(want.States / 200), piece: 7, blockBytes: 90, fanIn: 2},
	} {
		folder := newFolder(t, 0)
		got, err := explorePhilosophers(t.Context(), t, folder, 9, s)
		if err != nil || figuresOf(got) != figuresOf(want) {
			t.Errorf("%v: found %+v, expected %+v", err, figuresOf(got), figuresOf(want))
		}
		t.Logf("%d markings, room for %d, %d runs, %d bytes at most", got.States, s.slots/4*3, folder.made, folder.Most())
		if folder.used != 0 && got.States > 0 && folder.used > folder.Most() {
			t.Errorf("%d bytes are in use, at most %d", folder.used, folder.Most())
		}
	}
}

// TestLimitOfDisk: the limit of bytes holds, and ends with what is known.
func TestLimitOfDisk(t *testing.T) {
	folder := newFolder(t, 5000)
	got, err := explorePhilosophers(t.Context(), t, folder, 9, sizes{slots: 300, piece: 100, blockBytes: 500, fanIn: 3})
	var full *FullError
	if !errors.As(err, &full) || full.Limit != 5000 || folder.Most() > 5000 || got.Complete || got.States < 100 {
		t.Errorf("%v, %d bytes, %+v", err, folder.Most(), got)
	}
}

// TestLimitAtHandover: where the disk has no room for what was in memory, all that is told of it, with its
// firings.
func TestLimitAtHandover(t *testing.T) {
	net := petritest.Philosophers(9)
	for _, explored := range []int{0, 1, 100, 1000} {
		rest := begun(net, petri.Facts{}, explored, 3)
		known, fired := rest.Found.States, rest.Found.Firings
		folder := newFolder(t, 1)
		got, err := explore(t.Context(), net, petri.Budget{}, rest, Options{Folder: folder}, &sizes{slots: 300, piece: 100, blockBytes: 500, fanIn: 3})
		if !errors.As(err, new(*FullError)) || got.Complete || got.States != known || got.Firings != fired || known == 0 {
			t.Errorf("%v, expected %d markings and %d firings, found %+v", err, known, fired, got)
		}
	}
}

// TestEndsWithContext: an exploration ends where its context does, at any look.
func TestEndsWithContext(t *testing.T) {
	reason := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	net := petritest.Philosophers(9)
	rest := begun(net, petri.Facts{}, 10, 3)
	told := 0
	o := Options{Folder: newFolder(t, 0), Progress: func(s petri.Statistics) {
		if told++; told == 3 {
			cancel(reason)
		}
	}}
	got, err := explore(ctx, net, petri.Budget{}, rest, o, &sizes{slots: 300, piece: 100, blockBytes: 500, fanIn: 3})
	if !errors.Is(err, reason) || got.Complete || got.States == 0 || told > 10 {
		t.Errorf("%v, told %d times, %+v", err, told, got)
	}
}

// TestEndsAtAnyLook: whenever the context ends, it is told, and what is counted is not too much, nor less
// than was known before.
func TestEndsAtAnyLook(t *testing.T) {
	net := petritest.Philosophers(8)
	want, err := net.Explore(t.Context(), petri.Facts{}, petri.Budget{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	most := int64(0) // markings of shorter explorations
	for looks := 0; ; looks += 7 {
		ctx := account.EndsAfter(looks)
		folder := newFolder(t, 0)
		rest := begun(net, petri.Facts{}, 10, 3)
		most = max(most, rest.Found.States)
		got, err := explore(ctx, net, petri.Budget{}, rest, Options{Folder: folder}, &sizes{slots: 30, piece: 10, blockBytes: 50, fanIn: 3})
		if got.States < most {
			t.Fatalf("%d looks: %v, %d markings after %d", looks, err, got.States, most)
		}
		most = got.States
		if got.States > want.States || got.Firings > want.Firings || (err == nil) != got.Complete {
			t.Fatalf("%d looks: %v, %+v", looks, err, got)
		}
		if err == nil {
			t.Logf("%d looks", looks)
			return
		}
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
	}
}

// TestNamesWhatGrows: where an unbounded place is not found out to be one, the reason to end
// names it.
func TestNamesWhatGrows(t *testing.T) {
	var b petri.Builder
	once, _ := b.AddPlace("once", "", 1)
	here, _ := b.AddPlace("here", "", 0)
	there, _ := b.AddPlace("there", "", 0)
	grows, _ := b.AddPlace("grows", "", 0)
	begin, _ := b.AddTransition("begin", "")
	b.AddInput(once, begin, 1)
	b.AddOutput(begin, here, 1)
	for name, way := range map[string][2]petri.Place{"to": {here, there}, "fro": {there, here}} {
		move, err := b.AddTransition(name, "")
		if err != nil {
			t.Fatal(err)
		}
		b.AddInput(way[0], move, 1)
		b.AddOutput(move, way[1], 1)
		b.AddOutput(move, grows, 1)
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	small := &sizes{slots: 30, piece: 10, blockBytes: 50, fanIn: 3}
	_, err = explore(t.Context(), net, petri.Budget{}, begun(net, petri.Facts{}, 0, 0), Options{Folder: newFolder(t, 3000)}, small)
	if !errors.As(err, new(*FullError)) || !strings.Contains(err.Error(), `no bound is known for place "grows"`) {
		t.Error(err)
	}
	// That does not explain other ends.
	reason := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	told := 0
	o := Options{Folder: newFolder(t, 0), Progress: func(petri.Statistics) {
		if told++; told == 30 {
			cancel(reason)
		}
	}}
	if _, err = explore(ctx, net, petri.Budget{}, begun(net, petri.Facts{}, 0, 0), o, small); !errors.Is(err, reason) || err.Error() != "enough" {
		t.Errorf("an end for another reason: %v", err)
	}
	// Where the initial marking is covered, it is found out.
	net = net.From(petri.Marking{0, 1, 0, 0})
	_, err = explore(t.Context(), net, petri.Budget{}, begun(net, petri.Facts{}, 0, 0), Options{Folder: newFolder(t, 3000)}, small)
	if unbounded := (*petri.UnboundedError)(nil); !errors.As(err, &unbounded) || unbounded.ID != "grows" {
		t.Error(err)
	}
}

// TestFromMemory: what petri leaves when memory is full is gone on with, at whatever moment that
// is.
func TestFromMemory(t *testing.T) {
	below := t.TempDir()
	for _, test := range []struct {
		net   *petri.Net
		facts petri.Facts
	}{
		{petritest.Philosophers(10), petri.Facts{}},
		{petritest.Philosophers(10), invariant.Prove(t.Context(), petritest.Philosophers(10), 0)},
	} {
		want, err := test.net.Explore(t.Context(), test.facts, petri.Budget{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, room := range []int64{0, 1 << 20, 3 << 20} {
			folder, err := NewFolder(below, 0)
			if err != nil {
				t.Fatal(err)
			}
			taken := int64(0)
			further := func(rest *petri.Rest) (petri.Statistics, error) {
				taken = max(1, rest.Found.Firings)
				return explore(t.Context(), test.net, petri.Budget{}, rest, Options{Folder: folder}, &sizes{slots: 5000, piece: 1000, blockBytes: 1000, fanIn: 5})
			}
			debug.FreeOSMemory()
			budget := petri.Budget{MemoryBytes: (account.InUse() + room) * 8 / 7}
			got, err := test.net.ExploreFurther(t.Context(), test.facts, budget, further, nil)
			if err != nil || figuresOf(got) != figuresOf(want) {
				t.Errorf("%v: found %+v, expected %+v", err, figuresOf(got), figuresOf(want))
			}
			t.Logf("after %d of %d firings", taken, want.Firings)
			folder.Remove()
		}
	}
}

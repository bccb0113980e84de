package disk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/account"
	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/petri/invariant"
)

// distances returns how many firings lead to each marking at least, by exploring naively; nil if there
// are more than most.
func distances(net *petri.Net, most int) map[string]int {
	found := map[string]int{fmt.Sprint(net.Initial()): 0}
	for queue := []petri.Marking{net.Initial()}; len(queue) > 0; queue = queue[1:] {
		for t := range petri.Transition(net.Transitions()) {
			m := slices.Clone(queue[0])
			if !net.Enabled(m, t) || !net.Fire(m, t) {
				continue
			}
			if _, met := found[fmt.Sprint(m)]; !met {
				if found[fmt.Sprint(m)] = found[fmt.Sprint(queue[0])] + 1; len(found) > most {
					return nil
				}
				queue = append(queue, m)
			}
		}
	}
	return found
}

// replayed checks that a run leads to a marking, and is as long as it is to be.
func replayed(t *rapid.T, net *petri.Net, run []petri.Transition, to petri.Marking, length int) {
	m := slices.Clone(net.Initial())
	for _, fired := range run {
		if !net.Enabled(m, fired) || !net.Fire(m, fired) {
			t.Fatalf("transition %d of %v can't fire in %v", fired, run, m)
		}
	}
	if !slices.Equal(m, to) || len(run) != length {
		t.Fatalf("%v leads to %v, expected %d firings to %v", run, m, length, to)
	}
}

// TestSearchLooksAtAll: a search with room for a few markings looks at those that a naive exploration
// finds, each once, the nearest first, and has a shortest run to each; and where a look ends it, it has
// looked at no other.
func TestSearchLooksAtAll(t *testing.T) {
	below := t.TempDir()
	long, anew := 0, 0
	petritest.CheckUntil(t, func() bool { return long > 3 && anew > 3 }, func(t *rapid.T) {
		net := petritest.AllArcs().Draw(t, "net")
		facts := petri.Facts{}
		if rapid.Bool().Draw(t, "proven") {
			facts = invariant.Prove(context.Background(), net, 0)
		}
		want := distances(net, 300)
		if want == nil {
			t.Skip("too large or unbounded")
		}
		folder, err := NewFolder(below, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer folder.Remove()
		last, all := rapid.IntRange(1, 400).Draw(t, "last"), len(want)
		looked, before := 0, 0
		s := &Search{Net: net, Facts: facts, Folder: folder, fixed: tiny(t)}
		s.Tell = func(text string, _ ...any) {
			if strings.Contains(text, "anew") {
				anew++
			}
		}
		s.Look = func(m petri.Marking) error {
			length, open := want[fmt.Sprint(m)]
			if !open || length < before {
				t.Fatalf("%v is looked at again, is not reachable, or comes after those that are %d firings away", m, before)
			}
			delete(want, fmt.Sprint(m))
			before = length
			run, err := s.Path()
			if err != nil {
				t.Fatal(err)
			}
			if replayed(t, net, run, m, length); length > 5 {
				long++
			}
			if looked++; looked == last {
				return ErrEnough
			}
			return nil
		}
		complete, err := s.Run(context.Background())
		if err != nil || complete != (last > all) || looked != min(last, all) || complete && s.States != int64(all) {
			t.Fatalf("%v, complete: %t, looked at %d of %d until %d, counted %d", err, complete, looked, all, last, s.States)
		}
		if folder.used != 0 || len(folder.files) > 0 {
			t.Fatalf("%d bytes in %d files are left", folder.used, len(folder.files))
		}
	})
	if long == 0 || anew == 0 {
		t.Errorf("%d long runs, %d layouts that were too narrow", long, anew)
	}
	if entries, err := os.ReadDir(below); err != nil || len(entries) > 0 {
		t.Errorf("%v is left, %v", entries, err)
	}
}

// TestSearchEnds: a search ends with its context at any look, with the limit of bytes, and with the
// error of a look, and leaves no file.
func TestSearchEnds(t *testing.T) {
	net := petritest.Philosophers(7)
	small := &sizes{slots: 30, piece: 10, blockBytes: 50, fanIn: 3}
	reason := errors.New("no more")
	for looks := 0; ; looks += 13 {
		folder := newFolder(t, 0)
		s := &Search{Net: net, Folder: folder, fixed: small, Look: func(petri.Marking) error { return nil }}
		complete, err := s.Run(account.EndsAfter(looks))
		if len(folder.files) > 0 || complete != (err == nil) || s.States > 2187 {
			t.Fatalf("%d looks: %v, %d files, %d markings", looks, err, len(folder.files), s.States)
		}
		if complete {
			if s.States != 2187 {
				t.Errorf("%d markings", s.States)
			}
			break
		}
	}
	folder := newFolder(t, 3000)
	s := &Search{Net: net, Folder: folder, fixed: small, Look: func(petri.Marking) error { return nil }}
	if complete, err := s.Run(t.Context()); complete || !errors.As(err, new(*FullError)) || len(folder.files) > 0 {
		t.Errorf("complete: %t, %v", complete, err)
	}
	s.Look = func(petri.Marking) error { return reason }
	if complete, err := s.Run(t.Context()); complete || !errors.Is(err, reason) || len(folder.files) > 0 {
		t.Errorf("complete: %t, %v", complete, err)
	}
}

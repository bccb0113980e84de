package checker_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pnmc/checker"
	"pnmc/checker/internal/checkertest"
	"pnmc/checker/witness"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri/disk"
)

// onDiskOf returns the name of the phase that looks at markings on disk, if a question has one.
func onDiskOf(q checker.Question) string {
	names := checker.PhasesFor(q)
	if i := slices.IndexFunc(names, func(name string) bool { return strings.HasPrefix(name, "markings on disk") }); i >= 0 {
		return names[i]
	}
	return ""
}

// TestOnDisk: what is decided on disk alone is what all markings say, whenever these can be explored, and
// each run leads to a marking that shows it.
func TestOnDisk(t *testing.T) {
	below := t.TempDir()
	count := map[string]int{}
	enough := func() bool {
		return count["reachable"] > 20 && count["unreachable"] > 20 && count["deadlock"] > 5 && count["no deadlock"] > 5
	}
	if !petritest.CheckUntil(t, enough, func(t *rapid.T) {
		net, g := checkertest.AnyNet(t)
		if len(g.Markings) > checkertest.MostMarkings || net.Places() == 0 || net.Transitions() == 0 {
			t.Skip("not a net for this test")
		}
		kind := rapid.SampledFrom([]string{"reachable", "invariant", "deadlock"}).Draw(t, "kind")
		q, same := drawQuestion(t, net, kind)
		want, ok := checkertest.NewTwin(net, g).Answer(same)
		if !ok {
			t.Skip("no answer")
		}
		folder, err := disk.NewFolder(below, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer folder.Remove()
		s, err := checker.New(checker.Problem{Net: net}, checker.Options{MemoryBytes: testMemory, Disk: folder})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		s.Only(onDiskOf(q))
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		a := decideAll(t, ctx, s, []checker.Question{q})[0]
		if !a.Value.Equal(want) {
			t.Fatalf("%s %v is %v because of %v, should be %v", kind, q, a.Value, a.Reason, want)
		}
		if a.Witness.Ground == checker.AllMarkings {
			if kind == "deadlock" {
				count["no deadlock"]++
			} else {
				count["unreachable"]++
			}
		}
		if !a.Witness.HasRun() {
			return
		}
		m, err := witness.ReplayRun(net, a.Witness.Run)
		if err != nil {
			t.Fatal(err)
		}
		predicate := &logic.Predicate{Operator: logic.Deadlocked}
		holds := true
		switch q := q.(type) {
		case checker.Reachable:
			predicate = q.Predicate
		case checker.Invariant:
			predicate, holds = q.Predicate, false
		}
		if witness.Satisfies(net, m, predicate) != holds {
			t.Fatalf("%s %v: the run leads to %v", kind, q, m)
		}
		if kind == "deadlock" {
			count[kind]++
		} else {
			count["reachable"]++
		}
	}) {
		t.Errorf("some kind is rare: %v", count)
	}
}

// TestOnDiskFull: where the folder has no room, that is told once, and nothing is claimed.
func TestOnDiskFull(t *testing.T) {
	folder, err := disk.NewFolder(t.TempDir(), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Remove()
	var warnings []string
	net := petritest.Grid(4)
	unreachable := checker.Reachable{Predicate: &logic.Predicate{Operator: logic.Equal, Sum: logic.Sum{Constant: -1000, Terms: []logic.Term{{Place: 0, Coefficient: 1}}}}}
	s, err := checker.New(checker.Problem{Net: net}, checker.Options{MemoryBytes: testMemory, Disk: folder, Warn: func(w string) { warnings = append(warnings, w) }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.Only(onDiskOf(unreachable))
	for range 2 {
		err := s.Decide(t.Context(), []checker.Question{unreachable}, func(a checker.Answer) {
			if a.Value.IsKnown() || !errors.Is(a.Reason, checker.ErrNotDecided) {
				t.Errorf("%v, %v", a.Value, a.Reason)
			}
		})
		if err != nil {
			t.Error(err)
		}
	}
	if !slices.Equal(warnings, []string{"the search for markings on disk ends: disk limit of 1 B reached"}) {
		t.Errorf("%q", warnings)
	}
}

package checker

import (
	"slices"
	"testing"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/internal/petritest"
)

// TestPlanOfOneProcessor: explicit search for the sizes of a state space leaves time to diagrams,
// and no engine of the usual plan is missing.
func TestPlanOfOneProcessor(t *testing.T) {
	for f := range inquiry.Families {
		one := planOfOne(inquiry.Family(f), planOf(inquiry.Family(f)))
		for _, p := range planOf(inquiry.Family(f)) {
			i := slices.IndexFunc(one, func(q core.Phase) bool { return q.Name == p.Name && q.Lane == p.Lane })
			if i < 0 || one[i].Until > p.Until {
				t.Errorf("family %d: %q is missing, or has more time", f, p.Name)
			}
		}
	}
	for threads, want := range map[int]bool{1: true, 2: false} {
		s, err := New(Problem{Net: petritest.Philosophers(5)}, Options{Threads: threads})
		if err != nil {
			t.Fatal(err)
		}
		if got := s.threads == 1; got != want {
			t.Errorf("with %d threads one engine works at a time: %t", threads, got)
		}
		s.Close()
	}
}

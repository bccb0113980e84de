package checker

import (
	"testing"

	"pnmc/checker/internal/coloured"
	"pnmc/internal/petritest"
)

// TestPartsBeside: as many parts are decided beside each other as there are threads for their engines, but no more than
// there is memory for. On a net of 720,000 arcs, 16 threads took 188 MB of 150 where only threads counted.
func TestPartsBeside(t *testing.T) {
	for _, c := range []struct {
		threads          int
		megabytes        int64
		parts, want, two int // want: beside each other; two: the same on a coloured net
	}{
		{threads: 1, parts: 5, want: 1, two: 1},
		{threads: 16, parts: 9, want: 5, two: 2},
		{threads: 16, parts: 2, want: 2, two: 2},
		{threads: 16, parts: 9, megabytes: 40, want: 1, two: 1},
		{threads: 16, parts: 9, megabytes: 150, want: 1, two: 1},
		{threads: 16, parts: 9, megabytes: 300, want: 3, two: 1},
		{threads: 16, parts: 9, megabytes: 4000, want: 5, two: 2},
	} {
		s, err := New(Problem{Net: petritest.Kanban(1)}, Options{Threads: c.threads, MemoryBytes: c.megabytes << 20})
		if err != nil {
			t.Fatal(err)
		}
		if got := s.partsBeside(c.parts); got != c.want {
			t.Errorf("%d parts, %d threads, %d MB: %d beside each other, want %d", c.parts, c.threads, c.megabytes, got, c.want)
		}
		s.coloured = new(coloured.Solver)
		if got := s.partsBeside(c.parts); got != c.two {
			t.Errorf("%d parts of a coloured net, %d threads, %d MB: %d beside each other, want %d", c.parts, c.threads, c.megabytes, got, c.two)
		}
		s.coloured = nil
		s.Close()
	}
}

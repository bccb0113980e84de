package multicore

import (
	"context"
	"testing"
	"unsafe"

	"pnmc/internal/petritest"
	"pnmc/petri"
)

// TestWorkersShareNoLines: what a thread writes for each marking lies so far from what another
// writes that they share no cache line.
func TestWorkersShareNoLines(t *testing.T) {
	x, err := newExploration(context.Background(), petritest.Kanban(1), petri.Facts{}, petri.Budget{}, 8, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	written := make([][]uintptr, len(x.workers))
	for i, w := range x.workers {
		for _, p := range []unsafe.Pointer{
			unsafe.Pointer(&w.account), unsafe.Pointer(&w.player), unsafe.Pointer(&w.measure), unsafe.Pointer(&w.firings),
			unsafe.Pointer(unsafe.SliceData(w.packed)), unsafe.Pointer(&w.packed[len(w.packed)-1]),
		} {
			written[i] = append(written[i], uintptr(p))
		}
	}
	for i, mine := range written {
		for _, others := range written[i+1:] {
			for _, a := range mine {
				for _, b := range others {
					if max(a, b)-min(a, b) < line/2 {
						t.Errorf("two threads write to %x and %x", a, b)
					}
				}
			}
		}
	}
}

package etf

import (
	"context"
	"errors"
	"runtime/debug"
	"testing"

	"pnmc/internal/account"
	"pnmc/petri"
)

// TestNetsOfModelsHaveLimits: making a net of a large table ends with the context, and is not begun
// where there is no memory for it.
func TestNetsOfModelsHaveLimits(t *testing.T) {
	m := &Model{Variables: []Typed{{Name: "x"}}, EdgeLabels: []Typed{{Name: "a"}}, Initial: []int32{0}, Groups: []Group{nil}}
	const rows = 200_000
	for i := range int32(rows) {
		m.Groups[0] = append(m.Groups[0], Row{Entries: []Entry{{0, i, i + 1}}, Labels: []int32{0}})
	}
	for _, looks := range []int{1, 10, 50} {
		if _, err := m.Net(account.EndsAfter(looks)); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("after %d looks: %v", looks, err)
		}
	}
	debug.FreeOSMemory()
	ctx, stop := account.Within(t.Context(), petri.Budget{MemoryBytes: account.InUse() + 16<<20})
	defer stop(nil)
	before := account.InUse()
	var full *petri.MemoryError
	if _, err := m.Net(ctx); !errors.As(err, &full) {
		t.Errorf("%v, expected that there is no memory", err)
	}
	if made := account.InUse() - before; made > 32<<20 {
		t.Errorf("%d MB were taken before", made>>20)
	}
}

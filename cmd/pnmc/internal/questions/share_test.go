package questions

import (
	"errors"
	"strings"
	"testing"

	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/symbolic"
)

// TestDiagramsGetWhatIsFree: the diagrams of reachable states may take most of the memory
// that is free, and those of products most of what they leave; who comes to the limit is
// told how much that was, and of which limit it is a part.
func TestDiagramsGetWhatIsFree(t *testing.T) {
	budget := petri.Budget{MemoryBytes: 8 << 30}
	s := &symbolicSession{}
	if s.share(budget); s.settings.Memory < 4<<30 || s.settings.Memory > 8<<30 {
		t.Errorf("%d MB of 8 GB", s.settings.Memory>>20)
	}
	_, err := symbolic.Explore(t.Context(), petritest.Philosophers(2000), symbolic.Options{Memory: 1 << 20})
	if !errors.Is(err, symbolic.ErrMemory) || !strings.Contains(err.Error(), "budget of 1 MB") {
		t.Error(err)
	}
	limited := symbolic.Options{Memory: 1 << 20, Process: budget}
	if _, err = symbolic.Explore(t.Context(), petritest.Philosophers(2000), limited); !errors.Is(err, symbolic.ErrMemory) || !strings.HasPrefix(err.Error(), "memory limit of 8192 MB reached: ") || !strings.HasSuffix(err.Error(), " 1 MB") {
		t.Error(err)
	}
}

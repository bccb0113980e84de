package coloured

import (
	"errors"
	"fmt"
	"runtime/debug"
	"testing"

	"pnmc/checker/internal/core"
	"pnmc/internal/account"
	"pnmc/petri"
	"pnmc/petri/symmetric"
)

// TestUnfoldingKeepsToTheMemory: of a transition with hundreds of variables each binding takes kilobytes, long before there
// are more nodes than memory allows. The error says that memory is short.
func TestUnfoldingKeepsToTheMemory(t *testing.T) {
	class := &symmetric.Class{Name: "C", Size: 1 << 16}
	net := &symmetric.Net{Places: []symmetric.Place{{ID: "p"}}}
	transition := symmetric.Transition{ID: "t"}
	for i := range 1000 {
		transition.Variables = append(transition.Variables, symmetric.VariableDeclaration{Name: fmt.Sprint("x", i), Class: class})
	}
	net.Transitions = append(net.Transitions, transition)
	debug.FreeOSMemory()
	const room = 48 << 20
	before := account.InUse()
	shared := core.NewShared(core.Settings{MemoryBytes: before + room}, 1)
	defer shared.Close()
	s := NewSolver(net, shared, true, Plans{}, nil)
	_, err := s.unfolded(t.Context(), false)
	var short *petri.MemoryError
	if !errors.As(err, &short) {
		t.Errorf("error %v", err)
	}
	if used := account.InUse() - before; used > room+room/2 {
		t.Errorf("%d MB of %d", used>>20, room>>20)
	}
}

package coloured

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/ledger"
	"pnmc/internal/account"
)

// TestLimitOfUnfoldingIsTold: that the memory there is does not allow to unfold the net is the
// reason why a question is left.
func TestLimitOfUnfoldingIsTold(t *testing.T) {
	shared := core.NewShared(core.Settings{MemoryBytes: account.InUse() + 100<<20}, 1)
	net := meetings()
	s := NewSolver(net, shared, true, Plans{}, nil)
	net.Places[0].Domain[0].Size = int64(s.mostNodes()) * 2 / 3 // colours, which several nodes have each
	want := fmt.Sprintf("more than %d nodes, as many as a memory limit of %d MB allows", s.mostNodes(), shared.MemoryBytes>>20)
	questions := []inquiry.Question{inquiry.Deadlock{}}
	answers := ledger.NewAnswers(len(questions), nil)
	task := &core.Task{Shared: shared, Whole: t.Context(), Family: inquiry.DeadlockFamily, Ledger: &ledger.Ledger{Answers: answers}}
	done := make(chan struct{})
	close(done)
	cut, err := s.decideUnfolded(t.Context(), task, func() {}, done, func() {}, &ledger.Part{Family: task.Family, Numbers: []int{0}}, questions)
	if cut || !errors.Is(err, inquiry.ErrNotDecided) || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("%v, %v", cut, err)
	}
}

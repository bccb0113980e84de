package coloured

import (
	"errors"
	"strings"
	"testing"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/ledger"
)

// TestLimitOfUnfoldingIsTold: that the memory there is does not allow to unfold the net is the
// reason why a question is left.
func TestLimitOfUnfoldingIsTold(t *testing.T) {
	shared := core.NewShared(core.Settings{MemoryBytes: 10 * bytesPerNode}, 1)
	s := NewSolver(meetings(), shared, true, Plans{}, nil)
	questions := []inquiry.Question{inquiry.Deadlock{}}
	answers := ledger.NewAnswers(len(questions), nil)
	task := &core.Task{Shared: shared, Whole: t.Context(), Family: inquiry.DeadlockFamily, Ledger: &ledger.Ledger{Answers: answers}}
	done := make(chan struct{})
	close(done)
	cut, err := s.decideUnfolded(t.Context(), task, func() {}, done, func() {}, &ledger.Part{Family: task.Family, Numbers: []int{0}}, questions)
	if cut || !errors.Is(err, inquiry.ErrNotDecided) || !strings.HasSuffix(err.Error(), "more than 10 nodes, as many as a memory limit of 0 MB allows") {
		t.Errorf("%v, %v", cut, err)
	}
}

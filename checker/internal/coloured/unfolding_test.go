package coloured

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/ledger"
	"pnmc/internal/account"
	"pnmc/logic"
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

// TestWalksGoOnBesideFullEngines: where an engine for the skeleton has filled the memory that is for engines, walks of the
// coloured net go on: questions that they could answer are not lost with it.
func TestWalksGoOnBesideFullEngines(t *testing.T) {
	debug.FreeOSMemory()
	shared := core.NewShared(core.Settings{MemoryBytes: account.InUse() + 100<<20, Without: inquiry.QueryReduction}, 2)
	defer shared.Close()
	filled := false
	full := core.Phase{Name: "full", Until: 1, Engine: func(ctx context.Context, r *core.Task) error {
		limits := account.New(r.Budget)
		limits.Begin(ctx)
		var held [][]byte
		for {
			held = append(held, bytes.Repeat([]byte{1}, 1<<20))
			if err := limits.Look(); err != nil {
				held = append(held, bytes.Repeat([]byte{1}, 4<<20))
				time.Sleep(300 * time.Millisecond) // while others look
				filled = ctx.Err() == nil && len(held) > 10
				runtime.KeepAlive(held)
				return err
			}
		}
	}}
	net := meetings()
	s := NewSolver(net, shared, true, Plans{Reachability: []core.Phase{full}}, nil)
	three := &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: 3, Terms: []logic.Term{{Place: 2, Coefficient: -1}}}} // never met
	questions := []inquiry.Question{inquiry.Reachable{Predicate: three}}
	answers := ledger.NewAnswers(len(questions), func(inquiry.Answer) {})
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	p := &ledger.Part{Family: inquiry.ReachabilityFamily, Numbers: []int{0}}
	task := &core.Task{Shared: shared, Whole: ctx, Budget: shared.Budget, Family: p.Family, Ledger: &ledger.Ledger{Answers: answers}}
	if short := s.besideUnfolding(ctx, task, cancel, p, questions); short != nil || !filled {
		t.Errorf("the memory was filled: %t; the work ended: %v", filled, short)
	}
}

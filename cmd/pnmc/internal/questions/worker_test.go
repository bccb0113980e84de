package questions

import (
	"context"
	"errors"
	"pnmc/checker"
	"testing"
)

// When a limit comes, what is not answered is unknown, and an answer that comes later is
// dropped: each question has one answer.
func TestLimitedAnswers(t *testing.T) {
	reason := errors.New("time is over")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(reason)
	var got []checker.Answer
	d := &limited{found: func(a checker.Answer) { got = append(got, a) }, given: make([]bool, 3)}
	d.give(checker.Answer{Question: 1, Value: checker.Truth(true)})
	d.give(checker.Answer{Question: 1, Value: checker.Truth(false)})
	d.end(ctx)
	d.give(checker.Answer{Question: 2, Value: checker.Truth(true)})
	if len(got) != 3 || !got[0].Value.IsTrue() || got[1].Question != 0 || got[1].Reason != reason || got[2].Question != 2 || got[2].Reason != reason {
		t.Errorf("answers %v", got)
	}
	// A model whose solver is still busy with questions before tells so at the limit.
	m := &model{deciding: worker{busy: make(chan error)}}
	got = nil
	err := m.decide(ctx, []checker.Question{checker.Deadlock{}}, func(a checker.Answer) { got = append(got, a) })
	if err != nil || len(got) != 1 || got[0].Reason != reason {
		t.Errorf("%v, %v", got, err)
	}
}

// TestWorker: work that does not end with its context is left, and the next waits for it.
func TestWorker(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var w worker
	begun, left := make(chan bool), make(chan bool)
	go func() {
		<-begun
		cancel()
	}()
	if ended, err := w.do(ctx, func() error { close(begun); <-left; return errors.New("late") }); ended || err != nil {
		t.Errorf("ended %v, %v", ended, err)
	}
	if ended, err := w.do(ctx, func() error { t.Error("two at a time"); return nil }); ended || err != nil {
		t.Errorf("ended %v, %v", ended, err)
	}
	close(left)
	reason := errors.New("in time")
	if ended, err := w.do(context.Background(), func() error { return reason }); !ended || err != reason {
		t.Errorf("ended %v, %v", ended, err)
	}
	defer func() {
		if defect := recover(); defect == nil {
			t.Error("a panic is not told")
		}
	}()
	_, _ = w.do(context.Background(), func() error { panic("defect") })
}

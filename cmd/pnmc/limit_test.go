package main

import (
	"context"
	"errors"
	"testing"

	"pnmc/checker"
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
	m := &model{deciding: make(chan error)}
	got = nil
	err := m.decide(ctx, []checker.Question{checker.Deadlock{}}, func(a checker.Answer) { got = append(got, a) })
	if err != nil || len(got) != 1 || got[0].Reason != reason {
		t.Errorf("%v, %v", got, err)
	}
}

package main

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"pnmc/checker"
)

// grace is how long after a limit engines may take to stop before the verdicts are told
// without them.
const grace = 50 * time.Millisecond

// decide has the solver answer questions. When ctx ends, what is not answered is told soon,
// even if an engine has not stopped yet: who set the limit may not wait longer. The next
// questions wait for it.
func (m *model) decide(ctx context.Context, questions []checker.Question, found func(checker.Answer)) error {
	if m.deciding != nil {
		select {
		case <-m.deciding:
			m.deciding = nil
		case <-ctx.Done():
		}
	}
	d := &limited{found: found, given: make([]bool, len(questions))}
	if m.deciding != nil {
		d.end(ctx)
		return nil
	}
	done := make(chan error, 1)
	go func() {
		defer func() {
			if defect := recover(); defect != nil {
				done <- &defectError{fmt.Sprintf("%v\n%s", defect, debug.Stack())}
			}
		}()
		done <- m.solver.Decide(ctx, questions, d.give)
	}()
	var err error
	select {
	case err = <-done:
	case <-ctx.Done():
		select {
		case err = <-done:
		case <-time.After(grace):
			m.deciding = done
			d.end(ctx)
		}
	}
	if defect, ok := err.(*defectError); ok {
		panic(defect.text) // where it is told as an internal error
	}
	return err
}

// defectError is a panic of a solver.
type defectError struct{ text string }

func (e *defectError) Error() string { return e.text }

// limited hands over each answer once, until it ends.
type limited struct {
	mutex sync.Mutex
	found func(checker.Answer)
	given []bool
	over  bool
}

func (d *limited) give(a checker.Answer) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if d.over || d.given[a.Question] {
		return
	}
	d.given[a.Question] = true
	d.found(a)
}

// end hands over what is missing as unknown, and nothing any more.
func (d *limited) end(ctx context.Context) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.over = true
	for i, given := range d.given {
		if !given {
			d.found(checker.Answer{Question: i, Reason: context.Cause(ctx)})
		}
	}
}

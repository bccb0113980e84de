package questions

import (
	"context"
	"fmt"
	"pnmc/checker"
	"runtime/debug"
	"sync"
	"time"
)

// grace is how long after a limit engines may take to stop before the verdicts are told
// without them.
const grace = 50 * time.Millisecond

// A worker does one piece of work after the other. Each must end with its context. Where one
// does not, who waits for it goes on soon: who set a limit, or interrupted, may not wait
// longer. The next piece waits for it, as they work on the same things.
//
// Work is done in a goroutine of its own, which can't be ended from outside. So do reports whether
// the work has ended. If it has, its results may be read. If not, nothing that the work writes may
// be read until a later do has waited for it. A panic of the work comes out of do, where the
// command turns it into an internal error.
type worker struct {
	busy chan error // of work that has not ended with its context, or nil
}

// do does work, and reports whether it has ended; if not, it may still be done. After the end of ctx
// it waits for grace, no longer.
func (w *worker) do(ctx context.Context, work func() error) (ended bool, err error) {
	if w.busy != nil {
		select {
		case <-w.busy:
			w.busy = nil
		case <-ctx.Done():
			return false, nil
		}
	}
	done := make(chan error, 1)
	go func() {
		defer func() {
			if defect := recover(); defect != nil {
				done <- &defectError{fmt.Sprintf("%v\n%s", defect, debug.Stack())}
			}
		}()
		done <- work()
	}()
	select {
	case err = <-done:
	case <-ctx.Done():
		select {
		case err = <-done:
		case <-time.After(grace):
			w.busy = done
			return false, nil
		}
	}
	if defect, ok := err.(*defectError); ok {
		panic(defect.text) // where it is told as an internal error
	}
	return true, err
}

// decide has the solver answer questions. When ctx ends, what is not answered is reported soon,
// even if an engine has not stopped yet.
func (m *model) decide(ctx context.Context, questions []checker.Question, found func(checker.Answer)) error {
	d := &limited{found: found, given: make([]bool, len(questions))}
	ended, err := m.deciding.do(ctx, func() error { return m.solver.Decide(ctx, questions, d.give) })
	if !ended {
		d.end(ctx)
	}
	return err
}

// defectError is a panic of a solver.
type defectError struct{ text string }

func (e *defectError) Error() string { return e.text }

// limited hands over each answer once, until it ends.
//
// The time of a question is over, and its verdict is printed as unknown. The engine that did not
// stop in time may find the answer a moment later: it must not be printed as a second line.
type limited struct {
	mutex sync.Mutex
	found func(checker.Answer)
	given []bool
	over  bool
}

// give hands an answer over, unless the question has one or it is too late. Engines may call it
// from several goroutines.
func (d *limited) give(a checker.Answer) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if d.over || d.given[a.Question] {
		return
	}
	d.given[a.Question] = true
	d.found(a)
}

// end hands over the missing answers as unknown, and hands over nothing after that.
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

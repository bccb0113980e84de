// Package interrupt ends a command that the user stops, soon and in order.
//
// In come signals, and writes that wait for a reader beyond their time; out go the end of the
// command's context, the files that are whole, and the exit code. Commands note here whether they
// told how to go on; what they tell is in package main.
package interrupt

import (
	"errors"
	"io"
	"os"
	"time"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/output"
	"pnmc/cmd/pnmc/internal/wording"
)

// ErrInterrupted is why a check ended that the user stopped.
var ErrInterrupted = errors.New("interrupted")

// patience is how long a command that the user interrupted may take to end by itself.
// Engines look at the context every few thousand steps; what does not, such as reading a
// large net, has nothing to tell yet.
const patience = 700 * time.Millisecond

// sameSignal is how long after a signal another one is still the same: timeout(1) and
// wrappers of commands send it to the process and to its group.
const sameSignal = 200 * time.Millisecond

// Supervise runs a command until it ends, a second signal comes, or it has not ended soon
// after the first signal. It calls stop to make the command end. Files that are not
// finished then are ended so that none is half written; way says how to go on. It returns
// the exit code.
//
// A command that the user interrupts has verdicts to print, and mostly ends by itself within
// milliseconds. If it does not, it is left: the process ends while its goroutines still work. Files
// must not be half on the disk, so open files are completed or removed first.
//
// A command that waits for a reader of its output beyond its time is left in the same way. The exit
// code is then the one for output that can't be written, as it is if the command has ended, but
// not all that it writes was taken.
func Supervise(command func() int, signals <-chan os.Signal, stop func(), files *output.Unfinished, way string, stderr io.Writer) int {
	finished := make(chan int, 1)
	go func() { finished <- command() }()
	ended := func(code int) int {
		if err := files.Settle(sameSignal); err != nil {
			return leave(exit.Input, err.Error(), files, "", stderr)
		}
		return code
	}
	select {
	case code := <-finished:
		return ended(code)
	case err := <-files.Stalled():
		return leave(exit.Input, err.Error(), files, "", stderr)
	case <-signals:
		stop()
	}
	again, late := time.Now().Add(sameSignal), time.After(patience)
	for waiting := true; waiting; {
		select {
		case code := <-finished:
			return ended(code)
		case <-signals:
			waiting = time.Now().Before(again)
		case <-late:
			waiting = false
		}
	}
	_ = files.Settle(0) // what is found and being written is no part of what is missing
	return leave(exit.Unknown, "interrupted before the command could end by itself: what it has not printed is missing", files, way, stderr)
}

// leave ends files of a command that goes on, tells why it is left and how to go on, and returns code.
// Standard error may be what nobody reads, which is not waited for.
func leave(code int, why string, files *output.Unfinished, way string, stderr io.Writer) int {
	text := wording.Complaint(why)
	for _, told := range files.End() {
		text += wording.Complaint(told)
	}
	if way != "" {
		text += wording.Complaint(way)
	}
	output.WriteRead(stderr, text, sameSignal/2)
	return code
}

// ReadRest is how long the rest of a file is read after an interruption, or after the end of
// the whole time. So each property in it gets a line.
const ReadRest = patience / 2

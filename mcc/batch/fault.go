package batch

import (
	"errors"
	"io/fs"
	"os/exec"

	"pnmc/internal/process"
)

// Fault is why a run did not do what was asked, apart from its limits.
type Fault string

// The faults, as the journal spells them.
const (
	// NoFault: the run ended by itself or at its limits.
	NoFault Fault = ""
	// Absent: the examination has a property file, which the instance lacks.
	Absent Fault = "absent"
	// Unread: the model or properties, or some of them, can't be read.
	Unread Fault = "unread"
	// Failed: the program did not start, or ended in a way that it should not.
	Failed Fault = "failed"
	// Killed: somebody killed the program, which was not the batch: the system, most likely,
	// for want of memory.
	Killed Fault = "killed"
)

// faultOfFiles is the fault of a run that was not begun for err.
func faultOfFiles(err error) Fault {
	if errors.Is(err, fs.ErrNotExist) {
		return Absent
	}
	return Unread
}

// faultOf is the fault of a process that ended by itself with err: unreadCode is the
// exit code by which it says that it could not read its input.
func faultOf(err error, unreadCode int) Fault {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return NoFault
	case errors.As(err, &exit) && unreadCode != 0 && exit.ExitCode() == unreadCode:
		return Unread
	case errors.As(err, &exit) && process.WasKilled(exit.ProcessState):
		return Killed
	}
	return Failed
}

// toRepeat reports whether another batch should try the run again: it was
// interrupted or killed, or there was nothing to read.
func (r *Run) toRepeat() bool {
	return !r.Ended || r.NotRun() || r.Fault == Killed || r.Fault == Unread && len(r.Answers) == 0
}

package batch

import (
	"os/exec"
	"runtime"
	"syscall"
)

// dieTogether has the process of command killed when this one ends, no matter how. That
// is bound to the thread that starts it, which the caller keeps until release.
func dieTogether(command *exec.Cmd) (release func()) {
	runtime.LockOSThread()
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	return runtime.UnlockOSThread
}

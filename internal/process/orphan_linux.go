package process

import (
	"os/exec"
	"runtime"
	"syscall"
)

// DieTogether has the process of a command killed when this one ends, no matter how. The
// system binds that to the thread that starts the command, which the caller keeps until
// release.
func DieTogether(command *exec.Cmd) (release func()) {
	runtime.LockOSThread()
	if command.SysProcAttr == nil {
		command.SysProcAttr = &syscall.SysProcAttr{}
	}
	command.SysProcAttr.Pdeathsig = syscall.SIGKILL
	return runtime.UnlockOSThread
}

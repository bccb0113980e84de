//go:build unix

package cross

import (
	"os/exec"
	"syscall"
)

// ownGroup makes the command the head of a group of processes, all of which are
// killed when its context ends.
func ownGroup(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
}

// endGroup kills what is left of the group of a command that has ended.
func endGroup(command *exec.Cmd) {
	if command.Process != nil {
		_ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL) // mostly nothing is left
	}
}

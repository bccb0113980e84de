//go:build unix

package process

import (
	"os/exec"
	"syscall"
)

// OwnGroup makes a command the head of a group of processes, all of which are killed when its context
// ends. The terminal's signals do not reach them.
func OwnGroup(command *exec.Cmd) {
	Apart(command)
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
}

// EndGroup kills what is left of the group of a command that has ended.
func EndGroup(command *exec.Cmd) {
	if command.Process != nil {
		_ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL) // mostly nothing is left
	}
}

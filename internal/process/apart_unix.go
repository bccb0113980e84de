//go:build unix

package process

import (
	"os/exec"
	"syscall"
)

// Apart keeps the process of a command from the signals that the terminal sends to this
// one, such as an interruption: it is for this one to say what becomes of it.
func Apart(command *exec.Cmd) {
	if command.SysProcAttr == nil {
		command.SysProcAttr = &syscall.SysProcAttr{}
	}
	command.SysProcAttr.Setpgid = true
}

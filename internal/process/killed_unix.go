//go:build unix

package process

import (
	"os"
	"syscall"
)

// WasKilled reports whether a process was ended by somebody else, with SIGKILL or SIGTERM.
func WasKilled(ended *os.ProcessState) bool {
	status, ok := ended.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && (status.Signal() == syscall.SIGKILL || status.Signal() == syscall.SIGTERM)
}

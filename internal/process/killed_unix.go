//go:build unix

package process

import (
	"os"
	"syscall"
)

// WasKilled reports whether a process ended by the signal that none survives.
func WasKilled(ended *os.ProcessState) bool {
	status, ok := ended.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}

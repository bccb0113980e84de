//go:build unix

package process

import (
	"os"
	"syscall"
)

// WasKilled reports whether a process ended by a signal by which somebody else ends it: that
// which none survives, or that which asks for an end.
func WasKilled(ended *os.ProcessState) bool {
	status, ok := ended.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && (status.Signal() == syscall.SIGKILL || status.Signal() == syscall.SIGTERM)
}

//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package batch

import (
	"errors"
	"os"
	"syscall"
)

// lock takes the file for this process alone. The system gives it back when the
// process ends, however it ends. It reports whether another process has it.
func lock(file *os.File) (taken bool, err error) {
	err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	switch {
	case errors.Is(err, syscall.EWOULDBLOCK):
		return true, nil
	case errors.Is(err, syscall.ENOLCK), errors.Is(err, syscall.ENOTSUP), errors.Is(err, syscall.EINVAL):
		return false, nil // a file system without locks
	}
	return false, err
}

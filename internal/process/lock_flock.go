//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package process

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// A process that was killed while it started another gives its lock back only when the
// other runs its own program. So a lock that is taken is asked for again.
const (
	lockTries = 40
	lockPause = 25 * time.Millisecond
)

// Lock takes the file for this process alone. The system gives it back when the
// process ends, however it ends. It reports whether another process has it.
func Lock(file *os.File) (taken bool, err error) {
	for range lockTries {
		err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			break
		}
		time.Sleep(lockPause)
	}
	switch {
	case errors.Is(err, syscall.EWOULDBLOCK):
		return true, nil
	case errors.Is(err, syscall.ENOLCK), errors.Is(err, syscall.ENOTSUP), errors.Is(err, syscall.EINVAL), errors.Is(err, syscall.ENOSYS):
		return false, nil // a file system without locks
	}
	return false, err
}

// Free takes the file for this process alone if that is certain, and reports whether it is: no
// process has it, and the file system knows of locks.
func Free(file *os.File) bool {
	return syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}

// Hold takes the file at path for this process alone until release is called, as Lock does. It reports
// whether it has the file: another process may have taken it or removed it. It leaves the file open a
// second time, so that whoever writes it can close it before.
func Hold(path string) (release func(), held bool, err error) {
	none := func() {}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		if errors.Is(err, os.ErrNotExist) {
			err = nil
		}
		return none, false, err
	}
	release = func() { _ = file.Close() } // nothing was written
	taken, err := Lock(file)
	if err == nil && !taken {
		var ours, there os.FileInfo
		if ours, err = file.Stat(); err == nil {
			there, err = os.Stat(path)
		}
		if err == nil && os.SameFile(ours, there) {
			return release, true, nil
		}
		if errors.Is(err, os.ErrNotExist) {
			err = nil
		}
	}
	release()
	return none, false, err
}

//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd || solaris

package output

import (
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// isFull reports whether a pipe, a terminal or a socket has no room, so that a write waits until somebody reads,
// and whether that is known.
func isFull(out io.Writer) (full, known bool) {
	f, ok := out.(*os.File)
	if !ok {
		return false, false
	}
	raw, err := f.SyscallConn()
	if err != nil {
		return false, false
	}
	err = raw.Control(func(descriptor uintptr) {
		asked := []unix.PollFd{{Fd: int32(descriptor), Events: unix.POLLOUT}}
		n, err := unix.Poll(asked, 0)
		for errors.Is(err, unix.EINTR) {
			n, err = unix.Poll(asked, 0)
		}
		full, known = n == 0, err == nil
	})
	return full, known && err == nil
}

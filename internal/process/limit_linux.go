package process

import "golang.org/x/sys/unix"

// LimitMemory bounds the address space of a process that this one has started, in bytes, and of those
// that it will start. What it asks for beyond that the system refuses. The error says that it could not
// be bounded; elsewhere than on Linux nothing is.
func LimitMemory(pid int, bytes int64) error {
	limit := unix.Rlimit{Cur: uint64(bytes), Max: uint64(bytes)}
	return unix.Prlimit(pid, unix.RLIMIT_AS, &limit, nil)
}

//go:build unix

package unpack

import "syscall"

// withoutWaiting is the flag of opening a file that does not wait for a writer of a pipe.
const withoutWaiting = syscall.O_NONBLOCK

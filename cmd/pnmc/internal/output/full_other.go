//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || solaris)

package output

import "io"

// isFull knows nothing: the system does not tell.
func isFull(io.Writer) (full, known bool) { return false, false }

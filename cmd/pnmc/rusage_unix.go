//go:build unix

package main

import (
	"runtime"
	"syscall"
)

// peakMemory is the most memory the process had resident so far, in bytes.
func peakMemory() int64 {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	peak := int64(usage.Maxrss)
	if runtime.GOOS != "darwin" && runtime.GOOS != "ios" {
		peak *= 1024 // elsewhere it is counted in kilobytes
	}
	return peak
}

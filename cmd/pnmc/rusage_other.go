//go:build !unix

package main

import "runtime"

// peakMemory is what the process got from the operating system so far, in bytes,
// where its peak can't be asked for.
func peakMemory() int64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.Sys)
}

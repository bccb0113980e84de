//go:build !unix

package main

import (
	"runtime"
	"time"
)

// peakMemory is what the process got from the operating system so far, in bytes,
// where its peak can't be asked for.
func peakMemory() int64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.Sys)
}

// processorTime is the time since the program began, where the processor time
// that it used can't be asked for.
func processorTime() time.Duration { return time.Since(programStart) }

var programStart = time.Now()

//go:build unix

package process

import (
	"os"
	"runtime"
	"syscall"
)

// usedPeak returns what Peak does, as the system accounts for this process.
func usedPeak() int64 {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return residentPeak(&usage)
}

// endedPeak returns what the system accounted for an ended process, or 0.
func endedPeak(ended *os.ProcessState) int64 {
	if ended == nil {
		return 0
	}
	usage, ok := ended.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return residentPeak(usage)
}

// residentPeak returns the most memory resident, in bytes.
func residentPeak(usage *syscall.Rusage) int64 {
	peak := int64(usage.Maxrss)
	if runtime.GOOS != "darwin" && runtime.GOOS != "ios" {
		peak *= 1024 // elsewhere it is counted in kilobytes
	}
	return peak
}

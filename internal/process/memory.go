package process

import (
	"os"
	"strconv"
	"strings"
)

// Memory returns what a process has resident now, and the most it had, in bytes; 0 where the
// system does not tell in the way of Linux.
func Memory(pid int) (resident, peak int64) {
	status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		return 0, 0
	}
	for line := range strings.Lines(string(status)) {
		words := strings.Fields(line)
		if len(words) < 2 {
			continue
		}
		kilobytes, err := strconv.ParseInt(words[1], 10, 64)
		switch {
		case err != nil:
		case words[0] == "VmRSS:":
			resident = kilobytes << 10
		case words[0] == "VmHWM:":
			peak = kilobytes << 10
		}
	}
	return resident, peak
}

// Peak returns the most memory that this process had resident, in bytes.
func Peak() int64 {
	if _, peak := Memory(os.Getpid()); peak > 0 {
		return peak
	}
	return usedPeak()
}

// PeakOf returns the most memory, in bytes, that a process had resident. The process has
// ended; seen is the most that was seen while it ran. The result is 0 if the system does
// not say. Linux counts for a process what its parent had when it started it. A figure
// that is no larger than that says nothing; then seen is the best that is known.
func PeakOf(ended *os.ProcessState, seen int64) int64 {
	if peak := endedPeak(ended); peak > usedPeak() || seen == 0 {
		return max(peak, seen)
	}
	return seen
}

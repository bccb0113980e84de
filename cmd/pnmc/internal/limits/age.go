package limits

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"time"
)

// mostAge bounds the age of the process that counts: one that a shell or a launcher
// became may be older than the command.
const mostAge = time.Second

// Begun returns when the process began, for limits that count from there: on a machine
// with much to do it takes a while until the first line of a program runs. Where the
// system does not tell, it is now.
func Begun() time.Time {
	now := time.Now()
	stat, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return now
	}
	uptime, err := os.ReadFile("/proc/uptime")
	if err != nil {
		return now
	}
	return now.Add(-min(processAge(stat, uptime), mostAge))
}

// processAge reads the age of a process from what Linux says of it, and of the time
// since the start of the system. It returns 0 if these texts are not as expected.
//
// The file has the fields of proc(5) with blanks between them. A name may have blanks and
// parentheses, so fields are counted from the last parenthesis on. Field 3 comes right behind
// it. So field 22, the start in ticks since the system was started, is the twentieth there. The
// age is the time since that start less the ticks.
func processAge(stat, uptime []byte) time.Duration {
	const startField, ticksPerSecond = 22, 100 // as proc(5) counts them; ticks are the same on all systems with Go
	// The second field, the name in parentheses, may have spaces.
	_, rest, found := bytes.Cut(stat[max(0, bytes.LastIndexByte(stat, ')')):], []byte(" "))
	fields := strings.Fields(string(rest))
	first, _, _ := strings.Cut(string(uptime), " ")
	if !found || len(fields) < startField-2 {
		return 0
	}
	ticks, err := strconv.ParseInt(fields[startField-3], 10, 64)
	if err != nil {
		return 0
	}
	seconds, err := strconv.ParseFloat(first, 64)
	if err != nil {
		return 0
	}
	return max(0, time.Duration(seconds*float64(time.Second))-time.Duration(ticks)*(time.Second/ticksPerSecond))
}

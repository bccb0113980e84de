package main

import (
	"regexp"
	"testing"
)

// timeOfDay matches what takes the time of day out of a time, or compares with one that has nothing else.
var timeOfDay = regexp.MustCompile(`\btime\.(Unix\w*|Parse|ParseInLocation|Date)\(|\.Unix(Milli|Micro|Nano)?\(\)|\.Round\(0\)|\.Truncate\(0\)|\.ModTime\(\)|\.UTC\(\)|\.(GobEncode|MarshalBinary|MarshalText|AppendFormat)\(`)

// usesTimeOfDay are the packages that need it, each with the reason.
var usesTimeOfDay = map[string]string{
	"mcc/batch":        "a journal tells when a run began, and an archive that lacked a file is read again if it was changed since; no seconds come of that",
	"internal/process": "as in petri/disk",
	"internal/release": "archives have the time of the commit",
	"internal/torture": "a seed that nobody gives is drawn from it",
}

// TestClocksThatJump: no measurement and no limit depends on the time of day, which may jump. Times that
// the program takes and subtracts have a monotonic reading, as long as nothing takes it away. This is a search of the source;
// TestLimitsWhileTheClockJumps runs the program while the time of day jumps.
func TestClocksThatJump(t *testing.T) {
	used := map[string]bool{}
	eachProductFile(t, func(folder, name string, text []byte) error {
		for _, found := range timeOfDay.FindAll(text, -1) {
			if used[folder] = true; usesTimeOfDay[folder] == "" {
				t.Errorf("%s/%s: %s depends on the time of day", folder, name, found)
			}
		}
		return nil
	})
	for folder := range usesTimeOfDay {
		if !used[folder] {
			t.Errorf("%s: it is listed, and does not use the time of day", folder)
		}
	}
}

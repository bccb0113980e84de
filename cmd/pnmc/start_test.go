package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// What a start may take. What packages of others allocate before main begins is about 560 KB, most
// of it names of characters, of encodings and of keys; a package of ours that has much to do then
// should use internal/lazy.
const (
	mostAtStart    = 640 << 10
	mostOfOneOfUs  = 8 << 10
	mostResidentKB = 8 << 10 // in the median: now and then pages of the file happen to be in large blocks
	residentRuns   = 20
)

// startedProgram builds the program, and returns its path.
func startedProgram(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pnmc")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	command := exec.Command("go", "build", "-o", path, ".")
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// TestStartIsSmall: a command that draws, reads and asks nothing does not pay for those that do.
// Packages that are linked in must not load fonts, nor make tables or parsers, before they are used.
func TestStartIsSmall(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	path := startedProgram(t)
	command := exec.Command(path, "states", "--pnml", "../../testdata/philosophers.pnml", "--format", "json")
	command.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var trace, out bytes.Buffer
	command.Stderr, command.Stdout = &trace, &out
	if err := command.Run(); err != nil {
		t.Fatalf("%v\n%s", err, &trace)
	}
	sum, packages := 0, 0
	for _, m := range regexp.MustCompile(`(?m)^init (\S+) @.* (\d+) bytes, \d+ allocs$`).FindAllStringSubmatch(trace.String(), -1) {
		n, err := strconv.Atoi(m[2])
		if err != nil {
			t.Fatal(err)
		}
		sum, packages = sum+n, packages+1
		if strings.HasPrefix(m[1], "pnmc/") && n > mostOfOneOfUs {
			t.Errorf("package %s allocates %d bytes at the start, expected at most %d: internal/lazy", m[1], n, mostOfOneOfUs)
		}
	}
	if packages < 20 || sum > mostAtStart {
		t.Errorf("%d packages allocate %d bytes at the start, expected at most %d:\n%s", packages, sum, mostAtStart, &trace)
	}
	var report statesReport
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		return
	}
	var peaks []int64
	for range residentRuns {
		text, err := exec.Command(path, "states", "--pnml", "../../testdata/philosophers.pnml", "--format", "json").Output()
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &report); err != nil {
			t.Fatal(err)
		}
		peaks = append(peaks, report.PeakRSSBytes)
	}
	slices.Sort(peaks)
	if median := peaks[residentRuns/2]; median > mostResidentKB<<10 {
		t.Errorf("%d bytes were resident in the median of %d, expected at most %d KB", median, peaks, mostResidentKB)
	} else {
		t.Logf("%d bytes were resident in the median, %d to %d", median, peaks[0], peaks[residentRuns-1])
	}
}

// A program that loads what draws plots where nothing is drawn had 17 MB resident: the library that did
// stays out.
func TestNoFontsAtStart(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for name := range strings.Lines(string(out)) {
		if strings.HasPrefix(name, "gonum.org/v1/plot") || strings.Contains(name, "go-fonts") || strings.Contains(name, "go-latex") {
			t.Errorf("%s is linked in: it decodes fonts at each start", strings.TrimSpace(name))
		}
	}
}

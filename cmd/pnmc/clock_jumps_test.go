package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"pnmc/cmd/pnmc/internal/exit"
)

// A time of day that jumps by up to fourteen hours, forth and back, ten times a second. No two tenths of the same half minute are alike, so that
// a difference of two moments is wrong by minutes at least. The clock that goes on evenly stays as it is.
const (
	evenClock    = "sec, nsec, mono := runtimeNow()"
	jumpingClock = evenClock + "; sec += 10 * (mono/100000000*6185%10007 - 5000)"
)

// jumpingProgram builds the program with a time of day that jumps.
func jumpingProgram(t *testing.T) string {
	folder := t.TempDir()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	source := filepath.Join(strings.TrimSpace(string(root)), "src", "time", "time.go")
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Count(text, []byte(evenClock)) != 1 {
		t.Fatalf("%s of %s does not take the time as expected: the test is to be mended", source, runtime.Version())
	}
	changed, overlay := filepath.Join(folder, "time.go"), filepath.Join(folder, "overlay.json")
	replaced, err := json.Marshal(map[string]map[string]string{"Replace": {source: changed}})
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string][]byte{changed: bytes.Replace(text, []byte(evenClock), []byte(jumpingClock), 1), overlay: replaced} {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	program := filepath.Join(folder, "pnmc")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	if out, err := exec.Command("go", "build", "-gcflags=all=-N -l", "-overlay", overlay, "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// TestLimitsWhileTheClockJumps runs the program with a time of day that jumps by hours: its limits of time end it neither early nor late,
// and a journal has the seconds that runs took. When they began is a time of day, and may be wrong by as much.
func TestLimitsWhileTheClockJumps(t *testing.T) {
	if testing.Short() {
		t.Skip("builds Go's libraries and the program, which takes a minute the first time")
	}
	program := jumpingProgram(t)
	folder := t.TempDir()
	instance := filepath.Join(folder, "instances", "Hard-PT-1")
	if err := os.MkdirAll(instance, 0o700); err != nil {
		t.Fatal(err)
	}
	net := filepath.Join(instance, "model.pnml")
	if err := os.WriteFile(net, []byte(hardNet(5000)), 0o600); err != nil {
		t.Fatal(err)
	}
	const limit, late = 2 * time.Second, 20 * time.Second // far from an hour, also where others take the processors
	call := func(arguments ...string) (took time.Duration, code int, stderr string) {
		var complaints bytes.Buffer
		command := exec.Command(program, arguments...)
		command.Stderr = &complaints
		begun := time.Now()
		err := command.Run()
		var failed *exec.ExitError
		if err != nil && !errors.As(err, &failed) {
			t.Fatal(err)
		}
		return time.Since(begun), command.ProcessState.ExitCode(), complaints.String()
	}
	for _, flag := range []string{"--timeout", "--total-timeout"} {
		took, code, stderr := call("--pnml", net, "--live", flag, limit.String())
		if code != exit.Unknown || took < limit || took > limit+late || !strings.Contains(stderr, "time limit of "+limit.String()+" reached") {
			t.Errorf("%s: exit code %d after %v, %s", flag, code, took, stderr)
		}
	}
	results := filepath.Join(folder, "results")
	took, code, stderr := call("batch", "--time", "2", "--memory", "1GB", "--examinations", "Liveness", "--out", results, filepath.Dir(instance))
	if code > exit.Unknown || took > limit+late {
		t.Errorf("batch: exit code %d after %v, %s", code, took, stderr)
	}
	journal, err := os.ReadFile(filepath.Join(results, "journal.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	ends := 0
	for line := range bytes.Lines(journal) {
		var entry struct {
			Kind    string  `json:"kind"`
			Seconds float64 `json:"seconds"`
		}
		if err := json.Unmarshal(line, &entry); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if entry.Kind != "end" {
			continue
		}
		if ends++; entry.Seconds < 1 || entry.Seconds > took.Seconds() {
			t.Errorf("a run took %v seconds of %v", entry.Seconds, took)
		}
	}
	if ends != 1 {
		t.Errorf("%d runs ended\n%s", ends, journal)
	}
}

// hardNet returns a net of so many switches, each of which is turned on while the one before is on. Whether it is live takes long
// to say.
func hardNet(switches int) string {
	var b strings.Builder
	b.WriteString(`<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">`)
	arcs := 0
	arc := func(from, to string) {
		arcs++
		fmt.Fprintf(&b, `<arc id="a%d" source="%s" target="%s"/>`, arcs, from, to)
	}
	for i := range switches {
		off, on, up, down := fmt.Sprintf("off%d", i), fmt.Sprintf("on%d", i), fmt.Sprintf("up%d", i), fmt.Sprintf("down%d", i)
		fmt.Fprintf(&b, `<place id="%s"><initialMarking><text>1</text></initialMarking></place><place id="%s"/><transition id="%s"/><transition id="%s"/>`, off, on, up, down)
		for _, a := range [][2]string{{off, up}, {up, on}, {on, down}, {down, off}} {
			arc(a[0], a[1])
		}
		if i > 0 {
			arc(fmt.Sprintf("on%d", i-1), up)
			arc(up, fmt.Sprintf("on%d", i-1))
		}
		if i%7 == 3 {
			blocks := fmt.Sprintf("off%d", i*5%switches)
			arc(blocks, down)
			arc(down, blocks)
		}
	}
	b.WriteString(`</page></net></pnml>`)
	return b.String()
}

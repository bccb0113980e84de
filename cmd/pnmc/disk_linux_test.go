package main

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"pnmc/cmd/pnmc/internal/exit"
)

// rings returns a net of so many rings of so many places, in each of which a token goes round: it
// has places^rings markings, and as many firings for each ring.
func rings(t *testing.T, rings, places int) string {
	t.Helper()
	var text strings.Builder
	text.WriteString(`<pnml><net id="rings" type="ptnet">`)
	for r := range rings {
		for p := range places {
			fmt.Fprintf(&text, `<place id="p%d-%d"><initialMarking><text>%d</text></initialMarking></place>`, r, p, 1-min(p, 1))
			fmt.Fprintf(&text, `<transition id="t%d-%d"/>`, r, p)
			fmt.Fprintf(&text, `<arc id="i%d-%d" source="p%d-%d" target="t%d-%d"/>`, r, p, r, p, r, p)
			fmt.Fprintf(&text, `<arc id="o%d-%d" source="t%d-%d" target="p%d-%d"/>`, r, p, r, p, r, (p+1)%places)
		}
	}
	text.WriteString(`</net></pnml>`)
	path := filepath.Join(t.TempDir(), "rings.pnml")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// onDisk returns the command states with little memory and a folder on disk.
func onDisk(t *testing.T, net, below string, more ...string) (*exec.Cmd, *bytes.Buffer) {
	command := program(t, append([]string{"states", "--pnml", net, "--max-memory", "40MB", "--disk", below}, more...)...)
	var messages bytes.Buffer
	command.Stderr = &messages
	return command, &messages
}

// nothingLeft checks that a folder is empty.
func nothingLeft(t *testing.T, folder string) {
	t.Helper()
	if entries, err := os.ReadDir(folder); err != nil || len(entries) > 0 {
		t.Errorf("%v is left, %v", entries, err)
	}
}

// TestStatesOnDisk: an exploration that fills its memory has the right figures in the end, and
// leaves nothing.
func TestStatesOnDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("millions of markings")
	}
	below := t.TempDir()
	command, messages := onDisk(t, rings(t, 11, 4), below, "-v")
	printed, err := command.Output()
	if err != nil || !strings.Contains(messages.String(), "goes on in "+below) {
		t.Errorf("%v, %s", err, messages)
	}
	for _, value := range []string{"STATES 4194304", "TRANSITIONS 46137344", "MAX_TOKEN_PER_MARKING 11", "MAX_TOKEN_IN_PLACE 1"} {
		if !strings.Contains(string(printed), "STATE_SPACE "+value+" TECHNIQUES") {
			t.Errorf("no %s in\n%s", value, printed)
		}
	}
	nothingLeft(t, below)
}

// TestDiskLimits: what does not fit on the disk, or in what may be used of it, is unknown; and
// where nothing can be written, that is told at once.
func TestDiskLimits(t *testing.T) {
	if testing.Short() {
		t.Skip("millions of markings")
	}
	net := rings(t, 12, 6)
	for _, test := range []struct {
		options string // of a file system
		more    []string
		code    int
		told    string // with numbers as N
	}{
		{"size=3m", nil, exit.Unknown, "pnmc: unknown: N states, N MB: the disk is full, with N MB of markings on it: no space left on device\n"},
		{"size=30m", []string{"--max-disk", "2MB"}, exit.Unknown, "pnmc: unknown: N states, N MB: disk limit of N MB reached\n"},
		{"size=30m", []string{"--max-disk", "1KB"}, exit.Unknown, "pnmc: unknown: N states, N MB: disk limit of N kB reached\n"},
		{"ro,size=3m", nil, exit.Input, ": read-only file system\n"},
	} {
		below := mounted(t, test.options)
		command, messages := onDisk(t, net, below, test.more...)
		code := exitCode(t, command)
		if told := regexp.MustCompile(`\b[0-9]+(\.[0-9])?\b`).ReplaceAllString(messages.String(), "N"); code != test.code || !strings.HasSuffix(told, test.told) {
			t.Errorf("%s %q: exit code %d, %s", test.options, test.more, code, messages)
		}
		if test.code == exit.Unknown && !toldMarkings(messages.String()) {
			t.Errorf("%s %q: fewer markings than memory holds: %s", test.options, test.more, messages)
		}
		nothingLeft(t, below+"/.")
	}
}

// TestSearchOnDisk: questions that memory does not suffice for are decided on disk, or told why not, and
// nothing is left.
func TestSearchOnDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of thousands of markings")
	}
	below := t.TempDir()
	alone := []string{"--max-memory", "44MB", "--disk", below, "--deadlock", "--without", "decision-diagrams,random-walk,lp-approx,topological,structural-reduction,query-reduction,stubborn-sets,symmetries"}
	for _, test := range []struct {
		rings, places int
		more          []string
		code          int
		told          string
	}{
		{10, 4, []string{"--explain"}, exit.Violated, "looked at 1048576 markings on disk"},
		{12, 6, []string{"--max-disk", "1MB"}, exit.Unknown, "the search for markings on disk ends: disk limit of 1 MB reached"},
	} {
		command := program(t, append(append([]string{"--pnml", rings(t, test.rings, test.places)}, alone...), test.more...)...)
		var messages bytes.Buffer
		command.Stderr = &messages
		if code := exitCode(t, command); code != test.code || !strings.Contains(messages.String(), test.told) {
			t.Errorf("%q: exit code %d, %s", test.more, code, &messages)
		}
		nothingLeft(t, below)
	}
}

// toldMarkings reports whether a message tells of 100,000 markings or more, which 40 MB have room for.
func toldMarkings(message string) bool {
	return regexp.MustCompile(`unknown: [0-9]{6,} states,`).MatchString(message)
}

// begunOnDisk begins a count of markings, for which memory does not suffice, and returns the lines that it tells.
func begunOnDisk(t *testing.T, net, below string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	command, _ := onDisk(t, net, below, "-v")
	command.Stderr = nil
	output, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	return command, bufio.NewScanner(output)
}

// TestDiskAfterSignals: nothing is left on disk after a signal, not even after one that none survives.
func TestDiskAfterSignals(t *testing.T) {
	if testing.Short() {
		t.Skip("millions of markings")
	}
	net, below := rings(t, 12, 6), t.TempDir()
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGKILL} {
		command, lines := begunOnDisk(t, net, below)
		rest := ""
		for lines.Scan() {
			if rest += lines.Text() + "\n"; strings.Contains(lines.Text(), "goes on in") {
				if err := command.Process.Signal(signal); err != nil {
					t.Fatal(err)
				}
			}
		}
		command.Wait()
		if code := command.ProcessState.ExitCode(); signal != syscall.SIGKILL && (code != exit.Unknown || !strings.Contains(rest, "unknown: ") || !toldMarkings(rest) || !strings.Contains(rest, "MB: interrupted")) {
			t.Errorf("%v: exit code %d, %s", signal, code, rest)
		}
		nothingLeft(t, below)
	}
}

// TestDiskAfterKills: nothing is left of a process that was killed, whenever that is: before it begins, in
// memory, or while it makes files.
func TestDiskAfterKills(t *testing.T) {
	if testing.Short() {
		t.Skip("millions of markings")
	}
	net, below := rings(t, 12, 6), t.TempDir()
	begun := time.Now()
	command, lines := begunOnDisk(t, net, below)
	for lines.Scan() && !strings.Contains(lines.Text(), "goes on in") {
	}
	most := min(2*time.Since(begun), 2*time.Second) // mostly half of the time on disk
	for range 8 {
		command.Process.Kill()
		command.Wait()
		nothingLeft(t, below)
		command, _ = onDisk(t, net, below)
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(rand.N(most))
	}
	command.Process.Kill()
	command.Wait()
	nothingLeft(t, below)
}

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"pnmc/cmd/pnmc/internal/batches"
	"pnmc/cmd/pnmc/internal/exit"
)

// mounted returns a small file system of its own, or skips the test. It is detached at once
// and reached by way of an open file, so that it goes with the process, however that ends.
func mounted(t *testing.T, options string) string {
	t.Helper()
	folder := t.TempDir()
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, options); err != nil {
		t.Skipf("mounting isn't allowed here: %v", err)
	}
	root, err := os.Open(folder)
	if detached := syscall.Unmount(folder, syscall.MNT_DETACH); detached != nil {
		t.Fatal(detached)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), root.Fd())
}

// writing returns commands that write a file below a folder, and what they write there. The
// first letters of large files have room on a nearly full disk.
func writing(t *testing.T, folder string) map[string][]string {
	net, automata := "../../testdata/philosophers.pnml", "../../testdata/philosophers.hoa"
	in := func(name string) string { return filepath.Join(folder, name) }
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return map[string][]string{
		"trace.json":   {"--pnml", net, "--hoa", automata, "--trace", in("trace.json")},
		"model.etf":    {"convert", "--pnml", net, "--to", "etf", "-o", in("model.etf")},
		"net.pnml":     {"unfold", "--pnml", net, "-o", in("net.pnml")},
		"cross.csv":    {"cross", "-f", "G(a -> F b)", "--csv", in("cross.csv"), "--", self + " translate %f"},
		"measured.csv": {"bench", "--pnml", net, "--formulas", automata, "--approaches", "tgba,tgta", "-o", in("measured.csv")},
		"results":      {"batch", contestFolder(t), "--examinations", "OneSafe,ReachabilityDeadlock", "--time", "30", "--memory", "1G", "--out", in("results")},
	}
}

// TestFullDisk: what finds no room is told with the exit code for output that can't be
// written; no half of a file is left, but for the lines of a journal or of
// measurements, and with room the same command comes to its end.
func TestFullDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("many processes")
	}
	const page = 4096
	for name, arguments := range writing(t, "") {
		t.Run(name, func(t *testing.T) {
			for room := range 3 {
				folder := mounted(t, "size=128k")
				arguments := append([]string(nil), arguments...)
				for i, a := range arguments {
					if a == name {
						arguments[i] = filepath.Join(folder, name)
					}
				}
				fill(t, filepath.Join(folder, "filler"), room*page)
				command := program(t, arguments...)
				var messages bytes.Buffer
				command.Stderr = &messages
				code := exitCode(t, command)
				if code != exit.Input && room == 0 || code == exit.Internal {
					t.Errorf("%d bytes of room: exit code %d, %s", room*page, code, &messages)
				}
				if code == exit.Input && !strings.Contains(messages.String(), "no space left on device") {
					t.Errorf("%d bytes of room: it is not told: %s", room*page, &messages)
				}
				if code == exit.Input {
					noHalves(t, folder, name)
				}
				if err := os.Remove(filepath.Join(folder, "filler")); err != nil {
					t.Fatal(err)
				}
				command = program(t, arguments...)
				messages.Reset()
				command.Stderr = &messages
				if code := exitCode(t, command); code > exit.Violated {
					t.Errorf("with room again: exit code %d, %s", code, &messages)
				}
				if _, err := os.Stat(filepath.Join(folder, name)); err != nil {
					t.Errorf("with room again: %v", err)
				}
			}
		})
	}
}

// TestPagesAfterAFullDisk: where the journal has room and a page has none, the batch says so, and with
// room the same command writes the page.
func TestPagesAfterAFullDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("several processes")
	}
	model := contestFolder(t)
	folder := mounted(t, "size=8m")
	out := filepath.Join(folder, "results")
	batch := func() (int, string) {
		command := program(t, "batch", model, "--examinations", "ReachabilityDeadlock", "--time", "30", "--memory", "1G", "--out", out, "--pages")
		var messages bytes.Buffer
		command.Stderr = &messages
		return exitCode(t, command), messages.String()
	}
	fill(t, filepath.Join(folder, "filler"), 60_000) // a page has more
	code, messages := batch()
	if code != exit.Input || !strings.Contains(messages, "no space left on device") {
		t.Errorf("without room: exit code %d, %s", code, messages)
	}
	if journal := read(t, filepath.Join(out, journalFile)); !strings.Contains(journal, `"kind":"answer"`) || !strings.Contains(journal, `"fault":"unread"`) {
		t.Errorf("the journal is not that of a page without room: %s", journal)
	}
	if err := os.Remove(filepath.Join(folder, "filler")); err != nil {
		t.Fatal(err)
	}
	if code, messages := batch(); code != exit.Holds || strings.Contains(messages, "no space") {
		t.Errorf("with room again: exit code %d, %s", code, messages)
	}
	if pages, _ := filepath.Glob(filepath.Join(out, batches.PagesName, "*.html")); len(pages) != 1 {
		t.Errorf("with room again there are the pages %q", pages)
	}
}

// TestNoRoomForTemporaryFiles: what finds no room in the folder for temporary files is told with the
// exit code for output that can't be written, nobody else is blamed for it, and nothing is left there.
func TestNoRoomForTemporaryFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("several processes")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	net, formulas := "../../testdata/philosophers.pnml", filepath.Join(t.TempDir(), "formulas")
	if err := os.WriteFile(formulas, []byte("G eats1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	translator := self + " translate --ltl-file %F"
	for name, arguments := range map[string][]string{
		"bench":                  {"bench", "--pnml", net, "--formulas", "../../testdata/philosophers.hoa"},
		"bench and a translator": {"bench", "--pnml", net, "--formulas", formulas, "--translator", translator, "-o", filepath.Join(t.TempDir(), "measured.csv")},
		"cross":                  {"cross", "-f", "G(a -> F b)", "--", translator},
		"check and a translator": {"--pnml", net, "--ltl", "G eats1", "--translator", translator},
		"check by one approach":  {"--pnml", net, "--ltl", "G eats1", "--translator", translator, "--approach", "tgba"},
	} {
		folder := mounted(t, "size=64k")
		fill(t, filepath.Join(folder, "filler"), 0)
		command := program(t, arguments...)
		command.Env = append(command.Env, "TMPDIR="+folder)
		var messages bytes.Buffer
		command.Stderr = &messages
		told := func() string { return messages.String() }
		if code := exitCode(t, command); code != exit.Input || !strings.Contains(told(), "no space left on device") || strings.Contains(told(), "translator: ") || strings.Contains(told(), "crash") {
			t.Errorf("%s: exit code %d, %s", name, code, told())
		}
		if entries, err := os.ReadDir(folder + "/."); err != nil || len(entries) != 1 {
			t.Errorf("%s: %v is left, %v", name, entries, err)
		}
		if err := os.Remove(filepath.Join(folder, "filler")); err != nil {
			t.Fatal(err)
		}
		command = program(t, arguments...)
		command.Env = append(command.Env, "TMPDIR="+folder)
		messages.Reset()
		command.Stderr = &messages
		if code := exitCode(t, command); code > exit.Violated {
			t.Errorf("%s, with room again: exit code %d, %s", name, code, told())
		}
	}
}

// fill leaves so much room on a file system.
func fill(t *testing.T, path string, room int) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	size := int64(0)
	for block := make([]byte, 1024); err == nil; {
		var n int
		n, err = f.Write(block)
		size += int64(n)
	}
	if err := f.Truncate(size - int64(room)); err != nil {
		t.Fatal(err)
	}
}

// noHalves checks what is left in a folder whose disk was full.
func noHalves(t *testing.T, folder, name string) {
	t.Helper()
	err := filepath.WalkDir(folder+"/.", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "filler" {
			return err
		}
		switch text := read(t, path); d.Name() {
		case journalFile:
			if text != "" && !strings.HasSuffix(text, "\n") {
				t.Errorf("the journal ends with half a line: %q", text)
			}
		case "measured.csv": // a line that was cut is cut away by the next call
		case batches.AnswersFile, batches.RunsFile, batches.ReportFile, "batch.json": // each is written by itself
			if !strings.HasSuffix(text, "\n") {
				t.Errorf("%s is cut: %q", d.Name(), text)
			}
		default:
			t.Errorf("%s is left, with %d bytes", d.Name(), len(text))
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestMapsBelongToTheirNets: where there is no room for the reduced net, its map does not appear, and an
// old one stays, wherever it lies.
func TestMapsBelongToTheirNets(t *testing.T) {
	for _, old := range []string{"", "old\n"} {
		back := filepath.Join(t.TempDir(), "map.json")
		if old != "" {
			if err := os.WriteFile(back, []byte(old), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		var stdout, stderr bytes.Buffer
		arguments := []string{"pnmc", "reduce", "--pnml", "../../testdata/philosophers.pnml", "--for", "ltl", "-o", "/dev/full", "--map", back}
		if code := run(t.Context(), arguments, nil, &stdout, &stderr); code != exit.Input || !strings.Contains(stderr.String(), "no space left on device") {
			t.Errorf("exit code %d, %s", code, &stderr)
		}
		if text, _ := os.ReadFile(back); string(text) != old {
			t.Errorf("the map was %q, and is %q", old, text)
		}
		if left, _ := filepath.Glob(back + ".*"); left != nil {
			t.Errorf("%v is left", left)
		}
	}
}

// TestReadOnlyFolder: that nothing can be written is told, before the work is done.
func TestReadOnlyFolder(t *testing.T) {
	folder := mounted(t, "ro,size=16k")
	for name, arguments := range writing(t, folder) {
		command := program(t, arguments...)
		var messages bytes.Buffer
		command.Stderr = &messages
		if code := exitCode(t, command); code != exit.Input || !strings.Contains(messages.String(), "read-only file system") {
			t.Errorf("%s: exit code %d, %s", name, code, &messages)
		}
	}
}

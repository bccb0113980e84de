//go:build unix

package main

import (
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"pnmc/cmd/pnmc/internal/exit"
)

// TestHangup: a terminal that is closed interrupts a command, which leaves no half of a file; one
// that nohup started goes on.
func TestHangup(t *testing.T) {
	// If nohup started the tests, commands would inherit that the signal is ignored. They do not inherit
	// a handler.
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	defer signal.Stop(hangups)
	folder := t.TempDir()
	pipe := filepath.Join(folder, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skipf("no pipes with names here: %v", err)
	}
	parts := func() []string {
		list, err := filepath.Glob(filepath.Join(folder, "runs.json*"))
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	arguments := []string{"--pnml", pipe, "--deadlock", "--trace", filepath.Join(folder, "runs.json")}
	begin := func(command *exec.Cmd) {
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		begun := false // the file is tried first, and may be gone at the next look
		for end := time.Now().Add(time.Minute); !begun && time.Now().Before(end); begun = len(parts()) > 0 {
			time.Sleep(time.Millisecond)
		}
		if !begun {
			t.Fatal("the command does not begin")
		}
	}
	command := program(t, arguments...)
	begin(command)
	if err := command.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	_ = command.Wait()
	if code := command.ProcessState.ExitCode(); code != exit.Unknown {
		t.Errorf("exit code %d", code)
	}
	if list := parts(); len(list) > 0 && (len(list) > 1 || filepath.Ext(list[0]) != ".json") {
		t.Errorf("left: %q", list)
	}
	_ = os.Remove(filepath.Join(folder, "runs.json"))

	direct := program(t, arguments...)
	command = exec.CommandContext(t.Context(), "sh", append([]string{"-c", `trap "" HUP; exec "$0" "$@"`}, direct.Args...)...)
	command.Env = direct.Env
	begin(command)
	if err := command.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	write(t, pipe, read(t, "../../testdata/philosophers.pnml"))
	if err := command.Wait(); err != nil { // there is a deadlock
		t.Errorf("beyond the end of the terminal: %v", err)
	}
}

// TestFileOfAKilledCommand: what lies beside the file of a command that was killed is removed when the
// same command is called again.
func TestFileOfAKilledCommand(t *testing.T) {
	folder := t.TempDir()
	pipe := filepath.Join(folder, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skipf("no pipes with names here: %v", err)
	}
	path := filepath.Join(folder, "runs.json")
	there := func() []string {
		list, err := filepath.Glob(path + "*")
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	command := program(t, "--pnml", pipe, "--deadlock", "--trace", path)
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	for len(there()) == 0 {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(50 * time.Millisecond) // mostly the file is its own by then
	if err := command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = command.Wait()
	if list := there(); len(list) != 1 || list[0] == path {
		t.Fatalf("a command that was killed leaves %q", list)
	}
	_ = exitCode(t, program(t, "--pnml", "../../testdata/philosophers.pnml", "--deadlock", "--trace", path))
	if list := there(); len(list) != 1 || list[0] != path {
		t.Errorf("there is %q", list)
	}
}

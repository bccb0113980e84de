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
		for end := time.Now().Add(time.Minute); len(parts()) == 0 && time.Now().Before(end); {
			time.Sleep(time.Millisecond)
		}
		if len(parts()) == 0 {
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

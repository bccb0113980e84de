//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"testing"

	"pnmc/cmd/pnmc/internal/exit"
)

// TestClosedOutput: a standard output that is closed takes what is written, as the device that takes
// everything does, however that is opened. main tells why the two can't be told apart.
func TestClosedOutput(t *testing.T) {
	net := "../../testdata/philosophers.pnml"
	closed := program(t, "convert", "--pnml", net, "--to", "pnml-2004")
	closed.Args = append([]string{"sh", "-c", `exec "$0" "$@" >&-`}, closed.Args...)
	var err error
	if closed.Path, err = exec.LookPath("sh"); err != nil {
		t.Skip("no shell here")
	}
	commands := map[string]*exec.Cmd{"closed": closed}
	for name, flag := range map[string]int{"for writing": os.O_WRONLY, "for both": os.O_RDWR} {
		null, err := os.OpenFile(os.DevNull, flag, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer null.Close()
		commands[name] = program(t, "convert", "--pnml", net, "--to", "pnml-2004")
		commands[name].Stdout = null
	}
	for name, command := range commands {
		var messages bytes.Buffer
		command.Stderr = &messages
		if code := exitCode(t, command); code != exit.Holds || messages.Len() > 0 {
			t.Errorf("%s: exit code %d, %s", name, code, &messages)
		}
	}
}

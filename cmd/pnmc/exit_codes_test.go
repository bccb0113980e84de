package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"pnmc/cmd/pnmc/internal/exit"
)

// TestHelpTellsExitCodes: --help of each command says what each of its exit codes means.
func TestHelpTellsExitCodes(t *testing.T) {
	commands := []string{""}
	for _, c := range newApp(nil, io.Discard, io.Discard).Commands {
		commands = append(commands, c.Name)
	}
	if len(commands) < 13 {
		t.Fatalf("commands %q", commands)
	}
	for _, command := range commands {
		var help, complaints bytes.Buffer
		arguments := append(append([]string{"pnmc"}, strings.Fields(command)...), "--help")
		if code := run(context.Background(), arguments, nil, &help, &complaints); code != exit.Holds {
			t.Errorf("%v: exit code %d, %s", arguments, code, &complaints)
		}
		_, codes, found := strings.Cut(help.String(), "EXIT CODES:")
		for code := exit.Holds; code <= exit.Internal; code++ {
			optional := code == exit.Violated || code == exit.Unknown && command == "completion"
			if !found || !optional && !strings.Contains(codes, fmt.Sprintf("\n      %d  ", code)) {
				t.Errorf("%v: exit code %d is not told\n%s", arguments, code, &help)
			}
		}
	}
	for command := range commandExitCodes {
		if command != "pnmc" && newApp(nil, nil, nil).Command(command) == nil {
			t.Errorf("exit codes of %q, which is no command", command)
		}
	}
}

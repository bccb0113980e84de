package main

import (
	"errors"
	"os"
	"os/exec"
	"testing"
)

// program returns the command in a process of its own.
func program(t *testing.T, arguments ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), self, arguments...)
	command.Env = append(os.Environ(), asTranslator+"=program")
	return command
}

// exitCode runs a process to its end.
func exitCode(t *testing.T, command *exec.Cmd) int {
	t.Helper()
	var exit *exec.ExitError
	if err := command.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return command.ProcessState.ExitCode()
}

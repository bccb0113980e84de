package process

import (
	"bufio"
	"os/exec"
	"strings"
	"testing"
)

// TestLimitMemory bounds the address space of a process that is at work, as it sees itself.
func TestLimitMemory(t *testing.T) {
	command := exec.Command("sh", "-c", "read go; ulimit -v")
	input, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Skip(err)
	}
	if err := LimitMemory(command.Process.Pid, 100<<20); err != nil {
		t.Fatal(err)
	}
	if _, err := input.Write([]byte("go\n")); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(output).ReadString('\n')
	if err != nil || strings.TrimSpace(line) != "102400" {
		t.Errorf("the process sees a limit of %q kB, %v", line, err)
	}
	if err := command.Wait(); err != nil {
		t.Error(err)
	}
}

package batch

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pnmc/internal/batchtest"
)

// TestProcessesEndWithAKilledBatch: a batch killed with a signal that nothing can catch
// leaves no process behind.
func TestProcessesEndWithAKilledBatch(t *testing.T) {
	folder, results := batchtest.Instances(t, "A-PT-1"), t.TempDir()
	t.Setenv(batchtest.ToolVariable, "hang")
	t.Setenv(driverVariable, folder+"\n"+results)
	command := exec.Command(os.Args[0])
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(20 * time.Second)
	child := ""
	for child == "" && time.Now().Before(deadline) {
		time.Sleep(10 * time.Millisecond)
		child = childOf(command.Process.Pid)
	}
	time.Sleep(200 * time.Millisecond) // well into the run
	if err := command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = command.Wait() // killed
	if child == "" {
		t.Fatal("the batch started no process")
	}
	for alive(child) {
		if time.Now().After(deadline) {
			t.Fatalf("process %s goes on", child)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// childOf returns the number of a process that another one started, "" if there is none.
func childOf(parent int) string {
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range files {
		if words := statOf(file); len(words) > 1 && words[1] == fmt.Sprint(parent) {
			return filepath.Base(filepath.Dir(file))
		}
	}
	return ""
}

// alive reports whether a process is there and not just waiting to be buried.
func alive(pid string) bool {
	words := statOf("/proc/" + pid + "/stat")
	return len(words) > 0 && words[0] != "Z"
}

// statOf returns what the system tells of a process after its name, its state and parent first.
func statOf(file string) []string {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	return strings.Fields(string(text[strings.LastIndex(string(text), ")")+1:]))
}

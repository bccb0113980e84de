//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package process

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// TestLock takes a file once, until it is closed.
func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	open := func() *os.File {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	first, second := open(), open()
	defer second.Close()
	if taken, err := Lock(first); taken || err != nil {
		t.Fatalf("a file that nobody has: %t, %v", taken, err)
	}
	if taken, err := Lock(second); !taken || err != nil {
		t.Fatalf("a file that another has: %t, %v", taken, err)
	}
	first.Close()
	if taken, err := Lock(second); taken || err != nil {
		t.Fatalf("a file that was given back: %t, %v", taken, err)
	}
	if _, err := Lock(first); err == nil {
		t.Fatal("a closed file can be taken")
	}
}

// TestApart gives a command a group of its own, and keeps what else was asked for it.
func TestApart(t *testing.T) {
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), isChild+"=1")
	command.SysProcAttr = &syscall.SysProcAttr{Setctty: false, Noctty: true}
	Apart(command)
	if !command.SysProcAttr.Noctty {
		t.Error("what was asked for is gone")
	}
	command.SysProcAttr.Noctty = false
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	defer command.Wait()
	group, err := syscall.Getpgid(command.Process.Pid)
	if err != nil || group != command.Process.Pid {
		t.Errorf("process %d is in group %d, %v", command.Process.Pid, group, err)
	}
}

package chamber

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// ownGroup makes the command the head of a group of processes.
func ownGroup(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// killGroup kills what is left of the group.
func killGroup(pid int) {
	_ = syscall.Kill(-pid, syscall.SIGKILL) // mostly nothing is left
}

// askWhere makes a program written in Go print the stacks of its goroutines, and end.
func askWhere(pid int) {
	_ = syscall.Kill(pid, syscall.SIGQUIT) // it may have ended
}

// peak returns the most memory that a process had that has ended, or one of its children.
func peak(state *os.ProcessState) int64 {
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		return int64(usage.Maxrss) << 10 // Maxrss has 32 bits on some processors
	}
	return 0
}

// waited returns the longest time that a thread of a running process was ready to run and
// did not.
func waited(pid int) time.Duration {
	files, _ := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*/schedstat")
	most := int64(0)
	for _, path := range files {
		text, err := os.ReadFile(path)
		if words := bytes.Fields(text); err == nil && len(words) > 1 {
			if nanoseconds, err := strconv.ParseInt(string(words[1]), 10, 64); err == nil {
				most = max(most, nanoseconds)
			}
		}
	}
	return time.Duration(most)
}

// resident returns the memory of a running process.
func resident(pid int) int64 {
	all, _ := memory(pid)
	return all
}

// memory returns how much a running process has resident, and how much of that is of files, which
// processes of one program share.
func memory(pid int) (all, shared int64) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm")
	if err != nil {
		return 0, 0
	}
	words := bytes.Fields(text)
	if len(words) < 3 {
		return 0, 0
	}
	var pages [2]int64
	for i := range pages {
		if pages[i], err = strconv.ParseInt(string(words[1+i]), 10, 64); err != nil {
			return 0, 0
		}
		pages[i] *= int64(os.Getpagesize())
	}
	return pages[0], pages[1]
}

// residentTogether returns the memory of a running process and of all below it. What they have of
// files counts once, as most of it is the program, which they share.
func residentTogether(pid int) int64 {
	var own, files int64
	var visit func(pid int)
	visit = func(pid int) {
		all, shared := memory(pid)
		own += all - shared
		files = max(files, shared)
		lists, _ := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*/children")
		for _, path := range lists {
			text, _ := os.ReadFile(path) // the thread may have ended
			for _, word := range bytes.Fields(text) {
				if child, err := strconv.Atoi(string(word)); err == nil {
					visit(child)
				}
			}
		}
	}
	visit(pid)
	return own + files
}

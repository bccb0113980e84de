package chamber

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// launching is the first argument of this program when it is a launcher, and launchingIn when the
// program that it starts gets a terminal.
const (
	launching   = "--launch"
	launchingIn = "--launch-in-terminal"
)

// ended is what a launcher reports of a program that has ended.
type ended struct {
	Code  int
	State string
	CPU   time.Duration
	Peak  int64
	Error string
}

// Launch makes this process a launcher and does not return, if it was started as one; it
// must be called first in main. A process begins its life with the peak of memory of the
// one that started it (Linux keeps the maximum over exec), which here may be large, as
// twins hold graphs. A launcher has nothing but its own few megabytes; it starts the
// program, and tells through file 3 its number and how it ended.
func Launch() {
	if len(os.Args) < 3 || os.Args[1] != launching && os.Args[1] != launchingIn {
		return
	}
	report := os.NewFile(3, "report")
	command := exec.Command(os.Args[2], os.Args[3:]...)
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	over := func() {}
	var err error
	if os.Args[1] == launchingIn {
		over, err = startInTerminal(command)
	} else {
		ownGroup(command)
		err = command.Start()
	}
	if err != nil {
		tell(report, ended{Error: err.Error()})
		os.Exit(1)
	}
	tell(report, command.Process.Pid)
	e := ended{}
	if err := command.Wait(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		e.Error = err.Error()
	}
	over()
	state := command.ProcessState
	e.Code, e.State, e.CPU, e.Peak = state.ExitCode(), state.String(), state.SystemTime()+state.UserTime(), peak(state)
	tell(report, e)
	os.Exit(0)
}

func tell(report *os.File, v any) {
	if err := json.NewEncoder(report).Encode(v); err != nil {
		fmt.Fprintln(os.Stderr, "launcher:", err)
		os.Exit(1)
	}
}

// launched is a program that a launcher has started.
type launched struct {
	pid      int
	launcher *exec.Cmd
	reports  *json.Decoder
	file     *os.File
}

// launch starts a command by a launcher, which is this program again, in a terminal or not.
func launch(command *exec.Cmd, inTerminal bool) (*launched, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer write.Close()
	how := launching
	if inTerminal {
		how = launchingIn
	}
	launcher := exec.Command(self, append([]string{how, command.Path}, command.Args[1:]...)...)
	launcher.Dir, launcher.Env = command.Dir, command.Env
	launcher.Stdin, launcher.Stdout, launcher.Stderr = command.Stdin, command.Stdout, command.Stderr
	launcher.ExtraFiles = []*os.File{write}
	ownGroup(launcher)
	if err := launcher.Start(); err != nil {
		read.Close()
		return nil, err
	}
	l := &launched{launcher: launcher, reports: json.NewDecoder(bufio.NewReader(read)), file: read}
	if err := l.reports.Decode(&l.pid); err != nil {
		read.Close()
		_ = launcher.Wait() // what it reported is not a number
		return nil, fmt.Errorf("starting %s: %w", command.Path, err)
	}
	return l, nil
}

// wait waits until the program has ended.
func (l *launched) wait() (e ended, err error) {
	defer l.file.Close()
	err = l.reports.Decode(&e)
	if waiting := l.launcher.Wait(); err == nil {
		err = waiting
	}
	if err == nil && e.Error != "" {
		err = errors.New(e.Error)
	}
	return e, err
}

package chamber

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// Outcome is how a run of the program ended.
type Outcome struct {
	Code int
	// Ended is empty if the program ended by itself, else what ended it.
	Ended string
	// TooMuch tells that it was ended as it had printed too much.
	TooMuch        bool
	Stdout, Stderr []byte
	Wall, CPU      time.Duration
	// Waited is how long a thread of the program, the one that did most, was ready to
	// run and had no processor: time that a busy machine takes.
	Waited time.Duration
	// Peak is the most memory that the process, or one that it waited for, had
	// resident, in bytes; 0 if not known.
	Peak int64
	// GroupPeak is the most that the process and all its children had together, at the looks at
	// them, if that is looked at.
	GroupPeak int64
	// Folder has the files of the run.
	Folder string
}

// lookEvery is the time between two looks at a process, and patience how long after
// its time it is waited for. Then it is asked to print where it is, for which it has
// a moment.
const (
	lookEvery = 20 * time.Millisecond
	moment    = 500 * time.Millisecond
	patience  = 5 * time.Second
)

// A process is ended at so much memory above its limit, or so much printed, before
// it hurts the machine.
const (
	memoryPatience = 600 << 20
	outputPatience = 256 << 20
)

// printed are the files in a run's folder that have what the program prints.
const (
	stdoutFile = "stdout"
	stderrFile = "stderr"
	scratch    = "tmp"
)

// start runs the program in folder, which has the files of the case.
func (c *Case) start(program, folder string) (*Outcome, error) {
	command := exec.Command(program, c.Arguments...)
	command.Dir = folder
	command.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + folder, "TMPDIR=" + filepath.Join(folder, scratch)}, c.Environment...)
	ownGroup(command)
	stdout, err := os.Create(filepath.Join(folder, stdoutFile))
	if err != nil {
		return nil, err
	}
	defer stdout.Close()
	stderr, err := os.Create(filepath.Join(folder, stderrFile))
	if err != nil {
		return nil, err
	}
	defer stderr.Close()
	command.Stdout, command.Stderr = stdout, stderr
	if c.Stdin != "" {
		input, err := os.Open(filepath.Join(folder, c.Stdin))
		if err != nil {
			return nil, err
		}
		defer input.Close()
		command.Stdin = input
	}
	running, err := launch(command, c.Keys != "")
	if err != nil {
		return nil, err
	}
	begun := time.Now()
	o := &Outcome{Folder: folder}
	over := make(chan result, 1)
	go func() {
		e, err := running.wait()
		over <- result{e, err}
	}()
	end, err := c.watch(running.pid, over, o, stdout)
	o.Wall = time.Since(begun)
	killGroup(running.pid)
	if err != nil {
		return nil, err
	}
	o.Code, o.CPU, o.Peak = end.Code, end.CPU, end.Peak
	if o.Code < 0 && o.Ended == "" {
		o.Ended = end.State
	}
	if o.Stdout, err = os.ReadFile(filepath.Join(folder, stdoutFile)); err != nil {
		return nil, err
	}
	o.Stderr, err = os.ReadFile(filepath.Join(folder, stderrFile))
	return o, err
}

// result is how waiting for a program ended.
type result struct {
	ended
	err error
}

// watch waits for the end of the program, and ends it when it is far beyond its
// limits.
//
// The limits that the program was given are its own to keep, and a run that is a little late is
// judged later, by its Outcome. Here it is only kept from hurting the machine: it is ended if it
// is five seconds late, time without a processor left out up to ten times as much in all, holds 600 MB too
// much, or prints 256 MB. It is first asked to print where
// it is, and killed half a second later, so that a finding about a program that hangs has its
// stacks.
func (c *Case) watch(pid int, over <-chan result, o *Outcome, stdout *os.File) (ended, error) {
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	begun, most := time.Now(), c.Time+patience
	late := time.NewTimer(most)
	defer late.Stop()
	var dead <-chan time.Time
	end := func(why string) {
		if o.Ended == "" {
			o.Ended = why
			askWhere(pid)
			dead = time.After(moment)
		}
	}
	for {
		select {
		case r := <-over:
			return r.ended, r.err
		case <-dead:
			killGroup(pid)
		case <-late.C:
			o.Waited = max(o.Waited, waited(pid))
			gone := time.Since(begun)
			if rest := most + o.Waited - gone; rest > 0 && gone < 10*most {
				late.Reset(rest)
				continue
			}
			end(fmt.Sprintf("killed after %s, %s of it without a processor", gone.Round(time.Millisecond), o.Waited.Round(time.Millisecond)))
		case <-look.C:
			o.Waited = max(o.Waited, waited(pid))
			if now := resident(pid); now > c.Memory+memoryPatience {
				end(fmt.Sprintf("killed with %d MB", now>>20))
			}
			if c.Group > 0 {
				if o.GroupPeak = max(o.GroupPeak, residentTogether(pid)); o.GroupPeak > c.Group+memoryPatience {
					end(fmt.Sprintf("killed with %d MB in all processes", o.GroupPeak>>20))
				}
			}
			if info, err := stdout.Stat(); err == nil && info.Size() > outputPatience {
				o.TooMuch = o.Ended == ""
				end(fmt.Sprintf("killed after %d MB of output", info.Size()>>20))
			}
		}
	}
}

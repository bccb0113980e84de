package batch

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"pnmc/internal/process"
	"pnmc/mcc/batch/history"
)

// lookEvery is the time between two looks at a process. It is looked at when it begins,
// then after firstLook, twice that, and so on up to lookEvery: short runs have memory too.
const (
	firstLook = time.Millisecond
	lookEvery = 50 * time.Millisecond
)

// sameSignal is how long after the end of a process the signal that ended it may take to end
// the batch: terminals and schedulers send theirs to all processes.
var sameSignal = 100 * time.Millisecond

// pipesLeft is how long a process's output is waited for once it is killed:
// children of its own may hold it open.
const pipesLeft = 2 * time.Second

// process runs the program on the files in folder as the contest does, and calls answer with each
// line of its output that is one. The result has the seconds, the peak of memory, and how it ended.
// The error is that of answer, or the end of ctx, whereupon the run does not count.
//
// Four things may happen at any time, and are waited for together: the process ends, its time is
// over, it is due to be looked at for its memory, or ctx ends. At a limit the process is killed,
// and its end is waited for as if it had ended by itself. A goroutine of its own reads the output
// until the process has closed it. So the process never waits for its reader, and answers that it
// gave just before its end are not lost.
//
// A signal to all processes of a terminal or a task reaches the program and the batch at about the
// same time. If the program ends badly, the batch therefore waits a moment for its own signal: then
// the run was interrupted, and did not fail.
func (p *Plan) process(ctx context.Context, job history.Job, folder string, answer func(history.Answer) error) (history.Run, error) {
	command := exec.Command(p.Command[0], p.Command[1:]...)
	command.Dir = folder
	command.Env = append(os.Environ(), "BK_EXAMINATION="+job.Examination, "BK_INPUT="+job.Instance, "BK_TOOL=pnmc",
		"BK_TIME_CONFINEMENT="+strconv.Itoa(p.Settings.Seconds),
		"BK_MEMORY_CONFINEMENT="+strconv.FormatInt(p.Settings.MemoryBytes>>20, 10))
	command.WaitDelay = pipesLeft
	complaints := &tail{most: 2000}
	command.Stderr = complaints
	read, written := io.Pipe()
	command.Stdout = written
	defer process.DieTogether(command)()
	start := p.now()
	run := history.Run{Job: job}
	if err := command.Start(); err != nil {
		run.CouldNotRun(err, history.Failed)
		return run, nil
	}
	lines := make(chan error, 1)
	since := func() time.Duration { return p.now() - start }
	go func() { lines <- eachAnswer(read, since, answer) }()
	over := make(chan error, 1)
	go func() {
		err := command.Wait()
		written.Close()
		over <- err
	}()
	limit := time.NewTimer(time.Duration(p.Settings.Seconds) * time.Second)
	defer limit.Stop()
	wait := firstLook
	look := time.NewTimer(0)
	defer look.Stop()
	kill := func(why string) {
		if run.End == "" {
			run.End = why
		}
		_ = command.Process.Kill() // it may just have ended
	}
	for {
		select {
		case err := <-over:
			run.Seconds = (p.now() - start).Seconds()
			if err != nil { // a signal to all processes may come here a moment later
				select {
				case <-ctx.Done():
				case <-time.After(sameSignal):
				}
			}
			run.PeakBytes = process.PeakOf(command.ProcessState, run.PeakBytes)
			if run.End == "" {
				run.End, run.Fault = ending(err, complaints.String()), p.faultOf(err, complaints.String())
			}
			if err := <-lines; err != nil {
				return run, err
			}
			return run, ctx.Err()
		case <-ctx.Done():
		case <-limit.C:
			kill("killed: out of time")
		case <-look.C:
			look.Reset(wait)
			wait = min(2*wait, lookEvery)
			resident, peak := process.Memory(command.Process.Pid)
			run.PeakBytes = max(run.PeakBytes, peak)
			if limit := p.Settings.MemoryBytes; limit > 0 && resident > limit {
				kill("killed: out of memory")
			}
		}
		if ctx.Err() != nil {
			kill("interrupted")
			<-over
			run.Seconds = (p.now() - start).Seconds()
			return run, errors.Join(ctx.Err(), <-lines)
		}
	}
}

// ending says how a process ended by itself: nothing if well. Of its complaints it has the last
// line, or the one that says that it was interrupted, after which a program may tell how to go on.
func ending(err error, complaints string) string {
	if err == nil {
		return ""
	}
	last := ""
	for line := range strings.Lines(strings.TrimSpace(complaints)) {
		if !strings.Contains(last, interruption) {
			last = strings.TrimRight(line, "\n")
		}
	}
	if last == "" {
		return err.Error()
	}
	return fmt.Sprintf("%v: %s", err, last)
}

// eachAnswer reads lines until they end, and calls answer with those that are
// answers. It goes on reading after an error, so that the writer never waits.
func eachAnswer(r *io.PipeReader, since func() time.Duration, answer func(history.Answer) error) error {
	var failed error
	for reader := bufio.NewReader(r); ; {
		line, err := reader.ReadString('\n')
		if a, ok := history.ParseAnswer(line); ok && failed == nil && err == nil {
			a.Seconds = since().Seconds()
			failed = answer(a)
		}
		if err == io.EOF {
			return failed
		}
		if err != nil {
			return errors.Join(failed, err)
		}
	}
}

// tail keeps the last bytes written to it.
type tail struct {
	most  int
	bytes []byte
}

// Write keeps the end of b.
func (t *tail) Write(b []byte) (int, error) {
	t.bytes = append(t.bytes, b...)
	if extra := len(t.bytes) - t.most; extra > 0 {
		t.bytes = append(t.bytes[:0], t.bytes[extra:]...)
	}
	return len(b), nil
}

// String returns what is kept.
func (t *tail) String() string { return string(t.bytes) }

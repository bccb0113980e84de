package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// errInterrupted is why a check ended that the user stopped.
var errInterrupted = errors.New("interrupted")

// patience is how long a command that the user interrupted may take to end by itself.
// Engines look at the context every few thousand steps; what does not, such as reading a
// large net, has nothing to tell yet.
const patience = 700 * time.Millisecond

// sameSignal is how long after a signal another one is still the same: timeout(1) and
// wrappers of commands send it to the process and to its group.
const sameSignal = 200 * time.Millisecond

// supervise runs a command until it ends, a second signal comes, or it has not ended soon
// after the first; stop tells the command to end. Files that are not finished then are
// ended so that none is half written; way tells how to go on.
func supervise(command func() int, signals <-chan os.Signal, stop func(), files *unfinished, way string, stderr io.Writer) int {
	finished := make(chan int, 1)
	go func() { finished <- command() }()
	select {
	case code := <-finished:
		return code
	case <-signals:
		stop()
	}
	again, late := time.Now().Add(sameSignal), time.After(patience)
	for waiting := true; waiting; {
		select {
		case code := <-finished:
			return code
		case <-signals:
			waiting = time.Now().Before(again)
		case <-late:
			waiting = false
		}
	}
	fmt.Fprint(stderr, complaint("interrupted before the command could end by itself: what it has not printed is missing"))
	for _, told := range files.end() {
		fmt.Fprint(stderr, complaint(told))
	}
	if way != "" {
		fmt.Fprint(stderr, complaint(way))
	}
	return exitUnknown
}

// unfinished are files that a command is writing.
type unfinished struct {
	mutex sync.Mutex
	files map[*outputFile]bool // whether what was written so far is a whole file
}

type unfinishedKey struct{}

// withUnfinished is ctx with a place where commands note which files they are writing.
func withUnfinished(ctx context.Context) (context.Context, *unfinished) {
	u := &unfinished{files: map[*outputFile]bool{}}
	return context.WithValue(ctx, unfinishedKey{}, u), u
}

// noteUnfinished notes that o is being written; whole says that each Write leaves it a
// whole file, to be kept however the command ends.
func noteUnfinished(ctx context.Context, o *outputFile, whole bool) {
	if u, ok := ctx.Value(unfinishedKey{}).(*unfinished); ok {
		u.mutex.Lock()
		defer u.mutex.Unlock()
		u.files[o] = whole
	}
}

// end keeps the files that are whole, discards the others, and tells about both.
func (u *unfinished) end() []string {
	u.mutex.Lock()
	defer u.mutex.Unlock()
	var told []string
	for o, whole := range u.files {
		switch {
		case o.isEnded():
		case !whole:
			o.discard()
			told = append(told, fmt.Sprintf("%s is not written", o.path))
		default:
			if err := o.keep(); err != nil {
				told = append(told, err.Error())
			} else {
				told = append(told, fmt.Sprintf("%s has what was found so far", o.path))
			}
		}
	}
	return told
}

// readRest is how long what is left of a file is read after an interruption, or the end of the
// whole time, so that each property of it has a line.
const readRest = patience / 2

// tellInterrupted tells who interrupted what there is, and what is missing.
func (s *session) tellInterrupted() {
	missing := ""
	if !s.restUnread && s.decided == s.count {
		noteWayTold(s.c.Context) // nothing is missing
	}
	if s.restUnread {
		missing = "; the rest of the input was not read"
	} else if s.decided < s.count {
		missing = "; the others have a line without a verdict, and are to be checked again"
	}
	found := ""
	switch {
	case s.trace == nil || s.trace.outputFile == nil:
	case s.decided == 0 && s.bad:
		found = fmt.Sprintf("; %s is not written", s.trace.path)
	case s.decided == 0:
		found = fmt.Sprintf("; %s has no run", s.trace.path)
	default:
		found = fmt.Sprintf("; %s has the runs found so far", s.trace.path)
	}
	s.say("interrupted: %d of %s decided%s%s", s.decided, counted(s.count, "property", "properties"), found, missing)
}

// counted is a number of things.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

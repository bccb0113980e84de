package interrupt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/output"
)

// TestSupervise: a command that does not end when it is interrupted is left, and of the
// files that it was writing none is half written.
func TestSupervise(t *testing.T) {
	folder := t.TempDir()
	ctx, files := output.WithUnfinished(context.Background())
	list := make([]*output.File, 3)
	for i, name := range []string{"whole", "half", "done"} {
		o, err := output.Create(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		output.NoteUnfinished(ctx, o, name == "whole")
		if _, err := o.Write([]byte(name)); err != nil {
			t.Fatal(err)
		}
		list[i] = o
	}
	if err := list[2].Keep(); err != nil {
		t.Fatal(err)
	}
	scraps := 1
	output.NoteScraps(ctx, func() { scraps-- })
	signals := make(chan os.Signal, 2)
	signals <- os.Interrupt
	signals <- syscall.SIGTERM
	stopped, left := make(chan bool, 1), make(chan bool)
	defer close(left)
	var stderr bytes.Buffer
	code := Supervise(func() int { <-left; return exit.Holds }, signals, func() { stopped <- true }, files, "the way on", &stderr)
	if code != exit.Unknown || !<-stopped || !strings.Contains(stderr.String(), "half is not written") ||
		!strings.Contains(stderr.String(), "whole has what was found so far") || strings.Contains(stderr.String(), "done") {
		t.Errorf("exit code %d, %s", code, &stderr)
	}
	if scraps != 0 {
		t.Error("scraps are left")
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 2 || entries[0].Name() != "done" || entries[1].Name() != "whole" {
		t.Errorf("%v, %v", entries, err)
	}
	if text, err := os.ReadFile(filepath.Join(folder, "whole")); string(text) != "whole" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	// One that ends by itself has its own exit code.
	signals <- os.Interrupt
	ended := make(chan bool)
	if code := Supervise(func() int { <-ended; return exit.Violated }, signals, func() { close(ended) }, files, "", io.Discard); code != exit.Violated {
		t.Errorf("exit code %d", code)
	}
}

// TestOneSignalSentTwice: timeout(1) sends its signal to the process and to its group, which
// is one interruption: the command may tell what it found.
func TestOneSignalSentTwice(t *testing.T) {
	_, files := output.WithUnfinished(context.Background())
	signals := make(chan os.Signal, 2)
	signals <- os.Interrupt
	signals <- os.Interrupt
	stopped := make(chan bool)
	command := func() int {
		<-stopped
		for len(signals) > 0 { // the second one is taken before the command ends
			time.Sleep(time.Millisecond)
		}
		return exit.Violated
	}
	var stderr bytes.Buffer
	if code := Supervise(command, signals, func() { close(stopped) }, files, "the way on", &stderr); code != exit.Violated || stderr.Len() > 0 {
		t.Errorf("exit code %d, %s", code, &stderr)
	}
}

// stuckWriter tells that it writes, and then waits until the other channel is closed.
type stuckWriter struct{ began, taken chan bool }

func newStuckWriter() stuckWriter { return stuckWriter{make(chan bool, 1), make(chan bool)} }

func (w stuckWriter) Write(text []byte) (int, error) {
	w.began <- true
	<-w.taken
	return len(text), nil
}

// TestSuperviseAWriteThatWaits: a command whose output nobody takes is left when its time is over, or
// when it has ended without it, whether or not messages are taken; and goes on where there is time.
func TestSuperviseAWriteThatWaits(t *testing.T) {
	late := errors.New("the time is over")
	for _, x := range []struct {
		name string
		note func(ctx context.Context)
		ends bool // though its output is not taken
		code int
		told string
	}{
		{"a limit", func(ctx context.Context) { output.NoteLimit(ctx, time.Now(), late) }, false, exit.Input, "output: not written whole, as nobody reads it: the time is over\n"},
		{"a limit of each thing", func(ctx context.Context) { output.NotePatience(ctx, time.Millisecond, late) }, false, exit.Input, ": the time is over\n"},
		{"an end", func(context.Context) {}, true, exit.Input, "output: not written whole, as nobody reads it\n"},
		{"a limit that is none any more", func(ctx context.Context) { output.NoteLimit(ctx, time.Now(), late)() }, false, exit.Holds, ""},
	} {
		for _, heard := range []bool{true, false} {
			ctx, files := output.WithUnfinished(context.Background())
			stuck, left := newStuckWriter(), newStuckWriter()
			x.note(ctx)
			command := func() int {
				wrote := make(chan bool)
				go func() {
					fmt.Fprint(output.Watch(ctx, "output", stuck), "text")
					close(wrote)
				}()
				if x.ends {
					<-stuck.began
				} else {
					<-wrote
				}
				return exit.Holds
			}
			var told bytes.Buffer
			var stderr io.Writer = &told
			if !heard {
				stderr = left
			}
			if x.code == exit.Holds {
				time.AfterFunc(time.Second, func() { close(stuck.taken) })
			}
			if code := Supervise(command, nil, func() {}, files, "", stderr); code != x.code {
				t.Errorf("%s: exit code %d", x.name, code)
			}
			if heard && !strings.HasSuffix(told.String(), x.told) {
				t.Errorf("%s: told is %q", x.name, &told)
			}
			close(left.taken)
			if x.code != exit.Holds {
				close(stuck.taken)
			}
		}
	}
}

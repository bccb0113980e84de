package output

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"
)

// waits are what a command is writing at the moment. A pipe takes some 64 kB, and then a write waits
// until somebody reads: for ever, if nobody does, and no context ends that. So the command notes
// here what it writes and how long it may take, and whoever supervises it learns that the time is
// over.
type waits struct {
	mutex    sync.Mutex
	writes   map[*wait]bool
	patience time.Duration // for a piece of a write; 0: any
	over     chan error    // gets one error
}

// wait is a write that has not returned.
type wait struct {
	to          string
	out         io.Writer
	began, went time.Time // the whole, and the piece at hand
	looks       int       // how often one after the other it was found to wait beyond the command's time
	idle        int       // how often it was found not to, though it did not go on
}

const (
	// lateness is how long after the end of its time a command may go on to write. Most commands
	// end by themselves before.
	lateness = 500 * time.Millisecond
	// leastWait is how long a write takes at least that counts as waiting.
	leastWait = 100 * time.Millisecond
	// pieceSize is what is written at a time, so that a slow reader is not taken for none.
	pieceSize = 1 << 16
	// leastLooks is how often a write must be found waiting before it counts as one that nobody
	// reads, and lookAgain what lies between. Where other processes leave this one no time, its clock
	// goes on while its writes do not: what nobody has let write does not wait for a reader. So the
	// system is asked whether there is room. Where it does not tell, more looks must do (blindLooks). Where it says
	// that there is room, the write goes on as soon as it has a processor; there are devices for which
	// it always says so, and mostLooks ends them.
	leastLooks = 10
	blindLooks = 30
	mostLooks  = 1000
	lookAgain  = 10 * time.Millisecond
)

// unread looks at a write that waits beyond its time, and reports whether it waits for a reader.
func (w *wait) unread() bool {
	switch full, known := isFull(w.out); {
	case !known:
		w.looks++
		return w.looks >= blindLooks
	case full:
		w.looks++
		return w.looks >= leastLooks
	}
	w.looks = 0
	w.idle++
	return w.idle >= mostLooks
}

// NoteLimit notes that the command has until a moment; why says what is over then. If something is
// still being written a little later, and waits for its reader, the command is ended. The caller
// must call release when the limit is none any more.
func NoteLimit(ctx context.Context, at time.Time, why error) (release func()) {
	u, ok := ctx.Value(unfinishedKey{}).(*Unfinished)
	if !ok {
		return func() {}
	}
	return u.waits.look(time.Until(at)+lateness, func() time.Duration {
		for w := range u.waits.writes {
			if time.Since(w.began) < leastWait {
				continue
			}
			if !w.unread() {
				return lookAgain
			}
			u.waits.end(w, why)
			return 0
		}
		return leastWait
	})
}

// NotePatience notes that each single thing that the command does may take some time: so a reader may
// take that long for a piece of what is written. It counts once for a command.
func NotePatience(ctx context.Context, patience time.Duration, why error) {
	u, ok := ctx.Value(unfinishedKey{}).(*Unfinished)
	if !ok || patience > time.Duration(1<<63-1)-lateness {
		return
	}
	u.waits.mutex.Lock()
	defer u.waits.mutex.Unlock()
	if u.waits.patience > 0 {
		return
	}
	patience += lateness
	u.waits.patience = patience
	go u.waits.look(patience, func() time.Duration { // the mutex is held
		next := patience
		for w := range u.waits.writes {
			left := patience - time.Since(w.went)
			if left <= 0 {
				if !w.unread() {
					return lookAgain
				}
				u.waits.end(w, why)
				return 0
			}
			next = min(next, left)
		}
		return max(next, lookAgain)
	})
}

// look calls late after some time, and again after what it returns, until that is 0 or the result is
// called. The mutex is held during the call.
func (s *waits) look(after time.Duration, late func() time.Duration) (stop func()) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	stopped := false
	var timer *time.Timer
	timer = time.AfterFunc(after, func() {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		if stopped {
			return
		}
		if again := late(); again > 0 {
			timer.Reset(again)
		}
	})
	return func() {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		stopped = true
		timer.Stop()
	}
}

// end tells that a write waits too long. The mutex is held.
func (s *waits) end(w *wait, why error) {
	select {
	case s.over <- fmt.Errorf("%s: not written whole, as nobody reads it: %w", w.to, why):
	default: // it is told
	}
}

// write writes text piece by piece, and notes that it does.
func (s *waits) write(to string, out io.Writer, text []byte) (written int, err error) {
	for w := (&wait{to: to, out: out, began: time.Now()}); ; {
		s.note(w, true)
		n, err := out.Write(text[written:min(len(text), written+pieceSize)])
		s.note(w, false)
		if written += n; err != nil || written >= len(text) {
			return written, err
		}
	}
}

// note notes that a write waits, or that it has gone on.
func (s *waits) note(w *wait, waiting bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if waiting {
		w.went = time.Now()
		s.writes[w] = true
	} else {
		delete(s.writes, w)
	}
}

// Stalled gets an error when a write waits for longer than the command has time.
func (u *Unfinished) Stalled() <-chan error { return u.waits.over }

// Settle waits for what is being written, and reports what after some time waits for its reader, nil if all is
// written. It is for a command that has ended: what it began may go on.
func (u *Unfinished) Settle(patience time.Duration) error {
	pause := lookAgain / 16
	for end := time.Now().Add(patience); ; time.Sleep(pause) {
		pause = min(2*pause, lookAgain)
		to, unread := u.waits.one(time.Now().After(end))
		if to == "" {
			return nil
		}
		if unread {
			return fmt.Errorf("%s: not written whole, as nobody reads it", to)
		}
	}
}

// one returns the name of something that is being written, and whether it waits for its reader if look is true.
func (s *waits) one(look bool) (to string, unread bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for w := range s.writes {
		if to = w.to; look && w.unread() {
			return to, true
		}
	}
	return to, false
}

// WriteRead writes text, and waits until it is written, or for some time and then as long as it does not wait for
// a reader.
func WriteRead(out io.Writer, text string, patience time.Duration) {
	written := make(chan struct{})
	go func() {
		defer close(written)
		_, _ = io.WriteString(out, text) // nobody could be told
	}()
	w := &wait{out: out}
	for end := time.Now().Add(patience); ; {
		select {
		case <-written:
			return
		case <-time.After(lookAgain):
		}
		if time.Now().After(end) && w.unread() {
			return
		}
	}
}

// WatchedWriter remembers that writing failed: whatever the command makes of it,
// the exit code must tell. It also notes what it writes at the moment.
type WatchedWriter struct {
	io.Writer
	Err   error
	name  string
	waits *waits // or nil
}

// Watch returns a writer to w, which is called name, for a command with this context. A file of a
// slow disk has no reader that it waits for.
func Watch(ctx context.Context, name string, w io.Writer) *WatchedWriter {
	watched := &WatchedWriter{Writer: w, name: name}
	if f, ok := w.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return watched
		}
	}
	if u, ok := ctx.Value(unfinishedKey{}).(*Unfinished); ok {
		watched.waits = &u.waits
	}
	return watched
}

// Write writes, and remembers the first error.
func (w *WatchedWriter) Write(text []byte) (n int, err error) {
	if w.waits != nil {
		n, err = w.waits.write(w.name, w.Writer, text)
	} else {
		n, err = w.Writer.Write(text)
	}
	if err != nil && w.Err == nil {
		w.Err = err
	}
	return n, err
}

// WatchPipe returns a writer as Watch does if w is a pipe, where writing may wait, or else w itself.
func WatchPipe(ctx context.Context, name string, w io.Writer) io.Writer {
	if f, ok := w.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) != 0 {
			return Watch(ctx, name, w)
		}
	}
	return w
}

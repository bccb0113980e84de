// Package output writes files that appear whole or not at all.
//
// In come the names that flags give, out go files, and a note of those that are not finished, and of
// writes that wait for a reader. Next is package interrupt, which ends these when the user stops the
// command or its time is over.
package output

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"pnmc/cmd/pnmc/internal/exit"
)

// File is a file that appears whole, when it is kept, or not at all: until then its
// content lies beside it. Anything but a regular file, such as a pipe or a device, is
// written to directly.
//
// A half of a net or a table is worse than none: a script would take it for the whole. Renaming a
// file within a folder is one step for all who look, so that they see the old content or the new
// one. That is why the content lies in the same folder until then: a rename to another file
// system is none. If the process is killed, a file NAME.*.part is left, and never a half of NAME. The
// next process that writes NAME removes it (createPart).
type File struct {
	Path   string // as the user called it
	target string // where the file goes when it is kept; empty if it is there
	// release ends that others leave alone what lies beside the target.
	release func()

	mutex  sync.Mutex // guards what follows: an interruption may end the file
	File   *os.File
	ended  bool
	failed error  // why not all was written
	waits  *waits // of the command, or nil
	begun  int64  // where the part begins that is being written, or noPart
}

// noPart says that no part is being written.
const noPart = -1

// Create begins a file, so that a place that can't be written to shows
// before the work is done. A file that is there keeps its permissions, and a link
// stays a link.
func Create(path string) (*File, error) {
	mode, given := fs.FileMode(0o644), path
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		path = resolved
	}
	switch info, err := os.Stat(path); {
	case err == nil && (isOpen(os.Stdout, info) || isOpen(os.Stderr, info)):
		return nil, exit.UsageError("%s is where this command prints: expected another file", path)
	case err == nil && info.IsDir():
		return nil, exit.InputError(&fs.PathError{Op: "write", Path: path, Err: errors.New("is a directory")})
	case err == nil && !info.Mode().IsRegular():
		f, err := OpenSpecial(path, info)
		tried.release(info)
		if err != nil {
			return nil, exit.InputError(err)
		}
		return &File{Path: given, File: f, begun: noPart}, nil
	case err == nil:
		mode = info.Mode().Perm()
	}
	f, release, err := createPart(path)
	var cause *fs.PathError
	if errors.As(err, &cause) { // the name that the user gave says more
		err = &fs.PathError{Op: "create", Path: path, Err: cause.Err}
	}
	if err != nil {
		return nil, exit.InputError(err)
	}
	o := &File{Path: given, File: f, target: path, release: release, begun: noPart}
	if err := f.Chmod(mode); err != nil {
		o.Discard()
		return nil, exit.InputError(err)
	}
	return o, nil
}

// isOpen reports whether f is the regular file that info describes.
func isOpen(f *os.File, info fs.FileInfo) bool {
	open, err := f.Stat()
	return err == nil && info.Mode().IsRegular() && os.SameFile(open, info)
}

// Write writes to the file, or to what lies beside it.
func (o *File) Write(text []byte) (int, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	var n int
	var err error
	if o.waits != nil {
		n, err = o.waits.write(o.Path, o.File, text)
	} else {
		n, err = o.File.Write(text)
	}
	if err != nil {
		o.failed = err
		err = exit.InputError(err) // for who gives the error on
	}
	return n, err
}

// HasParts reports whether a part that is not finished can be taken back: not from a pipe or a device.
func (o *File) HasParts() bool { return o.target != "" }

// Part writes a part that is to be there whole or not at all: it is taken back if write fails, and if
// the file is kept before write has come to its end, as on an interruption. The file must have parts.
func (o *File) Part(write func(io.Writer) error) error {
	if err := o.beginPart(); err != nil {
		return exit.InputError(err)
	}
	err := write(o)
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.ended {
		return err
	}
	if err != nil {
		o.failed = errors.Join(o.failed, o.takeBack())
	}
	o.begun = noPart
	return err
}

// beginPart notes where a part begins.
func (o *File) beginPart() (err error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.begun, err = o.File.Seek(0, io.SeekCurrent)
	return err
}

// takeBack removes what there is of the part that is being written, if there is one.
func (o *File) takeBack() error {
	if o.begun == noPart {
		return nil
	}
	if err := o.File.Truncate(o.begun); err != nil {
		return err
	}
	_, err := o.File.Seek(o.begun, io.SeekStart)
	return err
}

// isEnded reports whether the file was kept or discarded.
func (o *File) isEnded() bool {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.ended
}

// isFree reports whether nothing is being written, or not for long. A write to a pipe that nobody reads
// never returns.
func (o *File) isFree() bool {
	const pause = time.Millisecond
	for end := time.Now().Add(leastWait); !o.mutex.TryLock(); time.Sleep(pause) {
		if time.Now().After(end) {
			return false
		}
	}
	o.mutex.Unlock()
	return true
}

// Keep ends the file and makes it appear, unless something of it could not be written.
// It does nothing if the file has ended.
func (o *File) Keep() error { return KeepAll(o) }

// KeepAll ends files that belong together, and makes them appear. If something of one of them could not
// be written, none appears. Those that have ended are left out. What can fail for want of room is done
// for all of them before the first appears; what is left is to rename each.
func KeepAll(files ...*File) error {
	var ending []*File
	var err error
	for _, o := range files {
		o.mutex.Lock() // until all are there: an interruption ends none in between
		defer o.mutex.Unlock()
		if !o.ended {
			o.ended = true
			ending = append(ending, o)
			err = errors.Join(err, o.failed, o.takeBack(), o.File.Close())
		}
	}
	for _, o := range ending {
		if o.target == "" {
			continue
		}
		if err == nil {
			if err = os.Rename(o.File.Name(), o.target); err != nil { // some file systems don't move what is open
				o.release()
				err = os.Rename(o.File.Name(), o.target)
			}
		}
		if err != nil {
			os.Remove(o.File.Name())
		}
		o.release()
	}
	if err != nil {
		return exit.InputError(err)
	}
	return nil
}

// Discard ends the file as if it had never been.
func (o *File) Discard() {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.ended {
		return
	}
	o.ended = true
	o.File.Close()
	if o.target != "" {
		os.Remove(o.File.Name())
		o.release()
	}
}

// Write makes a file of this content appear whole or not at all.
func Write(path string, text []byte) error {
	return WriteBy(context.Background(), path, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// WriteBy makes a file appear, whole or not at all, whose content write makes. Ctx is that of the
// command.
func WriteBy(ctx context.Context, path string, write func(io.Writer) error) error {
	o, err := Create(path)
	if err != nil {
		return err
	}
	NoteUnfinished(ctx, o, false)
	if err := write(o); err != nil {
		o.Discard()
		return exit.InputError(err)
	}
	return o.Keep()
}

// Try finds out whether a file could be made, without making one. Nothing is done to a device: somebody might
// take that for the output. Of a pipe it finds out whether somebody reads it, and leaves it open until Create
// opens it: a reader takes it for the end when nobody has the pipe open any more.
func Try(path string) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		if err := tried.open(path, info); err != nil {
			return exit.InputError(err)
		}
		return nil
	}
	o, err := Create(path)
	if err == nil {
		o.Discard()
	}
	return err
}

// TryAll tries several files. A file without a name is skipped.
func TryAll(paths ...string) error {
	for _, path := range paths {
		if path == "" {
			continue
		}
		if err := Try(path); err != nil {
			return err
		}
	}
	return nil
}

// SharedWriter returns w for several processes at a time: a file is one already.
func SharedWriter(w io.Writer) io.Writer {
	if watched, ok := w.(*WatchedWriter); ok {
		if f, ok := watched.Writer.(*os.File); ok {
			return f
		}
	}
	if _, ok := w.(*os.File); ok {
		return w
	}
	return &lockedWriter{w: w}
}

// lockedWriter writes one text after the other.
type lockedWriter struct {
	mutex sync.Mutex
	w     io.Writer
}

// Write writes text as one piece: no other writes meanwhile.
func (l *lockedWriter) Write(text []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.w.Write(text)
}

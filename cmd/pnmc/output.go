package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// outputFile is a file that appears whole, when it is kept, or not at all: until
// then its content lies beside it. What is not a regular file, such as a pipe or
// a device, is written to as it is.
type outputFile struct {
	path   string // as the user called it
	target string // where the file goes when it is kept; empty if it is there

	mutex  sync.Mutex // guards what follows: an interruption may end the file
	file   *os.File
	ended  bool
	failed error // why not all was written
}

// createOutput begins a file, so that a place that can't be written to shows
// before the work is done. A file that is there keeps its permissions, and a link
// stays a link.
func createOutput(path string) (*outputFile, error) {
	mode, given := fs.FileMode(0o644), path
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		path = resolved
	}
	switch info, err := os.Stat(path); {
	case err == nil && (isOpen(os.Stdout, info) || isOpen(os.Stderr, info)):
		return nil, usageError("%s is where this command prints: expected another file", path)
	case err == nil && info.IsDir():
		return nil, inputError(&fs.PathError{Op: "write", Path: path, Err: errors.New("is a directory")})
	case err == nil && !info.Mode().IsRegular():
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return nil, inputError(err)
		}
		return &outputFile{path: given, file: f}, nil
	case err == nil:
		mode = info.Mode().Perm()
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.part")
	var cause *fs.PathError
	if errors.As(err, &cause) { // the name that the user gave says more
		err = &fs.PathError{Op: "create", Path: path, Err: cause.Err}
	}
	if err != nil {
		return nil, inputError(err)
	}
	o := &outputFile{path: given, file: f, target: path}
	if err := f.Chmod(mode); err != nil {
		o.discard()
		return nil, inputError(err)
	}
	return o, nil
}

// isOpen reports whether f is the regular file that info describes.
func isOpen(f *os.File, info fs.FileInfo) bool {
	open, err := f.Stat()
	return err == nil && info.Mode().IsRegular() && os.SameFile(open, info)
}

func (o *outputFile) Write(text []byte) (int, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	n, err := o.file.Write(text)
	if err != nil {
		o.failed = err
		err = inputError(err) // for who gives the error on
	}
	return n, err
}

// isEnded reports whether the file was kept or discarded.
func (o *outputFile) isEnded() bool {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.ended
}

// keep ends the file and makes it appear, unless something of it could not be written.
// It does nothing if the file has ended.
func (o *outputFile) keep() error {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.ended {
		return nil
	}
	o.ended = true
	err := errors.Join(o.failed, o.file.Close())
	if err == nil && o.target != "" {
		err = os.Rename(o.file.Name(), o.target)
	}
	if err != nil {
		if o.target != "" {
			os.Remove(o.file.Name())
		}
		return inputError(err)
	}
	return nil
}

// discard ends the file as if it had never been.
func (o *outputFile) discard() {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.ended {
		return
	}
	o.ended = true
	o.file.Close()
	if o.target != "" {
		os.Remove(o.file.Name())
	}
}

// writeFile makes a file of this content appear whole or not at all.
func writeFile(path string, text []byte) error {
	o, err := createOutput(path)
	if err != nil {
		return err
	}
	if _, err := o.Write(text); err != nil {
		o.discard()
		return inputError(err)
	}
	return o.keep()
}

// tryOutput finds out whether a file could be made, without making one. Nothing is done to
// a pipe or a device, of which somebody might take that for the output.
func tryOutput(path string) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return nil
	}
	o, err := createOutput(path)
	if err == nil {
		o.discard()
	}
	return err
}

// sharedWriter is w for several processes at a time: a file is one already.
func sharedWriter(w io.Writer) io.Writer {
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

func (l *lockedWriter) Write(text []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.w.Write(text)
}

// watchedWriter remembers that writing failed: whatever the command makes of it,
// the exit code must tell.
type watchedWriter struct {
	io.Writer
	err error
}

func (w *watchedWriter) Write(text []byte) (int, error) {
	n, err := w.Writer.Write(text)
	if err != nil && w.err == nil {
		w.err = err
	}
	return n, err
}

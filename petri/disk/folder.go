package disk

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"pnmc/internal/process"
)

// Names of files that have one begin with namePrefix, and end with runSuffix; between them are digits.
const (
	namePrefix = "pnmc-states-"
	runSuffix  = ".run"
)

// A Folder has room for the runs of one exploration, in files that have no names, so that they go with the
// process, however that ends. Safe for concurrent use.
type Folder struct {
	path  string
	limit int64

	searching sync.Mutex // held by a search

	mutex   sync.Mutex        // guards what follows: an interruption may remove the files
	files   map[*os.File]bool // whether it has a name
	made    int
	used    int64
	most    int64
	removed bool
}

// FullError reports that the disk is full, or that no more of it may be used.
type FullError struct {
	Limit int64 // 0: that of the disk
	Used  int64 // what the runs had
	Err   error // what the system says
}

// Error names the limit that was given or, where the disk itself is full, what lies on it.
func (e *FullError) Error() string {
	if e.Limit > 0 {
		return fmt.Sprintf("disk limit of %s reached", sizeText(e.Limit))
	}
	return fmt.Sprintf("the disk is full, with %s of markings on it: %v", sizeText(e.Used), e.Err)
}

func (e *FullError) Unwrap() error { return e.Err }

// FileError reports that a folder or file can't be made, read or written as it should.
type FileError struct{ Err error }

func (e *FileError) Error() string { return e.Err.Error() }

func (e *FileError) Unwrap() error { return e.Err }

// sizeText returns a number of bytes with a unit of which there is one at least.
func sizeText(bytes int64) string {
	value, unit := float64(bytes), "B"
	for _, larger := range []string{"kB", "MB"} {
		if value >= 1024 {
			value, unit = value/1024, larger
		}
	}
	if value < 10 {
		value = math.Floor(10*value) / 10
	} else {
		value = math.Floor(value)
	}
	return strconv.FormatFloat(value, 'f', -1, 64) + " " + unit
}

// NewFolder makes files in a folder that there is, for so many bytes at most, 0 for any, and removes what
// processes that are gone have left there. It makes one at once, to tell whether that is possible. An error is a
// *FileError or a *FullError.
func NewFolder(path string, limit int64) (*Folder, error) {
	sweep(path)
	f := &Folder{path: path, limit: limit, files: map[*os.File]bool{}}
	first, err := f.newFile()
	if err != nil {
		return nil, err
	}
	f.give(first, 0)
	return f, nil
}

// sweep removes files with names of ours. Where a file can go without its name while it is open, a process was
// killed just when it had made one, or is about to take the name away itself. Elsewhere a process has the file
// open, and it stays, or is gone.
func sweep(path string) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return // who makes a file there tells
	}
	for _, entry := range entries {
		number, ours := strings.CutPrefix(entry.Name(), namePrefix)
		number, ended := strings.CutSuffix(number, runSuffix)
		if ours && ended && number != "" && strings.Trim(number, "0123456789") == "" && entry.Type().IsRegular() {
			os.Remove(filepath.Join(path, entry.Name()))
		}
	}
}

// Path returns where the files are.
func (f *Folder) Path() string { return f.path }

// Most returns the most bytes that runs had at a time.
func (f *Folder) Most() int64 {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.most
}

// Remove removes all files. Whoever reads or writes there then fails.
func (f *Folder) Remove() {
	f.mutex.Lock()
	f.removed = true
	f.mutex.Unlock()
	f.clear()
}

// newFile makes a file for a run. Where the system can, it has no name.
func (f *Folder) newFile() (*os.File, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.removed {
		return nil, &FileError{fmt.Errorf("%s: %w", f.path, os.ErrClosed)}
	}
	f.made++
	file, named, err := process.Nameless(f.path, namePrefix+"*"+runSuffix)
	if err != nil {
		return nil, f.failed(err)
	}
	f.files[file] = named
	return file, nil
}

// write writes at the end of a file.
func (f *Folder) write(file *os.File, block []byte) error {
	f.mutex.Lock()
	if f.limit > 0 && f.used+int64(len(block)) > f.limit {
		defer f.mutex.Unlock()
		return &FullError{Limit: f.limit, Used: f.used}
	}
	f.used += int64(len(block))
	f.most = max(f.most, f.used)
	f.mutex.Unlock()
	if _, err := file.Write(block); err != nil {
		f.mutex.Lock()
		defer f.mutex.Unlock()
		f.used -= int64(len(block)) // a run that could not be written is given up without it
		return f.failed(err)
	}
	return nil
}

// give gives a file up, which has so many bytes.
func (f *Folder) give(file *os.File, size int64) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if _, ok := f.files[file]; !ok {
		return
	}
	f.close(file)
	f.used -= size
}

// clear gives all files up.
func (f *Folder) clear() {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	for file := range f.files {
		f.close(file)
	}
	f.used = 0
}

// close closes a file, and takes the name away that it may have. The mutex is held.
func (f *Folder) close(file *os.File) {
	file.Close()
	if f.files[file] {
		os.Remove(file.Name())
	}
	delete(f.files, file)
}

// failed returns what an error of the system means. The mutex is held.
func (f *Folder) failed(err error) error {
	for _, full := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG} {
		if errors.Is(err, full) {
			return &FullError{Used: f.used, Err: full}
		}
	}
	return &FileError{err}
}

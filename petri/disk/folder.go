package disk

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"pnmc/internal/process"
)

const (
	// folderPrefix is how the names of folders begin, and runSuffix how those of runs end.
	folderPrefix = "pnmc-states-"
	runSuffix    = ".run"
	// lockFile is in each folder. Its process holds a lock on it.
	lockFile = "lock"
	// lockBegin is how its text begins, so that no folder of somebody else is taken for one.
	lockBegin = "pnmc keeps markings here while it explores"
	// unlockedAge is the age of a folder without a lock that nobody is about to lock.
	unlockedAge = time.Minute
)

// A Folder holds the runs of one exploration. Safe for concurrent use.
type Folder struct {
	path  string
	limit int64
	lock  *os.File

	searching sync.Mutex // held by a search

	mutex   sync.Mutex // guards what follows: an interruption may remove the folder
	files   map[*os.File]bool
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
		return fmt.Sprintf("disk limit of %d MB reached", e.Limit>>20)
	}
	return fmt.Sprintf("the disk is full, with %d MB of markings on it: %v", e.Used>>20, e.Err)
}

func (e *FullError) Unwrap() error { return e.Err }

// FileError reports that a folder or file can't be made, read or written as it should.
type FileError struct{ Err error }

func (e *FileError) Error() string { return e.Err.Error() }

func (e *FileError) Unwrap() error { return e.Err }

// NewFolder makes a folder below another, for so many bytes at most, 0 for any, and removes what
// processes that are gone have left there. An error is a *FileError or a *FullError.
func NewFolder(below string, limit int64) (*Folder, error) {
	sweep(below)
	f := &Folder{limit: limit, files: map[*os.File]bool{}}
	for tries := 3; ; tries-- {
		err := f.create(below)
		if err == nil {
			return f, nil
		}
		if tries == 0 || !errors.Is(err, errSwept) {
			return nil, f.failed(err)
		}
	}
}

// errSwept means that another process took the folder for one that was left.
var errSwept = errors.New("the folder was removed by another process")

// create makes the folder and takes its lock.
func (f *Folder) create(below string) error {
	path, err := os.MkdirTemp(below, folderPrefix+"*")
	if err != nil {
		return err
	}
	f.path = path
	err = f.takeLock()
	if err != nil {
		if f.lock != nil {
			f.lock.Close()
		}
		empty(path)
	}
	return err
}

// takeLock makes the file that says whose the folder is, and takes it. The error is errSwept if
// another process has removed the folder meanwhile, or is about to.
func (f *Folder) takeLock() error {
	path := filepath.Join(f.path, lockFile)
	var err error
	if f.lock, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600); err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return errSwept
		}
		return err
	}
	if taken, err := process.Lock(f.lock); taken || err != nil {
		if taken {
			err = errSwept
		}
		return err
	}
	if _, err := fmt.Fprintf(f.lock, "%s, in process %d. The folder goes when it ends; or, if it is killed, with the next one that is given the folder above.\n", lockBegin, os.Getpid()); err != nil {
		return err
	}
	ours, err := f.lock.Stat()
	if err != nil {
		return err
	}
	if there, err := os.Stat(path); err != nil || !os.SameFile(ours, there) {
		return errSwept
	}
	return nil
}

// sweep removes folders whose processes are gone. Folders that can't be looked at stay.
func sweep(below string) {
	entries, err := os.ReadDir(below)
	if err != nil {
		return // who makes a folder there tells
	}
	for _, entry := range entries {
		if !entry.IsDir() || !strings.HasPrefix(entry.Name(), folderPrefix) {
			continue
		}
		path := filepath.Join(below, entry.Name())
		lock, err := os.OpenFile(filepath.Join(path, lockFile), os.O_RDWR, 0)
		if errors.Is(err, os.ErrNotExist) {
			if info, err := entry.Info(); err == nil && time.Since(info.ModTime()) > unlockedAge {
				os.Remove(path) // if it is empty
			}
			continue
		}
		if err != nil {
			continue
		}
		begin := make([]byte, len(lockBegin))
		if process.Free(lock) {
			if n, _ := lock.ReadAt(begin, 0); n == 0 || string(begin[:n]) == lockBegin {
				empty(path)
			}
		}
		lock.Close()
	}
}

// empty removes a folder with what this package writes there.
func empty(path string) {
	if entries, err := os.ReadDir(path); err == nil {
		for _, entry := range entries {
			if name := entry.Name(); name == lockFile || strings.HasSuffix(name, runSuffix) {
				os.Remove(filepath.Join(path, name))
			}
		}
	}
	os.Remove(path)
}

// Path returns where the folder is.
func (f *Folder) Path() string { return f.path }

// Most returns the most bytes that runs had at a time.
func (f *Folder) Most() int64 {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.most
}

// Remove removes the folder with all that is in it. Whoever reads or writes there then fails.
func (f *Folder) Remove() {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.removed {
		return
	}
	f.removed = true
	for file := range f.files {
		file.Close()
	}
	empty(f.path)
	f.lock.Close()
}

// newFile makes a file for a run. Where the system can, it has no name any more, so that it goes
// with the process, however that ends.
func (f *Folder) newFile() (*os.File, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.made++
	path := filepath.Join(f.path, fmt.Sprintf("%d%s", f.made, runSuffix))
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, f.failed(err)
	}
	f.files[file] = true
	if runtime.GOOS != "windows" {
		os.Remove(path)
	}
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
	_, err := file.Write(block)
	if err != nil {
		return f.failed(err)
	}
	return nil
}

// give gives a file up, which has so many bytes.
func (f *Folder) give(file *os.File, size int64) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if !f.files[file] {
		return
	}
	delete(f.files, file)
	f.used -= size
	file.Close()
	if runtime.GOOS == "windows" {
		os.Remove(file.Name())
	}
}

// clear gives all files up.
func (f *Folder) clear() {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	for file := range f.files {
		file.Close()
		if runtime.GOOS == "windows" {
			os.Remove(file.Name())
		}
	}
	clear(f.files)
	f.used = 0
}

// failed returns what an error of the system means.
func (f *Folder) failed(err error) error {
	for _, full := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG} {
		if errors.Is(err, full) {
			return &FullError{Used: f.used, Err: full}
		}
	}
	return &FileError{err}
}

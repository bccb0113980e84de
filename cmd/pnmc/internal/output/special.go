package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"
	"syscall"
	"time"
)

// errNoReader says that nobody reads what would be written into a pipe.
var errNoReader = errors.New("a pipe that nobody reads from: start its reader first")

// A reader that was started together with the command has readerPatience to open the pipe.
const (
	readerPatience = 250 * time.Millisecond
	readerPause    = 5 * time.Millisecond
)

// OpenSpecial opens what is no regular file, as info tells, to be written to as it is. To open a pipe
// waits for its reader, which may never come: no limit and no interruption would end that. So a pipe
// without one is refused.
func OpenSpecial(path string, info fs.FileInfo) (*os.File, error) {
	if info.Mode()&fs.ModeNamedPipe == 0 {
		return os.OpenFile(path, os.O_WRONLY, 0)
	}
	for end := time.Now().Add(readerPatience); ; time.Sleep(readerPause) {
		f, err := os.OpenFile(path, os.O_WRONLY|syscall.O_NONBLOCK, 0)
		if !errors.Is(err, syscall.ENXIO) {
			return f, err
		}
		if time.Now().After(end) {
			return nil, fmt.Errorf("%s: %w", path, errNoReader)
		}
	}
}

// tried has the pipes that Try has opened and Create has not. They are those of the process, which
// closes them if it ends before.
var tried triedPipes

// triedPipes are pipes that are open so that their readers wait.
type triedPipes struct {
	mutex sync.Mutex
	pipes []*os.File
}

// open opens a pipe, as info tells, that somebody reads. Anything else is left alone.
func (t *triedPipes) open(path string, info fs.FileInfo) error {
	if info.Mode()&fs.ModeNamedPipe == 0 {
		return nil
	}
	f, err := OpenSpecial(path, info)
	if err != nil {
		return err
	}
	t.release(info)
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.pipes = append(t.pipes, f)
	return nil
}

// release closes the pipe that info tells of, if it is one of these.
func (t *triedPipes) release(info fs.FileInfo) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.pipes = slices.DeleteFunc(t.pipes, func(f *os.File) bool {
		open, err := f.Stat()
		if err != nil || !os.SameFile(open, info) {
			return false
		}
		_ = f.Close() // nothing was written
		return true
	})
}

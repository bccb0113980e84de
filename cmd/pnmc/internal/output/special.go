package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
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

package process

import (
	"os"

	"golang.org/x/sys/unix"
)

// openNameless makes a file that never has a name. Some file systems can't.
func openNameless(folder string) (*os.File, error) {
	return os.OpenFile(folder, unix.O_TMPFILE|unix.O_EXCL|os.O_RDWR, 0o600)
}

package unpack

import (
	"fmt"
	"os"
)

// Regular returns an error if there is something at path that no text can be read from to its end:
// a pipe, which nobody may write into, or a device.
func Regular(path string) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return fmt.Errorf("%s: expected a regular file, found %s", path, kindOf(info.Mode()))
	}
	return nil
}

// kindOf returns what a file that is neither regular nor a directory is.
func kindOf(mode os.FileMode) string {
	switch {
	case mode&os.ModeNamedPipe != 0:
		return "a pipe"
	case mode&os.ModeDevice != 0:
		return "a device"
	case mode&os.ModeSocket != 0:
		return "a socket"
	}
	return "something else"
}

package unpack

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// Regular returns an error if there is something at path that no text can be read from to its end:
// a pipe, which nobody may write into, or a device.
func Regular(path string) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return notRegular(path, info.Mode())
	}
	return nil
}

// notRegular returns the error that what is at path, of this mode, is no regular file.
func notRegular(path string, mode os.FileMode) error {
	if mode.IsDir() {
		return DirectoryError(path)
	}
	return fmt.Errorf("%s: expected a regular file, found %s", path, kindOf(mode))
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

// OpenRegular opens the file at path, as it is, to be read. Whatever else is there, such as a directory,
// a pipe or a device, is an error.
//
// What is no regular file is not opened, as that may do something, such as to wind a tape or to let
// go on who writes into a pipe. Another process may put a pipe there in the moment before the file is
// opened: so opening does not wait, and what was opened is looked at again.
func OpenRegular(path string) (*os.File, error) {
	if err := Regular(path); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|withoutWaiting, 0)
	if err != nil {
		return nil, err
	}
	if err := OpenedRegular(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// OpenedRegular returns an error if an open file is no regular one.
func OpenedRegular(f *os.File) error {
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = notRegular(f.Name(), info.Mode())
	}
	return err
}

// ReadRegular reads the file at path whole, as it is. It is an error if that is no regular file, and
// if it has more than most bytes: of these nothing more is read.
func ReadRegular(path string, most int64) ([]byte, error) {
	f, err := OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	var text []byte
	if info.Size() <= most {
		if text, err = io.ReadAll(io.LimitReader(f, most+1)); err != nil { // it may grow meanwhile
			return nil, err
		}
	}
	if info.Size() > most || int64(len(text)) > most {
		return nil, fmt.Errorf("%s: expected a file of at most %d MB, found a larger one", path, most>>20)
	}
	return text, nil
}

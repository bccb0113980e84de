package cross

import (
	"path/filepath"

	"pnmc/internal/process"
)

// scratchName begins the names of folders with files for translators.
const scratchName = "pnmc-cross-"

// files are those of one translation, which %F and its like and %O name. They are in a folder of
// their own, which is made for the first of them. If the process is killed, the next one that makes
// such a folder removes it.
type files struct {
	folder  string
	remover func() error
}

// path returns where a file with this name is to be.
func (f *files) path(name string) (string, error) {
	if f.folder == "" {
		var err error
		if f.folder, f.remover, err = process.Scratch(scratchName); err != nil {
			return "", err
		}
	}
	return filepath.Join(f.folder, name), nil
}

// remove removes the files.
func (f *files) remove() {
	if f.folder != "" {
		_ = f.remover() // the next process that makes such a folder tries again
	}
}

// FileError says that a file for a translator could not be made, such as for want of room. The
// translator has no part in that.
type FileError struct{ Err error }

func (e *FileError) Error() string { return e.Err.Error() }

func (e *FileError) Unwrap() error { return e.Err }

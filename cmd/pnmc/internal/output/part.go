package output

import (
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"pnmc/internal/process"
)

const (
	// partEnding is how the name of a file ends that is being written.
	partEnding = ".part"
	// partTries is how often one may be taken for one that was left.
	partTries = 10
)

// partName returns how the names begin of the files that this computer writes for path. Computers that
// share a folder need not know of each other's locks.
func partName(path string) string {
	host, _ := process.Machine()
	hash := fnv.New32a()
	hash.Write([]byte(host))
	return fmt.Sprintf("%s.%04x-", filepath.Base(path), hash.Sum32()&0xffff)
}

// createPart makes a file beside path, which this process has alone until release is called, and
// removes those that processes left for path when they were killed. A lock ends with its process,
// however that ends, so that a file without one was left. In the moment before it is locked, the file
// may be taken for such a one: then another is made.
func createPart(path string) (f *os.File, release func(), err error) {
	folder, name := filepath.Dir(path), partName(path)
	removeParts(folder, name)
	for range partTries {
		f, err := os.CreateTemp(folder, name+"*"+partEnding) // the last * is replaced
		if err != nil {
			return nil, nil, err
		}
		release, held, err := process.Hold(f.Name())
		if held {
			return f, release, nil
		}
		f.Close()
		if err != nil {
			os.Remove(f.Name())
			return nil, nil, err
		}
	}
	return nil, nil, fmt.Errorf("%s: other processes remove what this one writes", path)
}

// removeParts removes files of this name that nobody is writing any more.
func removeParts(folder, name string) {
	entries, _ := os.ReadDir(folder) // who makes a file there tells what is wrong
	for _, entry := range entries {
		number, begins := strings.CutPrefix(entry.Name(), name)
		number, ends := strings.CutSuffix(number, partEnding)
		if !begins || !ends || strings.Trim(number, "0123456789") != "" || entry.Type()&fs.ModeType != 0 {
			continue
		}
		path := filepath.Join(folder, entry.Name())
		left, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			continue
		}
		if process.Free(left) {
			_ = os.Remove(path) // the next one tries again
		}
		_ = left.Close() // nothing was written
	}
}

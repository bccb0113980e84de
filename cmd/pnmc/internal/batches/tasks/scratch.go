package tasks

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"pnmc/internal/cluster"
	"pnmc/internal/process"
)

// The folders in which tasks unpack archives, and the files in them that say whose they are:
// a process that lives has its file locked.
const (
	scratchName  = "pnmc-task-"
	scratchLock  = "lock"
	scratchFiles = "unpacked"
	// scratchTries is how often a folder may be taken for one that was left.
	scratchTries = 10
)

// makeScratch makes a folder to unpack archives in, within the one for temporary files. It also
// removes folders that tasks left when they were killed, else these would fill the disk. remove
// takes the new folder away; after an error it does nothing.
//
// How does it know that a folder was left? Each has a file that its task holds locked. A lock ends
// with its process, however that ends. So a file that can be locked belongs to a task that lives no
// more. There is a moment between making a folder and locking its file in which another task may
// take it for one that was left. Whoever has locked the file therefore looks whether it is still
// there, and if not begins again.
func makeScratch() (scratch string, remove func() error, err error) {
	// Computers that share this folder need not know of each other's locks.
	host, _ := process.Machine()
	pattern := scratchName + strings.Map(func(c rune) rune {
		if strings.ContainsRune(`*?[\/`, c) {
			return '-'
		}
		return c
	}, host) + "-*"
	none := func() error { return nil }
	left, _ := filepath.Glob(cluster.Pattern(os.TempDir(), pattern)) // the pattern is right
	for _, folder := range left {
		removeLeft(folder)
	}
	for range scratchTries {
		folder, err := os.MkdirTemp("", pattern)
		if err != nil {
			return "", none, err
		}
		lock, err := os.OpenFile(filepath.Join(folder, scratchLock), os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			if errors.Is(err, os.ErrNotExist) {
				continue
			}
			return "", none, errors.Join(err, os.RemoveAll(folder))
		}
		taken, err := process.Lock(lock)
		_, gone := os.Stat(lock.Name())
		if taken || gone != nil { // another task took it for one that was left
			_ = lock.Close() // nothing was written
			continue
		}
		remove = func() error { return errors.Join(os.RemoveAll(folder), lock.Close()) }
		scratch = filepath.Join(folder, scratchFiles)
		if err == nil {
			err = os.Mkdir(scratch, 0o755)
		}
		if err != nil {
			return "", none, errors.Join(err, remove())
		}
		return scratch, remove, nil
	}
	return "", none, fmt.Errorf("%s: other tasks remove the folder that this one makes", os.TempDir())
}

// removeLeft removes the folder of a task that does not live any more. Others', and those
// without a lock, which are being made or removed, stay.
func removeLeft(folder string) {
	lock, err := os.OpenFile(filepath.Join(folder, scratchLock), os.O_RDWR, 0)
	if err != nil {
		return
	}
	defer lock.Close()
	if process.Free(lock) {
		_ = os.RemoveAll(folder) // the next one tries again
	}
}

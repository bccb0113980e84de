package process

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

const (
	// scratchLock is the file in each folder of Scratch that says whose it is: a process that
	// lives has it locked.
	scratchLock = "lock"
	// scratchFiles is the folder beside it.
	scratchFiles = "files"
	// scratchTries is how often a folder may be taken for one that was left.
	scratchTries = 10
	// unlockedAge is the age of a folder without a lock that nobody is about to lock.
	unlockedAge = time.Minute
)

// swept has the beginnings of names for which this process has removed what was left.
var swept sync.Map

// Scratch makes a folder for this process within the one for temporary files. Its name begins with
// name, and no other kind of folder may begin so. The first call for a name also removes folders that
// processes left when they were killed, else these would fill the disk. remove takes the new folder
// away; after an error it does nothing.
//
// How does it know that a folder was left? Each has a file that its process holds locked. A lock
// ends with its process, however that ends. So a file that can be locked belongs to a process that
// lives no more. There is a moment between making a folder and locking its file in which another
// process may take it for one that was left. Whoever has locked the file therefore looks whether it
// is still there, and if not begins again. Where the system has no locks, nothing is removed.
func Scratch(name string) (folder string, remove func() error, err error) {
	// Computers that share this folder need not know of each other's locks.
	host, _ := Machine()
	name += strings.Map(func(c rune) rune {
		if strings.ContainsRune(`*/\`, c) { // which mean something to MkdirTemp
			return '-'
		}
		return c
	}, host) + "-"
	if _, again := swept.LoadOrStore(filepath.Join(os.TempDir(), name), true); !again {
		removeLeft(os.TempDir(), name)
	}
	none := func() error { return nil }
	for range scratchTries {
		own, err := os.MkdirTemp("", name+"*")
		if err != nil {
			return "", none, err
		}
		lock, err := os.OpenFile(filepath.Join(own, scratchLock), os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			if errors.Is(err, os.ErrNotExist) {
				continue
			}
			return "", none, errors.Join(err, os.RemoveAll(own))
		}
		taken, err := Lock(lock)
		_, gone := os.Stat(lock.Name())
		if taken || gone != nil { // another process took it for one that was left
			_ = lock.Close() // nothing was written
			continue
		}
		remove = func() error { return errors.Join(os.RemoveAll(own), lock.Close()) }
		folder = filepath.Join(own, scratchFiles)
		if err == nil {
			err = os.Mkdir(folder, 0o755)
		}
		if err != nil {
			return "", none, errors.Join(err, remove())
		}
		return folder, remove, nil
	}
	return "", none, fmt.Errorf("%s: other processes remove the folder that this one makes", os.TempDir())
}

// removeLeft removes folders of processes that do not live any more. Others' stay.
func removeLeft(below, name string) {
	entries, _ := os.ReadDir(below) // who makes a folder there tells what is wrong
	for _, entry := range entries {
		number, ours := strings.CutPrefix(entry.Name(), name)
		if !ours || !entry.IsDir() || strings.Trim(number, "0123456789") != "" { // such as that of a computer whose name is longer
			continue
		}
		folder := filepath.Join(below, entry.Name())
		lock, err := os.OpenFile(filepath.Join(folder, scratchLock), os.O_RDWR, 0)
		if err != nil {
			// It is being made or removed, or its process was killed just then.
			if info, failed := entry.Info(); errors.Is(err, os.ErrNotExist) && failed == nil && time.Since(info.ModTime()) > unlockedAge {
				_ = os.RemoveAll(folder) // the next one tries again
			}
			continue
		}
		if Free(lock) {
			_ = os.RemoveAll(folder) // the next one tries again
		}
		_ = lock.Close() // nothing was written
	}
}

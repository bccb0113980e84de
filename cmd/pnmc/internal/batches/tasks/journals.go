package tasks

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"pnmc/internal/cluster"
	"pnmc/mcc/batch/history"
)

// JournalsOfTasks returns the paths of the journals of tasks in a folder of results.
func JournalsOfTasks(folder string) ([]string, error) {
	paths, err := filepath.Glob(cluster.Pattern(folder, "journal-*.jsonl"))
	slices.Sort(paths)
	return paths, err
}

// Journals returns the paths of all journals in a folder of results: that of a batch on one
// computer, if there is one, and those of tasks.
func Journals(folder string) ([]string, error) {
	paths, err := JournalsOfTasks(folder)
	if own := filepath.Join(folder, history.FileName); err == nil {
		if _, none := os.Stat(own); none == nil {
			paths = append([]string{own}, paths...)
		}
	}
	return paths, err
}

// openJournal begins the journal of a start of a task of a record, in a folder of results, and joins
// those of its earlier starts. Each start has a file of its own, which no other process writes, so
// that nothing depends on locks of a shared file system.
func openJournal(folder string, record, task int, settings history.Settings) (*history.Journal, error) {
	name := fmt.Sprintf("journal-%04d-%04d", record, task)
	earlier, err := filepath.Glob(cluster.Pattern(folder, name+"*.jsonl"))
	if err != nil {
		return nil, err
	}
	path := filepath.Join(folder, name+".jsonl")
	j, err := history.Begin(path, settings)
	for start := 1; errors.Is(err, fs.ErrExist); start++ {
		path = filepath.Join(folder, fmt.Sprintf("%s.%d.jsonl", name, start))
		j, err = history.Begin(path, settings)
	}
	if err != nil {
		return nil, err
	}
	if err := j.Join(earlier, settings); err != nil {
		return nil, errors.Join(err, j.Close())
	}
	return j, nil
}

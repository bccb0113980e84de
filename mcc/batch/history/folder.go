package history

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"pnmc/internal/cluster"
)

// FileName is the journal of a batch that runs on one computer.
const FileName = "journal.jsonl"

// FilesOfTasks returns the paths of the journals of tasks in a folder of results.
func FilesOfTasks(folder string) ([]string, error) {
	paths, err := filepath.Glob(cluster.Pattern(folder, "journal-*.jsonl"))
	slices.Sort(paths)
	return paths, err
}

// Files returns the paths of all journals in a folder of results: that of a batch on one
// computer, if there is one, and those of tasks.
func Files(folder string) ([]string, error) {
	paths, err := FilesOfTasks(folder)
	if own := filepath.Join(folder, FileName); err == nil {
		if _, none := os.Stat(own); none == nil {
			paths = append([]string{own}, paths...)
		}
	}
	return paths, err
}

// OpenOfTask begins the journal of a start of a task of a record, in a folder of results, and joins
// those of its earlier starts. Each start has a file of its own, which no other process writes, so
// that nothing depends on locks of a shared file system.
func OpenOfTask(folder string, record, task int, settings Settings) (*Journal, error) {
	name := fmt.Sprintf("journal-%04d-%04d", record, task)
	earlier, err := filepath.Glob(cluster.Pattern(folder, name+"*.jsonl"))
	if err != nil {
		return nil, err
	}
	path := filepath.Join(folder, name+".jsonl")
	j, err := open(path, settings, os.O_EXCL)
	for start := 1; errors.Is(err, fs.ErrExist); start++ {
		path = filepath.Join(folder, fmt.Sprintf("%s.%d.jsonl", name, start))
		j, err = open(path, settings, os.O_EXCL)
	}
	if err != nil {
		return nil, err
	}
	if err := j.Join(earlier, settings); err != nil {
		return nil, errors.Join(err, j.Close())
	}
	return j, nil
}

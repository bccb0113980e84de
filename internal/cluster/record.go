package cluster

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"pnmc/internal/unpack"
)

// Record is a submission as it stands on the disk before it is made: its tasks, and their
// jobs.
type Record struct {
	// Number counts the records of a folder from 1.
	Number int `json:"number"`
	// Token distinguishes its jobs from all others of the scheduler.
	Token string `json:"token"`
	// Name is that of its jobs.
	Name string `json:"name"`
	// Cluster is the one of several that it was submitted to; empty: that of its computer.
	Cluster string `json:"cluster,omitempty"`
	// Cores of a task, Parallel of its jobs run side by side.
	Cores    int `json:"cores"`
	Parallel int `json:"parallel"`
	// Arrays are given to Slurm. There are none if another engine runs the tasks.
	Arrays []Array `json:"arrays,omitempty"`
	// Work is what the caller needs to know to run a job, by its name.
	Work  json.RawMessage `json:"work"`
	Tasks []Task          `json:"tasks"`

	folder string
}

// Array is an array of jobs of Slurm, with the tasks from First on, Count of them.
type Array struct {
	First int `json:"first"`
	Count int `json:"count"`
	// Job is its number in Slurm, once that is known: 0 before.
	Job int64 `json:"-"`
}

// Comment returns what Slurm keeps beside the jobs of array i.
func (r *Record) Comment(i int) string { return "pnmc:" + r.Token + ":" + strconv.Itoa(i) }

// Path returns the file of the record.
func (r *Record) Path() string { return filepath.Join(r.folder, fileOf(r.Number, ".json")) }

// fileOf returns the name of a file of the record with this number.
func fileOf(number int, rest string) string { return fmt.Sprintf("%04d%s", number, rest) }

// newToken returns a token that no other has.
func newToken() string {
	var random [8]byte
	_, _ = rand.Read(random[:]) // never fails
	return hex.EncodeToString(random[:])
}

// ErrNoRecord is that a file is no record. Records are there whole, or not at all: it stays so.
var ErrNoRecord = errors.New("expected the record of a submission")

// mostRecord bounds the bytes of a record, and of a file with its notes: a million jobs fit in. What is larger is
// not read into memory.
const mostRecord = 64 << 20

// ReadRecord reads the record in a file, which must be a regular one.
func ReadRecord(path string) (*Record, error) {
	text, err := unpack.ReadRegular(path, mostRecord)
	if err != nil {
		return nil, err
	}
	r := &Record{folder: filepath.Dir(path)}
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", path, ErrNoRecord, err)
	}
	return r, r.readNotes()
}

// Pattern returns a pattern for the names of files in a folder, as filepath.Glob reads it, whatever
// the folder is called.
func Pattern(folder, names string) string {
	return filepath.Join(strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(folder), names)
}

// ReadRecords reads the records in a folder, in their order; there may be none.
func ReadRecords(folder string) ([]*Record, error) {
	paths, err := filepath.Glob(Pattern(folder, "[0-9]*.json"))
	if err != nil {
		return nil, err
	}
	slices.Sort(paths)
	var list []*Record
	for _, path := range paths {
		r, err := ReadRecord(path)
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b *Record) int { return a.Number - b.Number })
	return list, nil
}

// write puts the record on the disk, whole or not at all.
func (r *Record) write() error {
	text, err := json.Marshal(r)
	if err == nil && len(text) > mostRecord {
		err = fmt.Errorf("%s: a record of more than %d MB: submit in parts", r.Path(), mostRecord>>20)
	}
	if err == nil { // before anything is submitted
		err = unpack.Regular(r.notes())
	}
	if err != nil {
		return err
	}
	return writeDurably(r.Path(), text)
}

// writeDurably makes a file that is there whole, or not at all, after a loss of power, too.
func writeDurably(path string, text []byte) error {
	part := path + ".part"
	if err := unpack.Regular(part); err != nil {
		return err
	}
	f, err := os.Create(part)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(part, path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(part))
	}
	return syncFolder(filepath.Dir(path))
}

// syncFolder puts the names of a folder on the disk, where the system can.
func syncFolder(folder string) error {
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	_ = f.Sync() // not all file systems do
	return f.Close()
}

// notes returns the file with the numbers of jobs: a line for each array, with its place among
// them and its number.
func (r *Record) notes() string { return filepath.Join(r.folder, fileOf(r.Number, ".jobs")) }

// note notes the number that Slurm gave an array.
func (r *Record) note(array int, job int64) error {
	f, err := os.OpenFile(r.notes(), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "%d %d\n", array, job)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		r.Arrays[array].Job = job
	}
	return err
}

// readNotes takes in the numbers that were noted. A line that was cut off is none.
func (r *Record) readNotes() error {
	text, err := unpack.ReadRegular(r.notes(), mostRecord)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		if !strings.HasSuffix(line, "\n") {
			break
		}
		array, job, _ := strings.Cut(strings.TrimSpace(line), " ")
		i, errArray := strconv.Atoi(array)
		number, errJob := strconv.ParseInt(job, 10, 64)
		if errArray == nil && errJob == nil && i >= 0 && i < len(r.Arrays) {
			r.Arrays[i].Job = number
		}
	}
	return nil
}

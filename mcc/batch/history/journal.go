package history

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"pnmc/internal/process"
	"pnmc/internal/unpack"
)

// Journal is the memory of a batch: a file with one JSON object a line, to which lines are only
// added. Each line is on the disk before anything else happens. So what a journal says is decided
// stays so, however the batch ends. For example, these are the lines of a run with two questions:
//
//	{"kind":"settings","settings":{"seconds":60,"memory_bytes":4294967296},…}
//	{"kind":"start","instance":"Philosophers-PT-000010","examination":"UpperBounds","questions":["…-00","…-01"],…}
//	{"kind":"answer","instance":…,"examination":…,"question":"…-00","value":"1","seconds":0.2,…}
//	{"kind":"end","instance":…,"examination":…,"seconds":60.01,…}
//
// After a power cut. The last line may be cut off; it is dropped when the journal is opened
// again, and its answer or end did not happen. A start without an end says that the run was lost:
// it is run again, and answers that it gave count. A line that a full disk has cut is taken away at
// once, and no other line follows: a file that looks whole is whole.
type Journal struct {
	mutex sync.Mutex
	file  disk
	// size is the length of the lines that are whole. failed says why no more can be added,
	// once a line could not be written.
	size   int64
	failed error
	closed bool
	// known is what the journal says, and those that it has joined.
	*known
}

// disk is the file of a journal.
type disk interface {
	io.WriteCloser
	Sync() error
	Truncate(size int64) error
}

// entry is a line of the journal; what kind it is says which fields it has.
type entry struct {
	Kind        string    `json:"kind"`
	Settings    *Settings `json:"settings,omitempty"`
	Instance    string    `json:"instance,omitempty"`
	Examination string    `json:"examination,omitempty"`
	Questions   []string  `json:"questions,omitempty"`
	Question    string    `json:"question,omitempty"`
	Value       string    `json:"value,omitempty"`
	Techniques  string    `json:"techniques,omitempty"`
	End         string    `json:"end,omitempty"`
	Fault       Fault     `json:"fault,omitempty"`
	Seconds     float64   `json:"seconds,omitempty"`
	PeakBytes   int64     `json:"peak_bytes,omitempty"`
	Begun       float64   `json:"begun,omitempty"`
	Host        string    `json:"host,omitempty"`
	Processor   string    `json:"processor,omitempty"`
}

// The kinds of entries.
const (
	settingsEntry = "settings"
	startEntry    = "start"
	answerEntry   = "answer"
	endEntry      = "end"
	// interruptedEntry: the run was ended before its time, by a signal, and is to be repeated.
	interruptedEntry = "interrupted"
)

// FileName is the journal of a batch that runs on one computer, in its folder of results.
const FileName = "journal.jsonl"

// errBusy says that another process writes the journal.
var errBusy = errors.New("another batch is writing its results here: wait for its end, or choose another folder")

// Open reads the journal at path, or begins it. A last line that was cut
// off is dropped, unless it is the only one and is of something else. It is an error if the journal is of other settings, and errBusy if
// another process has it open: two would run the same jobs and empty each other's
// scratch folder.
func Open(path string, settings Settings) (*Journal, error) {
	return open(path, settings, 0)
}

// Begin begins the journal at path. It is an error, fs.ErrExist, if there is one.
func Begin(path string, settings Settings) (*Journal, error) {
	return open(path, settings, os.O_EXCL)
}

// open opens a journal as Open does, with further flags of opening a file.
func open(path string, settings Settings, flags int) (*Journal, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|flags, 0o644)
	if err != nil {
		return nil, err
	}
	if err := unpack.OpenedRegular(file); err != nil { // a pipe or a device has no end to go on from
		return nil, errors.Join(err, file.Close())
	}
	if taken, err := process.Lock(file); err != nil || taken {
		if taken {
			err = fmt.Errorf("%s: %w", path, errBusy)
		}
		return nil, errors.Join(err, file.Close())
	}
	j := &Journal{file: file, known: newKnown()}
	whole, err := j.read(file, path, &settings)
	if err == nil {
		err = file.Truncate(whole)
	}
	if err == nil {
		_, err = file.Seek(whole, io.SeekStart)
	}
	j.size = whole
	if err == nil && whole == 0 {
		err = j.write(entry{Kind: settingsEntry, Settings: &settings})
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return j, nil
}

// Join takes in what other journals of the same settings have: a job that has an end there needs no
// run any more. Other processes may be writing them.
func (j *Journal) Join(paths []string, settings Settings) error {
	others, err := readAll(paths, &settings)
	if err != nil {
		return err
	}
	j.mutex.Lock()
	defer j.mutex.Unlock()
	for _, h := range others {
		j.merge(h)
	}
	return nil
}

// add puts an entry on the disk, and into the runs.
func (j *Journal) add(e entry) error {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	if err := j.write(e); err != nil {
		return err
	}
	e.Host, e.Processor = process.Machine()
	return j.apply(e)
}

// write adds a line, which is on the disk when it returns without error. After an
// error there is nothing of the line, and no other is added.
func (j *Journal) write(e entry) error {
	if j.failed != nil {
		return j.failed
	}
	e.Host, e.Processor = process.Machine()
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	n, err := j.file.Write(append(line, '\n'))
	if err == nil {
		err = j.file.Sync()
	}
	if err != nil {
		j.failed = err
		return errors.Join(err, j.file.Truncate(j.size))
	}
	j.size += int64(n)
	return nil
}

// Start notes that a run of a job begins, which asks these questions, at a time in seconds since
// 1970.
func (j *Journal) Start(job Job, questions []string, begun float64) error {
	e := entryOf(job, startEntry)
	e.Questions, e.Begun = questions, begun
	return j.add(e)
}

// Answer notes an answer of the run of a job.
func (j *Journal) Answer(job Job, a Answer) error {
	e := entryOf(job, answerEntry)
	e.Question, e.Value, e.Techniques, e.Seconds = a.Question, a.Value, a.Techniques, a.Seconds
	return j.add(e)
}

// End notes how the run of a job ended: End, Fault, Seconds and PeakBytes count.
func (j *Journal) End(job Job, run Run) error {
	e := entryOf(job, endEntry)
	e.End, e.Fault, e.Seconds, e.PeakBytes = run.End, run.Fault, run.Seconds, run.PeakBytes
	return j.add(e)
}

// Interrupt notes that the run of a job was ended after so many seconds, before its time, and is to
// be repeated.
func (j *Journal) Interrupt(job Job, seconds float64) error {
	e := entryOf(job, interruptedEntry)
	e.Seconds = seconds
	return j.add(e)
}

// entryOf returns an entry of a job.
func entryOf(job Job, kind string) entry {
	return entry{Kind: kind, Instance: job.Instance, Examination: job.Examination}
}

// Run returns what is known of a job, nil if nothing is. It may be called while others write.
func (j *Journal) Run(job Job) *Run {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	r := j.byJob[job]
	if r == nil {
		return nil
	}
	now := *r
	now.given = nil
	return &now
}

// Runs returns the runs of the journal, in the order of their first start. Not to be
// called while others write.
func (j *Journal) Runs() []*Run { return j.runs }

// Close closes the file, once.
func (j *Journal) Close() error {
	if j.closed {
		return nil
	}
	j.closed = true
	return j.file.Close()
}

package batch

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"pnmc/internal/process"
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
// What a power cut leaves. The last line may be cut off; it is dropped when the journal is opened
// again, and its answer or end did not happen. A start without an end says that the run was lost:
// it is run again, and answers that it gave count. A line that a full disk has cut is taken away at
// once, and no other line follows: a file that looks whole is whole.
type Journal struct {
	mutex sync.Mutex
	file  *os.File
	// size is the length of the lines that are whole. failed says why no more can be added,
	// once a line could not be written.
	size   int64
	failed error
	closed bool
	// history is what the journal tells, and those that it has joined.
	*history
}

// Job is an examination of an instance.
type Job struct{ Instance, Examination string }

// Run is what is known of a job: of its last start, with the answers of all.
type Run struct {
	Job
	// Questions are what is asked: identifiers of formulas, the measures of a
	// state space, or the name of the examination itself.
	Questions []string
	// Answers, in the order in which they came; those of a run that was cut off
	// are kept.
	Answers []Answer
	// Contradictions are answers that differ from one given before.
	Contradictions []Answer
	// Ended says that the run came to its end; whether it counts, needsRun decides.
	Ended bool
	// End says how it ended: "" by itself, else why not.
	End string
	// Fault is what was wrong, if it ended and something was.
	Fault Fault
	// Seconds of the whole run, and the most memory that its process had, 0 where
	// that is not known.
	Seconds   float64
	PeakBytes int64
	// Host and Processor are where it ran: the computer, and the model of its processor.
	Host, Processor string
	// Begun is when, in seconds since 1970.
	Begun float64
	// Lost is how often it was killed, or was begun again with neither end nor interruption
	// before: its computer failed, or it had too much memory.
	Lost int
	// open says that it was begun, and nothing more is known.
	open bool
}

// Answer is a line that a tool printed.
type Answer struct {
	Question, Value, Techniques string
	// Seconds from the start of the run.
	Seconds float64
}

// Settings are what all runs of a batch have in common. A journal is of one
// setting only: what took longer elsewhere is no measure.
type Settings struct {
	Seconds     int   `json:"seconds"`
	MemoryBytes int64 `json:"memory_bytes"`
}

// entry is a line of the journal; what kind it is tells which fields it has.
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

// ErrBusy says that another process writes the journal.
var ErrBusy = errors.New("another batch is writing its results here: wait for its end, or choose another folder")

// OpenJournal reads the journal at path, or begins it. A last line that was cut
// off is dropped. It is an error if the journal is of other settings, and ErrBusy if
// another process has it open: two would run the same jobs and empty each other's
// scratch folder.
func OpenJournal(path string, settings Settings) (*Journal, error) {
	return openJournal(path, settings, 0)
}

// CreateJournal begins a journal at path, where no file may be yet.
func CreateJournal(path string, settings Settings) (*Journal, error) {
	return openJournal(path, settings, os.O_EXCL)
}

// openJournal is OpenJournal with further flags of opening a file.
func openJournal(path string, settings Settings, flags int) (*Journal, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|flags, 0o644)
	if err != nil {
		return nil, err
	}
	if taken, err := process.Lock(file); err != nil || taken {
		if taken {
			err = fmt.Errorf("%s: %w", path, ErrBusy)
		}
		return nil, errors.Join(err, file.Close())
	}
	j := &Journal{file: file, history: newHistory()}
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

// ran reports whether a job needs no run any more.
func (j *Journal) ran(planned plannedJob) bool {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	return !planned.needsRun(j.byJob[planned.job])
}

// Runs returns what the journal tells of, in the order of their first start. Not to
// be called while Execute runs.
func (j *Journal) Runs() []*Run { return j.runs }

// Close closes the file, once.
func (j *Journal) Close() error {
	if j.closed {
		return nil
	}
	j.closed = true
	return j.file.Close()
}

package batch

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"pnmc/internal/process"
)

// Journal is the memory of a batch: a file of one JSON object a line, only added
// to, each line on the disk before anything else happens. What a journal says is
// decided stays so, however the batch ends.
type Journal struct {
	mutex sync.Mutex
	file  *os.File
	// size is the length of the lines that are whole, and failed why no more can be
	// added: what a full disk left of a line is cut away, and must not be followed by
	// another one.
	size   int64
	failed error
	// Runs are the runs that the journal tells of, in the order of their start.
	runs  []*Run
	byJob map[Job]*Run
}

// Job is an examination of an instance.
type Job struct{ Instance, Examination string }

// Run is what is known of a job.
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
	// Ended tells that the run is over, and is not to be repeated.
	Ended bool
	// End says how it ended: "" by itself, else why not.
	End string
	// Fault is what was wrong, if it ended and something was.
	Fault Fault
	// Seconds of the whole run, and the most memory that its process had, 0 where
	// that is not known.
	Seconds   float64
	PeakBytes int64
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
}

// The kinds of entries.
const (
	settingsEntry = "settings"
	startEntry    = "start"
	answerEntry   = "answer"
	endEntry      = "end"
)

// ErrBusy is that another process writes the journal.
var ErrBusy = errors.New("another batch is writing its results here: wait for its end, or choose another folder")

// OpenJournal reads the journal at path, or begins it. A last line that was cut
// off is dropped. It is an error if the journal is of other settings, and ErrBusy if
// another process has it open: two would run the same jobs and empty each other's
// scratch folder.
func OpenJournal(path string, settings Settings) (*Journal, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	if taken, err := process.Lock(file); err != nil || taken {
		if taken {
			err = fmt.Errorf("%s: %w", path, ErrBusy)
		}
		return nil, errors.Join(err, file.Close())
	}
	j := &Journal{file: file, byJob: make(map[Job]*Run)}
	if err := j.read(path, settings); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return j, nil
}

// read takes in what the file tells, drops what was cut off at its end, and makes ready to
// add to it.
func (j *Journal) read(path string, settings Settings) error {
	reader := bufio.NewReader(j.file)
	whole := int64(0) // length of the lines that are whole
	for number := 1; ; number++ {
		line, err := reader.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return err
		}
		if err == io.EOF {
			break
		}
		var e entry
		if err := json.Unmarshal(line, &e); err != nil {
			if _, more := reader.Peek(1); more == io.EOF {
				break // a line whose middle did not get to the disk
			}
			return fmt.Errorf("%s:%d: %w", path, number, err)
		}
		if (number == 1) != (e.Kind == settingsEntry) {
			return fmt.Errorf("%s:%d: expected the settings of a batch in the first line, and only there", path, number)
		}
		if e.Kind == settingsEntry {
			if e.Settings == nil || *e.Settings != settings {
				return fmt.Errorf("%s: it is of a batch with other limits, %s; choose another folder for results, or go on as it was begun",
					path, bytes.TrimSpace(line))
			}
		} else if err := j.apply(e); err != nil {
			return fmt.Errorf("%s:%d: %w", path, number, err)
		}
		whole += int64(len(line))
	}
	if err := j.file.Truncate(whole); err != nil {
		return err
	}
	if _, err := j.file.Seek(whole, io.SeekStart); err != nil {
		return err
	}
	j.size = whole
	if whole == 0 {
		return j.write(entry{Kind: settingsEntry, Settings: &settings})
	}
	return nil
}

// apply makes the runs what an entry says.
func (j *Journal) apply(e entry) error {
	job := Job{e.Instance, e.Examination}
	r := j.byJob[job]
	if r == nil {
		if e.Kind != startEntry {
			return fmt.Errorf("%s of a run that did not start", e.Kind)
		}
		r = &Run{Job: job}
		j.byJob[job] = r
		j.runs = append(j.runs, r)
	}
	switch e.Kind {
	case startEntry:
		r.Questions, r.Ended, r.End, r.Fault = e.Questions, false, "", NoFault
	case answerEntry:
		a := Answer{e.Question, e.Value, e.Techniques, e.Seconds}
		switch given, known := r.Answer(a.Question); {
		case !known:
			r.Answers = append(r.Answers, a)
		case normal(given.Value) != normal(a.Value):
			r.Contradictions = append(r.Contradictions, a)
		}
	case endEntry:
		r.Ended, r.End, r.Fault, r.Seconds, r.PeakBytes = true, e.End, e.Fault, e.Seconds, e.PeakBytes
	default:
		return fmt.Errorf("unknown kind of entry %q", e.Kind)
	}
	return nil
}

// Answer is the first answer to a question.
func (r *Run) Answer(question string) (Answer, bool) {
	for _, a := range r.Answers {
		if a.Question == question {
			return a, true
		}
	}
	return Answer{}, false
}

// add puts an entry on the disk, and into the runs.
func (j *Journal) add(e entry) error {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	if err := j.write(e); err != nil {
		return err
	}
	return j.apply(e)
}

// write adds a line, which is on the disk when it returns without error. After an
// error there is nothing of the line, and no other is added.
func (j *Journal) write(e entry) error {
	if j.failed != nil {
		return j.failed
	}
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
func (j *Journal) ran(job Job) bool {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	r := j.byJob[job]
	return r != nil && !r.toRepeat()
}

// Runs are what the journal tells of, in the order of their first start. Not to
// be called while Execute runs.
func (j *Journal) Runs() []*Run { return j.runs }

// Close closes the file.
func (j *Journal) Close() error { return j.file.Close() }

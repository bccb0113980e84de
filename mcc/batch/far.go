package batch

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"
)

// Far is how far a batch is.
type Far struct {
	// Over are the jobs that need no run any more, Begun those that were begun and have not
	// ended, Again those that ended and are to be repeated, each job once.
	Over, Begun, Again int
	// Of is the number of jobs of the batch.
	Of int
	// Failed and NotRun are those, of all that ended, whose program failed, and whose files
	// could not be read.
	Failed, NotRun int
	// Seconds are those of the runs that ended.
	Seconds float64
	// Active are those of the jobs that need a run whose name was given to Look.
	Active int
}

// Left is the number of jobs that need a run.
func (f Far) Left() int { return f.Of - f.Over }

// end is what is known of how a job stands.
type end struct {
	open, ended bool
	run         Run
}

// HowFar tells how far a batch of these jobs is by journals, without reading answers: it
// looks at starts and ends only. Active are names of jobs that are waiting or running.
func (w *Work) HowFar(paths []string, active map[string]bool) (Far, error) {
	ends, err := readEnds(paths)
	if err != nil {
		return Far{}, err
	}
	far := Far{Of: len(w.Instances) * len(w.Examinations)}
	for _, i := range w.Instances {
		for _, e := range w.Examinations {
			j := Job{i.Name, e}
			k, known := ends[j]
			over := known && k.ended && (!k.run.toRepeat() || k.run.Fault != Killed && !(plannedJob{i, j}).changedSince(&k.run))
			switch {
			case over:
				far.Over++
				far.Seconds += k.run.Seconds
			case known && k.open:
				far.Begun++
			case known && k.ended:
				far.Again++
			}
			if !over && active[j.String()] {
				far.Active++
			}
			if over && k.run.NotRun() {
				far.NotRun++
			} else if known && k.ended && k.run.Fault != NoFault {
				far.Failed++
			}
		}
	}
	return far, nil
}

// answerLine begins the lines of answers: a journal has the kind of each line first.
var answerLine = []byte(`{"kind":"` + answerEntry + `"`)

// readEnds reads how jobs ended.
func readEnds(paths []string) (map[Job]end, error) {
	list, errs := make([]map[Job]end, len(paths)), make([]error, len(paths))
	var readers sync.WaitGroup
	room := make(chan bool, runtime.GOMAXPROCS(0))
	for i, path := range paths {
		room <- true
		readers.Go(func() {
			defer func() { <-room }()
			list[i], errs[i] = endsIn(path)
		})
	}
	readers.Wait()
	all := make(map[Job]end)
	for _, ends := range list {
		for j, e := range ends {
			known, ok := all[j]
			if !ok || rank(&e.run) > rank(&known.run) || rank(&e.run) == rank(&known.run) && e.run.Begun > known.run.Begun {
				e.open = e.open || known.open
				all[j] = e
			} else if e.open {
				known.open = true
				all[j] = known
			}
		}
	}
	return all, errors.Join(errs...)
}

// brief is what readEnds looks at of an entry.
type brief struct {
	Kind        string  `json:"kind"`
	Instance    string  `json:"instance"`
	Examination string  `json:"examination"`
	End         string  `json:"end"`
	Fault       Fault   `json:"fault"`
	Seconds     float64 `json:"seconds"`
	Begun       float64 `json:"begun"`
}

// endsIn is readEnds for one journal. What was cut off at its end is not looked at.
func endsIn(path string) (map[Job]end, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	ends := make(map[Job]end)
	reader := bufio.NewReaderSize(file, 1<<18)
	for number := 1; ; number++ {
		line, err := reader.ReadSlice('\n')
		for err == bufio.ErrBufferFull { // a start with very many questions
			rest, more := reader.ReadSlice('\n')
			line, err = append(bytes.Clone(line), rest...), more
		}
		if err == io.EOF {
			return ends, nil
		}
		if err != nil {
			return nil, err
		}
		if bytes.HasPrefix(line, answerLine) {
			continue
		}
		var b brief
		if err := json.Unmarshal(withoutQuestions(line), &b); err != nil {
			if _, more := reader.Peek(1); more == io.EOF {
				return ends, nil
			}
			return nil, fmt.Errorf("%s:%d: %w", path, number, err)
		}
		j := Job{b.Instance, b.Examination}
		e := ends[j]
		switch b.Kind {
		case startEntry:
			e = end{open: true, run: Run{Begun: b.Begun}}
		case endEntry:
			e.open, e.ended = false, true
			e.run = Run{Ended: true, End: b.End, Fault: b.Fault, Seconds: b.Seconds, Begun: e.run.Begun}
		case interruptedEntry:
			e.open = false
		default:
			continue
		}
		ends[j] = e
	}
}

// questionsField begins the questions of a start.
var questionsField = []byte(`"questions":[`)

// withoutQuestions is a line without its questions, which are most of a start, where they are
// plain text.
func withoutQuestions(line []byte) []byte {
	first := bytes.Index(line, questionsField)
	if first < 0 {
		return line
	}
	list := line[first+len(questionsField):]
	last := bytes.IndexByte(list, ']')
	if last < 0 || bytes.IndexByte(list[:last], '\\') >= 0 || bytes.Count(list[:last], []byte{'"'})%2 != 0 {
		return line
	}
	return append(line[:first+len(questionsField)], list[last:]...)
}

// workFile has, in a folder of results, what the batch there is of.
const workFile = "batch.json"

// WriteWork notes in a folder of results what the batch is of, so that who looks at it later
// knows.
func WriteWork(results string, w *Work) error {
	text, err := json.Marshal(w)
	if err != nil {
		return err
	}
	text = append(text, '\n')
	path := filepath.Join(results, workFile)
	if known, err := os.ReadFile(path); err == nil && bytes.Equal(known, text) {
		return nil
	}
	part := path + ".part"
	if err = os.WriteFile(part, text, 0o644); err == nil {
		err = os.Rename(part, path)
	}
	if err != nil {
		_ = os.Remove(part) // what is left of it, if anything is
	}
	return err
}

// ReadWork reads what the batch in a folder of results is of.
func ReadWork(results string) (*Work, error) {
	path := filepath.Join(results, workFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s: expected a folder of results of a batch, found none in it (%s)", results, workFile)
	}
	if err != nil {
		return nil, err
	}
	w := &Work{}
	if err := json.Unmarshal(text, w); err != nil {
		return nil, fmt.Errorf("%s: expected what a batch is of: %w", path, err)
	}
	return w, nil
}

// Work is what the plan is of.
func (p *Plan) Work() *Work {
	return &Work{Settings: p.Settings, Instances: p.Instances, Examinations: p.Examinations, Arguments: p.Command[1:], UnreadCode: p.UnreadCode}
}

// Plan is the plan of the work, without a program.
func (w *Work) Plan() Plan {
	return Plan{Instances: w.Instances, Examinations: w.Examinations, Settings: w.Settings, UnreadCode: w.UnreadCode}
}

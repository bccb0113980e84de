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
	"slices"
	"strings"
	"sync"
)

// Far is how far a batch is: each of its jobs is counted once, as over, as active, or by why it
// needs a run.
//
// Journals of a large batch have millions of lines, nearly all of them answers. How far a batch is
// depends on the starts and ends alone. So lines of answers are passed by their first bytes, and of
// starts the lists of questions are cut out before they are parsed. Only for jobs whose files could
// not be read in part do answers matter; these few are read again in full.
type Far struct {
	// Of is the number of jobs of the batch, Over those of them that need no run any more.
	Of, Over int
	// Active are those that need a run whose name was given to HowFar.
	Active int
	// The others that need a run, by why. Untried were not begun. Begun have no end: they run
	// now, or were lost with their task. Interrupted were ended by a signal to their task.
	// Killed were killed by somebody else. NotRun had no files that could be read, or no program.
	Untried, Begun, Interrupted, Killed, NotRun int
	// Example is one of NotRun, in words.
	Example string
	// Absent are those of Over that lack a property file. Failed are those that did not do what
	// was asked for another reason.
	Absent, Failed int
	// Seconds are those of the runs that are over.
	Seconds float64
}

// Left returns the number of jobs that need a run.
func (f Far) Left() int { return f.Of - f.Over }

// Missing returns the number of jobs that need a run and are not active.
func (f Far) Missing() int { return f.Left() - f.Active }

// end is what starts and ends say of a job.
type end struct {
	open, ended bool
	host        string
	run         Run
}

// HowFar returns how far a batch of these jobs is by journals, without reading answers where
// starts and ends tell it. Active are names of jobs that are waiting or running.
func (w *Work) HowFar(paths []string, active map[string]bool) (Far, error) {
	ends, unread, err := readEnds(paths)
	if err == nil {
		err = readUnread(paths, unread, ends)
	}
	if err != nil {
		return Far{}, err
	}
	far := Far{Of: len(w.Instances) * len(w.Examinations)}
	for _, i := range w.Instances {
		for _, e := range w.Examinations {
			j := plannedJob{i, Job{i.Name, e}}
			if k, known := ends[j.job]; known {
				far.add(j, k, active[j.job.String()])
			} else if active[j.job.String()] {
				far.Active++
			} else {
				far.Untried++
			}
		}
	}
	return far, nil
}

// add counts a job that was begun.
func (f *Far) add(j plannedJob, k *end, active bool) {
	r := &k.run
	switch {
	case !j.needsRun(r):
		f.Over++
		f.Seconds += r.Seconds
		if r.Fault == Absent {
			f.Absent++
		} else if r.Fault != NoFault {
			f.Failed++
		}
	case active:
		f.Active++
	case k.open:
		f.Begun++
	case !k.ended:
		f.Interrupted++
	case r.Fault == Killed:
		f.Killed++
	default:
		if f.NotRun++; f.Example == "" {
			f.Example = fmt.Sprintf("%s on %s: %s", j.job, k.host, strings.TrimPrefix(r.End, notRun))
		}
	}
}

// answerLine begins the lines of answers: a journal has the kind of each line first.
var answerLine = []byte(`{"kind":"` + answerEntry + `"`)

// readEnds reads how jobs ended, and which had an end as some of their files could not be read:
// how these stand depends on their answers.
func readEnds(paths []string) (all map[Job]*end, unread map[Job]bool, err error) {
	list, errs := make([]map[Job]*end, len(paths)), make([]error, len(paths))
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
	all, unread = make(map[Job]*end), make(map[Job]bool)
	for _, ends := range list {
		for j, e := range ends {
			if e.run.Fault == Unread && !e.run.NotRun() {
				unread[j] = true
			}
			known, ok := all[j]
			if !ok || rank(&e.run) > rank(&known.run) || rank(&e.run) == rank(&known.run) && e.run.Begun > known.run.Begun {
				e.open = e.open || ok && known.open
				all[j] = e
			} else if e.open {
				known.open = true
			}
		}
	}
	return all, unread, errors.Join(errs...)
}

// readUnread reads all that journals have of jobs that ended because some of their files could not
// be read. If such a run gave answers, it did what it could. There are few such jobs, or none.
func readUnread(paths []string, unread map[Job]bool, ends map[Job]*end) error {
	if len(unread) == 0 {
		return nil
	}
	all := newHistory()
	for _, path := range paths {
		h := newHistory()
		if err := h.readOf(path, unread); err != nil {
			return err
		}
		all.merge(h)
	}
	for j := range unread {
		if r := all.byJob[j]; r != nil {
			ends[j] = &end{open: r.open, ended: r.Ended, host: r.Host, run: *r}
		}
	}
	return nil
}

// readOf reads what a journal tells of some jobs. What readEnds could not read is not looked at.
func (h *history) readOf(path string, jobs map[Job]bool) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	reader := bufio.NewReaderSize(file, 1<<18)
	for {
		line, err := reader.ReadBytes('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		head := withoutQuestions(line)
		if i := bytes.Index(line, questionField); i >= 0 && bytes.HasPrefix(line, answerLine) {
			head = append(bytes.Clone(line[:i]), '}')
		}
		var b brief
		var e entry
		if json.Unmarshal(head, &b) != nil || !jobs[Job{b.Instance, b.Examination}] || json.Unmarshal(line, &e) != nil {
			continue
		}
		if err := h.apply(e); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
}

// questionField is behind the job in the line of an answer.
var questionField = []byte(`,"question":`)

// brief is what readEnds looks at of an entry.
type brief struct {
	Kind        string  `json:"kind"`
	Instance    string  `json:"instance"`
	Examination string  `json:"examination"`
	End         string  `json:"end"`
	Fault       Fault   `json:"fault"`
	Seconds     float64 `json:"seconds"`
	Begun       float64 `json:"begun"`
	Host        string  `json:"host"`
}

// endsIn is readEnds for one journal. It leaves out a last line that was cut off.
func endsIn(path string) (map[Job]*end, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	ends := make(map[Job]*end)
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
		if e == nil {
			e = &end{}
		}
		switch b.Kind {
		case startEntry:
			*e = end{open: true, run: Run{Begun: b.Begun}}
		case endEntry:
			e.open, e.ended, e.host = false, true, b.Host
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

// withoutQuestions returns a line without its questions, which are most of a start, where they are
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
	return slices.Concat(line[:first+len(questionsField)], list[last:])
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

// Work returns the work of the plan, with the arguments of its program, but without the program.
func (p *Plan) Work() *Work {
	return &Work{Settings: p.Settings, Instances: p.Instances, Examinations: p.Examinations, Arguments: p.Command[1:], UnreadCode: p.UnreadCode, LimitCode: p.LimitCode}
}

// Plan returns the plan of the work, without a program.
func (w *Work) Plan() Plan {
	return Plan{Instances: w.Instances, Examinations: w.Examinations, Settings: w.Settings, UnreadCode: w.UnreadCode, LimitCode: w.LimitCode}
}

// Unlike lists the jobs of w that other has not, and the instances that lie elsewhere there.
func (w *Work) Unlike(other *Work) (gone, moved []string) {
	places := make(map[string]string, len(other.Instances))
	for _, i := range other.Instances {
		places[i.Name] = i.Path
	}
	for _, i := range w.Instances {
		place, there := places[i.Name]
		if there && place != i.Path {
			moved = append(moved, i.Name)
		}
		for _, e := range w.Examinations {
			if !there || !slices.Contains(other.Examinations, e) {
				gone = append(gone, Job{i.Name, e}.String())
			}
		}
	}
	return gone, moved
}

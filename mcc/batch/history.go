package batch

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"pnmc/internal/cluster"
)

// history is what journals have: runs by their jobs, and in the order of their first start. Entries
// are applied one after the other, so that a run is what its last entries say: a start makes it
// open, an end closes it, and an interruption closes it without an end.
type history struct {
	runs  []*Run
	byJob map[Job]*Run
	words map[string]string // names that many lines have, kept once
	// settings are those of the journal that was read last.
	settings Settings
}

func newHistory() *history {
	return &history{byJob: make(map[Job]*Run), words: make(map[string]string)}
}

// read takes in the journal that r has, and returns the length of the lines that are whole. Behind
// these is what was cut off, or what another process has not written yet. It is an error if the
// settings are not those that are expected, unless these are nil.
func (h *history) read(r io.Reader, path string, settings *Settings) (whole int64, err error) {
	reader := bufio.NewReaderSize(r, 1<<16)
	for number := 1; ; number++ {
		line, err := reader.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return whole, err
		}
		if err == io.EOF {
			break
		}
		var e entry
		if err := json.Unmarshal(line, &e); err != nil {
			if _, more := reader.Peek(1); more == io.EOF {
				break // a line whose middle did not get to the disk
			}
			return whole, fmt.Errorf("%s:%d: %w", path, number, err)
		}
		if (number == 1) != (e.Kind == settingsEntry) {
			return whole, fmt.Errorf("%s:%d: expected the settings of a batch in the first line, and only there", path, number)
		}
		if e.Kind == settingsEntry {
			if e.Settings == nil || settings != nil && *e.Settings != *settings {
				return whole, fmt.Errorf("%s: it is of a batch with other limits, %s; choose another folder for results, or go on as it was begun",
					path, bytes.TrimSpace(line))
			}
			h.settings = *e.Settings
		} else if err := h.apply(e); err != nil {
			return whole, fmt.Errorf("%s:%d: %w", path, number, err)
		}
		whole += int64(len(line))
	}
	return whole, nil
}

// kept returns the one copy of a word that is kept.
func (h *history) kept(word string) string {
	if known, ok := h.words[word]; ok {
		return known
	}
	h.words[word] = word
	return word
}

// apply changes the runs as an entry says.
func (h *history) apply(e entry) error {
	job := Job{e.Instance, e.Examination}
	r := h.byJob[job]
	if r == nil {
		if e.Kind != startEntry {
			return fmt.Errorf("%s of a run that did not start", e.Kind)
		}
		r = &Run{Job: Job{h.kept(e.Instance), h.kept(e.Examination)}}
		h.byJob[r.Job] = r
		h.runs = append(h.runs, r)
	}
	switch e.Kind {
	case startEntry:
		if r.open {
			r.Lost++
		}
		r.Questions, r.Ended, r.End, r.Fault, r.open = e.Questions, false, "", NoFault, true
		r.Host, r.Processor, r.Begun = h.kept(e.Host), h.kept(e.Processor), e.Begun
	case answerEntry:
		r.take(Answer{e.Question, e.Value, h.kept(e.Techniques), e.Seconds})
	case endEntry:
		r.Ended, r.End, r.Fault, r.Seconds, r.PeakBytes, r.open = true, e.End, e.Fault, e.Seconds, e.PeakBytes, false
		if e.Fault == Killed {
			r.Lost++
		}
	case interruptedEntry:
		r.open = false
	default:
		return fmt.Errorf("unknown kind of entry %q", e.Kind)
	}
	return nil
}

// take adds an answer: the first to a question counts, and one that differs contradicts it.
func (r *Run) take(a Answer) {
	if i := slices.Index(r.Questions, a.Question); i >= 0 {
		a.Question = r.Questions[i] // one copy of the word is kept
	}
	switch given, known := r.Answer(a.Question); {
	case !known:
		r.Answers = append(r.Answers, a)
	case normal(given.Value) != normal(a.Value):
		r.Contradictions = append(r.Contradictions, a)
	}
}

// Answer returns the first answer to a question.
func (r *Run) Answer(question string) (Answer, bool) {
	for _, a := range r.Answers {
		if a.Question == question {
			return a, true
		}
	}
	return Answer{}, false
}

// merge takes in what another journal has. Of a job that both have, each answer is taken once, and
// of the two runs one counts: the one that need not be repeated, or else the one that ended, or
// else the one that began last. For example, a run was killed on one computer and ended by itself
// on another: the second counts, and the first is one loss.
func (h *history) merge(other *history) {
	for _, from := range other.runs {
		into := h.byJob[from.Job]
		if into == nil {
			h.byJob[from.Job] = from
			h.runs = append(h.runs, from)
			continue
		}
		merged := *into
		if rank(from) > rank(into) || rank(from) == rank(into) && from.Begun > into.Begun {
			merged = *from
		}
		merged.Answers, merged.Contradictions = into.Answers, append(into.Contradictions, from.Contradictions...)
		for _, a := range from.Answers {
			merged.take(a)
		}
		merged.Lost = into.Lost + from.Lost
		if into.open && from.open {
			merged.Lost++
		}
		merged.open = into.open || from.open
		*into = merged
	}
}

// rank says how well a run ended: 2 if it need not be repeated, 1 if it ended otherwise, 0 if it
// did not end.
func rank(r *Run) int {
	switch {
	case !r.toRepeat():
		return 2
	case r.Ended:
		return 1
	}
	return 0
}

// Losses returns how often the run was begun and then lost: it was killed, or nothing more is known
// of it. A run that has no end in the journal counts as lost. So this is not to be asked of one that
// runs now.
func (r *Run) Losses() int {
	if r.open {
		return r.Lost + 1
	}
	return r.Lost
}

// JournalName is the journal of a batch that runs on one computer.
const JournalName = "journal.jsonl"

// TaskJournals returns the paths of the journals of tasks in a folder of results.
func TaskJournals(folder string) ([]string, error) {
	paths, err := filepath.Glob(cluster.Pattern(folder, "journal-*.jsonl"))
	slices.Sort(paths)
	return paths, err
}

// Journals returns the paths of all journals in a folder of results: that of a batch on one
// computer, if there is one, and those of tasks.
func Journals(folder string) ([]string, error) {
	paths, err := TaskJournals(folder)
	if own := filepath.Join(folder, JournalName); err == nil {
		if _, none := os.Stat(own); none == nil {
			paths = append([]string{own}, paths...)
		}
	}
	return paths, err
}

// readAll reads journals side by side. A task may just have made an empty file, which has no runs.
func readAll(paths []string, settings *Settings) ([]*history, error) {
	list, errs := make([]*history, len(paths)), make([]error, len(paths))
	var readers sync.WaitGroup
	room := make(chan bool, runtime.GOMAXPROCS(0))
	for i, path := range paths {
		room <- true
		readers.Go(func() {
			defer func() { <-room }()
			file, err := os.Open(path)
			if err != nil {
				errs[i] = err
				return
			}
			defer file.Close()
			list[i] = newHistory()
			_, errs[i] = list[i].read(file, path, settings)
		})
	}
	readers.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// readOne reads one journal of any settings, and returns these, too.
func readOne(path string) ([]*Run, Settings, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, Settings{}, err
	}
	defer file.Close()
	h := newHistory()
	if _, err := h.read(file, path, nil); err != nil {
		return nil, Settings{}, err
	}
	return h.runs, h.settings, nil
}

// ReadRuns reads all runs that journals tell of, each job once. Settings, unless nil, are
// those that the journals must have.
func ReadRuns(paths []string, settings *Settings) ([]*Run, error) {
	list, err := readAll(paths, settings)
	if err != nil {
		return nil, err
	}
	all := newHistory()
	for _, h := range list {
		all.merge(h)
	}
	return all.runs, nil
}

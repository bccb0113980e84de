package history

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"sync"

	"pnmc/internal/unpack"
)

// known is what journals tell: runs by their jobs, and in the order of their first start. Entries
// are applied one after the other, so a run is what its last entries say. A start makes it open,
// an end closes it, and an interruption closes it without an end.
type known struct {
	runs  []*Run
	byJob map[Job]*Run
	words map[string]string // names that many lines have, kept once
	// settings are those of the journal that was read last.
	settings Settings
}

func newKnown() *known {
	return &known{byJob: make(map[Job]*Run), words: make(map[string]string)}
}

// read takes in the journal that r has, and returns the length of the lines that are whole. After
// these may come a line that was cut off, or that another process has not finished yet. It is an
// error if the settings are not those that are expected, unless these are nil, and if the file is of
// something else: what is cut off of a first line must begin as settings do.
func (h *known) read(r io.Reader, path string, settings *Settings) (whole int64, err error) {
	reader := bufio.NewReaderSize(r, 1<<16)
	for number := 1; ; number++ {
		line, err := nextLine(reader)
		if err != nil && err != io.EOF {
			return whole, fmt.Errorf("%s:%d: %w", path, number, err)
		}
		ours, cut := number > 1 || mayBeSettings(line), err == io.EOF
		var e entry
		if !cut {
			if err := json.Unmarshal(line, &e); err != nil {
				if _, more := reader.Peek(1); more != io.EOF {
					return whole, fmt.Errorf("%s:%d: %w", path, number, err)
				}
				cut = true // a line whose middle did not get to the disk
			}
		}
		if cut && ours {
			break
		}
		if cut || (number == 1) != (e.Kind == settingsEntry) {
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
func (h *known) kept(word string) string {
	if known, ok := h.words[word]; ok {
		return known
	}
	h.words[word] = word
	return word
}

// apply changes the runs as an entry says.
func (h *known) apply(e entry) error {
	job := Job{Instance: e.Instance, Examination: e.Examination}
	r := h.byJob[job]
	if r == nil {
		if e.Kind != startEntry {
			return fmt.Errorf("%s of a run that did not start", e.Kind)
		}
		r = &Run{Job: Job{Instance: h.kept(e.Instance), Examination: h.kept(e.Examination)}}
		h.byJob[r.Job] = r
		h.runs = append(h.runs, r)
	}
	switch e.Kind {
	case startEntry:
		if r.open {
			r.Lost++
		}
		r.Questions, r.Ended, r.End, r.Fault, r.open = e.Questions, false, "", NoFault, true
		r.given = nil
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

// merge takes in what another journal has. If both have a job, each answer is taken once. One of
// the two runs counts: the one that need not be repeated, or else the one that ended, or else the
// one that began last. For example, a run was killed on one computer and ended by itself on
// another: the second counts, and the first is one loss.
func (h *known) merge(other *known) {
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
		merged.given = nil
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
	case !r.ToRepeat():
		return 2
	case r.Ended:
		return 1
	}
	return 0
}

// readAll reads journals side by side. A task may just have made an empty file, which has no runs.
func readAll(paths []string, settings *Settings) ([]*known, error) {
	list, errs := make([]*known, len(paths)), make([]error, len(paths))
	sideBySide(len(paths), func(i int) {
		file, err := unpack.OpenRegular(paths[i])
		if err != nil {
			errs[i] = err
			return
		}
		defer file.Close()
		list[i] = newKnown()
		_, errs[i] = list[i].read(file, paths[i], settings)
	})
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// sideBySide calls read with each number below n, with as many calls at a time as there are
// processors.
func sideBySide(n int, read func(i int)) {
	var readers sync.WaitGroup
	room := make(chan bool, runtime.GOMAXPROCS(0))
	for i := range n {
		room <- true
		readers.Go(func() {
			defer func() { <-room }()
			read(i)
		})
	}
	readers.Wait()
}

// Read reads one journal of any settings, and returns these, too.
func Read(path string) ([]*Run, Settings, error) {
	file, err := unpack.OpenRegular(path)
	if err != nil {
		return nil, Settings{}, err
	}
	defer file.Close()
	h := newKnown()
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
	all := newKnown()
	for _, h := range list {
		all.merge(h)
	}
	return all.runs, nil
}

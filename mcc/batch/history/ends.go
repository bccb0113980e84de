package history

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"pnmc/internal/unpack"
)

// answerLine begins the lines of answers: a journal has the kind of each line first.
var answerLine = []byte(`{"kind":"` + answerEntry + `"`)

// ReadEnds reads how the runs of jobs ended, which starts and ends tell.
//
// Journals of a large batch have millions of lines, nearly all of them answers. So lines of answers
// are passed by their first bytes, and of starts the lists of questions are cut out before they are
// parsed: runs come without questions and answers.
func ReadEnds(paths []string) (map[Job]*Run, error) {
	list, errs := make([]map[Job]*Run, len(paths)), make([]error, len(paths))
	sideBySide(len(paths), func(i int) { list[i], errs[i] = endsIn(paths[i]) })
	all := make(map[Job]*Run)
	for _, ends := range list {
		for j, e := range ends {
			known, ok := all[j]
			if !ok || rank(e) > rank(known) || rank(e) == rank(known) && e.Begun > known.Begun {
				e.open = e.open || ok && known.open
				all[j] = e
			} else if e.open {
				known.open = true
			}
		}
	}
	return all, errors.Join(errs...)
}

// brief is what ReadEnds looks at of an entry.
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

// endsIn reads the ends of one journal. It leaves out a last line that was
// cut off.
func endsIn(path string) (map[Job]*Run, error) {
	file, err := unpack.OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	ends := make(map[Job]*Run)
	reader := bufio.NewReaderSize(file, 1<<18)
	for number := 1; ; number++ {
		line, err := nextLine(reader)
		if err == io.EOF {
			return ends, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, number, err)
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
		j := Job{Instance: b.Instance, Examination: b.Examination}
		e := ends[j]
		if e == nil {
			e = &Run{Job: j}
		}
		switch b.Kind {
		case startEntry:
			*e = Run{Job: j, Begun: b.Begun, open: true}
		case endEntry:
			*e = Run{Job: j, Ended: true, End: b.End, Fault: b.Fault, Seconds: b.Seconds, Begun: e.Begun, Host: b.Host}
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

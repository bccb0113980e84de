package grading

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"pnmc/internal/lazy"
	"pnmc/internal/unpack"
	"pnmc/mcc"
	"pnmc/mcc/batch/history"
)

// Oracle has the answers that are known to be right, by job. They come from two kinds of sources:
// files of answers with names, or tables in which the answers of a job stand in the order of its
// questions. For example
//
//	Philosophers-PT-000010 CTLFireability        the first line of a file, and then
//	FORMULA Philosophers-PT-000010-CTLFireability-2024-00 TRUE TECHNIQUES …
//
//	Philosophers-PT-000010,CTLFireability,TFT?TTFFTFTTFTFF        a line of a table
type Oracle struct {
	answers map[history.Job]map[string]string
	// inOrder has answers that came without names, in the order of the questions.
	inOrder map[history.Job][]string
	read    int // files of answers, or lines of a table
	of      func(history.Job) bool
}

// ReadOracle reads what is known from a folder or a file. A folder has files in
// the form of answers, as a tool prints them, below a line with the names of the
// instance and the examination; their names end in .out. A file has comma-separated
// values as the contest publishes its raw results: instance, examination, and the
// verdicts of all formulas as one word, such as TFT?, or as several. It is an error
// if there is nothing of the kind. Pipes and devices are none: they may never end.
//
// The contest's table has the answers of all tools of all years, and a batch may be of three jobs of it. So
// it is read line by line, and only what is known of jobs for which of returns true is kept. The reading
// ends with the context, and the error tells its cause.
func ReadOracle(ctx context.Context, path string, of func(history.Job) bool) (*Oracle, error) {
	o := &Oracle{answers: make(map[history.Job]map[string]string), inOrder: make(map[history.Job][]string), of: of}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	switch err = unpack.Regular(path); {
	case err != nil:
	case info.IsDir():
		err = o.readFolder(ctx, path)
	default:
		err = o.readTableFile(ctx, path)
	}
	if err != nil && ctx.Err() != nil {
		err = fmt.Errorf("%s: %w while right answers were read", path, context.Cause(ctx))
	}
	if err == nil && o.read == 0 {
		err = fmt.Errorf("%s: expected right answers, found none", path)
	}
	return o, err
}

// readTableFile reads a table, packed or not.
func (o *Oracle) readTableFile(ctx context.Context, path string) error {
	f, err := unpack.Open(path, mostUnpacked)
	if err != nil {
		return err
	}
	defer f.Close()
	rows := &rowReader{ctx: ctx, r: f, left: longestRow}
	text := bufio.NewReaderSize(rows, tableLook)
	if head, _ := text.Peek(tableLook); !isText(head) {
		return fmt.Errorf("%s: expected a table of right answers as text, found other bytes", path)
	}
	if err = o.readTable(text, rows.next, path); rows.failed != nil {
		return fmt.Errorf("%s: %w", path, rows.failed)
	}
	rows.left = math.MaxInt64
	if _, failed := io.Copy(io.Discard, text); failed != nil { // what is wrong with the file comes first
		err = fmt.Errorf("%s: %w", path, failed)
	}
	return err
}

// mostUnpacked bounds what a table or a file of answers may unpack to, in bytes.
const mostUnpacked = 8 << 30

// tableLook is how much of a table is looked at to see that it is one.
const tableLook = 4096

// isText reports whether bytes may begin a text, which has no control characters but
// those of lines and columns.
func isText(head []byte) bool {
	return !bytes.ContainsFunc(head, func(r rune) bool { return r < ' ' && !strings.ContainsRune("\t\n\r\f", r) })
}

// readFolder reads all files of answers in a folder and below.
func (o *Oracle) readFolder(ctx context.Context, path string) error {
	return filepath.WalkDir(path, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".out") {
			return err
		}
		if err := unpack.Regular(path); err != nil {
			return err
		}
		f, err := unpack.Open(path, mostUnpacked)
		if err != nil {
			return err
		}
		defer f.Close()
		return o.readAnswers(&lineReader{r: bufio.NewReader(&rowReader{ctx: ctx, r: f, left: math.MaxInt64})}, path)
	})
}

// readAnswers reads a file of answers as a tool printed them, as far as they are of a job to be known.
func (o *Oracle) readAnswers(lines *lineReader, path string) error {
	first, err := lines.next()
	if err != nil && err != io.EOF {
		return fmt.Errorf("%s: %w", path, err)
	}
	words := strings.Fields(first)
	if len(words) != 2 {
		return fmt.Errorf("%s:1: expected the names of an instance and an examination, found %q", path, first[:min(len(first), longestName)])
	}
	o.read++
	job := history.Job{Instance: words[0], Examination: words[1]}
	if !o.of(job) {
		return nil
	}
	known := make(map[string]string)
	for err != io.EOF {
		var line string
		if line, err = lines.next(); err != nil && err != io.EOF {
			return fmt.Errorf("%s:%d: %w", path, lines.number, err)
		}
		if a, ok := history.ParseAnswer(line); ok {
			known[strings.Clone(a.Question)] = strings.Clone(a.Value) // and not the whole line
		}
	}
	o.answers[job] = known
	return nil
}

// columnsOf finds the columns of a table with a heading; without one they are the
// first three.
func columnsOf(heading []string) (instance, examination, verdicts int, isHeading bool) {
	instance, examination, verdicts = 0, 1, 2
	for i, name := range heading {
		switch strings.ToLower(strings.NewReplacer(" ", "", ".", "", "_", "", "#", "").Replace(name)) {
		case "input", "model", "instance":
			instance, isHeading = i, true
		case "examination":
			examination = i
		case "results", "verdicts":
			if isHeading && verdicts == 2 {
				verdicts = i
			}
		case "estimatedresult", "estimatedresults", "consensus":
			verdicts = i
		}
	}
	return instance, examination, verdicts, isHeading
}

// readTable reads comma-separated values, below a heading or without one. A line of all
// verdicts unknown says nothing. It calls next after each row.
func (o *Oracle) readTable(r io.Reader, next func(), path string) error {
	reader := csv.NewReader(r)
	reader.ReuseRecord = true
	reader.FieldsPerRecord = -1
	reader.TrimLeadingSpace = true
	instance, examination, verdicts := 0, 1, 2
	for first := true; ; first = false {
		fields, err := reader.Read()
		next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: expected comma-separated values: %w", path, err)
		}
		if first {
			var isHeading bool
			if instance, examination, verdicts, isHeading = columnsOf(fields); isHeading {
				continue
			}
		}
		if line, _ := reader.FieldPos(0); len(fields) <= max(instance, examination, verdicts) {
			return fmt.Errorf("%s:%d: expected an instance, an examination and verdicts, found %d fields", path, line, len(fields))
		}
		o.read++
		job := history.Job{Instance: fields[instance], Examination: fields[examination]}
		if !o.of(job) {
			continue
		}
		job.Instance, job.Examination = strings.Clone(job.Instance), strings.Clone(job.Examination) // and not the whole row
		values := strings.Fields(strings.Clone(fields[verdicts]))
		if len(values) == 1 && strings.Trim(values[0], "TF?") == "" {
			values = strings.Split(values[0], "")
		}
		if len(values) == 1 && mcc.HasPropertyFile(job.Examination) && values[0] == "?" {
			continue // nothing is known of any
		}
		o.inOrder[job] = values
	}
}

// Expected returns the right answer to the question at a place among those of a run, in normal form.
func (o *Oracle) Expected(r *history.Run, place int) (string, bool) {
	if o == nil {
		return "", false
	}
	if value, ok := o.answers[r.Job][r.Questions[place]]; ok {
		return history.Normal(value), true
	}
	values := o.inOrder[r.Job]
	if len(values) != len(r.Questions) || values[place] == "?" {
		return "", false
	}
	return history.Normal(values[place]), true
}

// rounded matches large numbers as some tools print them, with four decimals.
var rounded = lazy.Value[*regexp.Regexp]{Make: func() *regexp.Regexp {
	return regexp.MustCompile(`^[0-9]\.[0-9]{4}E\+[0-9]+$`)
}}

// agree reports whether an answer is the expected one, both in normal form. If the expected number was
// rounded, every number that rounds to it agrees: 1.2346E+10 agrees with 12345678901.
func agree(answered, expected string) bool {
	if answered == expected {
		return true
	}
	if !rounded.Get().MatchString(expected) {
		return false
	}
	count, ok := new(big.Float).SetString(answered)
	known, _, err := big.ParseFloat(expected, 10, 64, big.ToNearestEven)
	return ok && err == nil && count.Text('E', 4) == known.Text('E', 4)
}

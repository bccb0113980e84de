package experiment

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"pnmc/checker"
)

// Record is what the check of one property by one approach cost.
type Record struct {
	Model string
	// Set names the file of properties.
	Set     string
	Formula string
	// Line counts the properties of a file from 1.
	Line     int
	Approach string
	Verdict  string
	// Reason says why the verdict is unknown.
	Reason                              string
	AutomatonStates                     int
	AutomatonTransitions                int64
	FullStates, FullTransitions         int64 // -1: not known
	ExploredStates, ExploredTransitions int64
	Seconds                             float64
}

// Key tells measurements apart: a model, a file of properties, an approach, a line
// of the file.
type Key struct {
	Model, Set, Approach string
	Line                 int
}

// Key is that of the measurement that r tells of.
func (r Record) Key() Key { return Key{r.Model, r.Set, r.Approach, r.Line} }

// verified and violated are the verdicts that the tables keep apart.
var verified, violated = checker.Holds.String(), checker.Violated.String()

var columns = []string{
	"model", "set", "line", "formula", "approach", "verdict", "reason", "automaton_states", "automaton_transitions",
	"full_states", "full_transitions", "explored_states", "explored_transitions", "seconds",
}

func (r Record) fields() []string {
	whole := func(n int64) string { return strconv.FormatInt(n, 10) }
	return []string{
		r.Model, r.Set, strconv.Itoa(r.Line), r.Formula, r.Approach, r.Verdict, r.Reason, strconv.Itoa(r.AutomatonStates),
		whole(r.AutomatonTransitions), whole(r.FullStates), whole(r.FullTransitions), whole(r.ExploredStates),
		whole(r.ExploredTransitions), strconv.FormatFloat(r.Seconds, 'f', 3, 64),
	}
}

// Log writes records as comma-separated values, each at once, so that an
// interruption loses the job under way at most.
type Log struct{ csv *csv.Writer }

// NewLog writes to w, first the names of the columns if w is still empty.
func NewLog(w io.Writer, empty bool) (*Log, error) {
	l := &Log{csv.NewWriter(w)}
	if empty {
		return l, l.write(columns)
	}
	return l, nil
}

// Add writes a record.
func (l *Log) Add(r Record) error { return l.write(r.fields()) }

func (l *Log) write(fields []string) error {
	if err := l.csv.Write(fields); err != nil {
		return err
	}
	l.csv.Flush()
	return l.csv.Error()
}

// ReadLog reads what a Log wrote. A last line that an interruption cut off is left
// out. Errors carry the line.
func ReadLog(r io.Reader, file string) ([]Record, error) {
	return readRecords(r, file, columns, parseRecord)
}

// readRecords reads the rows below a heading of columns, which may be repeated, and
// parses their fields. A last row that an interruption cut off is left out.
func readRecords[T any](r io.Reader, file string, columns []string, parse func([]string) (T, error)) ([]T, error) {
	reader := csv.NewReader(r)
	reader.FieldsPerRecord = -1
	var records []T
	for {
		fields, err := reader.Read()
		line := 0
		if len(fields) > 0 {
			line, _ = reader.FieldPos(0)
		}
		switch {
		case err == io.EOF:
			return records, nil
		case err != nil:
			var cut *csv.ParseError
			if errors.As(err, &cut) && cut.Err == csv.ErrQuote {
				return records, nil
			}
			return nil, fmt.Errorf("%s: %w", file, err)
		case fields[0] == columns[0]:
			continue
		case len(fields) != len(columns):
			if _, err := reader.Read(); err == io.EOF {
				return records, nil
			}
			return nil, fmt.Errorf("%s:%d:1: %d fields, expected %d", file, line, len(fields), len(columns))
		}
		record, err := parse(fields)
		if err != nil {
			return nil, fmt.Errorf("%s:%d:1: %w", file, line, err)
		}
		records = append(records, record)
	}
}

func parseRecord(fields []string) (Record, error) {
	r := Record{Model: fields[0], Set: fields[1], Formula: fields[3], Approach: fields[4], Verdict: fields[5], Reason: fields[6]}
	var failure error
	whole := func(i int) int64 {
		n, err := strconv.ParseInt(fields[i], 10, 64)
		if err != nil {
			failure = fmt.Errorf("%s: %q is no whole number", columns[i], fields[i])
		}
		return n
	}
	r.Line, r.AutomatonStates, r.AutomatonTransitions = int(whole(2)), int(whole(7)), whole(8)
	r.FullStates, r.FullTransitions, r.ExploredStates, r.ExploredTransitions = whole(9), whole(10), whole(11), whole(12)
	var err error
	if r.Seconds, err = strconv.ParseFloat(fields[13], 64); err != nil {
		failure = fmt.Errorf("%s: %q is no number", columns[13], fields[13])
	}
	return r, failure
}

// record tells a measurement.
func (p *Plan) record(of Property, approach checker.Approach, m checker.Measurement) Record {
	return Record{
		Model: p.Model, Set: of.Set, Formula: of.Name, Line: of.Line, Approach: approach.String(), Verdict: m.Verdict.String(), Reason: m.Reason,
		AutomatonStates: m.AutomatonStates, AutomatonTransitions: int64(m.AutomatonTransitions),
		FullStates: m.FullStates, FullTransitions: m.FullTransitions,
		ExploredStates: m.Explored.ExploredStates, ExploredTransitions: m.Explored.ExploredTransitions,
		Seconds: m.Duration.Round(time.Millisecond).Seconds(),
	}
}

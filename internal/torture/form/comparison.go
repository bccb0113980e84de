package form

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"pnmc/internal/torture/twin"
)

// Comparison is a case of cross: what it compares, and what is known of that.
//
// The report comes in up to three forms: on standard output, as a table or as JSON; in a file of
// comma-separated values; and in one of JSON. All must tell the same: a translation of each formula and
// of its negation by each translator, in that order, and the differences.
type Comparison struct {
	Formulas int // -1 if that is not known
	Formula  *twin.Formula
	Atoms    []*twin.Atom
	// Translators are their names, and Wrong and Hostile those of them that are, if any.
	Translators    []string
	Wrong, Hostile string
	Certain        bool // a word must show that one is wrong, if all translate
	InJSON         bool
	CSV, JSON      string // the files, if they are asked for
	Late           string // begins problems that a busy machine makes
}

// Called notes the names of translators.
func (k *Comparison) Called(translators []string) {
	for _, t := range translators {
		if name, named := strings.CutPrefix(t, "{"); named {
			t, _, _ = strings.Cut(name, "}")
		}
		k.Translators = append(k.Translators, t)
	}
	if name, named := strings.CutPrefix(k.Hostile, "{"); named {
		k.Hostile, _, _ = strings.Cut(name, "}")
	}
}

// crossReport is what cross tells, in whatever form. A form does not have all of it.
type crossReport struct {
	Translators []string
	Rows        []crossRow
	Differences []crossDifference
	Skipped     int
	SkipReasons []string `json:"skip_reasons"`
}

// crossRow is a translation.
type crossRow struct {
	Number        int
	Negated       bool
	Translator    string
	Status        string
	States, Edges int
}

// crossDifference is a difference, with a word and whether that satisfies the formula.
type crossDifference struct {
	Left, Right string
	Word        string
	Satisfied   *bool
	Wrong       []string
}

// Problems says what is wrong with a report on standard output and in files, which file reads. Where a run ended before there was one, or some of it could
// not be written, as its exit code tells, there is nothing to say.
func (k *Comparison) Problems(code int, stdout []byte, file func(name string) ([]byte, error)) (list []string) {
	if len(stdout) == 0 || code > 2 {
		return nil
	}
	var whole *crossReport
	var sums []string
	if k.InJSON {
		if whole = readReport(stdout); whole == nil {
			return []string{"standard output is no report in JSON"}
		}
	} else {
		whole, sums = readTable(string(stdout))
	}
	var rows [][]crossRow // of each form that has them
	if k.InJSON {
		rows = append(rows, whole.Rows)
	}
	if k.CSV != "" {
		text, err := file(k.CSV)
		if err == nil {
			var inTable []crossRow
			if inTable, err = readRows(text); err == nil {
				rows = append(rows, inTable)
			}
		}
		if err != nil {
			list = append(list, fmt.Sprintf("file %s: %v", k.CSV, err))
		}
	}
	if k.JSON != "" {
		text, err := file(k.JSON)
		if again := readReport(text); err == nil && again != nil {
			rows = append(rows, again.Rows)
			if n := len(again.Differences); n != len(whole.Differences) {
				list = append(list, fmt.Sprintf("lost answers: %d differences on standard output, and %d in %s", len(whole.Differences), n, k.JSON))
			}
		} else {
			list = append(list, fmt.Sprintf("file %s: no report in JSON: %v", k.JSON, err))
		}
	}
	for _, r := range rows {
		list = append(list, k.wrongRows(r, whole.SkipReasons)...)
		if s := k.sums(r); sums != nil && !slices.Equal(s, sums) {
			list = append(list, fmt.Sprintf("lost answers: the table has the sums %q, and those of the rows are %q", sums, s))
		}
		if !slices.Equal(r, rows[0]) {
			list = append(list, "lost answers: the rows of two files differ")
		}
	}
	if rows != nil {
		list = append(list, k.wrongEnd(code, rows[0], whole)...)
	}
	return append(list, k.wrongDifferences(whole.Differences)...)
}

// tooLong is why a formula is not given to any translator, and has no rows.
var tooLong = regexp.MustCompile(`^formula ([0-9]+): (?:copies of its text may take|formula too long to be given to a program)`)

// wrongRows says which translations have no row, and which rows are wrong.
func (k *Comparison) wrongRows(rows []crossRow, skipped []string) (list []string) {
	without := map[int]bool{}
	for _, reason := range skipped {
		if m := tooLong.FindStringSubmatch(reason); m != nil {
			number, _ := strconv.Atoi(m[1])
			without[number] = true
		}
	}
	at, each, number := 0, 2*len(k.Translators), 1
	for ; at < len(rows) || without[number]; number++ {
		if without[number] {
			continue
		}
		for i := range each {
			expected := crossRow{Number: number, Negated: i%2 == 1, Translator: k.Translators[i/2]}
			if at == len(rows) {
				return append(list, fmt.Sprintf("lost answers: no row for %+v, nor for those behind it", expected))
			}
			row := rows[at]
			if row.Number != expected.Number || row.Negated != expected.Negated || row.Translator != expected.Translator {
				return append(list, fmt.Sprintf("lost answers: row %d is %+v, and expected is that of %+v", at+1, row, expected))
			}
			if row.Translator == k.Hostile && row.Status == "ok" {
				list = append(list, fmt.Sprintf("wrong verdict: %s makes no automaton, and one is told: %+v", k.Hostile, row))
			}
			at++
		}
	}
	if n := number - 1; k.Formulas >= 0 && n != k.Formulas || n == 0 {
		list = append(list, fmt.Sprintf("lost answers: rows for %d formulas of %d", n, k.Formulas))
	}
	return list
}

// sums returns what the table has of the rows of each translator: automata, failures, states, edges, and the name.
func (k *Comparison) sums(rows []crossRow) (list []string) {
	for _, name := range k.Translators {
		automata, failures, states, edges := 0, 0, 0, 0
		for _, r := range rows {
			switch {
			case r.Translator != name:
				continue
			case r.Status == "ok":
				automata++
			default:
				failures++
			}
			states, edges = states+r.States, edges+r.Edges
		}
		list = append(list, fmt.Sprintf("%d %d %d %d %s", automata, failures, states, edges, name))
	}
	return list
}

// wrongEnd says whether the exit code is not that of the report, and whether a difference is missing that
// must be there: checks of all automata were made then.
func (k *Comparison) wrongEnd(code int, rows []crossRow, whole *crossReport) (list []string) {
	failed := slices.ContainsFunc(rows, func(r crossRow) bool { return r.Status != "ok" })
	expected := 0
	switch {
	case len(whole.Differences) > 0:
		expected = 1
	case failed || whole.Skipped > 0:
		expected = 2
	}
	if code != expected {
		list = append(list, fmt.Sprintf("exit code %d, expected %d: %d differences, %d checks given up, some translation failed: %v",
			code, expected, len(whole.Differences), whole.Skipped, failed))
	}
	if k.Certain && !failed && whole.Skipped == 0 && len(rows) > 0 && len(whole.Differences) == 0 {
		list = append(list, "wrong verdict: a translator is wrong about each formula, and nothing differs")
	}
	return list
}

// wrongDifferences says which differences can't be: between translators that are right, or about a word of
// which the twin says something else. Each must tell who is wrong, unless there was no time to find out.
func (k *Comparison) wrongDifferences(differences []crossDifference) (list []string) {
	for _, d := range differences {
		if d.Left != k.Wrong && d.Right != k.Wrong || k.Wrong == "" {
			list = append(list, fmt.Sprintf("wrong verdict: pnmc differs from itself: %+v", d))
			continue
		}
		if d.Satisfied == nil {
			continue
		}
		for _, name := range d.Wrong {
			if name != k.Wrong {
				list = append(list, fmt.Sprintf("wrong verdict: %s is called wrong, and is right: %+v", name, d))
			}
		}
		if len(d.Wrong) == 0 {
			list = append(list, fmt.Sprintf("%snobody is called wrong about a word: %+v", k.Late, d))
		}
		w, readable := readWord(d.Word, k.Atoms)
		if k.Formula == nil || !readable {
			continue
		}
		if satisfied, known := w.System().Some(k.Formula, k.Atoms); known && satisfied != *d.Satisfied {
			list = append(list, fmt.Sprintf("wrong verdict: the twin says that the word satisfies the formula: %v, and the report %v: %+v", satisfied, *d.Satisfied, d))
		}
	}
	return list
}

// readReport reads a report in JSON; nil if it is none.
func readReport(text []byte) *crossReport {
	r := &crossReport{}
	if json.Unmarshal(text, r) != nil || r.Translators == nil || r.Rows == nil || r.Differences == nil {
		return nil
	}
	return r
}

// rowsHeading is the first line of the comma-separated values.
const rowsHeading = "number,name,formula,negated,translator,status,reason,seconds,states,edges,acceptance_sets,acceptance,deterministic,product_states,product_edges"

// readRows reads translations as comma-separated values.
func readRows(text []byte) (rows []crossRow, err error) {
	lines, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		return nil, err
	}
	if len(lines) == 0 || strings.Join(lines[0], ",") != rowsHeading {
		return nil, fmt.Errorf("its heading is not %q", rowsHeading)
	}
	for _, values := range lines[1:] {
		r := crossRow{Negated: values[3] == "true", Translator: values[4], Status: values[5]}
		for at, n := range map[int]*int{0: &r.Number, 8: &r.States, 9: &r.Edges} {
			if *n, err = strconv.Atoi(values[at]); err != nil {
				return nil, err
			}
		}
		rows = append(rows, r)
	}
	return rows, nil
}

var (
	toldSums = regexp.MustCompile(`^ *([0-9]+) +([0-9]+) +([0-9]+) +([0-9]+) +[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+\.[0-9]+ +(.*)$`)
	toldWord = regexp.MustCompile(`^  (?:word (.*)|the word) (satisfies|does not satisfy) the formula; wrong: \[(.*)\]$`)
	toldEnd  = regexp.MustCompile(`^[0-9]+ checks, ([0-9]+) given up, [0-9]+ differences$`)
)

// readTable reads a report as text: what it tells of all, and the sums of each translator as sums returns them.
func readTable(text string) (r *crossReport, sums []string) {
	r = &crossReport{}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		last := &crossDifference{}
		if n := len(r.Differences); n > 0 {
			last = &r.Differences[n-1]
		}
		if m := toldSums.FindStringSubmatch(line); m != nil {
			sums = append(sums, strings.Join(m[1:], " "))
		} else if m := toldWord.FindStringSubmatch(line); m != nil {
			satisfied := m[2] == "satisfies"
			last.Word, last.Satisfied = m[1], &satisfied
			if m[3] != "" {
				last.Wrong = []string{m[3]} // names with blanks can't be told from two names
			}
		} else if m := toldEnd.FindStringSubmatch(line); m != nil {
			r.Skipped, _ = strconv.Atoi(m[1])
		} else if reason, is := strings.CutPrefix(line, "given up: "); is {
			r.SkipReasons = append(r.SkipReasons, reason)
		} else if strings.HasPrefix(line, "difference: ") {
			r.Differences = append(r.Differences, crossDifference{})
		} else if pair, is := strings.CutPrefix(line, "  between "); is {
			last.Left, last.Right, _ = strings.Cut(pair, " and ")
		}
	}
	return r, sums
}

// readWord reads a word as cross writes it, over the atoms, whose names are letters. What it does not tell of is false.
func readWord(text string, atoms []*twin.Atom) (w twin.Word, readable bool) {
	prefix, cycle, found := strings.Cut(text, "cycle{")
	cycle, closed := strings.CutSuffix(cycle, "}")
	if !found || !closed {
		return w, false
	}
	readable = true
	letters := func(text string) (list []uint64) {
		for letter := range strings.SplitSeq(text, "; ") {
			v := uint64(0)
			for literal := range strings.SplitSeq(letter, "&") {
				i := slices.IndexFunc(atoms, func(a *twin.Atom) bool { return a.Name == strings.TrimPrefix(literal, "!") })
				if readable = readable && (i >= 0 || literal == "1"); i >= 0 && literal[0] != '!' {
					v |= 1 << i
				}
			}
			list = append(list, v)
		}
		return list
	}
	if prefix = strings.TrimSuffix(prefix, "; "); prefix != "" {
		w.Prefix = letters(prefix)
	}
	w.Cycle = letters(cycle)
	return w, readable
}

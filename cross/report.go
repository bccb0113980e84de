package cross

import (
	"bufio"
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"pnmc/automata"
)

// The checks, as the report names them.
const (
	CheckIntersection = "intersection"
	CheckComplement   = "complement"
	CheckStateSpace   = "state space"
	CheckSystem       = "system"
)

// Report is what Run found.
type Report struct {
	Translators []string      `json:"translators"`
	Rows        []*Row        `json:"rows"`
	Differences []*Difference `json:"differences"`
	// Compared is the number of formulas whose comparison nothing interrupted.
	Compared int `json:"compared"`
	// Checks were made, and Skipped of them given up.
	Checks  int `json:"checks"`
	Skipped int `json:"skipped"`
	// SkipReasons are why, each once for each formula.
	SkipReasons []string `json:"skip_reasons,omitempty"`
}

// Row is one translation.
type Row struct {
	Number     int     `json:"number"` // of the formula, from 1
	Name       string  `json:"name,omitempty"`
	Formula    string  `json:"formula"` // as it was translated, negated or not
	Negated    bool    `json:"negated"`
	Translator string  `json:"translator"`
	Status     string  `json:"status"` // ok, or a FailureKind
	Reason     string  `json:"reason,omitempty"`
	Seconds    float64 `json:"seconds"`
	States     int     `json:"states"`
	Edges      int     `json:"edges"`
	Sets       int     `json:"acceptance_sets"`
	Acceptance string  `json:"acceptance,omitempty"`
	// Deterministic: no state has two edges for one valuation.
	Deterministic bool `json:"deterministic"`
	// ProductStates and ProductEdges are those of the products with all random
	// state spaces.
	ProductStates int `json:"product_states"`
	ProductEdges  int `json:"product_edges"`
}

// describe fills in what is known of the automaton.
func (r *Row) describe(ctx context.Context, a *automata.Automaton) {
	r.States, r.Edges = a.States(), a.Edges()
	r.Sets, r.Acceptance = a.Acceptance.Sets, a.Acceptance.Name
	r.Deterministic, _ = automata.IsDeterministic(ctx, a)
}

// Difference is a check that two translators, or two automata of one, do not pass.
type Difference struct {
	Number  int    `json:"number"`
	Name    string `json:"name,omitempty"`
	Formula string `json:"formula"`
	Check   string `json:"check"`
	Detail  string `json:"detail"`
	// Left and Right are the translators; for intersection and complement, the
	// former of the formula and the latter of its negation.
	Left  string `json:"left"`
	Right string `json:"right"`
	// Word is one that shows the difference, and Satisfied whether it satisfies the
	// formula; Wrong are the translators that are wrong about it.
	Word      *automata.Lasso `json:"word,omitempty"`
	Satisfied *bool           `json:"satisfied,omitempty"`
	Wrong     []string        `json:"wrong,omitempty"`
	// Run, where a system shows the difference, is a run of it that has the word.
	Run *SystemRun `json:"run,omitempty"`
	// Minimal is a smaller formula that shows a difference too.
	Minimal      string          `json:"minimal,omitempty"`
	MinimalCheck string          `json:"minimal_check,omitempty"`
	MinimalWord  *automata.Lasso `json:"minimal_word,omitempty"`
	// LeftOut says what of this is too long to be written, and why.
	LeftOut []string `json:"left_out,omitempty"`

	left, right int
}

// newReport returns a report of these translators without rows. Its lists are empty and not nil, as
// JSON shows the difference.
func newReport(translators []Translator) *Report {
	r := &Report{Rows: []*Row{}, Differences: []*Difference{}}
	for _, t := range translators {
		r.Translators = append(r.Translators, t.Name())
	}
	return r
}

func (r *Report) add(d *Difference) { r.Differences = append(r.Differences, d) }

// Failures returns the number of translations that gave no automaton.
func (r *Report) Failures() int {
	n := 0
	for _, row := range r.Rows {
		if row.Status != "ok" {
			n++
		}
	}
	return n
}

// WriteCSV writes the rows as comma-separated values, with a line of headings.
func (r *Report) WriteCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	err := c.Write([]string{
		"number", "name", "formula", "negated", "translator", "status", "reason", "seconds", "states", "edges",
		"acceptance_sets", "acceptance", "deterministic", "product_states", "product_edges",
	})
	for i := 0; i < len(r.Rows) && err == nil; i++ {
		row := r.Rows[i]
		err = c.Write([]string{
			strconv.Itoa(row.Number), row.Name, row.Formula, strconv.FormatBool(row.Negated), row.Translator,
			row.Status, row.Reason, strconv.FormatFloat(row.Seconds, 'f', 6, 64), strconv.Itoa(row.States),
			strconv.Itoa(row.Edges), strconv.Itoa(row.Sets), row.Acceptance, strconv.FormatBool(row.Deterministic),
			strconv.Itoa(row.ProductStates), strconv.Itoa(row.ProductEdges),
		})
	}
	c.Flush()
	return cmp.Or(err, c.Error())
}

// giveUp notes that a check of a formula was given up, and why.
func (r *Report) giveUp(number int, err error) {
	r.Skipped++
	if reason := fmt.Sprintf("formula %d: %v", number, err); !slices.Contains(r.SkipReasons, reason) {
		r.SkipReasons = append(r.SkipReasons, reason)
	}
}

// WriteText writes a table with a line for each translator, and what differs.
func (r *Report) WriteText(out io.Writer) error {
	w := bufio.NewWriter(out)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(table, "automata\tfailures\tstates\tedges\tdeterministic\tproduct states\tproduct edges\tseconds\ttranslator\t\n")
	for _, name := range r.Translators {
		var sum Row
		automata, failures, deterministic := 0, 0, 0
		for _, row := range r.Rows {
			if row.Translator != name {
				continue
			}
			if row.Status != "ok" {
				failures++
			} else {
				automata++
			}
			if row.Deterministic {
				deterministic++
			}
			sum.States += row.States
			sum.Edges += row.Edges
			sum.ProductStates += row.ProductStates
			sum.ProductEdges += row.ProductEdges
			sum.Seconds += row.Seconds
		}
		fmt.Fprintf(table, "%d\t%d\t%d\t%d\t%d\t%d\t%d\t%.2f\t%s\t\n", automata, failures, sum.States, sum.Edges,
			deterministic, sum.ProductStates, sum.ProductEdges, sum.Seconds, name)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for _, row := range r.Rows {
		if row.Status != "ok" {
			fmt.Fprintf(w, "%s: formula %d, %s: by %s: %s\n", row.Status, row.Number, row.Formula, row.Translator, row.Reason)
		}
	}
	for _, d := range r.Differences {
		if err := d.write(w); err != nil {
			return err
		}
	}
	for _, reason := range r.SkipReasons {
		fmt.Fprintf(w, "given up: %s\n", reason)
	}
	fmt.Fprintf(w, "%d checks, %d given up, %d differences\n", r.Checks, r.Skipped, len(r.Differences))
	return w.Flush() // has the first error
}

// WriteTo writes the run in the form of words: steps, then the cycle in braces. It ends with the first
// error of out.
func (r *SystemRun) WriteTo(out io.Writer) (int64, error) {
	w := bufio.NewWriter(out)
	written := int64(0)
	write := func(s string) (err error) {
		written += int64(len(s))
		_, err = w.WriteString(s)
		return err
	}
	for _, step := range r.Prefix {
		if write(step) != nil || write("; ") != nil {
			return written, w.Flush()
		}
	}
	before := "cycle{"
	for _, step := range r.Cycle {
		if write(before) != nil || write(step) != nil {
			return written, w.Flush()
		}
		before = "; "
	}
	if len(r.Cycle) == 0 {
		_ = write(before)
	}
	_ = write("}")
	return written, w.Flush() // has the first error
}

// String returns the run as WriteTo writes it.
func (r *SystemRun) String() string {
	var b strings.Builder
	_, _ = r.WriteTo(&b) // a builder takes everything
	return b.String()
}

// LeaveOut takes from the differences the words and runs that fits gives a reason against: it is asked
// about each, with a function that writes it as text.
func (r *Report) LeaveOut(fits func(write func(io.Writer) error) error) {
	for _, d := range r.Differences {
		leftOut := func(what string, long io.WriterTo) bool {
			err := fits(func(w io.Writer) error {
				_, err := long.WriteTo(w)
				return err
			})
			if err != nil {
				d.LeftOut = append(d.LeftOut, fmt.Sprintf("%s: %v", what, err))
			}
			return err != nil
		}
		if d.Word != nil && leftOut("word", d.Word) {
			d.Word = nil
		}
		if d.Run != nil && leftOut("run", d.Run) {
			d.Run = nil
		}
		if d.MinimalWord != nil && leftOut("word of the smaller formula", d.MinimalWord) {
			d.MinimalWord = nil
		}
	}
}

// write writes a difference in indented lines: where it is, between whom, the word or run
// that shows it, and a smaller formula if one was found. It returns the first error.
func (d *Difference) write(w *bufio.Writer) error {
	fmt.Fprintf(w, "difference: formula %d, %s: %s\n", d.Number, d.Formula, d.Detail)
	fmt.Fprintf(w, "  between %s and %s\n", d.Left, d.Right)
	satisfies := "does not satisfy"
	if d.Satisfied != nil && *d.Satisfied {
		satisfies = "satisfies"
	}
	if d.Word != nil {
		fmt.Fprint(w, "  word ")
		d.Word.WriteTo(w)
		fmt.Fprintf(w, " %s the formula; wrong: %v\n", satisfies, d.Wrong)
	} else if d.Satisfied != nil {
		fmt.Fprintf(w, "  the word %s the formula; wrong: %v\n", satisfies, d.Wrong)
	}
	if d.Run != nil {
		fmt.Fprint(w, "  run ")
		d.Run.WriteTo(w)
		fmt.Fprintln(w)
	}
	if d.Minimal != "" {
		fmt.Fprintf(w, "  smaller formula: %s", d.Minimal)
		if d.MinimalWord != nil {
			fmt.Fprint(w, "   word ")
			d.MinimalWord.WriteTo(w)
		}
		fmt.Fprintln(w)
	}
	for _, what := range d.LeftOut {
		fmt.Fprintf(w, "  left out: %s\n", what)
	}
	_, err := w.Write(nil) // the first error
	return err
}

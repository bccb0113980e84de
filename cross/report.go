package cross

import (
	"context"
	"encoding/csv"
	"encoding/json"
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
	Word      string   `json:"word,omitempty"`
	Satisfied *bool    `json:"satisfied,omitempty"`
	Wrong     []string `json:"wrong,omitempty"`
	// Run, where a system shows the difference, is a run of it that has the word.
	Run *SystemRun `json:"run,omitempty"`
	// Minimal is a smaller formula that shows a difference too.
	Minimal      string `json:"minimal,omitempty"`
	MinimalCheck string `json:"minimal_check,omitempty"`
	MinimalWord  string `json:"minimal_word,omitempty"`

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

// WriteJSON writes the report as one JSON object.
func (r *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// WriteCSV writes the rows as comma-separated values, with a line of headings.
func (r *Report) WriteCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	lines := [][]string{{
		"number", "name", "formula", "negated", "translator", "status", "reason", "seconds", "states", "edges",
		"acceptance_sets", "acceptance", "deterministic", "product_states", "product_edges",
	}}
	for _, row := range r.Rows {
		lines = append(lines, []string{
			strconv.Itoa(row.Number), row.Name, row.Formula, strconv.FormatBool(row.Negated), row.Translator,
			row.Status, row.Reason, strconv.FormatFloat(row.Seconds, 'f', 6, 64), strconv.Itoa(row.States),
			strconv.Itoa(row.Edges), strconv.Itoa(row.Sets), row.Acceptance, strconv.FormatBool(row.Deterministic),
			strconv.Itoa(row.ProductStates), strconv.Itoa(row.ProductEdges),
		})
	}
	return c.WriteAll(lines)
}

// WriteText writes a table with a line for each translator, and what differs.
func (r *Report) WriteText(w io.Writer) error {
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
		d.write(w)
	}
	for _, reason := range r.SkipReasons {
		fmt.Fprintf(w, "given up: %s\n", reason)
	}
	_, err := fmt.Fprintf(w, "%d checks, %d given up, %d differences\n", r.Checks, r.Skipped, len(r.Differences))
	return err
}

// String returns the run in the form of words: steps, then the cycle in braces.
func (r *SystemRun) String() string {
	return strings.Join(append(slices.Clone(r.Prefix), "cycle{"+strings.Join(r.Cycle, "; ")+"}"), "; ")
}

// write writes a difference in indented lines: where it is, between whom, the word or run
// that shows it, and a smaller formula if one was found.
func (d *Difference) write(w io.Writer) {
	fmt.Fprintf(w, "difference: formula %d, %s: %s\n", d.Number, d.Formula, d.Detail)
	fmt.Fprintf(w, "  between %s and %s\n", d.Left, d.Right)
	if d.Word != "" {
		satisfies := "does not satisfy"
		if *d.Satisfied {
			satisfies = "satisfies"
		}
		fmt.Fprintf(w, "  word %s %s the formula; wrong: %v\n", d.Word, satisfies, d.Wrong)
	}
	if d.Run != nil {
		fmt.Fprintf(w, "  run %s\n", d.Run)
	}
	if d.Minimal != "" {
		fmt.Fprintf(w, "  smaller formula: %s", d.Minimal)
		if d.MinimalWord != "" {
			fmt.Fprintf(w, "   word %s", d.MinimalWord)
		}
		fmt.Fprintln(w)
	}
}

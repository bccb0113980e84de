package experiment

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"pnmc/checker/product"
)

// WriteTables prints averages and maxima for each model and set of properties, in the layout of
// Tables 1 and 2 of the paper of 2012. They are of states and transitions of automata, whole
// products and emptiness checks. Verified and violated properties have tables apart. A table
// counts properties that all approaches decided, so that the figures are over the same ones;
// those that some approach refuses have a table of the others. Below are the numbers of those
// left out, and why.
//
// Means over different properties could not be compared. For example, approach A decides two
// properties with 10 and 1000 states, and B only the first one, with 20. Then the mean of A would
// be 505 and that of B 20, although A is better wherever both decide. So the table has the first
// property alone, and below it says that B left one out. Of each figure it has the average in one
// row and the maximum in the next. A figure that some record lacks, such as a whole product that
// was not explored, is a question mark, not an average of the rest.
func WriteTables(w io.Writer, records []Record) error {
	out := &printer{w: w}
	out.notes(latest(records))
	for _, v := range []struct{ verdict, title, note string }{
		{verified, "Verified properties", " (no counterexample)"}, {violated, "Violated properties", " (a counterexample exists)"},
	} {
		var parts []part
		for o, records := range byOrigin(records) {
			parts = append(parts, divide(records, o, v.verdict)...)
		}
		for _, refusing := range refusals(parts) {
			title := v.title + v.note
			if refusing != "" {
				title = v.title + " to which " + strings.ReplaceAll(refusing, ",", ", ") + " does not apply"
			}
			out.table(title, slices.DeleteFunc(slices.Clone(parts), func(p part) bool { return p.refusedBy != refusing }))
		}
	}
	var open []part
	for o, records := range byOrigin(records) {
		open = append(open, undecided(records, o))
	}
	out.leftOut("Properties without a verdict by any approach", open)
	return out.err
}

// refusals returns what the parts are refused by, nothing first.
func refusals(parts []part) []string {
	list := []string{""}
	for _, p := range parts {
		if !slices.Contains(list, p.refusedBy) {
			list = append(list, p.refusedBy)
		}
	}
	return list
}

// printer prints tables until an error.
type printer struct {
	w   io.Writer
	err error
}

// printf writes until the first error, which the printer keeps.
func (p *printer) printf(format string, arguments ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, arguments...)
	}
}

// columns prints a table of lines whose columns end with tabs.
func (p *printer) columns(lines ...string) {
	if p.err != nil {
		return
	}
	table := tabwriter.NewWriter(p.w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, line := range lines {
		fmt.Fprintln(table, line)
	}
	p.err = table.Flush()
}

// notes says what the figures cover.
func (p *printer) notes(records []Record) {
	var onTheFly, untold []string
	noProduct := map[string]int{}
	var approaches []string
	for _, r := range records {
		if r.Verdict == violated && r.FullStates < 0 {
			if noProduct[r.Approach] == 0 {
				approaches = append(approaches, r.Approach)
			}
			noProduct[r.Approach]++
		}
		if r.Approach != product.ByTA.String() && r.Approach != product.ByTGTA.String() {
			continue
		}
		if list := &onTheFly; r.has(wordOnTheFly) || r.Settings == "" {
			if r.Settings == "" {
				list = &untold
			}
			if !slices.Contains(*list, r.Approach) {
				*list = append(*list, r.Approach)
			}
		}
	}
	if len(onTheFly) > 0 {
		p.printf("Automata of %s were made on the fly: their states and transitions are those that the check met (--built makes whole ones).\n", strings.Join(onTheFly, ", "))
	}
	if len(untold) > 0 {
		p.printf("Some measurements by %s do not tell whether automata were made on the fly.\n", strings.Join(untold, ", "))
	}
	if len(approaches) > 0 {
		p.printf("?: the whole product of violated properties was not asked for, or is beyond a limit, of")
		for i, a := range approaches {
			p.printf("%s %d by %s", strings.Repeat(",", min(i, 1)), noProduct[a], a)
		}
		p.printf(".\n")
	}
	if len(onTheFly)+len(untold)+len(approaches) > 0 {
		p.printf("\n")
	}
}

// table prints the averages and maxima of parts, and what they leave out.
func (p *printer) table(title string, parts []part) {
	p.printf("%s\n\n", title)
	lines := []string{"model\tset\tproperties\tapproach\t\tautomaton\ttrans.\tfull product\ttrans.\temptiness check\ttrans.\tseconds\t"}
	for _, part := range parts {
		for _, g := range part.groups {
			lines = append(lines, g.rows(part.origin)...)
		}
	}
	p.columns(lines...)
	p.printf("\n")
	p.leftOut("Left out of this table", parts)
}

// leftOut prints what parts leave out.
func (p *printer) leftOut(title string, parts []part) {
	var lines []string
	for _, part := range parts {
		for _, l := range part.left {
			lines = append(lines, fmt.Sprintf("%s\t%s\t%d\t%s\t  %s", part.model, part.set, l.properties, l.approach, l.why))
		}
	}
	if len(lines) == 0 {
		return
	}
	p.printf("%s\n\n", title)
	p.columns(append([]string{"model\tset\tproperties\tapproach\t  why"}, lines...)...)
	p.printf("\n")
}

// rows returns two: averages and maxima.
func (g group) rows(o origin) []string {
	if len(g.records) == 0 {
		return nil
	}
	figures := []func(Record) float64{
		func(r Record) float64 { return float64(r.AutomatonStates) },
		func(r Record) float64 { return r.AutomatonTransitions },
		func(r Record) float64 { return float64(r.FullStates) },
		func(r Record) float64 { return float64(r.FullTransitions) },
		func(r Record) float64 { return float64(r.ExploredStates) },
		func(r Record) float64 { return float64(r.ExploredTransitions) },
		func(r Record) float64 { return r.Seconds },
	}
	average, largest := "", ""
	for i, figure := range figures {
		sum, most, known := 0.0, 0.0, true
		for _, r := range g.records {
			known = known && figure(r) >= 0
			sum += figure(r)
			most = max(most, figure(r))
		}
		format := "%.0f\t"
		switch {
		case i == len(figures)-1:
			format = "%.2f\t"
		case most >= wholeDigits:
			format = "%.3e\t"
		}
		if !known {
			average, largest = average+"?\t", largest+"?\t"
			continue
		}
		average += fmt.Sprintf(format, sum/float64(len(g.records)))
		largest += fmt.Sprintf(format, most)
	}
	return []string{
		fmt.Sprintf("%s\t%s\t%d\t%s\tavg\t%s", o.model, o.set, len(g.records), g.approach, average),
		"\t\t\t\tmax\t" + largest,
	}
}

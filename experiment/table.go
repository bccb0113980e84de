package experiment

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
)

// WriteTables prints, for each model, averages and maxima of states and
// transitions of automata, whole products and emptiness checks, for verified and
// for violated properties apart, in the layout of Tables 1 and 2 of the paper of
// 2012. Only properties that all approaches decided are counted, so that the
// figures are over the same ones; whole products only where all are known.
func WriteTables(w io.Writer, records []Record) error {
	for _, verdict := range []string{verified, violated} {
		title := "Verified properties (no counterexample)"
		if verdict == violated {
			title = "Violated properties (a counterexample exists)"
		}
		if _, err := fmt.Fprintf(w, "%s\n\n", title); err != nil {
			return err
		}
		table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(table, "model\tproperties\tapproach\t\tautomaton\ttrans.\tfull product\ttrans.\temptiness check\ttrans.\tseconds\t")
		for _, model := range models(records) {
			groups := Comparable(records, model, verdict)
			for _, g := range groups {
				g.write(table, model)
			}
		}
		if err := table.Flush(); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	return nil
}

// Group has the records of one approach for properties that others decided too.
type Group struct {
	Approach string
	Records  []Record // by line
}

// Comparable are the records of a model with a verdict, by approach, for the
// properties that every approach decided.
func Comparable(records []Record, model, verdict string) []Group {
	var groups []Group
	decided := map[int]int{}
	for _, r := range records {
		if r.Model != model {
			continue
		}
		i := slices.IndexFunc(groups, func(g Group) bool { return g.Approach == r.Approach })
		if i < 0 {
			i = len(groups)
			groups = append(groups, Group{Approach: r.Approach})
		}
		if r.Verdict == verdict {
			groups[i].Records = append(groups[i].Records, r)
			decided[r.Line]++
		}
	}
	for i := range groups {
		groups[i].Records = slices.DeleteFunc(groups[i].Records, func(r Record) bool { return decided[r.Line] < len(groups) })
		slices.SortFunc(groups[i].Records, func(a, b Record) int { return a.Line - b.Line })
	}
	return groups
}

// models are the models of records in the order in which they occur.
func models(records []Record) []string {
	var names []string
	for _, r := range records {
		if !slices.Contains(names, r.Model) {
			names = append(names, r.Model)
		}
	}
	return names
}

// write prints two rows: averages and maxima.
func (g Group) write(w io.Writer, model string) {
	if len(g.Records) == 0 {
		return
	}
	figures := []func(Record) float64{
		func(r Record) float64 { return float64(r.AutomatonStates) },
		func(r Record) float64 { return float64(r.AutomatonTransitions) },
		func(r Record) float64 { return float64(r.FullStates) },
		func(r Record) float64 { return float64(r.FullTransitions) },
		func(r Record) float64 { return float64(r.ExploredStates) },
		func(r Record) float64 { return float64(r.ExploredTransitions) },
		func(r Record) float64 { return r.Seconds },
	}
	average, largest := "", ""
	for i, figure := range figures {
		sum, most, known := 0.0, 0.0, true
		for _, r := range g.Records {
			known = known && figure(r) >= 0
			sum += figure(r)
			most = max(most, figure(r))
		}
		format := "%.0f\t"
		if i == len(figures)-1 {
			format = "%.2f\t"
		}
		if !known {
			average, largest = average+"?\t", largest+"?\t"
			continue
		}
		average += fmt.Sprintf(format, sum/float64(len(g.Records)))
		largest += fmt.Sprintf(format, most)
	}
	fmt.Fprintf(w, "%s\t%d\t%s\tavg\t%s\n", model, len(g.Records), g.Approach, average)
	fmt.Fprintf(w, "\t\t\tmax\t%s\n", largest)
}

package experiment

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
)

// WriteTables prints, for each model and set of properties, averages and maxima of states and
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
		fmt.Fprintln(table, "model\tset\tproperties\tapproach\t\tautomaton\ttrans.\tfull product\ttrans.\temptiness check\ttrans.\tseconds\t")
		for _, o := range origins(records) {
			for _, g := range decidedByAll(records, o, verdict) {
				g.write(table, o)
			}
		}
		if err := table.Flush(); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	return nil
}

// origin is a model and a set of properties of it.
type origin struct{ model, set string }

// group has the records of one approach for properties that others decided too.
type group struct {
	approach string
	records  []Record // by line
}

// decidedByAll are the records of an origin with a verdict, by approach, for the
// properties that every approach decided. Of a property that was measured twice by
// an approach, as in logs put together, the first record counts.
func decidedByAll(records []Record, o origin, verdict string) []group {
	var groups []group
	decided := map[int]int{}
	for _, r := range records {
		if r.Model != o.model || r.Set != o.set {
			continue
		}
		i := slices.IndexFunc(groups, func(g group) bool { return g.approach == r.Approach })
		if i < 0 {
			i = len(groups)
			groups = append(groups, group{approach: r.Approach})
		}
		known := slices.ContainsFunc(groups[i].records, func(k Record) bool { return k.Line == r.Line })
		if r.Verdict == verdict && !known {
			groups[i].records = append(groups[i].records, r)
			decided[r.Line]++
		}
	}
	for i := range groups {
		groups[i].records = slices.DeleteFunc(groups[i].records, func(r Record) bool { return decided[r.Line] < len(groups) })
		slices.SortFunc(groups[i].records, func(a, b Record) int { return a.Line - b.Line })
	}
	return groups
}

// origins are those of records in the order in which they occur.
func origins(records []Record) []origin {
	var list []origin
	for _, r := range records {
		if o := (origin{r.Model, r.Set}); !slices.Contains(list, o) {
			list = append(list, o)
		}
	}
	return list
}

// write prints two rows: averages and maxima.
func (g group) write(w io.Writer, o origin) {
	if len(g.records) == 0 {
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
		for _, r := range g.records {
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
		average += fmt.Sprintf(format, sum/float64(len(g.records)))
		largest += fmt.Sprintf(format, most)
	}
	fmt.Fprintf(w, "%s\t%s\t%d\t%s\tavg\t%s\n", o.model, o.set, len(g.records), g.approach, average)
	fmt.Fprintf(w, "\t\t\t\tmax\t%s\n", largest)
}

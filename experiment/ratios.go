package experiment

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"
)

// symbolicPair are the checks of a property in two ways.
type symbolicPair struct{ x, y SymbolicRecord }

// symbolicPairs returns the properties that were checked in both ways.
func symbolicPairs(records []SymbolicRecord, x, y string) []symbolicPair {
	records = latest(records)
	byKey := map[Key]SymbolicRecord{}
	for _, r := range records {
		if r.Approach == y {
			k := r.Key()
			k.Approach = ""
			byKey[k] = r
		}
	}
	var pairs []symbolicPair
	for _, r := range records {
		k := r.Key()
		k.Approach = ""
		if other, ok := byKey[k]; ok && r.Approach == x {
			pairs = append(pairs, symbolicPair{r, other})
		}
	}
	return pairs
}

// slow keeps the pairs where one takes that many seconds, or ends without a verdict.
func slow(pairs []symbolicPair, seconds float64) []symbolicPair {
	return slices.DeleteFunc(slices.Clone(pairs), func(p symbolicPair) bool {
		return p.x.decided() && p.y.decided() && p.x.Seconds < seconds && p.y.Seconds < seconds
	})
}

// decided reports whether the measurement came to a verdict.
func (r SymbolicRecord) decided() bool { return r.Verdict == verified || r.Verdict == violated }

// cost returns the figure, or infinite where the check ended without a verdict.
func (r SymbolicRecord) cost(figure func(SymbolicRecord) float64) float64 {
	if !r.decided() {
		return math.Inf(1)
	}
	return figure(r)
}

func seconds(r SymbolicRecord) float64 { return r.Seconds }

// WriteSymbolicTables prints a line for each model and set. It has the average stuttering ratio,
// as in Table 1 of the paper of 2014, and how y compares with x in time. For that it takes the
// properties for which one of the two takes as many seconds as the threshold. It counts those for
// which y is faster, and gives the quartiles of the ratio of times, x to y. Below are the slowest
// for which it is not.
func WriteSymbolicTables(w io.Writer, records []SymbolicRecord, x, y string, threshold float64) error {
	all := symbolicPairs(records, x, y)
	if _, err := fmt.Fprintf(w, "%s against %s, where one takes %.2g s:\n\n", y, x, threshold); err != nil {
		return err
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "model\tset\tproperties\tstuttering\tslow\tfaster\tlower quartile\tmedian\tupper quartile\t")
	type group struct{ model, set string }
	var groups []group
	of := map[group][]symbolicPair{}
	for _, p := range all {
		g := group{p.x.Model, p.x.Set}
		if of[g] == nil {
			groups = append(groups, g)
		}
		of[g] = append(of[g], p)
	}
	line := func(model, set string, pairs []symbolicPair) {
		stuttering, known := 0.0, 0
		for _, p := range pairs {
			if p.x.Stuttering >= 0 {
				stuttering += p.x.Stuttering
				known++
			}
		}
		long := slow(pairs, threshold)
		share := "-"
		if known > 0 {
			share = fmt.Sprintf("%.0f%%", 100*stuttering/float64(known))
		}
		fmt.Fprintf(table, "%s\t%s\t%d\t%s\t%d\t%d\t", model, set, len(pairs), share, len(long), faster(long))
		if ratios := timeRatios(long); len(ratios) > 0 {
			for _, q := range []float64{0.25, 0.5, 0.75} {
				fmt.Fprintf(table, "%.2f\t", ratios[int(q*float64(len(ratios)-1)+0.5)])
			}
		} else {
			fmt.Fprint(table, "-\t-\t-\t")
		}
		fmt.Fprintln(table)
	}
	for _, g := range groups {
		line(g.model, g.set, of[g])
	}
	line("all", "", all)
	if err := table.Flush(); err != nil {
		return err
	}
	return writeExceptions(w, slow(all, threshold))
}

// faster counts the pairs for which y takes less time.
func faster(pairs []symbolicPair) int {
	n := 0
	for _, p := range pairs {
		if p.y.cost(seconds) < p.x.cost(seconds) {
			n++
		}
	}
	return n
}

// timeRatios returns the times of x over those of y, ascending. It leaves out pairs
// where neither has a verdict.
//
// For example, 2 seconds for x and half a second for y are 4. A pair that only y has decided is
// infinite, and one that only x has decided is 0. A check without a verdict so counts as slower
// than all others, and quartiles need no special cases. Times below a tenth of a millisecond
// count as that, as less is not measured well.
func timeRatios(pairs []symbolicPair) []float64 {
	var ratios []float64
	for _, p := range pairs {
		if p.x.decided() || p.y.decided() {
			ratios = append(ratios, p.x.cost(seconds)/max(1e-4, p.y.cost(seconds)))
		}
	}
	slices.Sort(ratios)
	return ratios
}

// writeExceptions prints the pairs for which y is not faster, the largest
// difference first.
func writeExceptions(w io.Writer, pairs []symbolicPair) error {
	pairs = slices.DeleteFunc(slices.Clone(pairs), func(p symbolicPair) bool { return p.y.cost(seconds) < p.x.cost(seconds) })
	slices.SortStableFunc(pairs, func(a, b symbolicPair) int {
		return cmp.Compare(b.y.cost(seconds)-b.x.cost(seconds), a.y.cost(seconds)-a.x.cost(seconds))
	})
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	if len(pairs) > 0 {
		fmt.Fprintln(table, "\nexcept\tset\tline\tverdict\tseconds\t\tstates\t\tpeak nodes\t\tstuttering\t")
	}
	for _, p := range pairs {
		share := "-"
		if p.x.Stuttering >= 0 {
			share = fmt.Sprintf("%.0f%%", 100*p.x.Stuttering)
		}
		fmt.Fprintf(table, "%s\t%s\t%d\t%s\t%.3f\t%.3f\t%s\t%s\t%d\t%d\t%s\t\n", p.x.Model, p.x.Set, p.x.Line, p.y.Verdict,
			p.x.Seconds, p.y.Seconds, p.x.ProductStates, p.y.ProductStates, p.x.PeakNodes, p.y.PeakNodes, share)
	}
	return table.Flush()
}

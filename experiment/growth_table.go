package experiment

import (
	"cmp"
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"
	"text/tabwriter"

	"pnmc/internal/plot"
)

// growthPoint is what all complete explorations of a net with a number of threads tell together.
type growthPoint struct {
	model       string
	threads     int
	states      int64
	transitions int64
	seconds     float64 // medians
	peakBytes   float64
	runs        int
	reason      string // if no run is complete
}

// growthPoints returns a point for each net and number of threads: nets in the order of their
// records, numbers of threads ascending.
func growthPoints(records []GrowthRecord) (points []growthPoint) {
	type of struct {
		model   string
		threads int
	}
	groups := map[of][]GrowthRecord{}
	order := map[string]int{}
	for _, r := range latest(records) {
		if _, known := order[r.Model]; !known {
			order[r.Model] = len(order)
		}
		groups[of{r.Model, r.Threads}] = append(groups[of{r.Model, r.Threads}], r)
	}
	for key, group := range groups {
		p := growthPoint{model: key.model, threads: key.threads, reason: group[0].Reason}
		var seconds, peaks []float64
		for _, r := range group {
			if r.decided() {
				p.states, p.transitions, p.reason = r.States, r.Transitions, ""
				seconds, peaks = append(seconds, r.Seconds), append(peaks, float64(r.PeakBytes))
			}
		}
		if p.runs = len(seconds); p.runs > 0 {
			p.seconds, p.peakBytes = median(seconds), median(peaks)
		}
		points = append(points, p)
	}
	slices.SortFunc(points, func(a, b growthPoint) int {
		return cmp.Or(cmp.Compare(order[a.model], order[b.model]), cmp.Compare(a.threads, b.threads))
	})
	return points
}

// median returns the middle of some values, the lower one of two.
func median(values []float64) float64 {
	slices.Sort(values)
	return values[(len(values)-1)/2]
}

// GrowthContradictions returns pairs of explorations of the same net that found different numbers
// of states or transitions: one of them is wrong. Each is compared with the first of its net.
func GrowthContradictions(records []GrowthRecord) (pairs [][2]GrowthRecord) {
	first := map[[2]string]GrowthRecord{}
	for _, r := range latest(records) {
		if !r.decided() {
			continue
		}
		net := [2]string{r.Model, r.Input}
		if other, ok := first[net]; !ok {
			first[net] = r
		} else if r.States != other.States || r.Transitions != other.Transitions {
			pairs = append(pairs, [2]GrowthRecord{other, r})
		}
	}
	return pairs
}

// WriteGrowthTable prints a line for each net and number of threads: states, transitions, the
// median of seconds, how many times as fast that is as the fewest threads of the same net, and
// bytes of the whole process by states.
func WriteGrowthTable(w io.Writer, records []GrowthRecord) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "model\tthreads\truns\tstates\ttransitions\tseconds\ttimes as fast\ttransitions a second\tMB\tbytes a state\t")
	var fewest growthPoint
	for _, p := range growthPoints(records) {
		if p.model != fewest.model {
			fewest = p
		}
		if p.runs == 0 {
			fmt.Fprintf(table, "%s\t%d\t0\t-\t-\t-\t-\t-\t-\t-\t %s\n", p.model, p.threads, p.reason)
			continue
		}
		ratio := "-"
		if p.threads > fewest.threads && fewest.runs > 0 {
			ratio = fmt.Sprintf("%.2f", fewest.seconds/max(p.seconds, leastSeconds))
		}
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%d\t%.3f\t%s\t%.3g\t%.1f\t%.1f\t\n", p.model, p.threads, p.runs, p.states, p.transitions, p.seconds, ratio,
			float64(p.transitions)/max(p.seconds, leastSeconds), p.peakBytes/(1<<20), p.peakBytes/float64(max(p.states, 1)))
	}
	return table.Flush()
}

// leastSeconds is the least time that means something.
const leastSeconds = 1e-4

// growthColours tell series apart. Those after the last begin again.
var growthColours = []color.RGBA{{R: 0x1f, G: 0x77, B: 0xb4, A: 0xff}, {R: 0xd6, G: 0x27, B: 0x28, A: 0xff}, {R: 0x2c, G: 0xa0, B: 0x2c, A: 0xff}, {R: 0x94, G: 0x67, B: 0xbd, A: 0xff}, {R: 0x8c, G: 0x56, B: 0x4b, A: 0xff}}

// growthSeries returns an empty series with a colour and a mark of its own.
func growthSeries(number int, name string) plot.Series {
	marks := []plot.Mark{plot.Disc, plot.Ring, plot.Cross}
	return plot.Series{Name: name, Colour: growthColours[number%len(growthColours)], Mark: marks[number%len(marks)], Radius: 2 * markRadius, Width: 1.5}
}

// DrawGrowth draws, as SVG, a figure of complete explorations up and states across, on logarithmic
// axes: a line for each number of threads.
func DrawGrowth(w io.Writer, records []GrowthRecord, name string, figure func(seconds, peakBytes float64) float64) error {
	byThreads := map[int][]plot.Point{}
	var threads []int
	x, y := newValues(), newValues()
	for _, p := range growthPoints(records) {
		if p.runs == 0 || p.states == 0 {
			continue
		}
		if byThreads[p.threads] == nil {
			threads = append(threads, p.threads)
		}
		point := plot.Point{X: float64(p.states), Y: figure(max(p.seconds, leastSeconds), max(p.peakBytes, 1))}
		byThreads[p.threads] = append(byThreads[p.threads], point)
		x.add(point.X)
		y.add(point.Y)
	}
	slices.Sort(threads)
	drawn := plot.Plot{Width: figureSize, Height: figureSize, Grid: true, X: x.decades("states"), Y: y.decades(name)}
	if len(threads) == 0 {
		drawn.Series = append(drawn.Series, plot.Series{}) // the axes alone
	}
	for i, n := range threads {
		series := growthSeries(i, threadsName(n))
		series.Points = byThreads[n]
		slices.SortFunc(series.Points, func(a, b plot.Point) int { return cmp.Compare(a.X, b.X) })
		drawn.Series = append(drawn.Series, series)
	}
	return drawn.SVG(w)
}

// shortestForSpeed is how long, in seconds, one thread has to explore for a comparison with several
// to mean something.
const shortestForSpeed = 0.1

// DrawSpeed draws, as SVG, how many times as fast explorations are as those of the same net with one
// thread, by the number of threads across. Nets that take one thread less than a tenth of a second
// are left out, and those that were not explored by one. A thin line shows as many times as there
// are threads.
func DrawSpeed(w io.Writer, records []GrowthRecord) error {
	var all []plot.Series
	var one growthPoint
	most := 2.0
	for _, p := range growthPoints(records) {
		if p.threads == 1 && p.runs > 0 && p.seconds >= shortestForSpeed {
			one = p
			all = append(all, growthSeries(len(all), p.model))
		}
		if p.runs == 0 || p.model != one.model {
			continue
		}
		at := plot.Point{X: float64(p.threads), Y: one.seconds / max(p.seconds, leastSeconds)}
		all[len(all)-1].Points = append(all[len(all)-1].Points, at)
		most = max(most, at.X, math.Ceil(at.Y))
	}
	all = append(all, plot.Series{Points: []plot.Point{{X: 1, Y: 1}, {X: most, Y: most}}, Colour: diagonalColour, Width: 1})
	axis := func(label string) plot.Axis { return plot.Axis{Label: label, High: most, Whole: true} }
	drawn := plot.Plot{Width: figureSize, Height: figureSize, Grid: true, Series: all, X: axis("threads"), Y: axis("times as fast as one thread")}
	return drawn.SVG(w)
}

// values are the least and the largest of some.
type values struct{ low, high float64 }

func newValues() values { return values{math.Inf(1), 0} }

func (v *values) add(x float64) { v.low, v.high = min(v.low, x), max(v.high, x) }

// decades returns a logarithmic axis on which all lie.
func (v values) decades(label string) plot.Axis {
	if v.high == 0 { // there are none
		return plot.Decades(label, 1, 10)
	}
	return plot.Decades(label, v.low, v.high)
}

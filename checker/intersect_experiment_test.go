package checker_test

import (
	"bufio"
	"flag"
	"fmt"
	"image/color"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"sync"
	"testing"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"pnmc/automata"
	"pnmc/checker"
)

var (
	experimentDirectory = flag.String("experiment", "", "run the intersection experiment, and write its figures to this `directory`")
	experimentStates    = flag.Int("experiment.states", 200, "with automata of `n` states")
	experimentPairs     = flag.Int("experiment.pairs", 0, "with `n` pairs chosen at random; 0: all 2485")
	experimentDensity   = flag.Float64("experiment.density", 0.2, "with an edge between two states with this `probability`")
	experimentMarks     = flag.Float64("experiment.marks", 0.2, "with an edge in an acceptance set with this `probability`")
)

// sample is what one pair took, by the check on the fly and by way of the product.
type sample struct {
	nonempty                  bool
	direct, product           time.Duration
	directBytes, productBytes uint64
}

// TestIntersectExperiment is the experiment of "Two-automaton emptiness check in
// Spot", chapter 6: 70 random automata over 10 propositions, with 16 acceptance sets
// in each pair, all pairs of them checked on the fly, and by building the product and
// then checking that. It takes hours for large automata, and so runs only if asked:
//
//	go test ./checker -run IntersectExperiment -timeout 0 -experiment ../docs
func TestIntersectExperiment(t *testing.T) {
	if *experimentDirectory == "" {
		t.Skip("runs with -experiment only")
	}
	const count, sets = 70, 8
	propositions := []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}
	all := make([]*automata.Automaton, count)
	for i := range all {
		all[i] = automata.Random(automata.RandomSettings{
			States: *experimentStates, Propositions: propositions, Density: *experimentDensity, LiteralProbability: 1,
			Sets: sets, MarkProbability: *experimentMarks, Condition: automata.RandomInf,
		}, uint64(i))
	}
	var pairs [][2]int
	for i := range count {
		for j := range i + 1 {
			pairs = append(pairs, [2]int{i, j})
		}
	}
	if n := *experimentPairs; n > 0 && n < len(pairs) {
		r := rand.New(rand.NewPCG(6, 1))
		r.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
		pairs = pairs[:n]
	}
	name := fmt.Sprintf("intersect-%d-%g", *experimentStates, *experimentDensity)
	file, err := os.Create(filepath.Join(*experimentDirectory, name+".tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	out := bufio.NewWriter(file)
	defer out.Flush()
	fmt.Fprintln(out, "first\tsecond\tnonempty\tdirect_seconds\tproduct_seconds\tdirect_bytes\tproduct_bytes")
	var samples []sample
	for _, p := range pairs {
		a, b := all[p[0]], all[p[1]]
		var s sample
		var viaProduct bool
		s.direct, s.directBytes = measure(t, func() (err error) {
			s.nonempty, err = checker.Intersects(checker.Explicit(a), checker.Explicit(b))
			return err
		})
		s.product, s.productBytes = measure(t, func() error {
			product, err := automata.Product(a, b)
			if err == nil {
				viaProduct = !checker.Empty(product)
			}
			return err
		})
		if viaProduct != s.nonempty {
			t.Fatalf("%v: nonempty on the fly %v, by the product %v", p, s.nonempty, viaProduct)
		}
		samples = append(samples, s)
		fmt.Fprintf(out, "%d\t%d\t%v\t%.6f\t%.6f\t%d\t%d\n", p[0], p[1], s.nonempty, s.direct.Seconds(), s.product.Seconds(), s.directBytes, s.productBytes)
	}
	summarize(t, samples)
	if err := scatter(samples, filepath.Join(*experimentDirectory, name+".png")); err != nil {
		t.Fatal(err)
	}
}

// shortRun is below which a run is repeated, the best time counting, and its memory
// all that it allocates.
const shortRun = 50 * time.Millisecond

// measure is the time that f takes, and the peak of the heap above what was there
// before.
func measure(t *testing.T, f func() error) (time.Duration, uint64) {
	t.Helper()
	took, peak := sampled(t, f)
	if took >= shortRun {
		return took, peak
	}
	// Without collections, what is allocated is the peak.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	timed(t, f)
	runtime.ReadMemStats(&after)
	for range 10 {
		took = min(took, timed(t, f))
	}
	return took, after.TotalAlloc - before.TotalAlloc
}

func timed(t *testing.T, f func() error) time.Duration {
	t.Helper()
	start := time.Now()
	err := f()
	took := time.Since(start)
	if err != nil {
		t.Fatal(err)
	}
	return took
}

// sampled is measure by looking at the heap every millisecond.
func sampled(t *testing.T, f func() error) (time.Duration, uint64) {
	t.Helper()
	runtime.GC()
	heap := func() uint64 {
		s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		metrics.Read(s)
		return s[0].Value.Uint64()
	}
	before, peak := heap(), uint64(0)
	done := make(chan struct{})
	var sampler sync.WaitGroup
	sampler.Add(1)
	go func() {
		defer sampler.Done()
		for tick := time.NewTicker(time.Millisecond); ; {
			select {
			case <-done:
				tick.Stop()
				return
			case <-tick.C:
				peak = max(peak, heap())
			}
		}
	}()
	took := timed(t, f)
	close(done)
	sampler.Wait()
	peak = max(peak, heap(), before)
	return took, peak - before
}

// summarize prints the figures of the table.
func summarize(t *testing.T, samples []sample) {
	faster, half, nonempty := 0, 0, 0
	var direct, product []float64
	var directBytes, productBytes uint64
	for _, s := range samples {
		if s.direct < s.product {
			faster++
		}
		if 2*s.directBytes <= s.productBytes {
			half++
		}
		if s.nonempty {
			nonempty++
		}
		direct, product = append(direct, s.direct.Seconds()), append(product, s.product.Seconds())
		directBytes, productBytes = max(directBytes, s.directBytes), max(productBytes, s.productBytes)
	}
	slices.Sort(direct)
	slices.Sort(product)
	n := len(samples)
	t.Logf("%d pairs, %d nonempty; on the fly faster in %d (%.1f%%), with at most half of the memory in %d (%.1f%%)",
		n, nonempty, faster, 100*float64(faster)/float64(n), half, 100*float64(half)/float64(n))
	t.Logf("seconds, median and maximum: on the fly %.6f %.6f, product %.6f %.6f", direct[n/2], direct[n-1], product[n/2], product[n-1])
	t.Logf("greatest peak memory: on the fly %.1f MB, product %.1f MB", float64(directBytes)/(1<<20), float64(productBytes)/(1<<20))
}

// scatter draws the times of all pairs against each other, with the identity.
func scatter(samples []sample, path string) error {
	p := plot.New()
	p.X.Label.Text, p.Y.Label.Text = "product, then emptiness (s)", "on the fly (s)"
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.LogTicks{Prec: -1}, plot.LogTicks{Prec: -1}
	low, high := math.Inf(1), 0.0
	var faster, slower plotter.XYs
	for _, s := range samples {
		x, y := s.product.Seconds(), s.direct.Seconds()
		low, high = min(low, x, y), max(high, x, y)
		if y < x {
			faster = append(faster, plotter.XY{X: x, Y: y})
		} else {
			slower = append(slower, plotter.XY{X: x, Y: y})
		}
	}
	for _, group := range []struct {
		points plotter.XYs
		color  color.RGBA
	}{{faster, color.RGBA{G: 128, A: 255}}, {slower, color.RGBA{R: 192, A: 255}}} {
		if len(group.points) == 0 {
			continue
		}
		points, err := plotter.NewScatter(group.points)
		if err != nil {
			return err
		}
		points.GlyphStyle = draw.GlyphStyle{Color: group.color, Radius: vg.Points(1), Shape: draw.CircleGlyph{}}
		p.Add(points)
	}
	identity, err := plotter.NewLine(plotter.XYs{{X: low, Y: low}, {X: high, Y: high}})
	if err != nil {
		return err
	}
	identity.Color = color.RGBA{B: 192, A: 255}
	p.Add(identity)
	return p.Save(4*vg.Inch, 4*vg.Inch, path)
}

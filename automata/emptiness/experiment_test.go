package emptiness_test

import (
	"bufio"
	"context"
	"errors"
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

	"pnmc/automata"
	"pnmc/automata/emptiness"
	"pnmc/internal/automatatest"
	"pnmc/internal/plot"
)

var (
	experimentDirectory = flag.String("experiment", "", "run the intersection experiment, and write its figures to this `directory`")
	experimentStates    = flag.Int("experiment.states", 200, "with automata of `n` states")
	experimentPairs     = flag.Int("experiment.pairs", 0, "with `n` pairs chosen at random; 0: all 2485")
	experimentDensity   = flag.Float64("experiment.density", 0.2, "with an edge between two states with this `probability`")
	experimentMarks     = flag.Float64("experiment.marks", 0.2, "with an edge in an acceptance set with this `probability`")
	experimentTime      = flag.Duration("experiment.time", 0, "end after this `time`, for a later run to go on; 0: when all is done")
)

// sample is what one pair took, by the check on the fly and by way of the product.
type sample struct {
	first, second             int
	nonempty                  bool
	direct, product           time.Duration
	directBytes, productBytes uint64
	// aloneBytes are those of productBytes that are no matter of how the product is
	// computed: the arrays of the finished product, and what its check takes.
	aloneBytes uint64
}

// TestIntersectExperiment runs the experiment of "Two-automaton emptiness check in
// Spot", chapter 6: 70 random automata over 10 propositions, with 16 acceptance sets
// in each pair, all pairs of them checked on the fly, and by building the product and
// then checking that. It takes hours for large automata, and so runs only if asked,
// and goes on where the file in the directory ends:
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
		all[i] = automatatest.Random(automatatest.RandomSettings{
			States: *experimentStates, Propositions: propositions, Density: *experimentDensity, LiteralProbability: 1,
			Sets: sets, MarkProbability: *experimentMarks, Condition: automatatest.RandomInf,
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
	name := filepath.Join(*experimentDirectory, fmt.Sprintf("intersect-%d-%g", *experimentStates, *experimentDensity))
	samples := readSamples(t, name+".tsv")
	file, err := os.OpenFile(name+".tsv", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	start := time.Now()
	for _, p := range pairs[min(len(samples), len(pairs)):] {
		if *experimentTime > 0 && time.Since(start) > *experimentTime {
			break
		}
		s := comparePair(t, p[0], p[1], all[p[0]], all[p[1]])
		samples = append(samples, s)
		fmt.Fprintf(file, sampleFormat, s.first, s.second, s.nonempty, s.direct, s.product, s.directBytes, s.productBytes, s.aloneBytes)
	}
	summarize(t, samples)
	if err := scatter(samples, name+".png"); err != nil {
		t.Fatal(err)
	}
}

// sampleFormat is a line for a sample: its fields in order, times in nanoseconds.
const sampleFormat = "%d\t%d\t%v\t%d\t%d\t%d\t%d\t%d\n"

// readSamples reads what earlier runs measured.
func readSamples(t *testing.T, path string) []sample {
	t.Helper()
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var samples []sample
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var s sample
		if _, err := fmt.Sscanf(lines.Text()+"\n", sampleFormat, &s.first, &s.second, &s.nonempty, (*int64)(&s.direct), (*int64)(&s.product),
			&s.directBytes, &s.productBytes, &s.aloneBytes); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		samples = append(samples, s)
	}
	return samples
}

// comparePair measures one pair in both ways.
func comparePair(t *testing.T, first, second int, a, b *automata.Automaton) sample {
	t.Helper()
	s := sample{first: first, second: second}
	var viaProduct bool
	var product *automata.Automaton
	s.direct, s.directBytes = measure(t, func() (err error) {
		s.nonempty, err = emptiness.Intersects(emptiness.Explicit(a), emptiness.Explicit(b))
		return err
	})
	s.product, s.productBytes = measure(t, func() (err error) {
		product, err = automata.Product(context.Background(), a, b)
		if err == nil {
			empty, err := emptiness.Empty(context.Background(), product)
			if err != nil {
				t.Fatal(err)
			}
			viaProduct = !empty
		}
		return err
	})
	if viaProduct != s.nonempty {
		t.Fatalf("%d and %d: nonempty on the fly %v, by the product %v", first, second, s.nonempty, viaProduct)
	}
	const number, word = 4, 8
	perEdge := 3*number + 2*word*product.ValuationWords() + word*product.MarkWords()
	s.aloneBytes = uint64(number*(product.States()+2) + perEdge*product.Edges())
	if product.States() < 1000 {
		s.aloneBytes += allocated(t, func() error {
			if _, err := emptiness.Empty(context.Background(), product); err != nil {
				t.Fatal(err)
			}
			return nil
		})
	}
	return s
}

// shortRun is below which a run is repeated, the best time counting, and its memory
// all that it allocates.
const shortRun = 50 * time.Millisecond

// measure returns the time that f takes, and the peak of the heap above what was there
// before.
func measure(t *testing.T, f func() error) (time.Duration, uint64) {
	t.Helper()
	took, peak := sampled(t, f)
	if took >= shortRun {
		return took, peak
	}
	bytes := allocated(t, f)
	for range 10 {
		took = min(took, timed(t, f))
	}
	return took, bytes
}

// allocated returns what f allocates, which is its peak as long as nothing is collected.
func allocated(t *testing.T, f func() error) uint64 {
	t.Helper()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	timed(t, f)
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
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

// sampled measures as measure, by looking at the heap every millisecond.
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

// summarize prints the figures of the table: of all pairs, of those that have a word
// in common, and of those that have none.
func summarize(t *testing.T, samples []sample) {
	t.Helper()
	for _, group := range []struct {
		name string
		in   func(sample) bool
	}{
		{"all", func(sample) bool { return true }},
		{"nonempty", func(s sample) bool { return s.nonempty }},
		{"empty", func(s sample) bool { return !s.nonempty }},
	} {
		faster, half, halfAlone := 0, 0, 0
		var direct, product, directBytes, productBytes, aloneBytes []float64
		for _, s := range samples {
			if !group.in(s) {
				continue
			}
			if s.direct < s.product {
				faster++
			}
			if 2*s.directBytes <= s.productBytes {
				half++
			}
			if 2*s.directBytes <= s.aloneBytes {
				halfAlone++
			}
			direct, product = append(direct, s.direct.Seconds()), append(product, s.product.Seconds())
			directBytes, productBytes = append(directBytes, float64(s.directBytes)), append(productBytes, float64(s.productBytes))
			aloneBytes = append(aloneBytes, float64(s.aloneBytes))
		}
		n := len(direct)
		if n == 0 {
			continue
		}
		percent := func(k int) float64 { return 100 * float64(k) / float64(n) }
		t.Logf("%s: %d pairs; on the fly faster in %d (%.1f%%), with at most half of the memory in %d (%.1f%%), with at most half of the product's own in %d (%.1f%%)",
			group.name, n, faster, percent(faster), half, percent(half), halfAlone, percent(halfAlone))
		for _, x := range []struct {
			name            string
			direct, product []float64
		}{{"seconds", direct, product}, {"bytes", directBytes, productBytes}, {"bytes, product alone", directBytes, aloneBytes}} {
			slices.Sort(x.direct)
			slices.Sort(x.product)
			t.Logf("  %s, median and maximum: on the fly %.6g %.6g, product %.6g %.6g", x.name, x.direct[n/2], x.direct[n-1], x.product[n/2], x.product[n-1])
		}
	}
}

// scatter draws the times of all pairs against each other, with the identity.
func scatter(samples []sample, path string) error {
	low, high := math.Inf(1), 0.0
	var faster, slower []plot.Point
	for _, s := range samples {
		x, y := s.product.Seconds(), s.direct.Seconds()
		low, high = min(low, x, y), max(high, x, y)
		if y < x {
			faster = append(faster, plot.Point{X: x, Y: y})
		} else {
			slower = append(slower, plot.Point{X: x, Y: y})
		}
	}
	p := plot.Plot{Width: 10 * plot.Centimeter, Height: 10 * plot.Centimeter}
	p.X, p.Y = plot.Decades("product, then emptiness (s)", low, high), plot.Decades("on the fly (s)", low, high)
	p.Series = []plot.Series{
		{Points: faster, Colour: color.RGBA{G: 128, A: 255}, Mark: plot.Disc, Radius: 1},
		{Points: slower, Colour: color.RGBA{R: 192, A: 255}, Mark: plot.Disc, Radius: 1},
		{Points: []plot.Point{{X: low, Y: low}, {X: high, Y: high}}, Colour: color.RGBA{B: 192, A: 255}, Width: 1},
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(p.PNG(f), f.Close())
}

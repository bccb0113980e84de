package symbolic_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"image/color"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"pnmc/internal/petritest"
	"pnmc/internal/plot"
	"pnmc/petri"
	"pnmc/symbolic"
)

var (
	growthDirectory = flag.String("growth", "", "measure how diagrams grow with the parameter of models, and write plots to this `directory`")
	growthPoint     = flag.String("growth.point", "", "explore only `MODEL:N`, and print what was found as JSON")
	growthTime      = flag.Duration("growth.time", 20*time.Second, "end a model where exploring takes more processor `time`")
)

// fms returns the flexible manufacturing system with n parts of each of three kinds
// (Ciardo, Trivedi, "A decomposition approach for stochastic reward net models",
// 1993): 22 places, 20 transitions.
func fms(t testing.TB, n int64) *petri.Net {
	return netOf(t, map[string]int64{"P1": n, "P2": n, "P3": n, "M1": 3, "M2": 1, "M3": 2},
		"tP1: P1 -> P1wM1", "tM1: P1wM1 M1 -> P1M1", "tP1M1: P1M1 -> P1d M1", "tP1e: P1d -> P1s", "tP1j: P1d -> P1wP2",
		"tP1s: P1s -> P1", "tP2: P2 -> P2wM2", "tM2: P2wM2 M2 -> P2M2", "tP2M2: P2M2 -> P2d M2", "tP2e: P2d -> P2s",
		"tP2s: P2s -> P2", "tP2j: P2d -> P2wP1", "tx: P1wP2 P2wP1 -> P12", "tP12: P12 -> P12wM3",
		"tM3: P12wM3 M3 -> P12M3", "tP12M3: P12M3 -> P12s M3", "tP12s: P12s -> P1 P2", "tP3: P3 -> P3M2",
		"tP3M2: P3M2 M2 -> P3s M2", "tP3s: P3s -> P3")
}

// squareGrid returns the contest's grid of n times n switches. A switch forwards packets
// between its four sides through a buffer, which has n/2 packets for each side and
// n free slots at first. Neighbours are joined by a channel for one packet in each
// direction; at the border what leaves comes back.
func squareGrid(t testing.TB, n int) *petri.Net {
	initial := map[string]int64{}
	var lines []string
	// channel names the one that brings packets into side s of switch i, j, and
	// other is the switch beyond that side.
	channel := func(i, j, s int) string { return fmt.Sprintf("in%d_%d_%d", s, i, j) }
	beyond := func(i, j, s int) (int, int) { return i + []int{-1, 0, 1, 0}[s], j + []int{0, 1, 0, -1}[s] }
	connect := func(name, from, to string) {
		// from gives up a packet, and to takes it.
		lines = append(lines, fmt.Sprintf("%s: %s free_%s -> free_%[2]s %[3]s", name, from, to))
	}
	for i := range n {
		for j := range n {
			buffer := fmt.Sprintf("buffer%d_%d", i, j)
			initial["free_"+buffer] = int64(n)
			for s := range 4 {
				initial[fmt.Sprint(buffer, "_", s)] = int64(n / 2)
				in := channel(i, j, s)
				initial["free_"+in] = 1
				for to := range 4 {
					if to != s {
						lines = append(lines, fmt.Sprintf("take%d%d_%d_%d: %s free_%s -> free_%[5]s %[6]s_%[2]d", s, to, i, j, in, buffer))
					}
				}
				out := ""
				if k, l := beyond(i, j, s); k >= 0 && l >= 0 && k < n && l < n {
					out = channel(k, l, (s+2)%4)
				} else {
					out = fmt.Sprintf("out%d_%d_%d", s, i, j)
					initial["free_"+out] = 1
					connect(fmt.Sprintf("turn%d_%d_%d", s, i, j), out, in)
				}
				lines = append(lines, fmt.Sprintf("give%d_%d_%d: %s_%[1]d free_%[5]s -> free_%[4]s %[5]s", s, i, j, buffer, out))
			}
		}
	}
	return netOf(t, initial, lines...)
}

// growing are the models and their parameters, ascending.
var growing = []struct {
	name  string
	make  func(t testing.TB, n int) *petri.Net
	sizes []int
}{
	{"Kanban", func(_ testing.TB, n int) *petri.Net { return petritest.Kanban(int64(n)) }, []int{2, 5, 10, 20, 50, 100, 200}},
	{"Philosophers", func(_ testing.TB, n int) *petri.Net { return petritest.Philosophers(n) }, []int{5, 10, 20, 50, 100, 200, 500, 1000, 2000}},
	{"FMS", func(t testing.TB, n int) *petri.Net { return fms(t, int64(n)) }, []int{2, 5, 10, 20, 50, 100}},
	{"SquareGrid", squareGrid, []int{1, 2, 3, 4}},
}

// A growth is what exploring one model took. Seconds are of the processor, of a
// whole process.
type growth struct {
	N       int
	States  string
	Nodes   int
	Peak    int
	Order   string
	Memory  int64
	Seconds float64
}

// TestGrowthModels compares the small ones with what is known of their sizes.
func TestGrowthModels(t *testing.T) {
	for _, c := range []struct {
		net    *petri.Net
		states string
	}{
		{fms(t, 2), "3444"}, {fms(t, 5), "2895018"},
		{squareGrid(t, 2), "2085423232578"},
	} {
		s, err := symbolic.Explore(t.Context(), c.net, symbolic.Options{Encoding: symbolic.PerGroup})
		if err != nil || s.States().String() != c.states {
			t.Errorf("%v states, %v, want %s", s.States(), err, c.states)
		}
	}
}

// TestGrowth measures each model for growing parameters, each in a process of its
// own, and plots nodes and time. It takes minutes, and runs only if asked:
//
//	go test ./symbolic -run 'Growth$' -v -timeout 0 -growth ../docs
func TestGrowth(t *testing.T) {
	if *growthDirectory == "" {
		t.Skip("runs with -growth only")
	}
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "model\tN\tstates\tnodes\tmost nodes at a time\tMB\tprocessor s\torder\t")
	nodes, seconds := newGrowthPlot("nodes of the final diagram"), newGrowthPlot("processor time (s)")
	for i, m := range growing {
		var ofNodes, ofSeconds []plot.Point
		for _, n := range m.sizes {
			g, err := measureGrowth(m.name, n)
			if err != nil {
				t.Logf("%s %d: %v", m.name, n, err)
				break
			}
			states := g.States
			if len(states) > 20 {
				states = fmt.Sprintf("%s.%se%d", states[:1], states[1:4], len(states)-1)
			}
			fmt.Fprintf(table, "%s\t%d\t%s\t%d\t%d\t%d\t%.2f\t%s\t\n", m.name, n, states, g.Nodes, g.Peak, g.Memory>>20, g.Seconds, g.Order)
			ofNodes = append(ofNodes, plot.Point{X: float64(n), Y: float64(g.Nodes)})
			ofSeconds = append(ofSeconds, plot.Point{X: float64(n), Y: g.Seconds})
		}
		addGrowth(nodes, m.name, i, ofNodes)
		addGrowth(seconds, m.name, i, ofSeconds)
	}
	if err := table.Flush(); err != nil {
		t.Fatal(err)
	}
	for file, p := range map[string]*plot.Plot{"growth-nodes.png": nodes, "growth-time.png": seconds} {
		if err := saveGrowth(filepath.Join(*growthDirectory, file), p); err != nil {
			t.Fatal(err)
		}
	}
}

// measureGrowth runs TestGrowthPoint in a process of its own.
func measureGrowth(model string, n int) (growth, error) {
	c := exec.Command(os.Args[0], "-test.run", "^TestGrowthPoint$", "-test.v", "-growth.point", fmt.Sprint(model, ":", n),
		"-growth.time", growthTime.String())
	out, err := c.Output()
	var g growth
	for line := range strings.Lines(string(out)) {
		if text, ok := strings.CutPrefix(line, "growth "); ok {
			err = json.Unmarshal([]byte(text), &g)
		}
	}
	if err == nil && g.N == 0 {
		err = fmt.Errorf("not finished: %s", out)
	}
	g.Seconds = (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds()
	if err == nil && g.Seconds > growthTime.Seconds() {
		err = fmt.Errorf("took %.0f s", g.Seconds)
	}
	return g, err
}

// TestGrowthPoint explores the one model that the flag names. On a busy machine
// processor time may last far longer than it is; the limit here is a coarse one.
func TestGrowthPoint(t *testing.T) {
	name, text, _ := strings.Cut(*growthPoint, ":")
	for _, m := range growing {
		if m.name != name {
			continue
		}
		var n int
		if _, err := fmt.Sscan(text, &n); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 8*(*growthTime))
		defer cancel()
		s, err := symbolic.Explore(ctx, m.make(t, n), symbolic.Options{Encoding: symbolic.PerGroup})
		if err != nil {
			t.Fatal(err)
		}
		line, err := json.Marshal(growth{
			N: n, States: s.States().String(), Nodes: s.Nodes, Peak: s.Forest.PeakNodes(), Order: s.OrderName, Memory: s.Forest.Memory(),
		})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Printf("growth %s\n", line)
	}
}

func newGrowthPlot(what string) *plot.Plot {
	return &plot.Plot{
		X: plot.Axis{Label: "N", Logarithmic: true}, Y: plot.Axis{Label: what, Logarithmic: true},
		Width: 11 * plot.Centimeter, Height: 10 * plot.Centimeter, Grid: true,
		Legend: plot.LowerRight, // where no line ends
	}
}

var growthColours = []color.RGBA{
	{R: 31, G: 119, B: 180, A: 255}, {R: 214, G: 39, B: 40, A: 255},
	{R: 44, G: 160, B: 44, A: 255}, {R: 148, G: 103, B: 189, A: 255},
}

func addGrowth(p *plot.Plot, name string, i int, points []plot.Point) {
	if len(points) == 0 {
		return
	}
	p.Series = append(p.Series, plot.Series{
		Name: name, Points: points, Colour: growthColours[i%4], Width: 1, Mark: plot.Ring, Radius: 3,
	})
}

// saveGrowth writes a plot whose axes have all values between powers of ten.
func saveGrowth(path string, p *plot.Plot) error {
	var across, up []float64
	for _, s := range p.Series {
		for _, q := range s.Points {
			across, up = append(across, q.X), append(up, q.Y)
		}
	}
	if len(across) == 0 {
		return nil
	}
	p.X = plot.Decades(p.X.Label, slices.Min(across), slices.Max(across))
	p.Y = plot.Decades(p.Y.Label, slices.Min(up), slices.Max(up))
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(p.PNG(f), f.Close())
}

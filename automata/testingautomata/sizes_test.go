package testingautomata_test

import (
	"context"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"pnmc/automata"
	"pnmc/automata/bdd"
	"pnmc/automata/degeneralize"
	"pnmc/automata/statistics"
	"pnmc/automata/stutter"
	"pnmc/automata/testingautomata"
	"pnmc/hoa"
)

var allSizes = flag.Bool("all-sizes", false, "compare sizes with those of all shared automata, which takes minutes")

// sizes are sums of states and transitions.
type sizes struct{ ba, baEdges, ta, taTransitions, tgta, tgtaTransitions float64 }

// Summed over the automata of a file, no kind of automaton is larger than what
// Spot makes of the same formulas. Without the flag only some automata of each
// file are tried, and the sums are over those.
func TestSizesAgainstSpot(t *testing.T) {
	files, _ := filepath.Glob("../../../shared/ltl/*/*.sizes.tsv")
	if len(files) == 0 {
		t.Skip("no shared automata")
	}
	for _, name := range files {
		kind := strings.TrimSuffix(filepath.Base(name), ".sizes.tsv")
		step := 1
		switch {
		case kind == "next":
			continue
		case *allSizes:
		case kind == "fair":
			step = 24
		default:
			step = 5
		}
		model := filepath.Base(filepath.Dir(name)) + "/" + kind
		t.Run(model, func(t *testing.T) {
			began := time.Now()
			spot, ours := compareSizes(t, name, step)
			t.Logf("Spot %+v", spot)
			t.Logf("ours %+v (%v)", ours, time.Since(began).Round(time.Millisecond))
			for _, c := range []struct {
				what       string
				ours, spot float64
			}{
				{"BA states", ours.ba, spot.ba}, {"BA edges", ours.baEdges, spot.baEdges},
				{"TA states", ours.ta, spot.ta}, {"TA transitions", ours.taTransitions, spot.taTransitions},
				{"TGTA states", ours.tgta, spot.tgta}, {"TGTA transitions", ours.tgtaTransitions, spot.tgtaTransitions},
			} {
				if c.ours > c.spot {
					t.Errorf("%s: %.0f, Spot has %.0f", c.what, c.ours, c.spot)
				}
			}
		})
	}
}

func compareSizes(t *testing.T, name string, step int) (spot, ours sizes) {
	table, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(strings.TrimSpace(string(table)), "\n")[2:]
	file, err := os.Open(strings.TrimSuffix(name, ".sizes.tsv") + ".hoa")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	reader := hoa.NewReader(file, name)
	for i := 0; ; i++ {
		a, err := reader.Read()
		if err == io.EOF {
			return spot, ours
		}
		if err != nil {
			t.Fatal(err)
		}
		if i%step != 0 {
			continue
		}
		var row []float64
		for _, v := range strings.Split(rows[i], "\t") {
			x, _ := strconv.ParseFloat(v, 64)
			row = append(row, x)
		}
		spot.ba, spot.baEdges = spot.ba+row[4], spot.baEdges+row[5]
		spot.ta, spot.taTransitions = spot.ta+row[6], spot.taTransitions+row[7]
		spot.tgta, spot.tgtaTransitions = spot.tgta+row[8], spot.tgtaTransitions+row[9]
		addSizes(t, a, &ours)
	}
}

func addSizes(t *testing.T, a *automata.Automaton, sum *sizes) {
	ctx := context.Background()
	v, err := stutter.DecideInvariance(ctx, a)
	if err != nil {
		t.Fatal(err)
	}
	v.Whole = v.Whole || a.Claims&automata.ClaimStutterInvariant != 0
	b, err := degeneralize.Degeneralize(ctx, a)
	if err != nil {
		t.Fatal(err)
	}
	sum.ba += float64(b.States())
	sum.baEdges += float64(b.Edges())
	tgta, err := testingautomata.NewTGTA(ctx, a, v)
	if err != nil {
		t.Fatal(err)
	}
	states, transitions := testingSize(t, tgta)
	sum.tgta, sum.tgtaTransitions = sum.tgta+states, sum.tgtaTransitions+transitions
	ta, err := testingautomata.NewTA(ctx, a, v)
	if err != nil {
		t.Fatal(err)
	}
	states, transitions = testingSize(t, ta)
	sum.ta, sum.taTransitions = sum.ta+states, sum.taTransitions+transitions
}

// testingSize counts as ltl2tgta draws: without the initial state that stands for
// several, a transition for each changeset, and in TA without the stuttering that
// every state has implicitly.
func testingSize(t *testing.T, a *automata.Automaton) (states, transitions float64) {
	n, err := statistics.Transitions(a)
	if err != nil {
		t.Fatal(err)
	}
	all, _ := n.Float64()
	for first, end := a.Out(0); first < end; first++ {
		m := bdd.New(len(a.Propositions), 1<<20)
		root, _ := m.Valuations(m.Of(a.Label(first))).Float64()
		all -= root
	}
	states = float64(a.States() - 1)
	if a.Kind == automata.TA {
		all -= states
	}
	return states, all
}

package translate_test

import (
	"context"
	"errors"
	"flag"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"pnmc/automata"
	"pnmc/automata/bdd"
	"pnmc/automata/statistics"
	"pnmc/automata/testingautomata"
	"pnmc/automata/translate"
	"pnmc/logic/ltl"
)

var constructions = map[translate.Construction]string{
	translate.Smaller: "smaller", translate.TwoStep: "two-step", translate.Direct: "direct",
}

// Both constructions of testing automata keep the language, with X and without.
func TestTGTALanguage(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	satisfied := 0
	for range 250 {
		s := ltl.NewFormulas()
		names := []string{"a", "b", "c"}
		for _, name := range names {
			s.Atom(name)
		}
		f := randomFormula(r, s, 2+r.IntN(10))
		states := map[translate.Construction]int{}
		for c, name := range constructions {
			a, err := translate.ToTGTA(context.Background(), s, f, translate.Options{}, c)
			if err != nil {
				t.Fatalf("%s, %s: %v", s.Text(f, ltl.SpotSyntax), name, err)
			}
			states[c] = a.States()
			plain := *a
			plain.Kind = automata.Plain
			for range 10 {
				word := randomWord(r, names)
				want := holds(s, f, word)
				if want {
					satisfied++
				}
				if got, err := automata.Accepts(&plain, word.Changes()); err != nil || got != want {
					t.Fatalf("%s, %s: holds on %s is %v, accepted %v, %v", s.Text(f, ltl.SpotSyntax), name, word, want, got, err)
				}
			}
		}
		if states[translate.Smaller] != min(states[translate.TwoStep], states[translate.Direct]) {
			t.Errorf("%s: states by construction %v", s.Text(f, ltl.SpotSyntax), states)
		}
	}
	if satisfied < 1000 {
		t.Errorf("%d words satisfied their formula", satisfied)
	}
}

var allSizes = flag.Bool("all-sizes", false, "compare testing automata with all references file by file, which takes minutes")

// Summed over the files of a kind, testing automata of either construction are no
// larger than the reference. Without the flag a sample is tried, with it each file is
// a test, such as TGTASizes/Peterson-PT-3/random.
func TestTGTASizes(t *testing.T) {
	type group struct {
		name  string
		step  int
		files []string
	}
	var groups []group
	for kind, step := range map[string]int{"random": 20, "fair": 100} {
		files, _ := filepath.Glob(shared + "/ltl/*/" + kind + ".sizes.tsv")
		if !*allSizes {
			groups = append(groups, group{kind, step, files})
			continue
		}
		for _, file := range files {
			groups = append(groups, group{filepath.Base(filepath.Dir(file)) + "/" + kind, 1, []string{file}})
		}
	}
	for _, g := range groups {
		t.Run(g.name, func(t *testing.T) { compareTGTASizes(t, g.files, g.step) })
	}
}

// compareTGTASizes compares the sums over every step-th line of files.
func compareTGTASizes(t *testing.T, files []string, step int) {
	if len(files) == 0 {
		t.Skip("no shared formulas")
	}
	ours, reference := map[translate.Construction][2]float64{}, [2]float64{}
	for _, file := range files {
		rows := lines(t, file)[2:]
		for i, line := range lines(t, strings.TrimSuffix(file, ".sizes.tsv")+".ltl") {
			if i%step != 0 {
				continue
			}
			columns := strings.Split(rows[i], "\t")
			for j := range reference {
				n, err := strconv.ParseFloat(columns[8+j], 64)
				if err != nil {
					t.Fatal(err)
				}
				reference[j] += n
			}
			s := ltl.NewFormulas()
			f := parse(t, s, line)
			for _, c := range []translate.Construction{translate.TwoStep, translate.Direct} {
				a, err := translate.ToTGTA(context.Background(), s, f, translate.Options{Negate: true}, c)
				if err != nil {
					t.Fatalf("%s: %v", line, err)
				}
				states, transitions := testingSize(t, a)
				ours[c] = [2]float64{ours[c][0] + states, ours[c][1] + transitions}
			}
		}
	}
	for c, sum := range ours {
		report := t.Logf
		if sum[0] > reference[0] || sum[1] > reference[1] {
			report = t.Errorf
		}
		report("%s: %.0f states, %.0f transitions; reference %.0f, %.0f", constructions[c], sum[0], sum[1], reference[0], reference[1])
	}
}

// testingSize counts states without the initial one, and a transition for each
// changeset.
func testingSize(t *testing.T, a *automata.Automaton) (states, transitions float64) {
	t.Helper()
	n, err := statistics.Transitions(a)
	if err != nil {
		t.Fatal(err)
	}
	all, _ := n.Float64()
	for e, end := a.Out(0); e < end; e++ {
		m := bdd.New(len(a.Propositions), 1<<20)
		root, _ := m.Valuations(m.Of(a.Label(e))).Float64()
		all -= root
	}
	return float64(a.States() - 1), all
}

// What is too large is known before stuttering is looked at in each state, which takes
// much longer than the time given here.
func TestTooLargeTGTAIsRefusedEarly(t *testing.T) {
	s := ltl.NewFormulas()
	f := parse(t, s, conjunction(5, "G(a# -> F b#)"))
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if _, err := translate.ToTGTA(ctx, s, f, translate.Options{}, translate.Smaller); !errors.Is(err, testingautomata.ErrTooLarge) {
		t.Error(err)
	}
}

func TestTGTAErrors(t *testing.T) {
	s := ltl.NewFormulas()
	f := parse(t, s, conjunction(8, "p# U q#"))
	for c := range constructions {
		_, err := translate.ToTGTA(context.Background(), s, f, translate.Options{MaxStates: 5}, c)
		if !errors.Is(err, translate.ErrLimit) {
			t.Errorf("construction %d: %v", c, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := translate.ToTGTA(ctx, s, f, translate.Options{}, translate.Smaller); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

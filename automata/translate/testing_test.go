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

	"pnmc/automata"
	"pnmc/automata/translate"
	"pnmc/logic"
)

var constructions = map[translate.Construction]string{
	translate.Smaller: "smaller", translate.TwoStep: "two-step", translate.Direct: "direct",
}

// Both constructions of testing automata keep the language, with X and without.
func TestTGTALanguage(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	satisfied := 0
	for range 250 {
		s := logic.NewFormulas()
		names := []string{"a", "b", "c"}
		for _, name := range names {
			s.Atom(name)
		}
		f := randomFormula(r, s, 2+r.IntN(10))
		states := map[translate.Construction]int{}
		for c, name := range constructions {
			a, err := translate.ToTGTA(context.Background(), s, f, translate.Options{}, c)
			if err != nil {
				t.Fatalf("%s, %s: %v", s.Text(f, logic.SpotSyntax), name, err)
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
					t.Fatalf("%s, %s: holds on %s is %v, accepted %v, %v", s.Text(f, logic.SpotSyntax), name, word, want, got, err)
				}
			}
		}
		if states[translate.Smaller] != min(states[translate.TwoStep], states[translate.Direct]) {
			t.Errorf("%s: states by construction %v", s.Text(f, logic.SpotSyntax), states)
		}
	}
	if satisfied < 1000 {
		t.Errorf("%d words satisfied their formula", satisfied)
	}
}

var allSizes = flag.Bool("all-sizes", false, "compare testing automata with all references file by file, which takes minutes")

// Summed over the files of a kind, testing automata of either construction are no
// larger than the reference. Without the flag a sample is tried.
func TestTGTASizes(t *testing.T) {
	files, _ := filepath.Glob(shared + "/ltl/*/*.sizes.tsv")
	type key struct {
		kind         string
		construction translate.Construction
	}
	ours, reference := map[key][2]float64{}, map[key][2]float64{}
	for _, file := range files {
		kind := strings.TrimSuffix(filepath.Base(file), ".sizes.tsv")
		step := map[string]int{"random": 20, "fair": 100}[kind]
		if step == 0 {
			continue
		}
		if *allSizes {
			step, kind = 1, strings.TrimPrefix(file, shared)
		}
		rows := lines(t, file)[2:]
		for i, line := range lines(t, strings.TrimSuffix(file, ".sizes.tsv")+".ltl") {
			if i%step != 0 {
				continue
			}
			s := logic.NewFormulas()
			f := parse(t, s, line)
			columns := strings.Split(rows[i], "\t")
			for _, c := range []translate.Construction{translate.TwoStep, translate.Direct} {
				a, err := translate.ToTGTA(context.Background(), s, f, translate.Options{Negate: true}, c)
				if err != nil {
					t.Fatalf("%s: %v", line, err)
				}
				k := key{kind, c}
				states, transitions := testingSize(t, a)
				ours[k] = [2]float64{ours[k][0] + states, ours[k][1] + transitions}
				spotStates, _ := strconv.ParseFloat(columns[8], 64)
				spotTransitions, _ := strconv.ParseFloat(columns[9], 64)
				reference[k] = [2]float64{reference[k][0] + spotStates, reference[k][1] + spotTransitions}
			}
		}
	}
	for k, sum := range ours {
		report := t.Logf
		if sum[0] > reference[k][0] || sum[1] > reference[k][1] {
			report = t.Errorf
		}
		report("%s, %s: %.0f states, %.0f transitions; reference %.0f, %.0f", k.kind, constructions[k.construction],
			sum[0], sum[1], reference[k][0], reference[k][1])
	}
}

// testingSize counts states without the initial one, and a transition for each
// changeset.
func testingSize(t *testing.T, a *automata.Automaton) (states, transitions float64) {
	t.Helper()
	n, err := a.Transitions()
	if err != nil {
		t.Fatal(err)
	}
	all, _ := n.Float64()
	for e, end := a.Out(0); e < end; e++ {
		m := automata.NewFunctions(len(a.Propositions), 1<<20)
		root, _ := m.Valuations(m.Of(a.Label(e))).Float64()
		all -= root
	}
	return float64(a.States() - 1), all
}

func TestTGTAErrors(t *testing.T) {
	s := logic.NewFormulas()
	f := parse(t, s, conjunction(8, "p# U q#"))
	for c := range constructions {
		_, err := translate.ToTGTA(context.Background(), s, f, translate.Options{Limits: translate.Limits{States: 5}}, c)
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

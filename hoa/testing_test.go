package hoa

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"pnmc/automata"
	"pnmc/automata/stutter"
	"pnmc/automata/testingautomata"
)

// words returns all lassos over one proposition with up to that many letters in the
// prefix and in the cycle.
func words(letters int) (all []automata.Lasso) {
	for prefix := range letters + 1 {
		for cycle := 1; cycle <= letters; cycle++ {
			for bits := range uint64(1) << (prefix + cycle) {
				word := make([]automata.Valuation, prefix+cycle)
				for i := range word {
					word[i] = automata.Valuation{bits >> i & 1}
				}
				all = append(all, automata.Lasso{Propositions: []string{"a"}, Prefix: word[:prefix], Cycle: word[prefix:]})
			}
		}
	}
	return all
}

// TestDocumentedExamples reads the examples of docs/testing-automata-in-hoa.md,
// has them written again, and compares their languages with what they are said
// to be, on all short words.
func TestDocumentedExamples(t *testing.T) {
	page, err := os.ReadFile("../docs/testing-automata-in-hoa.md")
	if err != nil {
		t.Fatal(err)
	}
	in := map[string]func(holds []bool) bool{
		"GFa": func(cycle []bool) bool {
			for _, a := range cycle {
				if a {
					return true
				}
			}
			return false
		},
		"FGa": func(cycle []bool) bool {
			for _, a := range cycle {
				if !a {
					return false
				}
			}
			return true
		},
	}
	kinds := map[string]automata.Kind{"GFa": automata.TGTA, "FGa": automata.TA}
	blocks := strings.Split(string(page), "```hoa")[1:]
	if len(blocks) != len(in) {
		t.Fatalf("%d examples", len(blocks))
	}
	for _, block := range blocks {
		_, text, _ := strings.Cut(block, "\n") // behind the name of a file
		text, _, _ = strings.Cut(text, "```")
		r := NewReader(strings.NewReader(text), "example")
		a, err := r.Read()
		if err != nil || len(r.Warnings()) > 0 {
			t.Fatal(err, r.Warnings())
		}
		if a.Kind != kinds[a.Name] {
			t.Errorf("%s: kind %v", a.Name, a.Kind)
		}
		var written strings.Builder
		if err := Write(context.Background(), &written, a, Options{}); err != nil || written.String() != text {
			t.Errorf("%v, written as\n%s", err, written.String())
		}
		plain := *a
		plain.Kind = automata.Plain
		for _, w := range words(4) {
			cycle := make([]bool, len(w.Cycle))
			for i, v := range w.Cycle {
				cycle[i] = v[0] == 1
			}
			accepted, err := automata.Accepts(&plain, w.Changes())
			if err != nil {
				t.Fatal(err)
			}
			if want := in[a.Name](cycle); accepted != want {
				t.Errorf("%s over %v: accepted %t, want %t", a.Name, w, accepted, want)
			}
		}
	}
}

// TestTestingAutomataRoundTrip makes testing automata of automata read, writes
// them and reads them again.
func TestTestingAutomataRoundTrip(t *testing.T) {
	made := 0
	for _, file := range []string{"random.hoa", "next.hoa"} {
		path := "../../shared/ltl/Philosophers-PT-000005/" + file
		if _, err := os.Stat(path); err != nil {
			t.Skip("no reference data in ../shared")
		}
		all, _ := readFile(t, path)
		for i := 0; i < len(all); i += 4 {
			invariance := stutter.ClaimedInvariance(all[i])
			tgta, err := testingautomata.NewTGTA(context.Background(), all[i], invariance)
			if err != nil {
				t.Fatal(err)
			}
			if err := roundTrip(tgta); err != nil {
				t.Errorf("%s, automaton %d: %v", file, i, err)
			}
			ta, err := testingautomata.NewTA(context.Background(), all[i], invariance)
			if errors.Is(err, testingautomata.ErrStutterUnknown) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := roundTrip(ta); err != nil {
				t.Errorf("%s, automaton %d: %v", file, i, err)
			}
			made++
		}
	}
	if made < 10 {
		t.Errorf("%d TA only", made)
	}
}

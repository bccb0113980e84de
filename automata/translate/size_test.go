package translate_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pnmc/logic/ltl"
)

const shared = "../../../shared"

func lines(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Skip(err)
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

type size struct{ states, edges int }

// referenceSizes returns the sizes of the reference automata, one for each formula.
func referenceSizes(t *testing.T, file string) []size {
	t.Helper()
	var sizes []size
	if strings.HasSuffix(file, ".hoa") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Skip(err)
		}
		for _, a := range bytes.Split(text, []byte("--END--")) {
			n := size{bytes.Count(a, []byte("\nState:")), bytes.Count(a, []byte("\n["))}
			if n.states > 0 {
				sizes = append(sizes, n)
			}
		}
		return sizes
	}
	for _, l := range lines(t, file) {
		var n int
		var s size
		if _, err := fmt.Sscan(l, &n, &s.states, &s.edges); err == nil {
			sizes = append(sizes, s)
		}
	}
	return sizes
}

// Summed over each file of formulas, our automata have at most 1.1 times the
// states and edges of the reference, over the patterns 1.05 times.
func TestSizes(t *testing.T) {
	type comparison struct {
		formulas, sizes string
		negate          bool
		bound           float64
	}
	comparisons := []comparison{
		{shared + "/hoa/spot/patterns.ltl", shared + "/hoa/spot/tgba.hoa", false, 1.05},
		{shared + "/hoa/spot/patterns.ltl", shared + "/hoa/spot/negated-tgba.hoa", true, 1.05},
	}
	files, _ := filepath.Glob(shared + "/ltl/*/*.ltl")
	for _, f := range files {
		comparisons = append(comparisons, comparison{f, strings.TrimSuffix(f, ".ltl") + ".sizes.tsv", true, 1.1})
	}
	for _, c := range comparisons {
		reference := referenceSizes(t, c.sizes)
		var ours, theirs size
		for i, line := range lines(t, c.formulas) {
			s := ltl.NewFormulas()
			a := translated(t, s, parse(t, s, line), c.negate)
			ours.states += a.States()
			ours.edges += a.Edges()
			theirs.states += reference[i].states
			theirs.edges += reference[i].edges
		}
		states, edges := float64(ours.states)/float64(theirs.states), float64(ours.edges)/float64(theirs.edges)
		report := t.Logf
		if states > c.bound || edges > c.bound {
			report = t.Errorf
		}
		report("%s: %d states, %.3f times the reference; %d edges, %.3f times",
			strings.TrimPrefix(c.formulas, shared), ours.states, states, ours.edges, edges)
	}
}

package translate_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pnmc/automata/translate"
	"pnmc/logic"
)

func lines(t *testing.T, file string) []string {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Skip(err)
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

type size struct{ states, edges int }

func spotSizes(t *testing.T, file string) []size {
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

func TestSizes(t *testing.T) {
	shared := "../../../shared"
	files, _ := filepath.Glob(shared + "/ltl/*/*.ltl")
	files = append(files, shared+"/hoa/spot/patterns.ltl", shared+"/hoa/spot/patterns.ltl-")
	detail := os.Getenv("DETAIL")
	for _, file := range files {
		if f := os.Getenv("ONLY"); f != "" && !strings.Contains(file, f) {
			continue
		}
		negate := true
		sizesFile := strings.TrimSuffix(file, ".ltl") + ".sizes.tsv"
		if strings.HasSuffix(file, "patterns.ltl") {
			sizesFile = shared + "/hoa/spot/tgba.hoa"
			negate = false
		} else if strings.HasSuffix(file, "-") {
			sizesFile = shared + "/hoa/spot/negated-tgba.hoa"
			file = strings.TrimSuffix(file, "-")
		}
		spot := spotSizes(t, sizesFile)
		var ours, theirs size
		var total, worst time.Duration
		all := lines(t, file)
		if len(all) != len(spot) {
			t.Fatal(file, len(all), len(spot))
		}
		for i, l := range all {
			s := logic.NewFormulas()
			f := parse(t, s, l)
			start := time.Now()
			a, err := translate.ToAutomaton(context.Background(), s, f, translate.Options{Negate: negate})
			d := time.Since(start)
			total += d
			worst = max(worst, d)
			if err != nil {
				t.Errorf("%s: %v", l, err)
				continue
			}
			ours.states += a.States()
			ours.edges += a.Edges()
			theirs.states += spot[i].states
			theirs.edges += spot[i].edges
			if detail != "" && (a.States() != spot[i].states || a.Edges() != spot[i].edges) {
				fmt.Printf("%+d %+d  (%d,%d) line %d neg=%v: %s   %v\n", a.States()-spot[i].states, a.Edges()-spot[i].edges, spot[i].states, spot[i].edges, i+1, negate, l, d)
			}
		}
		fmt.Printf("%-60s states %d/%d=%.3f edges %d/%d=%.3f  total %v worst %v\n", strings.TrimPrefix(file, shared), ours.states, theirs.states,
			float64(ours.states)/float64(theirs.states), ours.edges, theirs.edges, float64(ours.edges)/float64(theirs.edges), total, worst)
	}
}

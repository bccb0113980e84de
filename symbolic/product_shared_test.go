package symbolic_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pnmc/automata"
	"pnmc/automata/stutter"
	"pnmc/automata/testingautomata"
	"pnmc/checker"
	"pnmc/hoa"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/pnml"
	"pnmc/symbolic"
)

// TestVerdicts checks formulas over contest models, given as automata of their
// negations, by both products, with saturation and without, and expects the
// verdict of another tool.
func TestVerdicts(t *testing.T) {
	const formulas = "../../shared/ltl"
	if _, err := os.Stat(formulas); err != nil {
		t.Skip("the formulas are not there: ", err)
	}
	for model, every := range map[string]int{
		"Philosophers-PT-000005": 8, "IOTPpurchase-PT-C01M01P01D01": 40, "Referendum-PT-0010": 30,
		"Kanban-PT-00005": 60, "MAPK-PT-00008": 60,
	} {
		net, err := pnml.Reader{}.ReadFile(petritest.ContestModel(t, model))
		if err != nil {
			t.Fatal(err)
		}
		space, err := symbolic.Explore(t.Context(), net, symbolic.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range []string{"random", "fair", "next"} {
			t.Run(model+"/"+kind, func(t *testing.T) {
				checkVerdicts(t, space, checker.Vocabulary(net), filepath.Join(formulas, model, kind), every)
			})
		}
	}
}

func checkVerdicts(t *testing.T, space *symbolic.StateSpace, names logic.Vocabulary, path string, every int) {
	table, err := os.ReadFile(path + ".verdicts.tsv")
	if err != nil {
		t.Skip(err)
	}
	verdicts := map[int]string{}
	for _, line := range strings.Split(string(table), "\n") {
		var number int
		var verdict string
		if n, _ := fmt.Sscan(line, &number, &verdict); n == 2 {
			verdicts[number] = verdict
		}
	}
	file, err := os.Open(path + ".hoa")
	if err != nil {
		t.Skip(err)
	}
	defer file.Close()
	stream := hoa.NewReader(file, path+".hoa")
	checked := 0
	for line := 1; ; line++ {
		a, err := stream.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if verdicts[line] != "" && line%every == 0 {
			checked++
			checkVerdict(t, space, names, a, fmt.Sprintf("%s:%d", path, line), verdicts[line] == "TRUE")
		}
	}
	if checked == 0 {
		t.Error("no formula was checked")
	}
}

func checkVerdict(t *testing.T, space *symbolic.StateSpace, names logic.Vocabulary, a *automata.Automaton, where string, want bool) {
	var propositions []*logic.Predicate
	for _, name := range a.Propositions {
		p, err := logic.ParsePredicate(name, names)
		if err != nil {
			t.Fatal(err)
		}
		propositions = append(propositions, p)
	}
	ctx := context.Background()
	invariance, err := stutter.DecideInvariance(ctx, a)
	if err != nil {
		t.Fatal(err)
	}
	testing, err := testingautomata.NewTGTA(ctx, a, invariance)
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range []*automata.Automaton{a, testing, a} {
		for _, chaining := range []bool{false, true} {
			options := symbolic.ProductOptions{NoSaturation: chaining}
			if i == 2 {
				options.Testing = &invariance
			}
			got, err := symbolic.CheckEmptiness(ctx, space, a, propositions, options)
			if err != nil {
				t.Fatal(err)
			}
			if got.Empty != want {
				t.Errorf("%s: kind %v, options %+v: the formula holds: %v, want %v", where, a.Kind, options, got.Empty, want)
			}
		}
	}
}

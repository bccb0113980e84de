package product_test

import (
	"context"
	"errors"
	"flag"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pnmc/automata"
	"pnmc/checker"
	"pnmc/checker/product"
	"pnmc/checker/properties"
	"pnmc/hoa"
	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/petri/invariant"
	"pnmc/pnml"
)

var (
	sharedModels = flag.String("shared-models", "", "check formulas of these shared models, separated by commas, by all approaches; by default a sample of those of the small ones")
	sharedEvery  = flag.Int("shared-every", 1, "with -shared-models: check one of so many formulas of each file")
	sharedFirst  = flag.Int("shared-first", math.MaxInt, "with -shared-models: check the first so many formulas of each file at most")
	sharedTime   = flag.Duration("shared-time", time.Minute, "time for each formula and approach")
)

// sharedSample is what is checked of a file: one of so many formulas, as few as take
// about 20 s in all.
type sharedSample struct {
	model, file string
	every       int
}

var usualSample = []sharedSample{
	{"IOTPpurchase-PT-C01M01P01D01", "random", 4}, {"IOTPpurchase-PT-C01M01P01D01", "fair", 25}, {"IOTPpurchase-PT-C01M01P01D01", "next", 2},
	{"Philosophers-PT-000005", "random", 4}, {"Philosophers-PT-000005", "fair", 15}, {"Philosophers-PT-000005", "next", 2},
	{"Philosophers-PT-000010", "random", 12}, {"Philosophers-PT-000010", "fair", 40}, {"Philosophers-PT-000010", "next", 12},
	{"Referendum-PT-0010", "random", 24}, {"Referendum-PT-0010", "fair", 40}, {"Referendum-PT-0010", "next", 12},
}

// sharedSamples returns those that the flags ask for.
func sharedSamples() []sharedSample {
	if *sharedModels == "" {
		return usualSample
	}
	var list []sharedSample
	for _, model := range strings.Split(*sharedModels, ",") {
		for _, file := range []string{"random", "fair", "next"} {
			list = append(list, sharedSample{model, file, *sharedEvery})
		}
	}
	return list
}

// sharedNet reads the net of a model from the contest's archive.
func sharedNet(t *testing.T, model string) *petri.Net {
	archive := petritest.Shared(t, "mcc", "inputs", model+".tgz")
	net, err := pnml.Reader{}.Read(petritest.ModelIn(t, archive), archive)
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// sharedTable reads a column of a table of the shared formulas, by line of their file.
func sharedTable(t *testing.T, name, column string) map[int]string {
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	values := map[int]string{}
	at := -1
	for _, row := range strings.Split(string(text), "\n") {
		fields := strings.Fields(row)
		if len(fields) == 0 || strings.HasPrefix(row, "#") {
			continue
		}
		line, err := strconv.Atoi(fields[0])
		switch {
		case err != nil:
			at = slices.Index(fields, column)
		case at < 0 || at >= len(fields):
			t.Fatalf("%s: line %d has no %s", name, line, column)
		default:
			values[line] = fields[at]
		}
	}
	return values
}

// All approaches give the reference verdict on formulas over contest models, and each
// gives one: only TA may refuse, and properties only that are not stutter-invariant.
func TestApproachesOnSharedFormulas(t *testing.T) {
	spaces := map[string]*petri.Kripke{}
	for _, sample := range sharedSamples() {
		if spaces[sample.model] == nil {
			net := sharedNet(t, sample.model)
			clear(spaces) // models are one after the other: one is held at a time
			spaces[sample.model] = petri.NewKripke(net, invariant.Prove(t.Context(), net, 100_000), petri.Budget{MemoryBytes: 3 << 30})
		}
		t.Run(sample.model+"/"+sample.file, func(t *testing.T) { sample.check(t, spaces[sample.model]) })
	}
}

// check checks the formulas of a sample.
func (s sharedSample) check(t *testing.T, k *petri.Kripke) {
	name := "./../../../shared/ltl/" + s.model + "/" + s.file
	reference := map[string]properties.Verdict{"TRUE": properties.Holds, "FALSE": properties.Violated}
	verdicts := sharedTable(t, name+".verdicts.tsv", "verdict")
	file, err := os.Open(name + ".hoa")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	reader := hoa.NewReader(file, name+".hoa")
	formulas, decided, refused, compared := 0, 0, 0, 0
	for line := 1; line <= *sharedFirst; line++ {
		a, err := reader.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if (line-1)%s.every != 0 {
			continue
		}
		formulas++
		want := reference[verdicts[line]]
		if want != properties.Unknown {
			compared++
		}
		d, r := checkShared(t, k, a, line, want)
		decided, refused = decided+d, refused+r
	}
	t.Logf("%d formulas, %d with a reference: %d verdicts, %d refusals by ta", formulas, compared, decided, refused)
	if compared < formulas*9/10 || decided == 0 {
		t.Error("too few were compared")
	}
	// Formulas without X are stutter-invariant.
	if s.file != "next" && refused > 0 {
		t.Error("ta refused formulas without X")
	}
}

// checkShared checks a formula by all approaches, and returns how many gave the verdict
// that is wanted or, if that is unknown, that of TGBA, and how many refused.
func checkShared(t *testing.T, k *petri.Kripke, a *automata.Automaton, line int, want properties.Verdict) (decided, refused int) {
	property, err := properties.Bind(a, checker.Vocabulary(k.Net()), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []product.Settings{
		{Approach: product.ByTGBA}, {Approach: product.ByBA}, {Approach: product.ByTA}, {Approach: product.ByTGTA},
		{Approach: product.ByTA, Built: true}, {Approach: product.ByTGTA, Built: true}, {Approach: product.ByTGTA, Distrust: true},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), *sharedTime)
		got, err := product.CheckBy(ctx, k, property, s)
		cancel()
		var unsupported *product.UnsupportedError
		switch {
		case errors.As(err, &unsupported) && s.Approach == product.ByTA:
			refused++
			if !isStutterSensitive(t, property.Automaton) {
				t.Errorf("line %d by %v: %v, but no word shows that", line, s.Approach, err)
			}
		case err != nil:
			t.Errorf("line %d by %v: %v", line, s.Approach, err)
		case got.Verdict == properties.Unknown:
			t.Errorf("line %d by %v: unknown: %s", line, s.Approach, got.Reason)
		case want != properties.Unknown && got.Verdict != want:
			t.Errorf("line %d by %v: %v, expected %v", line, s.Approach, got.Verdict, want)
		default:
			want = got.Verdict
			decided++
		}
	}
	return decided, refused
}

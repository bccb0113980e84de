package checker_test

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"flag"
	"io"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"pnmc/automata"
	"pnmc/checker"
	"pnmc/hoa"
	"pnmc/petri"
	"pnmc/petri/invariant"
	"pnmc/pnml"
)

var (
	sharedModels   = flag.String("shared-models", "Philosophers-PT-000005", "shared models, separated by commas, whose formulas are checked by all approaches")
	sharedFormulas = flag.Int("shared-formulas", 5, "formulas of each file that are checked")
	sharedTime     = flag.Duration("shared-time", 5*time.Second, "time for each formula and approach; what takes longer is left out")
)

// sharedNet reads the net of a model from the contest's archive.
func sharedNet(t *testing.T, model string) *petri.Net {
	file, err := os.Open("../../shared/mcc/inputs/" + model + ".tgz")
	if err != nil {
		t.Skip("no shared models: ", err)
	}
	defer file.Close()
	packed, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	for archive := tar.NewReader(packed); ; {
		h, err := archive.Next()
		if err != nil {
			t.Fatal(err)
		}
		if path.Base(h.Name) == "model.pnml" {
			net, err := pnml.Read(archive, h.Name, pnml.Options{})
			if err != nil {
				t.Fatal(err)
			}
			return net
		}
	}
}

// sharedVerdicts has the reference verdict of each line.
func sharedVerdicts(t *testing.T, name string) map[int]checker.Verdict {
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	verdicts := map[int]checker.Verdict{}
	for _, row := range strings.Split(string(text), "\n") {
		fields := strings.Fields(row)
		if len(fields) != 2 {
			continue
		}
		line, err := strconv.Atoi(fields[0])
		if err != nil {
			continue // the head of the table
		}
		switch fields[1] {
		case "TRUE":
			verdicts[line] = checker.Holds
		case "FALSE":
			verdicts[line] = checker.Violated
		}
	}
	return verdicts
}

// All approaches give the reference verdict on formulas over contest models.
func TestApproachesOnSharedFormulas(t *testing.T) {
	for _, model := range strings.Split(*sharedModels, ",") {
		net := sharedNet(t, model)
		ctx := context.Background()
		k := petri.NewKripke(net, invariant.Prove(ctx, net, 100_000), petri.Budget{MemoryBytes: 3 << 30})
		files, _ := filepath.Glob("../../shared/ltl/" + model + "/*.hoa")
		for _, name := range files {
			t.Run(model+"/"+filepath.Base(name), func(t *testing.T) {
				verdicts := sharedVerdicts(t, strings.TrimSuffix(name, ".hoa")+".verdicts.tsv")
				file, err := os.Open(name)
				if err != nil {
					t.Fatal(err)
				}
				defer file.Close()
				reader := hoa.NewReader(file, name)
				decided, late := 0, 0
				for line := 1; line <= *sharedFormulas; line++ {
					a, err := reader.Read()
					if err == io.EOF {
						break
					}
					if err != nil {
						t.Fatal(err)
					}
					d, l := checkShared(t, k, a, line, verdicts[line])
					decided, late = decided+d, late+l
				}
				t.Logf("%d verdicts, %d left out", decided, late)
				if decided == 0 {
					t.Error("nothing was decided")
				}
			})
		}
	}
}

func checkShared(t *testing.T, k *petri.Kripke, a *automata.Automaton, line int, want checker.Verdict) (decided, late int) {
	property, err := checker.Bind(a, checker.Vocabulary(k.Net()), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []checker.Settings{
		{Approach: checker.ByTGBA}, {Approach: checker.ByBA}, {Approach: checker.ByTA}, {Approach: checker.ByTGTA},
		{Approach: checker.ByTA, Built: true}, {Approach: checker.ByTGTA, Built: true}, {Approach: checker.ByTGTA, Distrust: true},
	} {
		ctx, cancel := context.WithTimeout(context.Background(), *sharedTime)
		got, err := checker.CheckBy(ctx, k, property, s)
		cancel()
		var unsupported *checker.UnsupportedError
		switch {
		case errors.As(err, &unsupported):
		case err != nil:
			t.Fatalf("line %d by %v: %v", line, s.Approach, err)
		case got.Verdict == checker.Unknown || want == checker.Unknown:
			late++
		case got.Verdict != want:
			t.Errorf("line %d by %v: %v, expected %v", line, s.Approach, got.Verdict, want)
		default:
			decided++
		}
	}
	return decided, late
}

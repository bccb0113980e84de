package diagram_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"pnmc/checker"
	"pnmc/checker/diagram"
	"pnmc/checker/product"
	"pnmc/checker/properties"
	"pnmc/hoa"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/pnml"
	"pnmc/symbolic"
	"pnmc/symbolic/etf"
)

// TestETFAndPNML checks formulas on a net and on the table that another tool wrote of
// it, and on the table that this one writes of the net: the verdicts are that of a
// third tool. Counterexamples are replayed as they are found.
func TestETFAndPNML(t *testing.T) {
	for model, every := range map[string]int{"Philosophers-PT-000005": 6, "Referendum-PT-0010": 20, "IOTPpurchase-PT-C01M01P01D01": 40} {
		t.Run(model, func(t *testing.T) {
			file, err := os.Open(petritest.ContestModel(t, model))
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			net, err := pnml.Reader{}.Read(file, model)
			if err != nil {
				t.Fatal(err)
			}
			space, err := symbolic.Explore(t.Context(), net, symbolic.Options{})
			if err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(petritest.Shared(t, "etf", model+".etf"))
			if err != nil {
				t.Fatal(err)
			}
			read, err := etf.Read(strings.NewReader(string(text)), model)
			if err != nil {
				t.Fatal(err)
			}
			names := make([]string, net.Transitions())
			for i := range names {
				names[i] = checker.Vocabulary(net).TransitionName(uint32(i))
			}
			written, err := etf.FromStateSpace(t.Context(), space, names)
			if err != nil {
				t.Fatal(err)
			}
			sources := []source{{"net", space, checker.Vocabulary(net)}, tabled(t, "another tool's table", read), tabled(t, "own table", written)}
			for _, kind := range []string{"random", "fair", "next"} {
				sameVerdicts(t, sources, petritest.Shared(t, "ltl", model, kind+".hoa"), every)
			}
		})
	}
}

// A source is a model in some format.
type source struct {
	name       string
	space      *symbolic.StateSpace
	vocabulary logic.Vocabulary
}

func tabled(t *testing.T, name string, m *etf.Model) source {
	system, err := m.System()
	if err != nil {
		t.Fatal(err)
	}
	space, err := symbolic.ExploreSystem(t.Context(), system, symbolic.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return source{name, space, m.Vocabulary()}
}

// sameVerdicts checks some of the automata in a file, as many as every says, on each
// source, by one approach after the other.
func sameVerdicts(t *testing.T, sources []source, path string, every int) {
	table, err := os.ReadFile(strings.TrimSuffix(path, ".hoa") + ".verdicts.tsv")
	if err != nil {
		t.Skip(err)
	}
	verdicts := map[int]properties.Verdict{}
	for line := range strings.Lines(string(table)) {
		var number int
		var verdict string
		if n, _ := fmt.Sscan(line, &number, &verdict); n == 2 {
			verdicts[number] = map[string]properties.Verdict{"TRUE": properties.Holds, "FALSE": properties.Violated}[verdict]
		}
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	stream := hoa.NewReader(file, path)
	for line := 1; ; line++ {
		a, err := stream.Read()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if line%every != 0 || verdicts[line] == properties.Unknown {
			continue
		}
		for i, s := range sources {
			property, err := properties.Bind(a, s.vocabulary, nil)
			if err != nil {
				t.Fatal(err)
			}
			settings := diagram.Settings{Approach: product.BySymbolicTGTA}
			if (line/every+i)%2 == 0 {
				settings.Approach = product.BySymbolicTGBA
			}
			got, err := diagram.Check(t.Context(), s.space, nil, property, settings)
			if err != nil || got.Verdict != verdicts[line] {
				t.Errorf("%s:%d, %s by %v: %v, %v, want %v", path, line, s.name, settings.Approach, got.Verdict, err, verdicts[line])
			}
		}
	}
}

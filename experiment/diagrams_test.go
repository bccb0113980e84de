package experiment

import (
	"bytes"
	"context"
	"image/png"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pnmc/checker/diagram"
	"pnmc/checker/product"
	"pnmc/symbolic"
)

// symbolicSample has a pair that y wins, one that it loses, and one that only it
// decides.
func symbolicSample() []SymbolicRecord {
	record := func(line int, approach, verdict string, seconds float64) SymbolicRecord {
		return SymbolicRecord{
			Model: "M", Set: "random", Line: line, Formula: "GFa", Approach: approach, Verdict: verdict, AutomatonStates: 2,
			ProductStates: "12345678901234567890", Rounds: 3, PeakNodes: 100, DiagramBytes: 1 << 20, Stuttering: 0.75, Seconds: seconds,
		}
	}
	return []SymbolicRecord{
		record(1, "x", verified, 2), record(1, "y", verified, 0.5),
		record(2, "x", violated, 0.1), record(2, "y", violated, 0.3),
		record(3, "x", "unknown", 20), record(3, "y", verified, 5),
		record(4, "x", verified, 0.01), record(4, "y", verified, 0.02),
		record(5, "x", verified, 1),
	}
}

func TestSymbolicTables(t *testing.T) {
	var b bytes.Buffer
	if err := WriteSymbolicTables(&b, symbolicSample(), "x", "y", 0.1); err != nil {
		t.Fatal(err)
	}
	checkGolden(t, "symbolic.golden", b.Bytes())
}

func TestSymbolicRecordsAreReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[ -~é,"\n]*`)
		var records []SymbolicRecord
		for range rapid.IntRange(0, 3).Draw(t, "records") {
			records = append(records, SymbolicRecord{
				Model: "m" + text.Draw(t, "model"), Formula: text.Draw(t, "formula"), Line: rapid.Int().Draw(t, "line"),
				Approach: "sym-tgta (sat)", Verdict: "holds", Reason: text.Draw(t, "reason"), PeakNodes: rapid.Int().Draw(t, "nodes"),
				Stuttering: float64(rapid.IntRange(0, 1e4).Draw(t, "stuttering")) / 1e4, Seconds: float64(rapid.IntRange(0, 1e6).Draw(t, "time")) / 1e4,
			})
		}
		var b bytes.Buffer
		if err := WriteRecords(&b, true, records...); err != nil {
			t.Fatal(err)
		}
		back, err := ReadRecords[SymbolicRecord](t.Context(), &b, "log")
		if err != nil || !reflect.DeepEqual(back.Records, records) {
			t.Fatalf("%v, read back as %v: %v", records, back, err)
		}
	})
}

func TestSymbolicRecordErrors(t *testing.T) {
	head := strings.Join(symbolicColumns.Get(), ",") + "\n"
	for text, want := range map[string]string{
		head + "m,r,1\nm,r,2,f,a,holds,,1,2,3,4,5,0.1,0.2\n": "log:2:1: 3 fields, expected 20",
		head + "m,r,x,f,a,holds,,1,2,3,4,5,0.1,0.2\n":        `log:2:1: line: "x" is no whole number`,
		head + "m,r,1,f,a,holds,,1,2,3,4,5,0.1,fast\n":       `log:2:1: seconds: "fast" is no number`,
		head + "m,r,1,f,a,holds,,1,2,3":                      "",
		"":                                                   "",
	} {
		_, err := ReadRecords[SymbolicRecord](t.Context(), strings.NewReader(text), "log")
		if got := errorText(err); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func FuzzReadSymbolicRecords(f *testing.F) {
	var b bytes.Buffer
	if err := WriteRecords(&b, true, symbolicSample()...); err != nil {
		f.Fatal(err)
	}
	f.Add(b.String())
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		contents, err := ReadRecords[SymbolicRecord](t.Context(), strings.NewReader(text), "log")
		if err != nil {
			return
		}
		records := contents.Records
		var again bytes.Buffer
		if err := WriteRecords(&again, true, records...); err != nil {
			t.Fatal(err)
		}
		back, err := ReadRecords[SymbolicRecord](t.Context(), &again, "log")
		if err != nil || len(back.Records) != len(records) {
			t.Fatalf("%d records, read back as %d: %v", len(records), len(back.Records), err)
		}
	})
}

// The axes have all values: times of fractions of a millisecond differ on them.
func TestAxis(t *testing.T) {
	for _, test := range []struct {
		seconds  []float64
		from, to float64
	}{
		{[]float64{0.0002, 0.0005}, 1e-4, 1e-3},
		{[]float64{0.03, 0.0004, 40}, 1e-4, 100},
		{[]float64{0, 0.5}, 1e-6, 1},
		{[]float64{1}, 1, 10},
		{nil, 1e-6, 1e-5},
	} {
		var records []SymbolicRecord
		for _, s := range test.seconds {
			records = append(records, SymbolicRecord{Verdict: verified, Seconds: s})
		}
		from, to := axis(records, 1e-6, seconds)
		if math.Abs(from/test.from-1) > 1e-9 || math.Abs(to/test.to-1) > 1e-9 {
			t.Errorf("%v: from %g to %g, expected from %g to %g", test.seconds, from, to, test.from, test.to)
		}
	}
}

// A matrix of three ways has two plots in a row and in a column.
func TestScatterMatrix(t *testing.T) {
	size := func(approaches ...string) int {
		var b bytes.Buffer
		if err := ScatterMatrix(&b, symbolicSample(), approaches, "seconds", 1e-3, seconds); err != nil {
			t.Fatal(err)
		}
		picture, err := png.Decode(&b)
		if err != nil {
			t.Fatal(err)
		}
		return picture.Bounds().Dx()
	}
	if two, three := size("x", "y"), size("x", "y", "z"); three < 2*two-2 || three > 2*two+2 {
		t.Errorf("widths of %d and %d", two, three)
	}
	if err := ScatterMatrix(&bytes.Buffer{}, nil, []string{"x"}, "seconds", 1e-3, seconds); err == nil {
		t.Error("a matrix of one way was drawn")
	}
}

// symbolicPlan measures the plan's properties by two approaches with saturation and
// without.
func symbolicPlan(t *testing.T) SymbolicPlan {
	p := plan(t)
	space, err := symbolic.Explore(t.Context(), p.Net, symbolic.Options{})
	if err != nil {
		t.Fatal(err)
	}
	clock := time.Duration(0)
	s := SymbolicPlan{
		Model: p.Model, Space: space, Properties: p.Properties, Done: map[Key]bool{},
		Clock: func() time.Duration { clock += time.Second; return clock },
	}
	for name, approach := range map[string]product.Approach{"x": product.BySymbolicTGBA, "y": product.BySymbolicTGTA} {
		for suffix, off := range map[string]bool{"": false, "0": true} {
			s.Settings = append(s.Settings, NamedSettings{name + suffix, diagram.Settings{Approach: approach, NoSaturation: off}})
		}
	}
	return s
}

func TestRunSymbolicAndResume(t *testing.T) {
	p := symbolicPlan(t)
	var records []SymbolicRecord
	collect := func(r SymbolicRecord) error { records = append(records, r); return nil }
	if err := p.Run(context.Background(), collect); err != nil {
		t.Fatal(err)
	}
	if want := len(p.Properties) * len(p.Settings); len(records) != want {
		t.Fatalf("%d records, want %d", len(records), want)
	}
	for _, r := range records {
		if r.Verdict != violated || r.Seconds != 1 || r.Stuttering <= 0 || r.Stuttering >= 1 || r.ProductStates == "" || r.AutomatonStates != 1 {
			t.Errorf("%+v", r)
		}
		p.Done[r.Key()] = true
	}
	records = nil
	if err := p.Run(context.Background(), collect); err != nil || len(records) > 0 {
		t.Errorf("%d measured again, %v", len(records), err)
	}
}

func TestRunSymbolicKeepsToItsLimit(t *testing.T) {
	p := symbolicPlan(t)
	p.Limit = 1
	err := p.Run(context.Background(), func(r SymbolicRecord) error {
		if r.Verdict == "unknown" && r.Reason == "" {
			t.Errorf("unknown without a reason: %+v", r)
		}
		return nil
	})

	if err != nil {
		t.Fatal(err)
	}
}

// TestNoShareOfNoValues: where the share of stuttering is known of no property, its columns
// have none; where it is known of some, that of these.
func TestNoShareOfNoValues(t *testing.T) {
	records := symbolicSample()
	table := func() string {
		var b bytes.Buffer
		if err := WriteSymbolicTables(&b, records, "x", "y", 0.1); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	for i := range records {
		records[i].Stuttering = -1
	}
	if text := table(); strings.Contains(text, "%") {
		t.Errorf("a share of no values:\n%s", text)
	}
	records[0].Stuttering = 0.25
	if text := table(); !strings.Contains(text, "25%") {
		t.Errorf("no share of one value:\n%s", text)
	}
}

package experiment

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pnmc/automata"
	"pnmc/checker/product"
	"pnmc/checker/properties"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
)

var update = flag.Bool("update", false, "rewrite golden files")

func sample() []Record {
	return []Record{
		{Model: "M", Set: "random", Line: 1, Formula: "GFa", Approach: "tgba", Verdict: verified, AutomatonStates: 1, AutomatonTransitions: 2, FullStates: 10, FullTransitions: 30, ExploredStates: 10, ExploredTransitions: 30, Seconds: 0.5},
		{Model: "M", Set: "random", Line: 1, Formula: "GFa", Approach: "tgta", Verdict: verified, AutomatonStates: 2, AutomatonTransitions: 4, FullStates: 8, FullTransitions: 20, ExploredStates: 8, ExploredTransitions: 20, Seconds: 0.25},
		{Model: "M", Set: "random", Line: 2, Formula: `F"p, q"`, Approach: "tgba", Verdict: verified, AutomatonStates: 3, AutomatonTransitions: 6, FullStates: 20, FullTransitions: 70, ExploredStates: 20, ExploredTransitions: 70, Seconds: 1.5},
		{Model: "M", Set: "random", Line: 2, Formula: `F"p, q"`, Approach: "tgta", Verdict: "unknown", Reason: "time limit reached", FullStates: -1, FullTransitions: -1},
		{Model: "M", Set: "random", Line: 3, Formula: "Ga", Approach: "tgba", Verdict: violated, AutomatonStates: 1, AutomatonTransitions: 1, FullStates: -1, FullTransitions: -1, ExploredStates: 3, ExploredTransitions: 3},
		{Model: "M", Set: "random", Line: 3, Formula: "Ga", Approach: "tgta", Verdict: violated, AutomatonStates: 1, AutomatonTransitions: 2, FullStates: 9, FullTransitions: 12, ExploredStates: 2, ExploredTransitions: 2},
	}
}

// checkGolden compares what was printed with a file in testdata, or rewrites that.
func checkGolden(t *testing.T, name string, got []byte) {
	t.Helper()
	golden := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestTables(t *testing.T) {
	var b bytes.Buffer
	// The same lines of another file are other properties.
	records := append(sample(), Record{Model: "M", Set: "fair", Line: 1, Formula: "GFb", Approach: "tgba", Verdict: violated, FullStates: 5, FullTransitions: 5, ExploredStates: 5, ExploredTransitions: 5},
		Record{Model: "M", Set: "fair", Line: 1, Formula: "GFb", Approach: "tgta", Verdict: violated, FullStates: 6, FullTransitions: 6, ExploredStates: 6, ExploredTransitions: 11})
	records = append(records, records[1]) // as when logs are put together
	if err := errors.Join(WriteTables(&b, records), WriteComparison(&b, records, "tgta")); err != nil {
		t.Fatal(err)
	}
	checkGolden(t, "tables.golden", b.Bytes())
}

func logged(t interface{ Fatal(...any) }, records []Record) *bytes.Buffer {
	var b bytes.Buffer
	if err := WriteRecords(&b, true, records...); err != nil {
		t.Fatal(err)
	}
	return &b
}

func TestRecordsAreReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var records []Record
		for range rapid.IntRange(0, 3).Draw(t, "records") {
			text := rapid.StringMatching(`[ -~é,"\n]*`)
			records = append(records, Record{
				Model: "m" + text.Draw(t, "model"), Set: text.Draw(t, "set"), Formula: text.Draw(t, "formula"), Line: rapid.Int().Draw(t, "line"),
				Approach: "ta", Verdict: "holds", Reason: text.Draw(t, "reason"), FullStates: rapid.Int64().Draw(t, "states"),
				AutomatonTransitions: rapid.Float64Range(0, math.MaxFloat64).Draw(t, "transitions"),
				Seconds:              float64(rapid.IntRange(0, 1e6).Draw(t, "time")) / 1000,
				Conditions:           Conditions{text.Draw(t, "settings"), rapid.Float64Min(0).Draw(t, "limit"), rapid.Int64().Draw(t, "memory"), text.Draw(t, "input"), text.Draw(t, "host"), text.Draw(t, "processor")},
			})
		}
		text := logged(t, records).String()
		back, err := ReadRecords[Record](t.Context(), strings.NewReader(text), "log")
		if err != nil || !reflect.DeepEqual(back.Records, records) || back.Length != int64(len(text)) || back.Earlier {
			t.Fatalf("%v, read back as %+v: %v", records, back, err)
		}
	})
}

// Wherever a file is cut off, its whole lines are read and no other.
func TestRecordsMayBeCutOff(t *testing.T) {
	sample := append(sample()[:3], Record{Model: "M", Set: "random", Line: 4, Formula: `"`, Approach: "ta", Verdict: "unknown", Reason: "time, \"limit\""})
	text := logged(t, sample).String()
	for end := range len(text) + 1 {
		contents, err := ReadRecords[Record](t.Context(), strings.NewReader(text[:end]), "log")
		whole := strings.LastIndexByte(text[:end], '\n') + 1
		lines := max(0, strings.Count(text[:end], "\n")-1)
		if err != nil || contents.Length != int64(whole) || len(contents.Records) != lines || lines > 0 && !reflect.DeepEqual(contents.Records, sample[:lines]) {
			t.Fatalf("cut to %q: %+v, %v", text[:end], contents, err)
		}
	}
}

// The columns of earlier versions are read, also beside those of now.
func TestRecordsOfEarlierVersions(t *testing.T) {
	earlier := "model,set,line,formula,approach,verdict,reason,automaton_states,automaton_transitions," +
		"full_states,full_transitions,explored_states,explored_transitions,seconds\n" +
		"M,random,1,GFa,tgba,holds,,1,2,10,30,10,30,0.500\n"
	contents, err := ReadRecords[Record](t.Context(), strings.NewReader(earlier), "log")
	if err != nil || !contents.Earlier || contents.Length != int64(len(earlier)) || !reflect.DeepEqual(contents.Records, sample()[:1]) {
		t.Errorf("%+v, %v", contents, err)
	}
	previous := strings.Replace(earlier, "seconds\n", "seconds,settings,time_limit,memory_limit,input\n", 1)
	previous = strings.TrimSuffix(previous, "\n") + ",built,2,100,f00d\n"
	contents, err = ReadRecords[Record](t.Context(), strings.NewReader(previous), "log")
	if want := (Conditions{Settings: "built", TimeLimit: 2, MemoryLimit: 100, Input: "f00d"}); err != nil || !contents.Earlier || contents.Records[0].Conditions != want {
		t.Errorf("%+v, %v", contents, err)
	}
	both, err := ReadRecords[Record](t.Context(), strings.NewReader(earlier+logged(t, sample()[1:]).String()), "log")
	if err != nil || !both.Earlier || !reflect.DeepEqual(both.Records, sample()) {
		t.Errorf("%+v, %v", both, err)
	}
}

func TestEmptyFile(t *testing.T) {
	if contents, err := ReadRecords[Record](t.Context(), strings.NewReader(""), "log"); err != nil || contents.Records != nil || contents.Length != 0 {
		t.Errorf("%v, %v", contents, err)
	}
}

func FuzzReadRecords(f *testing.F) {
	f.Add(logged(f, sample()).String())
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		contents, err := ReadRecords[Record](t.Context(), strings.NewReader(text), "log")
		if err != nil {
			return
		}
		back, err := ReadRecords[Record](t.Context(), logged(t, contents.Records), "log")
		if err != nil || len(back.Records) != len(contents.Records) {
			t.Fatalf("%d records, read back as %d: %v", len(contents.Records), len(back.Records), err)
		}
	})
}

func TestRecordErrors(t *testing.T) {
	head := strings.Join(columns.Get(), ",") + "\n"
	for text, want := range map[string]string{
		head + "m,1\nm,s,2,f,ta,holds,,1,2,3,4,5,6,0.1\n": "log:2:1: 2 fields, expected 20",
		head + "m,1\n": "log:2:1: 2 fields, expected 20",
		head + "m,s,one,f,ta,holds,,1,2,3,4,5,6,0.1\n":            `log:2:1: line: "one" is no whole number`,
		head + "m,s,1,f,ta,holds,,1,2,3,4,5,6,0.1s\n":             `log:2:1: seconds: "0.1s" is no number`,
		head + "m,s,1,f,ta,holds,,1,2,3,4,5,6,0.1,built,1s,1,\n":  `log:2:1: time_limit: "1s" is no number`,
		head + "m,s,1,f,ta,hold,,1,2,3,4,5,6,0.1\n":               `log:2:1: verdict: "hold" is none of holds, violated and unknown`,
		head + "m,s,1,f,ta,holds,,1,2,3,4,5,6,0.1,built,1,1.5,\n": `log:2:1: memory_limit: "1.5" is no whole number`,
		head + "m,s,1,\"f\"x,ta,holds,,1,2,3,4,5,6,0.1\n\n":       `log: parse error on line 2, column 9: extraneous or missing " in quoted-field`,
		// What an interruption leaves ends with the file: this does not.
		head + "m,s,1,\"f,ta,holds,,1,2,3,4,5,6,0.1\nm,s,2,f,ta,holds,,1,2,3,4,5,6,0.1\n": `log: record on line 2; parse error on line 3, column 35: extraneous or missing " in quoted-field`,
		"F a\n": "log:1:1: expected the columns " + head[:len(head)-1],
		"F a":   "log:1:1: expected the columns " + head[:len(head)-1],
	} {
		_, err := ReadRecords[Record](t.Context(), strings.NewReader(text), "log")
		if got := errorText(err); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// A plot has one mark for each property that both approaches decided.
func TestScatter(t *testing.T) {
	count := func(records []Record) int {
		var b bytes.Buffer
		explored := func(r Record) int64 { return r.ExploredTransitions }
		if err := Scatter(&b, records, "tgba", "tgta", "explored transitions", explored); err != nil {
			t.Fatal(err)
		}
		paths := 0
		for d := xml.NewDecoder(&b); ; {
			token, err := d.Token()
			if err == io.EOF {
				return paths
			}
			if err != nil {
				t.Fatal(err)
			}
			if e, ok := token.(xml.StartElement); ok && e.Name.Local == "path" {
				paths++
			}
		}
	}
	if n := len(pairs(sample(), verified, "tgba", "tgta", func(Record) int64 { return 1 })); n != 1 {
		t.Errorf("%d verified properties in common, want 1", n)
	}
	if all, none := count(sample()), count(nil); all <= none {
		t.Errorf("%d paths with points, %d without", all, none)
	}
}

func plan(t *testing.T) Plan {
	net := petritest.Philosophers(3)
	b := automata.NewBuilder([]string{"a"}, automata.GeneralizedBuchi(1))
	b.AddStates(1)
	b.AddInitial(0)
	b.AddEdge(0, automata.Label{automata.NewCube(1)}, automata.NewMarks(1), 0)
	b.AddEdge(0, automata.Label{automata.NewCube(1).With(0, true)}, automata.NewMarks(1, 0), 0)
	b.Claims = automata.ClaimStutterInvariant
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	p := Plan{Model: "Philosophers", Net: net, Parallel: 2, Full: true, Approaches: []product.Approach{product.Auto, product.ByBA, product.ByTGBA, product.ByTA, product.ByTGTA}}
	for i := range 2 {
		predicate := &logic.Predicate{Operator: logic.Fireable, Transitions: []uint32{uint32(i)}}
		p.Properties = append(p.Properties, Property{Name: "GFa", Line: i + 1, Property: properties.Property{Automaton: a, Predicates: []*logic.Predicate{predicate}}})
	}
	return p
}

func TestRunAndResume(t *testing.T) {
	p := plan(t)
	var records []Record
	stop := errors.New("interrupted")
	err := p.Run(context.Background(), func(r Record) error {
		if len(records) == 3 {
			return stop
		}
		records = append(records, r)
		return nil
	})

	if !errors.Is(err, stop) {
		t.Fatalf("error %v", err)
	}
	resumption, err := p.Resume(records, false)
	if err != nil {
		t.Fatal(err)
	}
	p.Done = resumption.Done
	begun := make(chan Key, 10)
	p.Begin = func(key Key) { begun <- key }
	if err := p.Run(context.Background(), func(r Record) error { records = append(records, r); return nil }); err != nil {
		t.Fatal(err)
	}
	if len(records) != 10 {
		t.Fatalf("%d records, want 10", len(records))
	}
	if len(begun) != 7 || (<-begun).Model != p.Model {
		t.Errorf("%d jobs begun, want 7", len(begun))
	}
	for _, r := range records {
		if r.Verdict != violated || r.Approach != "auto" && r.FullStates < r.ExploredStates/2 || r.ExploredTransitions == 0 {
			t.Errorf("%+v", r)
		}
	}
}

// TestNothingFollowsAFailedLine: a disk that is full may have taken half a line, which must
// stay the last.
func TestNothingFollowsAFailedLine(t *testing.T) {
	p := plan(t)
	p.Parallel = 4
	calls := 0
	full := errors.New("no space left")
	err := p.Run(context.Background(), func(Record) error {
		calls++
		return full
	})

	if !errors.Is(err, full) || calls != 1 {
		t.Errorf("%d lines, %v", calls, err)
	}
}

// On a state graph that was explored before, all figures but times are the same.
func TestGraphFirst(t *testing.T) {
	measure := func(p Plan) map[Key]Record {
		records := map[Key]Record{}
		err := p.Run(context.Background(), func(r Record) error {
			r.Seconds, r.Conditions = 0, Conditions{}
			records[r.Key()] = r
			return nil
		})

		if err != nil {
			t.Fatal(err)
		}
		return records
	}
	anew := measure(plan(t))
	p := plan(t)
	p.GraphFirst = true
	if first := measure(p); len(first) != 10 || !reflect.DeepEqual(first, anew) {
		t.Errorf("with the graph first %v, without %v", first, anew)
	}
}

func TestRunKeepsToItsLimit(t *testing.T) {
	p := plan(t)
	p.Limit = 1
	p.Budget = petri.Budget{}
	err := p.Run(context.Background(), func(r Record) error {
		if r.Verdict == "unknown" && r.Reason == "" {
			t.Errorf("unknown without a reason: %+v", r)
		}
		return nil
	})

	if err != nil {
		t.Fatal(err)
	}
}

// TestClockThatJumps: seconds are those of the clock of the settings, looked at before and
// after each check, however far it jumps; verdicts and limits do not ask it.
func TestClockThatJumps(t *testing.T) {
	p := plan(t)
	p.Parallel = 1 // so that one check after the other looks
	looks := 0
	p.Settings.Clock = func() time.Duration {
		looks++
		return time.Duration(looks*looks) * time.Hour // jumps by more and more
	}
	p.Limit = time.Minute
	var records []Record
	if err := p.Run(t.Context(), func(r Record) error { records = append(records, r); return nil }); err != nil {
		t.Fatal(err)
	}
	if len(records) == 0 || looks != 2*len(records) {
		t.Fatalf("%d looks for %d records", looks, len(records))
	}
	for i, r := range records {
		if hours := r.Seconds / 3600; r.Verdict == "unknown" || hours != float64(4*i+3) {
			t.Errorf("record %d: %s %s after %v hours", i, r.Verdict, r.Reason, hours)
		}
	}
}

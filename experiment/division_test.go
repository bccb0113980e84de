package experiment

import (
	"bytes"
	"strings"
	"testing"
)

// nextSample returns records of five properties of which ta refuses all but the first, and
// of which tgta does not decide the third, nor any approach the last.
func nextSample() (records []Record) {
	const refusal = "the property is not stutter-invariant: testing automata need that"
	for line, verdict := range []string{1: verified, 2: verified, 3: verified, 4: violated, 5: "unknown"} {
		for i, approach := range []string{"ba", "tgba", "ta", "tgta"} {
			r := Record{
				Model: "M", Set: "next", Line: line, Formula: "Xa", Approach: approach, Verdict: verdict, AutomatonStates: line,
				AutomatonTransitions: float64(line * i), FullStates: int64(10 * line), FullTransitions: int64(20 * line),
				ExploredStates: int64(10 * line), ExploredTransitions: int64(20*line - i),
			}
			switch {
			case line == 0:
				continue
			case approach == "ta" && line > 1:
				r = Record{Model: "M", Set: "next", Line: line, Formula: "Xa", Approach: approach, Verdict: "unknown", Reason: refusal}
			case approach == "tgta" && line == 3 || line == 5:
				r.Verdict, r.Reason = "unknown", errTimeLimit.Error()
			}
			if approach == "tgta" {
				r.Settings = wordOnTheFly
				if line == 1 {
					r.AutomatonTransitions = 0x1p70
				}
			}
			if r.Verdict == violated && approach != "ba" {
				r.FullStates, r.FullTransitions = -1, -1
			}
			records = append(records, r)
		}
	}
	return records
}

// Properties that ta refuses are compared by the others; what is left out is told.
func TestTablesOfRefusedProperties(t *testing.T) {
	var b bytes.Buffer
	records := nextSample()
	if err := WriteTables(&b, records); err != nil {
		t.Fatal(err)
	}
	if err := WriteComparison(&b, records, "tgta"); err != nil {
		t.Fatal(err)
	}
	checkGolden(t, "refused.golden", b.Bytes())
}

// Each property that has a verdict is in a table or among those left out, once for
// each approach that keeps it out.
func TestDivisionCountsAll(t *testing.T) {
	for _, verdict := range []string{verified, violated} {
		counted, left := 0, 0
		for _, p := range divide(nextSample(), origin{"M", "next"}, verdict) {
			if len(p.groups) > 0 {
				counted += len(p.groups[0].records)
			}
			for _, l := range p.left {
				if !strings.HasPrefix(l.why, "does not apply") {
					left += l.properties
				}
			}
		}
		want := map[string][2]int{verified: {2, 1}, violated: {1, 0}}[verdict]
		if counted != want[0] || left != want[1] {
			t.Errorf("%s: %d in tables and %d left out, expected %v", verdict, counted, left, want)
		}
	}
}

func TestContradictions(t *testing.T) {
	records := nextSample()
	if pairs := Contradictions(records); len(pairs) > 0 {
		t.Errorf("%v", pairs)
	}
	for i := range records {
		if records[i].Line == 2 && records[i].Approach == "tgta" {
			records[i].Verdict = violated
		}
	}
	if pairs := Contradictions(records); len(pairs) != 1 || pairs[0][0].Approach != "ba" || pairs[0][1].Approach != "tgta" {
		t.Errorf("%v", pairs)
	}
}

// Figures that no whole number holds are written and printed as what they are.
func TestManyTransitions(t *testing.T) {
	r := Record{Model: "M", Set: "s", Line: 1, Formula: "a", Approach: "tgba", Verdict: verified, AutomatonTransitions: 0x1p70}
	text := logged(t, []Record{r}).String()
	if !strings.Contains(text, ",1.1805916207174113e+21,") {
		t.Errorf("%s", text)
	}
	back, err := ReadRecords[Record](t.Context(), strings.NewReader(text), "log")
	if err != nil || len(back.Records) != 1 || back.Records[0] != r {
		t.Errorf("%+v, %v", back, err)
	}
	var b bytes.Buffer
	if err := WriteTables(&b, back.Records); err != nil || !strings.Contains(b.String(), " 1.181e+21 ") {
		t.Errorf("%s, %v", &b, err)
	}
}

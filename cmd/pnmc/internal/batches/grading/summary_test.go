package grading

import (
	"bytes"
	"encoding/csv"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pnmc/internal/tables"
	"pnmc/mcc"
	"pnmc/mcc/batch/history"
)

var update = flag.Bool("update", false, "rewrite golden files")

var testSettings = history.Settings{Seconds: 20, MemoryBytes: 2 << 30}

// exampleSummary has answers of every grade.
func exampleSummary(t *testing.T) *Summary {
	t.Helper()
	folder := t.TempDir()
	for name, text := range map[string]string{
		"A-PT-1-SS.out": "A-PT-1 StateSpace\nSTATE_SPACE STATES 59049 TECHNIQUES T\nSTATE_SPACE TRANSITIONS INF TECHNIQUES T\nSTATE_SPACE MAX_TOKEN_IN_PLACE ? TECHNIQUES T\n",
		"A-PT-1-OS.out": "A-PT-1 OneSafe\nFORMULA OneSafe TRUE TECHNIQUES T\n",
		"B-PT-1-OS.out": "B-PT-1 OneSafe\nFORMULA OneSafe FALSE TECHNIQUES T\n",
		"notes.txt":     "anything",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	oracle, err := ReadOracle(t.Context(), folder, everything)
	if err != nil {
		t.Fatal(err)
	}
	formulas := []string{"B-PT-1-00", "B-PT-1-01"}
	return Summarize(testSettings, []*history.Run{
		{Job: history.Job{Instance: "B-PT-1", Examination: "OneSafe"}, Questions: []string{"OneSafe"}, Ended: true, Seconds: 0.5,
			Answers: []history.Answer{{Question: "OneSafe", Value: "TRUE", Techniques: "EXPLICIT <b>", Seconds: 0.4}}},
		{Job: history.Job{Instance: "A-PT-1", Examination: "StateSpace"}, Questions: mcc.Measures(), Ended: true, Seconds: 21, PeakBytes: 3 << 30, End: "killed: out of time",
			Answers: []history.Answer{{Question: "STATES", Value: "59049", Techniques: "DECISION_DIAGRAMS", Seconds: 1.5}, {Question: "TRANSITIONS", Value: "+inf", Techniques: "EXPLICIT", Seconds: 2}, {Question: "MAX_TOKEN_IN_PLACE", Value: strings.Repeat("9", 60), Techniques: "EXPLICIT", Seconds: 3}}},
		{Job: history.Job{Instance: "A-PT-1", Examination: "OneSafe"}, Questions: []string{"OneSafe"}, Ended: true, Seconds: 0.2, Host: "n1", Processor: "P <1>",
			Answers: []history.Answer{{Question: "OneSafe", Value: "TRUE", Techniques: "EXPLICIT", Seconds: 0.001}}},
		{Job: history.Job{Instance: "B-PT-1", Examination: "CTLFireability"}, Questions: formulas,
			Answers: []history.Answer{{Question: "B-PT-1-01", Value: "TRUE", Techniques: "EXPLICIT", Seconds: 7}}, Contradictions: []history.Answer{{Question: "B-PT-1-01", Value: "FALSE", Techniques: "EXPLICIT", Seconds: 8}}},
	}, oracle)
}

func TestGrades(t *testing.T) {
	s := exampleSummary(t)
	grades := map[string]Grade{}
	for _, i := range s.Items {
		grades[i.Instance+" "+i.Question] = i.Grade
	}
	for question, want := range map[string]Grade{
		"A-PT-1 STATES": Right, "A-PT-1 TRANSITIONS": Right, "A-PT-1 MAX_TOKEN_PER_MARKING": Missing, "A-PT-1 MAX_TOKEN_IN_PLACE": Unrated,
		"A-PT-1 OneSafe": Right, "B-PT-1 OneSafe": Wrong, "B-PT-1 B-PT-1-00": Missing, "B-PT-1 B-PT-1-01": Unrated,
	} {
		if grades[question] != want {
			t.Errorf("%s is %s, expected %s", question, grades[question], want)
		}
	}
	total := s.Total()
	want := Score{Name: "all", Asked: 8, Right: 3, Wrong: 1, Missing: 2, Unrated: 2, Points: 4 + 4 + 16 - 32, MostPoints: 4 * 16, Seconds: 21.7}
	if total != want {
		t.Errorf("total %+v, expected %+v", total, want)
	}
	if c := s.Contradictions(); len(c) != 1 || c[0].First.Value != "TRUE" || c[0].Second.Value != "FALSE" {
		t.Errorf("contradictions %v", c)
	}
}

func TestTables(t *testing.T) {
	s := exampleSummary(t)
	var text bytes.Buffer
	for _, write := range []func() error{
		func() error { return s.WriteAnswers(&text) },
		func() error { return s.WriteRuns(&text) },
		func() error { return s.WriteScores(&text) },
	} {
		if err := write(); err != nil {
			t.Fatal(err)
		}
		text.WriteString("\n")
	}
	golden := filepath.Join("testdata", "tables.txt")
	if *update {
		if err := os.WriteFile(golden, text.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || text.String() != strings.ReplaceAll(string(want), "\r\n", "\n") {
		t.Errorf("tables are now\n%s, %v", &text, err)
	}
	if rows, err := csv.NewReader(strings.NewReader(strings.SplitN(text.String(), "\n\n", 2)[0])).ReadAll(); err != nil || len(rows) != 9 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
}

func TestReport(t *testing.T) {
	s := exampleSummary(t)
	var page bytes.Buffer
	if err := s.WriteReport(&page, time.Date(2030, 1, 2, 3, 4, 0, 0, time.UTC), nil); err != nil {
		t.Fatal(err)
	}
	text := page.String()
	for _, part := range []string{
		"<svg", "global properties</text>", "Written 2030-01-02 03:04", "EXPLICIT &lt;b&gt;", "B-PT-1-00",
		"killed: out of time", "interrupted", "Contradictions", "1 run took longer", "3072 MB",
		"<th>points</th>", "2 instances, ",
	} {
		if !strings.Contains(text, part) {
			t.Errorf("the report does not have %q", part)
		}
	}
	if strings.Count(text, "<script") != 1 || !strings.Contains(text, "Content-Security-Policy") {
		t.Error("the report has other scripts than that of its tables, or no policy")
	}
	text = strings.NewReplacer(tables.Script, "", "http-equiv", "").Replace(text)
	for _, part := range []string{"<?xml", "<link", "src=", "@import", "ZgotmplZ", "NaN"} {
		if strings.Contains(text, part) {
			t.Errorf("the report has %q", part)
		}
	}
	// The name spaces of SVG are the only addresses.
	for _, rest := range strings.Split(text, "http")[1:] {
		if !strings.HasPrefix(rest, "://www.w3.org/") {
			t.Errorf("the report refers to http%.40s", rest)
		}
	}
	page.Reset()
	err := s.WriteReport(&page, time.Now(), func(j history.Job) string { return "pages/" + j.Instance + "-" + j.Examination + ".html" })
	if link := `<a href="pages/B-PT-1-OneSafe.html#OneSafe">OneSafe</a>`; err != nil || strings.Count(page.String(), link) != 2 {
		t.Errorf("the wrong answer and the list of answers don't lead to its page: %v", err)
	}
	page.Reset()
	if err := Summarize(testSettings, nil, nil).WriteReport(&page, time.Now(), nil); err != nil || strings.Contains(page.String(), "<svg") ||
		!strings.Contains(page.String(), "There is no answer that is not wrong.") || strings.Contains(page.String(), "<th>points</th>") {
		t.Errorf("the report of an empty batch: %v", err)
	}
}

func TestOracleTables(t *testing.T) {
	run := func(instance, examination string, questions ...string) *history.Run {
		return &history.Run{Job: history.Job{Instance: instance, Examination: examination}, Questions: questions}
	}
	for _, test := range []struct {
		name, text string
		run        *history.Run
		want       string
	}{
		{"three columns", "A,CTLFireability,TF?\n", run("A", "CTLFireability", "x", "y", "z"), "TRUE FALSE -"},
		{"another count of formulas", "A,CTLFireability,TF\n", run("A", "CTLFireability", "x", "y", "z"), "- - -"},
		{"numbers", "A,UpperBounds,1 inf ?\n", run("A", "UpperBounds", "x", "y", "z"), "1 +inf -"},
		{"nothing known", "A,UpperBounds,?\n", run("A", "UpperBounds", "x"), "-"},
		{"one verdict", "A,Liveness,F\n", run("A", "Liveness", "Liveness"), "FALSE"},
		{"another instance", "B,Liveness,F\n", run("A", "Liveness", "Liveness"), "-"},
		{"a heading", "# tool,Input,Examination,Time OK,Results,estimated result\nsmart,A,Liveness,OK,T,F\n",
			run("A", "Liveness", "Liveness"), "FALSE"},
		{"results of a tool", "tool,Input,Examination,Results\nsmart,A,StateSpace,5 6 2 1\n",
			run("A", "StateSpace", mcc.Measures()...), "5 6 2 1"},
	} {
		path := filepath.Join(t.TempDir(), "oracle.csv")
		if err := os.WriteFile(path, []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		o, err := ReadOracle(t.Context(), path, everything)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		var got []string
		for place := range test.run.Questions {
			value, ok := o.Expected(test.run, place)
			if !ok {
				value = "-"
			}
			got = append(got, value)
		}
		if s := strings.Join(got, " "); s != test.want {
			t.Errorf("%s: %s, expected %s", test.name, s, test.want)
		}
	}
}

func TestOracleErrors(t *testing.T) {
	folder := t.TempDir()
	table, answers := filepath.Join(folder, "short.csv"), filepath.Join(folder, "bad.out")
	for path, text := range map[string]string{table: "A,OneSafe,T\nA,OneSafe\n", answers: "FORMULA x TRUE\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	heading, empty := filepath.Join(folder, "heading.csv"), t.TempDir()
	if err := os.WriteFile(heading, []byte("Input,Examination,Results\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, place := range map[string]string{
		table: table + ":2: ", folder: answers + ":1: ", filepath.Join(folder, "absent"): "absent",
		heading: heading + ": expected right answers, found none", empty: empty + ": expected right answers, found none",
	} {
		if _, err := ReadOracle(t.Context(), path, everything); err == nil || !strings.Contains(err.Error(), place) {
			t.Errorf("%s: error %v", path, err)
		}
	}
}

func TestAgree(t *testing.T) {
	for _, test := range []struct {
		answered, expected string
		want               bool
	}{
		{"TRUE", "TRUE", true},
		{"TRUE", "FALSE", false},
		{"1000000000", "1.0000E+0009", true},
		{"1000000001", "1.0000E+0009", true},
		{"10425941194901336", "1.0426E+16", true},
		{"1001000000", "1.0000E+0009", false},
		{"1000000000", "1000000001", false},
		{"+inf", "1.0000E+0009", false},
		{"?", "1.0000E+0009", false},
	} {
		if got := agree(test.answered, test.expected); got != test.want {
			t.Errorf("agree(%q, %q) = %t", test.answered, test.expected, got)
		}
	}
}

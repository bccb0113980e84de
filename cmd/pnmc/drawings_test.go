package main

import (
	"bufio"
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pnmc/internal/petritest"
)

// TestDrawingsAreMeasured: bench takes drawings as automata, and finds the verdicts that
// the properties have that they were made of.
func TestDrawingsAreMeasured(t *testing.T) {
	folder := t.TempDir()
	measured := filepath.Join(folder, "measured.csv")
	drawing := filepath.Join(folder, "drawing.dot")
	text, err := os.ReadFile("../../dot/testdata/spot/recurrence-negated.dot")
	if err != nil {
		t.Fatal(err)
	}
	for place, verdict := range map[string]string{"q>=1": "holds", "p>=2": "violated"} {
		if err := os.WriteFile(drawing, bytes.ReplaceAll(text, []byte("p1>=2"), []byte(place)), 0o600); err != nil {
			t.Fatal(err)
		}
		var stdout, stderr bytes.Buffer
		code := run(context.Background(), []string{"pnmc", "bench", "--model", "testdata/toggle.pnml", "--formulas", drawing, "-o", measured}, nil, &stdout, &stderr)
		table, err := os.ReadFile(measured)
		if err != nil {
			t.Fatalf("exit code %d: %s", code, &stderr)
		}
		rows := strings.Split(strings.TrimSpace(string(table)), "\n")
		if len(rows) < 3 || strings.Count(string(table), ","+verdict+",") != len(rows)-1 {
			t.Errorf("GF %s, exit code %d: %s\n%s", place, code, &stderr, table)
		}
		if err := os.Remove(measured); err != nil {
			t.Fatal(err)
		}
	}
}

// TestDrawnLivelocksAreMeasured: bench takes TA and GTA too, whose condition is not
// generalized Büchi, and finds by each approach the verdict that their property has.
func TestDrawnLivelocksAreMeasured(t *testing.T) {
	for _, kind := range []string{"ta", "gta"} {
		for negation, verdict := range map[string]string{
			`FG "q=0"`: "holds", `FG("p>=1" | "q>=1")`: "violated", `GF "p>=2"`: "holds", `GF "p>=1"`: "violated",
		} {
			folder := t.TempDir()
			drawing, measured := filepath.Join(folder, "drawing.dot"), filepath.Join(folder, "measured.csv")
			var drawn, stdout, stderr bytes.Buffer
			if code := run(context.Background(), []string{"pnmc", "translate", negation, "--to", kind, "--format", "dot"}, nil, &drawn, &stderr); code != 0 {
				t.Fatalf("exit code %d: %s", code, &stderr)
			}
			if err := os.WriteFile(drawing, drawn.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			run(context.Background(), []string{"pnmc", "bench", "--model", "testdata/toggle.pnml", "--formulas", drawing, "-o", measured}, nil, &stdout, &stderr)
			table, err := os.ReadFile(measured)
			if err != nil {
				t.Fatalf("%s: %s", negation, &stderr)
			}
			if rows := strings.Count(string(table), "\n") - 1; rows != 4 || strings.Count(string(table), ","+verdict+",") != rows {
				t.Errorf("%s of %s: expected %s four times: %s\n%s", kind, negation, verdict, &stderr, table)
			}
		}
	}
}

// TestDrawnVerdicts draws the negations of formulas without X as testing automata of either
// kind, and checks contest models with what is read of the drawings: the verdicts are those
// of another tool.
func TestDrawnVerdicts(t *testing.T) {
	for _, instance := range []string{"Philosophers-PT-000010", "FMS-PT-00005"} {
		model := petritest.ContestModel(t, instance)
		for kind, count := range map[string]int{"random": 90, "fair": 10} {
			want := referenceVerdicts(t, petritest.Shared(t, "ltl", instance, kind+".verdicts.tsv"))
			formulas := firstLines(t, petritest.Shared(t, "ltl", instance, kind+".ltl"), count)
			t.Run(instance+"/"+kind, func(t *testing.T) {
				if testing.Short() {
					formulas = formulas[:len(formulas)/5]
				}
				compareDrawnVerdicts(t, model, "tgta", formulas, want)
				compareDrawnVerdicts(t, model, "ta", formulas[:(len(formulas)+4)/5], want)
			})
		}
	}
}

func firstLines(t *testing.T, path string, n int) (lines []string) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for s := bufio.NewScanner(file); s.Scan() && len(lines) < n; {
		lines = append(lines, s.Text())
	}
	if len(lines) < n {
		t.Fatalf("%s: %d lines", path, len(lines))
	}
	return lines
}

func compareDrawnVerdicts(t *testing.T, model, to string, formulas []string, want map[int]string) {
	file := filepath.Join(t.TempDir(), "formulas.ltl")
	if err := os.WriteFile(file, []byte(strings.Join(formulas, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var drawings, stdout, stderr bytes.Buffer
	if code := run(context.Background(), []string{"pnmc", "translate", "--negate", "--ltl-file", file, "--to", to, "--format", "dot"}, nil, &drawings, &stderr); code != 0 {
		t.Fatalf("exit code %d: %s", code, &stderr)
	}
	if n := strings.Count(drawings.String(), "digraph G {"); n != len(formulas) {
		t.Fatalf("%d drawings of %d formulas", n, len(formulas))
	}
	run(context.Background(), []string{"pnmc", "--pnml", model, "--tgta", "-", "--format", "json", "--max-memory", "2GB"}, bytes.NewReader(drawings.Bytes()), &stdout, &stderr)
	line, compared := compareReports(t, want, &stdout)
	if line != len(formulas) || compared < len(formulas)*8/10 {
		t.Errorf("%d verdicts of %d, %d compared: %s", line, len(formulas), compared, &stderr)
	}
}

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/experiment"
)

// bench runs pnmc bench on three philosophers with more arguments, and returns
// what it prints and the records in the file of measurements.
func bench(t *testing.T, output string, arguments ...string) (string, []experiment.Record) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	all := append([]string{"pnmc", "bench", "--model", "../../testdata/philosophers.pnml", "-o", output}, arguments...)
	code := run(context.Background(), all, nil, &stdout, &stderr)
	file, err := os.Open(output)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	contents, err := experiment.ReadRecords[experiment.Record](t.Context(), file, output)
	if err != nil {
		t.Fatal(err)
	}
	want := exit.Unknown // as long as nothing has a verdict
	for _, r := range contents.Records {
		if r.Verdict != "unknown" {
			want = exit.Holds
		}
	}
	if code != want {
		t.Fatalf("exit code %d, expected %d: %s", code, want, &stderr)
	}
	return stdout.String(), contents.Records
}

// TestBench: automata from two files, by all
// approaches; what is there is not measured again, and plots have points.
func TestBench(t *testing.T) {
	folder := t.TempDir()
	output := filepath.Join(folder, "measured.csv")
	files := []string{"--formulas", "../../testdata/philosophers.hoa", "--formulas", "testdata/holds.hoa", "--approaches", "auto,ba,tgba,ta,tgta", "--built"}
	_, some := bench(t, output, append(files, "--lines", "2,4-5")...)
	if len(some) == 0 || len(some)%5 != 0 {
		t.Fatalf("%d records", len(some))
	}
	text, all := bench(t, output, append(files, "--graph-first", "--plots", folder)...)
	for i, r := range some {
		if all[i] != r {
			t.Errorf("record %d is %+v, it was %+v", i, all[i], r)
		}
	}
	if len(all) <= len(some) {
		t.Errorf("%d records after %d", len(all), len(some))
	}
	verdicts := map[experiment.Key]string{}
	for _, r := range all {
		key := r.Key()
		key.Approach = ""
		if v, known := verdicts[key]; known && v != r.Verdict || r.Reason != "" {
			t.Errorf("line %d of %s by %s: %s %s, expected %s", r.Line, r.Set, r.Approach, r.Verdict, r.Reason, v)
		}
		verdicts[key] = r.Verdict
		if r.FullStates < 0 && r.Approach != "auto" {
			t.Errorf("line %d of %s by %s: whole product not known", r.Line, r.Set, r.Approach)
		}
	}
	// Two formulas of the file are wrong.
	if code, text, _ := benchCode("--formulas", "testdata/philosophers.ltl"); code != exit.Input || !strings.Contains(text, "  tgta  ") {
		t.Errorf("formulas: exit code %d\n%s", code, text)
	}
	var stdout, stderr bytes.Buffer
	twice := []string{"pnmc", "bench", "--model", "../../testdata/philosophers.pnml", "--formulas", "testdata/philosophers.ltl", "--formulas", "../../testdata/philosophers.hoa"}
	if code := run(context.Background(), twice, nil, &stdout, &stderr); code != exit.Usage || !strings.Contains(stderr.String(), "two files called philosophers") {
		t.Errorf("two files of the same name: exit code %d, %s", code, &stderr)
	}
	for _, want := range []string{"Verified properties", "Violated properties", "tgta against the others", "at most twice"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in:\n%s", want, text)
		}
	}
	for _, name := range []string{"explored-tgta-ba.svg", "explored-tgta-tgba.svg", "explored-tgta-ta.svg", "product-tgta-tgba.svg"} {
		if svg, err := os.ReadFile(filepath.Join(folder, name)); err != nil || !bytes.Contains(svg, []byte("<svg")) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The states that approaches on decision diagrams share are explored within the time of a
// check: a million tokens go round in a ring, in more ways than can be explored.
func TestBenchExploresInTime(t *testing.T) {
	folder := t.TempDir()
	net, formulas := filepath.Join(folder, "ring.pnml"), filepath.Join(folder, "one.ltl")
	text := `<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">`
	for i := range 8 {
		tokens := ""
		if i == 0 {
			tokens = "<initialMarking><text>1000000</text></initialMarking>"
		}
		text += fmt.Sprintf(`<place id="p%d">%s</place><transition id="t%[1]d"/><arc id="a%[1]d" source="p%[1]d" target="t%[1]d"/><arc id="b%[1]d" source="t%[1]d" target="p%[3]d"/>`, i, tokens, (i+1)%8)
	}
	write(t, net, text+"</page></net></pnml>")
	write(t, formulas, `G F "p1 >= 1"`+"\n")
	var stdout, stderr bytes.Buffer
	code := run(t.Context(), []string{"pnmc", "bench", "--pnml", net, "--formulas", formulas, "--approaches", "sym-tgba",
		"--saturation", "on", "--timeout", "300ms", "--max-memory", "1GB", "-o", filepath.Join(folder, "measured.csv")}, nil, &stdout, &stderr)
	if code != exit.Unknown || !strings.Contains(stderr.String(), "which all checks share, are not known: time limit of 300ms reached") {
		t.Errorf("exit code %d: %s", code, &stderr)
	}
}

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/told"
	"pnmc/internal/petritest"
)

// referenceVerdicts returns the verdicts of a .verdicts.tsv, by line of the formula.
func referenceVerdicts(t *testing.T, file string) map[int]string {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	verdicts := map[int]string{}
	for s := bufio.NewScanner(f); s.Scan(); {
		fields := strings.Fields(s.Text())
		if len(fields) == 2 {
			if line, err := strconv.Atoi(fields[0]); err == nil {
				verdicts[line] = fields[1]
			}
		}
	}
	return verdicts
}

// TestSharedVerdicts checks every formula for a contest model, in one stream each,
// as given and as an automaton of its negation, and compares with another tool's
// verdicts.
func TestSharedVerdicts(t *testing.T) {
	for _, instance := range []string{"Philosophers-PT-000005", "Referendum-PT-0010"} {
		model := petritest.ContestModel(t, instance)
		for _, kind := range []string{"random", "fair", "next"} {
			want := referenceVerdicts(t, petritest.Shared(t, "ltl", instance, kind+".verdicts.tsv"))
			for source, extension := range map[string]string{"--hoa": ".hoa", "--ltl-file": ".ltl"} {
				t.Run(instance+"/"+kind+extension, func(t *testing.T) {
					compareVerdicts(t, want, model, source, petritest.Shared(t, "ltl", instance, kind+extension))
				})
			}
		}
	}
}

// compareVerdicts checks the properties in a file and compares with the verdicts
// that are known.
func compareVerdicts(t *testing.T, want map[int]string, model, source, file string) {
	var stdout, stderr bytes.Buffer
	run(context.Background(), []string{"pnmc", "--pnml", model, source, file, "--format", "json"}, nil, &stdout, &stderr)
	_, compared := compareReports(t, want, &stdout)
	if compared != len(want) || compared < 60 {
		t.Errorf("compared %d of %d verdicts: %s", compared, len(want), &stderr)
	}
}

// compareReports reads the lines of a check in JSON and compares their verdicts with those
// that are known by the number of the line. It returns how many lines there are, and how
// many were compared.
func compareReports(t *testing.T, want map[int]string, reports io.Reader) (lines, compared int) {
	t.Helper()
	for d := json.NewDecoder(reports); ; {
		var r told.Report
		if err := d.Decode(&r); err != nil {
			return lines, compared
		}
		lines++
		got := map[string]string{"holds": "TRUE", "violated": "FALSE"}[r.Verdict]
		if want[lines] != "" {
			compared++
			if got != want[lines] {
				t.Errorf("formula %d, %s: %s %s, expected %s", lines, r.Name, r.Verdict, r.Reason, want[lines])
			}
		}
	}
}

// TestSharedStates compares state counts with those agreed on at the contest.
func TestSharedStates(t *testing.T) {
	for _, instance := range []string{"Philosophers-PT-000005", "Referendum-PT-0010", "TokenRing-PT-005", "FMS-PT-00002", "Peterson-PT-2"} {
		t.Run(instance, func(t *testing.T) {
			oracle, err := os.ReadFile(petritest.Shared(t, "mcc", "oracle", instance+"-SS.out"))
			if err != nil {
				t.Fatal(err)
			}
			var stdout, stderr bytes.Buffer
			if code := run(context.Background(), []string{"pnmc", "states", "--pnml", petritest.ContestModel(t, instance)}, nil, &stdout, &stderr); code != exit.Holds {
				t.Fatalf("exit code %d: %s", code, &stderr)
			}
			values, want := stateSpaceValues(stdout.String()), stateSpaceValues(string(oracle))
			if len(want) != 4 || fmt.Sprint(values) != fmt.Sprint(want) {
				t.Errorf("%v, expected %v", values, want)
			}
		})
	}
}

// stateSpaceValues returns the values in STATE_SPACE lines, by their keys.
func stateSpaceValues(text string) map[string]string {
	values := map[string]string{}
	for line := range strings.Lines(text) {
		if f := strings.Fields(line); len(f) > 2 && f[0] == "STATE_SPACE" {
			values[f[1]] = f[2]
		}
	}
	return values
}

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pnmc/cmd/pnmc/internal/exit"
)

// TestEachKindOfQuestion asks one question of each kind with all that can be told of it:
// --explain tells what decided it, --stream and --total-timeout are taken, and --trace shows
// a run exactly where one can show the answer.
func TestEachKindOfQuestion(t *testing.T) {
	const shownBy, none = `(?m)^# (run|counterexample) .*: \d+ steps?`, ""
	for _, test := range []struct {
		net, flag, question, answer, shown string
	}{
		{"philosophers", "--deadlock", "", "TRUE", shownBy + `(?s:.*)deadlock: nothing fires`},
		{"philosophers", "--live", "", "FALSE", shownBy + `(?s:.*)# (then \S+ can never fire again|deadlock: nothing fires)`},
		{"philosophers", "--quasi-live", "", "TRUE", none},
		{"philosophers", "--safe", "", "TRUE", none},
		{"philosophers", "--stable", "", "FALSE", none},
		{"philosophers", "--bound", "eats0 + eats1", "1", shownBy},
		{"philosophers", "--reachable", "eats0", "TRUE", shownBy + "(?s:.*)eatLeft0|eatRight0"},
		{"philosophers", "--reachable", "eats0 & eats1", "FALSE", none},
		{"philosophers", "--invariant", "thinks0", "FALSE", shownBy},
		{"philosophers", "--invariant", "thinks0 <= 1", "TRUE", none},
		{"philosophers", "--ctl", "EX (EX eats0 & EX !eats0)", "TRUE", shownBy + `(?s:.*)# run that shows .*, part 2 of 3, from part 1 after 1 firing: 1 step\n`},
		{"philosophers", "--ctl", "AG EF eats0", "FALSE", shownBy},
		{"philosophers", "--ctl", "EF eats0 & EF deadlock & AG thinks0 <= 1", "TRUE", `(?m)part 1 of 2: 2 steps$(?s:.*), part 2 of 2: 3 steps$`},
		{"philosophers", "--ctl", "AG !eats0 | AG !eats1", "FALSE", `(?m)part 1 of 2: 2 steps$(?s:.*), part 2 of 2: 2 steps$`},
		{"philosophers", "--ctl", "EX true", "TRUE", `: 1 step\n`},
		{"philosophers", "--ctl", "AX false", "FALSE", `: 1 step\n`},
		{"philosophers", "--ctl", "EX eats0", "FALSE", none},
		{"philosophers", "--ctl", "AX thinks0 <= 1", "TRUE", none},
		{"philosophers", "--ctl", "AG EF thinks0 >= 0", "TRUE", none},
		{"philosophers", "--ctl", "AF thinks0", "TRUE", `: 0 steps\n`},
		{"philosophers", "--ctl", "EF AG eats0", "FALSE", none},
		{"philosophers", "--ltl", "G F eats0", "FALSE", shownBy + "(?s:.*)^cycle"},
		{"philosophers", "--ltl", "F thinks0", "TRUE", none},
		{"philosophers", "--hoa", "holds.hoa", "TRUE", none},
		{"token", "--deadlock", "", "FALSE", none},
		{"token", "--live", "", "TRUE", none},
		{"token", "--quasi-live", "", "TRUE", none},
		{"token", "--safe", "", "FALSE", shownBy},
		{"token", "--stable", "", "FALSE", none},
		{"token", "--bound", "work", "3", shownBy + `(?s:.*)start\[x=`},
		{"token", "--reachable", "work >= 2", "TRUE", shownBy + `(?s:.*)start\[x=`},
		{"token", "--invariant", "work < 1", "FALSE", shownBy + `(?s:.*)start\[x=`},
		{"token", "--ctl", "EX EX work >= 2", "TRUE", shownBy + `(?s:.*)start\[x=`},
		{"token", "--ctl", "EF work >= 3 & !AG work != 1", "TRUE", `(?m)part 1 of 2: \d+ steps?$(?s:.*)start\[x=(?s:.*), part 2 of 2: \d+ steps?$(?s:.*)start\[x=`},
		{"token", "--ltl", "G !(work >= 1)", "FALSE", shownBy + `(?s:.*)start\[x=`},
		{"token", "--ltl", "G F work", "TRUE", none},
		{"doors", "--live", "", "FALSE", shownBy + `(?s:.*)walk\[x=(?s:.*)# (then \S+ can never fire again|deadlock: nothing fires)`},
		{"doors", "--deadlock", "", "TRUE", shownBy + `(?s:.*)walk\[x=`},
	} {
		folder := "testdata"
		if test.net == "philosophers" {
			folder = "../../testdata"
		}
		trace := filepath.Join(t.TempDir(), "runs.txt")
		arguments := []string{"pnmc", "--pnml", filepath.Join(folder, test.net+".pnml"),
			"--threads", "1", // so that it is the same engine which decides
			"--explain", "--stream", "--total-timeout", "60s", "--max-memory", "1000MB", "--trace", trace, test.flag}
		switch {
		case test.flag == "--hoa":
			arguments = append(arguments, filepath.Join("testdata", test.question))
		case test.question != "":
			arguments = append(arguments, test.question)
		}
		var stdout, stderr bytes.Buffer
		if code := run(t.Context(), arguments, nil, &stdout, &stderr); code > exit.Violated {
			t.Errorf("%v: exit code %d, %s", arguments, code, &stderr)
		}
		if !regexp.MustCompile(`(?m)^FORMULA .* ` + test.answer + ` TECHNIQUES `).Match(stdout.Bytes()) {
			t.Errorf("%v: %s, expected %s", arguments, &stdout, test.answer)
		}
		if strings.Count(stderr.String(), "s decided by ") != 1 {
			t.Errorf("%v: --explain does not tell once what decided:\n%s", arguments, &stderr)
		}
		runs, err := os.ReadFile(trace)
		if err != nil {
			t.Fatal(err)
		}
		if test.shown == none && len(runs) > 0 || !regexp.MustCompile(test.shown).Match(runs) {
			t.Errorf("%v: --trace shows %q, expected %q", arguments, runs, test.shown)
		}
	}
}

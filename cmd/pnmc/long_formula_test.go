package main

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
)

// TestLongFormula: a single formula that takes longer to read than there is time is given up
// at the limit, which is no fault of the input.
func TestLongFormula(t *testing.T) {
	const net = "../../testdata/mailbox.pnml"
	atoms, named := make([]string, 200_000), make([]string, 200_000)
	for i := range atoms {
		atoms[i], named[i] = fmt.Sprintf("p%d>=%d", i%2+1, i), fmt.Sprintf("a%d", i)
	}
	formula := strings.Join(atoms, " | ")
	for name, test := range map[string]struct{ arguments, text string }{
		"LTL":         {"--pnml " + net + " --ltl-file -", "G(" + formula + ")"},
		"proposition": {"--pnml " + net + " --ltl-file -", `G "` + formula + `"`},
		"CTL":         {"--pnml " + net + " --ctl-file -", "AG(" + formula + ")"},
		"translate":   {"translate --ltl-file -", "G(" + strings.Join(named, " | ") + ")"},
		"XML": {"--pnml " + net + " --queries -", `<property-set><property><id>m</id><formula><all-paths><globally><disjunction>` +
			strings.Repeat("<integer-le><tokens-count><place>p1</place></tokens-count><integer-constant>3</integer-constant></integer-le>", 100_000) +
			`</disjunction></globally></all-paths></formula></property></property-set>`},
	} {
		var out, complaints bytes.Buffer
		arguments := append([]string{"pnmc"}, strings.Fields(test.arguments)...)
		code := run(context.Background(), append(arguments, "--timeout", "100ms"), strings.NewReader(test.text), &out, &complaints)
		if want := "time limit of 100ms reached while it was read"; code != exitUnknown || !strings.Contains(complaints.String(), want) {
			t.Errorf("%s: exit code %d, %.300s\n%.300s", name, code, &complaints, &out)
		}
	}
}

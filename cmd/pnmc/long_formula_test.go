package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pnmc/cmd/pnmc/internal/exit"
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
		"definitions":                {"--pnml " + net + " --ltl a --ap -", "a: " + formula},
		"definitions for approaches": {"--pnml " + net + " --ltl a --approach tgba --ap -", "a: " + formula},
	} {
		var out, complaints bytes.Buffer
		arguments := append([]string{"pnmc"}, strings.Fields(test.arguments)...)
		code := run(context.Background(), append(arguments, "--timeout", "100ms"), strings.NewReader(test.text), &out, &complaints)
		if want := "time limit of 100ms reached while it was read"; code != exit.Unknown || !strings.Contains(complaints.String(), want) {
			t.Errorf("%s: exit code %d, %.300s\n%.300s", name, code, &complaints, &out)
		}
	}
}

// TestLongContestFile: a property file that takes more memory to read than there is is given
// up at the limit, too, by a process of its own.
func TestLongContestFile(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder := contestFolder(t)
	text := `<property-set><property><id>m</id><formula><exists-path><finally><disjunction>` +
		strings.Repeat("<integer-le><integer-constant>3</integer-constant><tokens-count><place>p1</place></tokens-count></integer-le>", 200_000) +
		`</disjunction></finally></exists-path></formula></property></property-set>`
	if err := os.WriteFile(filepath.Join(folder, "ReachabilityCardinality.xml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	command := exec.Command(self, "mcc", folder, "--examination", "ReachabilityCardinality", "--memory", "100", "--time", "60")
	command.Env = append(os.Environ(), asTranslator+"=program")
	var out, complaints bytes.Buffer
	command.Stdout, command.Stderr = &out, &complaints
	_ = command.Run()
	if code := command.ProcessState.ExitCode(); code != exit.Unknown || out.String() != "CANNOT_COMPUTE\n" ||
		!strings.Contains(complaints.String(), "memory limit of 100 MB reached") {
		t.Errorf("exit code %d, %s%.300s", code, &out, &complaints)
	}
}

package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"pnmc/cmd/pnmc/internal/exit"
)

// figures are the numbers in a table, with the spaces before them, which are not the
// same everywhere.
var figures = regexp.MustCompile(`(?m) +[0-9.]+`)

// examples returns the commands of the README that stand behind a $, and what it says that
// they print.
func examples(t *testing.T) (commands, outputs []string) {
	t.Helper()
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for i, part := range strings.Split(string(readme), "```") {
		if i%2 == 0 || !strings.HasPrefix(part, "\n$ ") {
			continue
		}
		for _, example := range strings.Split(part[1:], "$ ")[1:] {
			command, output, _ := strings.Cut(example, "\n")
			commands, outputs = append(commands, command), append(outputs, strings.TrimRight(output, "\n"))
		}
	}
	return commands, outputs
}

// TestReadmeExamples: the commands after a $ in the README print what it says, but for
// the figures of tables.
func TestReadmeExamples(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil || runtime.GOOS == "windows" {
		t.Skip("an example is a shell script")
	}
	commands, outputs := examples(t)
	if len(commands) < 4 {
		t.Fatalf("only %d examples: %q", len(commands), commands)
	}
	t.Chdir("../..")
	asProgram(t)
	for i, command := range commands {
		words, input := splitCommand(t, command)
		var stdout, stderr bytes.Buffer
		code := run(context.Background(), words, input, &stdout, &stderr)
		want, got := outputs[i], strings.TrimRight(stdout.String(), "\n")
		if strings.HasPrefix(command, "pnmc cross") {
			want, got = figures.ReplaceAllString(want, " N"), figures.ReplaceAllString(got, " N")
		}
		if want != got || code > exit.Unknown || stderr.Len() > 0 {
			t.Errorf("%s: exit code %d, %s\nprints\n%s\nthe README shows\n%s", command, code, &stderr, stdout.String(), outputs[i])
		}
	}
}

// asProgram makes the test program one named pnmc, that the commands under test find.
func asProgram(t *testing.T) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := os.Symlink(self, filepath.Join(folder, "pnmc")); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	t.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv(asTranslator, "program")
}

// TestCrossShowsARunOfTheNet: where translators differ about runs of a net, one is shown,
// and so is who is wrong about it; testing automata are compared with the others; and
// propositions that the net does not have are bad input.
func TestCrossShowsARunOfTheNet(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil || runtime.GOOS == "windows" {
		t.Skip("the translator is a shell script")
	}
	t.Chdir("../..")
	asProgram(t)
	cross := func(formula string, translators ...string) (int, string, string) {
		var stdout, stderr bytes.Buffer
		code := run(context.Background(), append([]string{"pnmc", "cross", "--no-shrink", "--spaces", "0",
			"--pnml", "testdata/philosophers.pnml", "--formula", formula, "--", "pnmc translate %f"}, translators...), nil, &stdout, &stderr)
		return code, stdout.String(), stderr.String()
	}
	code, report, _ := cross(`"eats1<=0" U "eats0>=1"`, "{wrong}sh cross/testdata/wrong-translator.sh pnmc translate %f")
	if code != exit.Violated || strings.Count(report, "  run takeLeft0; takeLeft1; takeLeft2; cycle{(deadlock)}\n") != 2 ||
		strings.Count(report, "wrong: [wrong]") != strings.Count(report, "difference:") {
		t.Errorf("exit code %d\n%s", code, report)
	}
	code, report, _ = cross(`"eats1<=0" U "eats0>=1"`, "pnmc translate --to tgta %f", "pnmc translate --to ta %f")
	if code != exit.Holds || !strings.Contains(report, " 0 given up, 0 differences\n") {
		t.Errorf("testing automata: exit code %d\n%s", code, report)
	}
	code, _, complaint := cross(`F "eats7>=1"`)
	if code != exit.Input || !strings.Contains(complaint, "eats7") {
		t.Errorf("a place that does not exist: exit code %d, %s", code, complaint)
	}
}

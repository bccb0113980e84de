package chamber_test

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pnmc/internal/torture/chamber"
)

// found runs cases of a command until one has a finding that begins so, and reports whether one had.
func found(t *testing.T, program, command string, kinds []string, numbers uint64, problem string) bool {
	t.Helper()
	for number := range numbers {
		c, err := chamber.New(1, number, program, []string{command}, kinds)
		if err != nil {
			t.Fatal(err)
		}
		_, findings, err := c.Run(program, filepath.Join(t.TempDir(), "run"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range findings {
			if strings.Contains(f.Problem, problem) {
				return true
			}
		}
	}
	return false
}

// small are kinds that reach the engines.
var small = []string{"net-small", "formula-small", "automaton-small", "table-small", "drawing-small", "properties-small", "arguments-help"}

// TestEndsAreFound: of each command, a program is found out that only ends with 2, and one that only
// ends with a code that its help does not tell.
func TestEndsAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("many processes")
	}
	undocumented := script(t, "exit 1")
	telling := chamber.Documented()
	for _, command := range chamber.Commands() {
		program := script(t, "exit 2")
		if !found(t, program, command, small, 10, "without a word") && !found(t, program, command, small, 10, "lost answers") {
			t.Errorf("%s: exit code 2 and nothing else is no finding", command)
		}
		if codes := telling[command]; codes != nil && !slices.Contains(codes, 1) && !found(t, undocumented, command, small, 3, "exit code 1 is not documented") {
			t.Errorf("%s: exit code 1 is no finding", command)
		}
	}
}

// TestLinesAreRead: of each command, a line on standard output that it does not print is found,
// whatever the exit code, and a cut one.
func TestLinesAreRead(t *testing.T) {
	if testing.Short() {
		t.Skip("many processes")
	}
	for _, end := range []string{"exit 0", "echo 'pnmc: net.pnml formula --x: bad' >&2; exit 4"} {
		program := script(t, "echo 'HOA: v1 FORMULA f TR'; "+end)
		for _, command := range chamber.Commands() {
			if command == "help" || command == "play" { // text, or a screen
				continue
			}
			if !found(t, program, command, small, 5, "standard output: ") {
				t.Errorf("%s: a line that it does not print is no finding, with %s", command, end)
			}
		}
	}
}

// TestHalfWordsAreFound: an answer that is cut within its last word is found.
func TestHalfWordsAreFound(t *testing.T) {
	for command, text := range map[string]string{
		"check-ltl": `echo "FORMULA f0 TRUE TECHNIQUES EXPLI"`, "check-questions": `echo "FORMULA q TRUE TECHNIQUES EXPLICIT DECISION_DIA"`,
		"mcc": `echo "FORMULA x TRUE TECHNIQUES EXPLI"`, "states": `echo "STATE_SPACE STATES 3 TECHNIQUES EXPL"`,
	} {
		if !found(t, script(t, text), command, small, 10, "standard output: ") {
			t.Errorf("%s: half a word is no finding", command)
		}
	}
}

// TestLostAnswersAreFound: a program that answers some of the questions, or says that none can be
// answered, or answers what was not asked, is found out.
func TestLostAnswersAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("many processes")
	}
	for _, x := range []struct{ command, text, problem string }{
		{"check-ltl", "exit 0", "lost answers: 0 verdicts about"},
		{"check-ltl", `echo "FORMULA f0 CANNOT_COMPUTE"; echo "pnmc: f0: unknown: it takes long" >&2; exit 2`, "lost answers: f0 has none"},
		{"check-ltl", `echo "pnmc: net.pnml: time limit of 1s reached while it was read" >&2; exit 2`, "lost answers: no verdict at all"},
		{"check-questions", "exit 0", "lost answers"},
		{"check-questions", `echo "FORMULA q CANNOT_COMPUTE"; echo "pnmc: q: unknown: it takes long" >&2; exit 2`, "lost answers"},
		{"check-etf", `echo "FORMULA f0 TRUE TECHNIQUES EXPLICIT"; echo "FORMULA f0 TRUE TECHNIQUES EXPLICIT"`, "verdicts about"},
		{"mcc", "exit 0", "lost answers"},
		{"intersect", "echo 1", "lost answers"},
		{"translate", "exit 0", "lost answers"},
		{"convert", "exit 0", ""},
		{"unfold", "exit 0", ""},
		{"reduce", "exit 0", ""},
		{"view", "exit 0", ""},
		{"states", "exit 0", "only 0 measures"},
		{"batch", "exit 0", "journal.jsonl"},
		{"bench", "exit 0", "measured.csv"},
		{"cross", "exit 0", ""},
		{"help", "exit 0", "0 bytes of help"},
	} {
		if !found(t, script(t, x.text), x.command, small, 60, x.problem) {
			t.Errorf("%s: the program %q is never found out with %q", x.command, x.text, x.problem)
		}
	}
}

// TestGroupPeaks: the memory of all processes together is measured, where the program promises a
// limit for it.
func TestGroupPeaks(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3 here")
	}
	program := script(t, `python3 -c 'import time; x = bytearray(60 << 20); time.sleep(2)' & python3 -c 'import time; x = bytearray(60 << 20); time.sleep(2)' & wait`)
	for group, expected := range map[int64]bool{40 << 20: true, 300 << 20: false, 0: false} {
		c := &chamber.Case{Time: 20 * time.Second, Memory: 90 << 20, Group: group}
		o, findings, err := c.Run(program, filepath.Join(t.TempDir(), "run"))
		if err != nil {
			t.Fatal(err)
		}
		has := slices.ContainsFunc(findings, func(f chamber.Finding) bool { return strings.HasPrefix(f.Problem, "memory: all processes together") })
		if has != expected || group > 0 && o.GroupPeak < 110<<20 {
			t.Errorf("limit of %d MB: %d MB, the largest %d MB; findings %v", group>>20, o.GroupPeak>>20, o.Peak>>20, findings)
		}
	}
}

// TestGoingOn: the same command runs before, and what it left may be damaged then.
func TestGoingOn(t *testing.T) {
	program := script(t, `if [ -f journal.jsonl ]; then cat journal.jsonl; else echo '{"a":1}' >journal.jsonl; fi`)
	c := &chamber.Case{Time: 5 * time.Second, Before: true, Line: func(line string) error {
		if line != `{"a":2}` {
			t.Errorf("what was there is %q", line)
		}
		return nil
	}, Outputs: map[string]func([]byte) error{"journal.jsonl": func([]byte) error { return os.ErrInvalid }},
		Spoil: map[string]func([]byte) []byte{"journal.jsonl": func(text []byte) []byte {
			return []byte(strings.Replace(string(text), "1", "2", 1))
		}}}
	if o, findings, err := c.Run(program, filepath.Join(t.TempDir(), "run")); err != nil || len(findings) > 0 || len(o.Stdout) == 0 {
		t.Errorf("%v, %v", findings, err)
	}
}

// TestKeysArePressed: a program gets a terminal with what is pressed on it.
func TestKeysArePressed(t *testing.T) {
	if _, err := os.Stat("/dev/ptmx"); err != nil {
		t.Skip("no terminals here")
	}
	program := script(t, `stty raw -echo; echo ready; head -c 3 | od -c`)
	c := &chamber.Case{Time: 10 * time.Second, Keys: "xyz", Stdin: "keys", Files: map[string][]byte{"keys": []byte("xyz")}, Stdout: func(*chamber.Outcome) error { return nil }}
	o, findings, err := c.Run(program, filepath.Join(t.TempDir(), "run"))
	if err != nil || len(findings) > 0 || !strings.Contains(string(o.Stdout), "x   y   z") {
		t.Errorf("%q, %v, %v", o.Stdout, findings, err)
	}
}

// TestDocumentedCodes: the exit codes that the chamber knows are those that --help tells.
func TestDocumentedCodes(t *testing.T) {
	program := pnmc(t)
	text, err := exec.Command(program, "--help").Output()
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(text), "COMMANDS:\n")
	list, _, _ = strings.Cut(list, "\n\n")
	for _, m := range regexp.MustCompile(`(?m)^ +([a-z]+)\b`).FindAllStringSubmatch(list, -1) {
		if chamber.Documented()[m[1]] == nil {
			t.Errorf("the command %s is not known here", m[1])
		}
	}
	form := regexp.MustCompile(`(?m)^ +([0-9]) +\S`)
	for _, command := range slices.Sorted(maps.Keys(chamber.Documented())) {
		if command == "help" {
			continue // it has no help of its own
		}
		text, err := exec.Command(program, append(strings.Fields(command), "--help")...).Output()
		if err != nil {
			t.Fatal(err)
		}
		_, told, _ := strings.Cut(string(text), "EXIT CODES:\n")
		told, _, _ = strings.Cut(told, "Of several")
		var codes []int
		for _, m := range form.FindAllStringSubmatch(told, -1) {
			n, _ := strconv.Atoi(m[1])
			codes = append(codes, n)
		}
		if !slices.Equal(codes, chamber.Documented()[command]) {
			t.Errorf("%s: the help tells %v, and the chamber has %v", command, codes, chamber.Documented()[command])
		}
	}
}

package chamber_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pnmc/internal/torture/chamber"
)

// pnmc returns the program, built from the tree.
func pnmc(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "pnmc")
	if text, err := exec.Command("go", "build", "-o", program, "pnmc/cmd/pnmc").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return program
}

// TestWrongComparisonsAreFound: cross as it is has no finding, and each way to spoil what it tells of
// translators and their differences is found.
func TestWrongComparisonsAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("many processes")
	}
	program := pnmc(t)
	spoiled := func(how string) string {
		return script(t, fmt.Sprintf("[ \"$1\" = cross ] || exec %s \"$@\"\n%s \"$@\" >tmp/out; code=$?\n%s\ncat tmp/out; rm tmp/out; exit $code", program, program, how))
	}
	for _, x := range []struct{ name, how, problem string }{
		{"a row", "[ -f cross.csv ] && sed -i '$d' cross.csv", "lost answers: no row for"},
		{"all rows", "[ -f cross.csv ] && sed -i '2,$d' cross.csv", "lost answers: rows for 0 formulas of 1"},
		{"heading", "[ -f cross.csv ] && sed -i 1d cross.csv", "file cross.csv: its heading is not"},
		{"order", "[ -f cross.csv ] && sed -i '2{h;d};3G' cross.csv", "lost answers: row 1 is"},
		{"more rows", "[ -f cross.csv ] && sed -n '2,$p' cross.csv >tmp/rows && cat tmp/rows >>cross.csv; rm -f tmp/rows", "lost answers: row "},
		{"a row twice", "[ -f cross.csv ] && sed -i '$p' cross.csv", "lost answers: row "},
		{"a file", "[ -f cross.csv ] && rm cross.csv", "file cross.csv: "},
		{"failures", "[ -f cross.csv ] && sed -i s/,crash,/,ok,/ cross.csv", "makes no automaton, and one is told"},
		{"states in one form", `[ -f cross.json ] && sed -i 's/"states": [0-9]*/"states": 77/' cross.json`, "lost answers: the table has the sums"},
		{"rows in one form", `[ -f cross.json ] && sed -i 's/"edges": [0-9]*/"edges": 77/' cross.json`, "lost answers: the rows of two files differ"},
		{"differences of text", `sed -i '/^difference/,/wrong: /d; s/[0-9]* differences/0 differences/' tmp/out; [ $code = 1 ] && code=0`, "wrong verdict: a translator is wrong about each formula"},
		{"differences of JSON", `sed -i '/^  "differences": \[$/,/^  \],/c\  "differences": [],' tmp/out; [ $code = 1 ] && code=0`, "wrong verdict: a translator is wrong about each formula"},
		{"differences in a file", `[ -f cross.json ] && sed -i '/^  "differences": \[$/,/^  \],/c\  "differences": [],' cross.json`, "lost answers: "},
		{"exit code", "[ $code = 1 ] && code=0", "exit code 0, expected 1: "},
		{"exit code of failures", "[ $code = 2 ] && code=0", "exit code 0, expected 2: "},
		{"blame", "sed -i 's/wrong: .wrong./wrong: [another]/' tmp/out", "another is called wrong, and is right"},
		{"no blame", "sed -i 's/wrong: .wrong./wrong: []/' tmp/out", "nobody is called wrong"},
		{"satisfaction", "sed -i 's/ does not satisfy / satisfies /' tmp/out", "wrong verdict: the twin says that the word satisfies"},
		{"word", "sed -i 's/^  word .*cycle.* the formula/  word cycle{a\\&b\\&c} does not satisfy the formula/' tmp/out", "wrong verdict: the twin says that the word satisfies"},
		{"itself", "sed -i 's/^  between .*/  between x and y/' tmp/out", "wrong verdict: pnmc differs from itself"},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			if !found(t, spoiled(x.how), "cross", []string{"formula-small"}, 60, x.problem) {
				t.Errorf("never found out with %q", x.problem)
			}
		})
	}
	right := spoiled("")
	for number := range uint64(40) {
		c, err := chamber.New(1, number, right, []string{"cross"}, []string{"formula-small", "formula-damaged"})
		if err != nil {
			t.Fatal(err)
		}
		_, findings, err := c.Run(right, filepath.Join(t.TempDir(), "run"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range findings {
			if !chamber.IsLate(f.Problem) && !strings.HasPrefix(f.Problem, "memory: ") { // a busy machine; a shell beside it
				t.Errorf("number %d: %s", number, f.Problem)
			}
		}
	}
}

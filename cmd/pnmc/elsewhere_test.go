package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pnmc/cmd/pnmc/internal/exit"
)

// complaintsOf runs a command that fails, and returns its exit code and what it complains.
func complaintsOf(t *testing.T, arguments ...string) (int, string) {
	t.Helper()
	var out, complaints bytes.Buffer
	code := run(context.Background(), append([]string{"pnmc"}, arguments...), strings.NewReader(""), &out, &complaints)
	return code, complaints.String()
}

// TestHowItIsSaidHere: who uses another command's flags, or names a net as another command
// takes it, is told how this one does.
func TestHowItIsSaidHere(t *testing.T) {
	for line, want := range map[string]string{
		"cross --ltl-file f.ltl a%f":              "no flag --ltl-file; --formulas takes formulas (see pnmc cross --help)",
		"cross --ltl a a%f":                       "no flag --ltl; --formula takes a formula (see pnmc cross --help)",
		"bench --ltl-file f.ltl":                  "no flag --ltl-file; --formulas takes formulas (see pnmc bench --help)",
		"bench --hoa a.hoa":                       "no flag --hoa; --formulas takes automata in a file that ends in .hoa (see pnmc bench --help)",
		"translate --formulas f.ltl":              "no flag --formulas; --ltl-file takes formulas (see pnmc translate --help)",
		"--formula a":                             "no flag --formula; --ltl takes a formula (see pnmc --help)",
		"mcc --pnml net.pnml":                     "no flag --pnml; expected pnmc mcc FOLDER, or FOLDER/model.pnml (see pnmc mcc --help)",
		"batch --pnml net.pnml":                   "no flag --pnml; expected pnmc batch FOLDER, or an archive (see pnmc batch --help)",
		"states net.pnml":                         `unexpected argument "net.pnml"; a net is named by a flag: --pnml net.pnml`,
		"unfold net.pnml.gz":                      `unexpected argument "net.pnml.gz"; a net is named by a flag: --pnml net.pnml.gz`,
		"net.pnml":                                `no command "net.pnml"; a net is named by a flag: --pnml net.pnml`,
		"play":                                    "which net? expected pnmc play net.pnml",
		"play --pnml a.pnml runs.json more":       `unexpected argument "more"`,
		"view --pnml a.pnml b.pnml":               `unexpected argument "b.pnml"`,
		"mcc --examination Beauty":                `--examination: there is no "Beauty"; expected one of StateSpace, `,
		"play --pnml - ../../testdata/absent.js":  "play reads keys from standard input, so that files need names",
		"bench --formulas f --pnml p --absent 10": "no flag --absent",
	} {
		if code, told := complaintsOf(t, strings.Fields(line)...); code != exit.Usage || !strings.HasPrefix(told, "pnmc: "+want) {
			t.Errorf("%s: exit code %d, %s", line, code, told)
		}
	}
}

// TestNetByFlag: the commands that take a net as an argument take --pnml, too.
func TestNetByFlag(t *testing.T) {
	const net = "../../testdata/philosophers.pnml"
	page := filepath.Join(t.TempDir(), "page.html")
	if code, told := complaintsOf(t, "view", "--pnml", net, "-o", page); code != exit.Holds {
		t.Errorf("view: exit code %d, %s", code, told)
	}
	if info, err := os.Stat(page); err != nil || info.Size() == 0 {
		t.Error(err)
	}
	if code, told := complaintsOf(t, "play", "--pnml", net); code != exit.Usage || !strings.HasPrefix(told, "pnmc: play needs a terminal") {
		t.Errorf("play: exit code %d, %s", code, told)
	}
}

// TestExaminationOfTheContest: of an examination that is not known, standard error tells
// which there are; the exit code is that of wrong usage where a flag named it, whatever the
// contest's variable has.
func TestExaminationOfTheContest(t *testing.T) {
	t.Setenv("BK_EXAMINATION", "Beauty")
	if code, told := complaintsOf(t, "mcc"); code != exit.Holds || !strings.Contains(told, "expected one of StateSpace, ") {
		t.Errorf("exit code %d, %s", code, told)
	}
	if code, told := complaintsOf(t, "mcc", "--examination", "Beauty"); code != exit.Usage || !strings.Contains(told, "expected one of StateSpace, ") {
		t.Errorf("exit code %d, %s", code, told)
	}
}

// TestNoSystemCallsInMessages: messages about files name the file and what is wrong, not
// the call of the system that found out.
func TestNoSystemCallsInMessages(t *testing.T) {
	const net = "../../testdata/philosophers.pnml"
	absent := filepath.Join(t.TempDir(), "absent")
	instance := filepath.Join(t.TempDir(), "Philosophers-PT-000003")
	text, err := os.ReadFile(net)
	if err == nil {
		err = os.Mkdir(instance, 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(instance, "model.pnml"), text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	results := filepath.Join(t.TempDir(), "results")
	for _, line := range []string{
		"--pnml ABSENT --deadlock", "states --pnml ABSENT", "view ABSENT", "play ABSENT", "play " + net + " ABSENT",
		"--pnml " + net + " --ltl-file ABSENT", "--pnml " + net + " --queries ABSENT", "translate --ltl-file ABSENT",
		"--pnml " + net + " --deadlock --trace ABSENT/a.json", "mcc ABSENT --examination OneSafe",
		"batch ABSENT", "batch --oracle ABSENT " + instance, "batch --out " + net + " " + instance,
		"batch --out " + results + " --examinations UpperBounds " + instance,
		"bench --pnml " + net + " --formulas ABSENT", "bench --pnml " + net + " --formulas ../../testdata/philosophers.hoa -o ABSENT/m.csv",
		"bench --pnml " + net + " --formulas ../../testdata/philosophers.hoa --plots " + net, "intersect ABSENT ABSENT",
	} {
		code, told := complaintsOf(t, strings.Fields(strings.ReplaceAll(line, "ABSENT", absent))...)
		for _, call := range []string{"stat ", "open ", "mkdir ", "lstat "} {
			if strings.Contains(told, call) || told == "" || code != exit.Input {
				t.Errorf("%s: exit code %d, %s", line, code, told)
				break
			}
		}
	}
}

// TestLinesThatAreNot: who chooses formulas by numbers that none has is told that, and
// nothing before.
func TestLinesThatAreNot(t *testing.T) {
	if code, told := complaintsOf(t, "bench", "--pnml", "../../testdata/philosophers.pnml", "--formulas", "../../testdata/philosophers.hoa", "--lines", "700"); code != exit.Usage || told != "pnmc: --lines: no formula has the number 700\n" {
		t.Errorf("exit code %d, %s", code, told)
	}
}

// TestPredicatesExpectPredicates: where a state predicate is expected, messages offer no
// operators of CTL.
func TestPredicatesExpectPredicates(t *testing.T) {
	for _, flag := range []string{"--reachable", "--invariant"} {
		for _, text := range []string{"eats0 >=", "+", "!(", "EX +"} {
			_, told := complaintsOf(t, "--pnml", "../../testdata/philosophers.pnml", flag, text)
			if !strings.Contains(told, "expected a place, a number, ") || strings.Contains(told, "EF EG") {
				t.Errorf("%s %s: %s", flag, text, told)
			}
		}
	}
}

// TestPackedWhereTextIsExpected: files that are no text are called what they are where
// right answers or runs are expected.
func TestPackedWhereTextIsExpected(t *testing.T) {
	folder := t.TempDir()
	write := func(name string, text []byte) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const net = "../../testdata/philosophers.pnml"
	text, err := os.ReadFile(net)
	if err != nil {
		t.Fatal(err)
	}
	model := filepath.Join(folder, "Philosophers-PT-000003", "model.pnml")
	if err := os.Mkdir(filepath.Dir(model), 0o755); err != nil {
		t.Fatal(err)
	}
	write("Philosophers-PT-000003/model.pnml", text)
	tar := append([]byte("net.pnml"), make([]byte, 504)...)
	copy(tar[257:], "ustar")
	packed := compress(t, text)
	for file, want := range map[string]string{
		write("t.tgz", compress(t, tar)):           "this is a tar archive, compressed by gzip: expected it unpacked",
		write("cut.gz", packed[:len(packed)/2]):    "compressed by gzip, and cut off",
		write("binary", []byte("\x7fELF\x02\x00")): "expected ",
	} {
		for _, arguments := range [][]string{
			{"batch", "--out", filepath.Join(folder, "results"), "--examinations", "OneSafe", "--oracle", file, filepath.Dir(model)},
			{"play", net, file},
		} {
			if code, told := complaintsOf(t, arguments...); code != exit.Input || !strings.Contains(told, file+": "+want) || strings.Contains(told, `\x`) {
				t.Errorf("%q: exit code %d, %s", arguments, code, told)
			}
		}
	}
	cut := write("Cut-PT-1.tgz", compress(t, tar)[:30])
	if code, told := complaintsOf(t, "batch", "--out", filepath.Join(folder, "results"), "--examinations", "OneSafe", cut); code != exit.Input || !strings.Contains(told, "cut off") || strings.Contains(told, "EOF") {
		t.Errorf("exit code %d, %s", code, told)
	}
}

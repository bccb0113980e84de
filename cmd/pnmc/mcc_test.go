package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/interrupt"
	"pnmc/internal/petritest"
	"pnmc/pnml"
)

// contestFolder returns a folder as the contest has them, of three philosophers.
func contestFolder(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	var model bytes.Buffer
	if err := pnml.Write(&model, petritest.Philosophers(3)); err != nil {
		t.Fatal(err)
	}
	properties := `<property-set xmlns="http://mcc.lip6.fr/">
<property><id>P-03</id><formula><exists-path><finally>
 <integer-le><integer-constant>2</integer-constant><tokens-count><place>eats0</place><place>eats1</place></tokens-count></integer-le>
</finally></exists-path></formula></property>
<property><id>P-07</id><formula><all-paths><globally>
 <negation><is-fireable><transition>nobody</transition></is-fireable></negation>
</globally></all-paths></formula></property>
</property-set>`
	for name, text := range map[string]string{"model.pnml": model.String(), "ReachabilityCardinality.xml": properties} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func TestMCC(t *testing.T) {
	folder := contestFolder(t)
	for _, test := range []struct {
		arguments string
		code      int
		out       string // the lines without techniques
	}{
		{"--examination StateSpace --time 20", exit.Holds,
			"STATE_SPACE STATES 27 STATE_SPACE TRANSITIONS 63 STATE_SPACE MAX_TOKEN_PER_MARKING 6 STATE_SPACE MAX_TOKEN_IN_PLACE 1"},
		{"--examination ReachabilityDeadlock --time 20", exit.Holds, "FORMULA ReachabilityDeadlock TRUE"},
		{"--examination ReachabilityCardinality --time 20", exit.Input, "FORMULA P-03 FALSE FORMULA P-07 CANNOT_COMPUTE"},
		{"--examination Beauty", exit.Usage, "DO_NOT_COMPETE"},
		{"--examination CTLFireability", exit.Input, "CANNOT_COMPUTE"},
		{"--time 20", exit.Usage, ""},
		{"--examination OneSafe --time 99999999999999 --memory 99999999999999", exit.Holds, "FORMULA OneSafe TRUE"},
		{"--examination OneSafe --time 0", exit.Usage, ""},
		{"--examination OneSafe --time 20 --memory -5", exit.Usage, ""},
	} {
		var out, messages bytes.Buffer
		arguments := append([]string{"pnmc", "mcc"}, append(strings.Fields(test.arguments), folder)...)
		if code := run(context.Background(), arguments, strings.NewReader(""), &out, &messages); code != test.code {
			t.Errorf("%s: exit code %d, should be %d: %s", test.arguments, code, test.code, messages.String())
		}
		for line := range strings.Lines(out.String()) {
			answer, _, _ := strings.Cut(strings.TrimSpace(line), " TECHNIQUES")
			if !strings.Contains(test.out, answer) {
				t.Errorf("%s: unexpected line %q", test.arguments, line)
			}
			test.out = strings.Replace(test.out, answer, "", 1)
		}
		if rest := strings.TrimSpace(test.out); rest != "" {
			t.Errorf("%s: no line %q", test.arguments, rest)
		}
	}
}

func TestMCCReadsTheContestsVariables(t *testing.T) {
	t.Setenv("BK_EXAMINATION", "OneSafe")
	t.Setenv("BK_TIME_CONFINEMENT", "20")
	t.Setenv("BK_MEMORY_CONFINEMENT", "2000")
	t.Setenv("BK_INPUT", "Philosophers-PT-000003")
	var out, messages bytes.Buffer
	arguments := []string{"pnmc", "mcc", "--explain", contestFolder(t)}
	if code := run(context.Background(), arguments, strings.NewReader(""), &out, &messages); code != exit.Holds {
		t.Errorf("exit code %d: %s", code, messages.String())
	}
	if !strings.HasPrefix(out.String(), "FORMULA OneSafe TRUE TECHNIQUES ") {
		t.Errorf("output %q", out.String())
	}
	if !strings.Contains(messages.String(), "FORMULA OneSafe TRUE: ") {
		t.Errorf("explanation %q", messages.String())
	}
}

// TestMCCTakesDefaultsForBadVariables: limits that are no numbers are told, and do not
// keep from answering.
func TestMCCTakesDefaultsForBadVariables(t *testing.T) {
	for _, bad := range []string{"abc", "0", "-3", "3600h", "0.5", "0x10", "NaN", "99999999999999999999"} {
		t.Setenv("BK_TIME_CONFINEMENT", bad)
		t.Setenv("BK_MEM_CONFINEMENT", bad)
		var out, messages bytes.Buffer
		arguments := []string{"pnmc", "mcc", "--examination", "OneSafe", contestFolder(t)}
		if code := run(context.Background(), arguments, strings.NewReader(""), &out, &messages); code != exit.Holds {
			t.Errorf("%s: exit code %d: %s", bad, code, messages.String())
		}
		if !strings.HasPrefix(out.String(), "FORMULA OneSafe TRUE TECHNIQUES ") ||
			!strings.Contains(messages.String(), "BK_TIME_CONFINEMENT: expected a number from 1 on, found \""+bad+"\"; taking 3600\n") ||
			!strings.Contains(messages.String(), "BK_MEM_CONFINEMENT: expected a number from 1 on, found \""+bad+"\"; taking 16000\n") {
			t.Errorf("%s: output %q, messages %q", bad, out.String(), messages.String())
		}
	}
}

// TestMCCTakesDecimals: seconds may have a fraction or a unit.
func TestMCCTakesDecimals(t *testing.T) {
	for text, want := range map[string]int64{"10.5": 10, "10s": 10, " 1e2 ": 100, "7.0s": 7, "1": 1} {
		t.Setenv("BK_TIME_CONFINEMENT", text)
		var messages bytes.Buffer
		var got int64
		app := &cli.App{ErrWriter: &messages,
			Action: func(c *cli.Context) error {
				got = contestVariable(c, "s", 3600, "BK_TIME_CONFINEMENT")
				return nil
			}}
		if err := app.Run([]string{"pnmc"}); err != nil || got != want || messages.Len() > 0 {
			t.Errorf("%q: %d, %v, messages %q", text, got, err, messages.String())
		}
	}
}

// TestMCCOfDamagedProperties: of a truncated file, what is whole is answered, and what
// is known of the rest given up.
func TestMCCOfDamagedProperties(t *testing.T) {
	folder := contestFolder(t)
	file := filepath.Join(folder, "ReachabilityCardinality.xml")
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	arguments := []string{"pnmc", "mcc", "--examination", "ReachabilityCardinality", folder}
	for cut, want := range map[string]string{
		"</globally>": "FORMULA P-03 FALSE FORMULA P-07 CANNOT_COMPUTE",
		"7</id>":      "FORMULA P-03 FALSE",
		"</formula>":  "CANNOT_COMPUTE",
	} {
		at := bytes.Index(source, []byte(cut))
		if err := os.WriteFile(file, source[:at], 0o600); err != nil {
			t.Fatal(err)
		}
		var out, messages bytes.Buffer
		code := run(context.Background(), arguments, strings.NewReader(""), &out, &messages)
		var answers []string
		for line := range strings.Lines(out.String()) {
			answer, _, _ := strings.Cut(strings.TrimSpace(line), " TECHNIQUES")
			answers = append(answers, answer)
		}
		slices.Sort(answers)
		if got := strings.Join(answers, " "); got != want || code != exit.Input || !strings.Contains(messages.String(), "ReachabilityCardinality.xml:") {
			t.Errorf("cut at %s: %q, exit code %d, %s", cut, got, code, messages.String())
		}
	}
}

// TestBenchKitHead: the script starts the program beside it, or on the path.
func TestBenchKitHead(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell")
	}
	script, err := filepath.Abs("../../mcc/BenchKit_head.sh")
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), "a b")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "pnmc"), []byte("#!/bin/sh\necho started $*\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, place := range []string{"BK_BIN_PATH=" + folder, "BK_BIN_PATH=" + folder + "/", "PATH=" + folder} {
		command := exec.Command(shell, script)
		command.Env = []string{place}
		if out, err := command.CombinedOutput(); err != nil || string(out) != "started mcc\n" {
			t.Errorf("%s: %q, %v", place, out, err)
		}
	}
}

// TestMCCInterrupted: who interrupts is told that answers are missing.
func TestMCCInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(interrupt.ErrInterrupted)
	var out, messages bytes.Buffer
	code := run(ctx, []string{"pnmc", "mcc", "--examination", "StateSpace", contestFolder(t)}, strings.NewReader(""), &out, &messages)
	if code != exit.Unknown || !strings.Contains(messages.String(), "interrupted: answers are missing") {
		t.Errorf("exit code %d, %q, %q", code, &out, &messages)
	}
}

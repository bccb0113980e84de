package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pnmc/cmd/pnmc/internal/batches"
	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/measure"
	"pnmc/internal/process"
)

// asTranslator, set in the environment, makes the test program a translator.
const asTranslator = "PNMC_TEST_TRANSLATOR"

// running tells a process that tests called, whatever it calls itself in between, that
// they run already.
const running = "PNMC_TEST_RUNNING"

func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == measure.CommandName { // bench calls it
		switch os.Getenv(asMeasurer) {
		case "crash":
			os.Exit(exit.Internal)
		case "killed":
			self, _ := os.FindProcess(os.Getpid())
			_ = self.Kill()
			select {}
		}
		main()
	}
	if len(os.Args) > 3 && os.Args[1] == "states" && os.Args[2] == "--format" { // bench --states calls it
		main()
	}
	if os.Getenv("BK_TOOL") != "" { // a batch calls it as the contest calls a tool
		if folder := os.Getenv(asTool); folder != "" {
			stubTool(folder)
			return
		}
		main()
	}
	if len(os.Args) > 2 && (os.Args[1] == batches.TaskCommand || slices.Contains(os.Args, "--task")) { // Slurm calls it
		main()
	}
	mode := os.Getenv(asTranslator)
	if mode == "" {
		// A worker that fuzzes is started by the tests, and runs no others.
		if os.Getenv(running) != "" && !slices.Contains(os.Args, "-test.fuzzworker") {
			fmt.Fprintln(os.Stderr, "a test called its own program without "+asTranslator+": it would run the tests, which call it, without end")
			os.Exit(exit.Usage)
		}
		if err := os.Setenv(running, "1"); err != nil {
			panic(err)
		}
		folder, err := os.MkdirTemp("", "pnmc-test-*") // for what commands leave there
		if err != nil {
			panic(err)
		}
		os.Setenv("TMPDIR", folder)
		// A program with the race detector waits a second before it ends, for races to come:
		// hundreds of processes here have no time for that. What races there are is told.
		os.Setenv("GORACE", strings.TrimSpace("atexit_sleep_ms=10 "+os.Getenv("GORACE")))
		code := m.Run()
		os.RemoveAll(folder)
		os.Exit(code)
	}
	formula := os.Args[len(os.Args)-1]
	translate := func(arguments ...string) {
		os.Exit(run(context.Background(), append([]string{"pnmc", "translate"}, arguments...), nil, os.Stdout, os.Stderr))
	}
	switch mode {
	case "program":
		main()
	case "measured": // what it had at most stands at the end of its messages
		code := run(context.Background(), os.Args, os.Stdin, os.Stdout, os.Stderr)
		fmt.Fprintln(os.Stderr, process.Peak())
		os.Exit(code)
	case "right":
		fmt.Fprintln(os.Stderr, "a formula!\nand what a formula")
		translate(formula)
	case "plain":
		if strings.Contains(formula, "eats") || !strings.Contains(formula, "[") && !strings.Contains(formula, "<>") {
			os.Exit(9)
		}
		translate("--ltl-syntax", "spin", formula)
	case "common":
		for _, word := range strings.Fields(strings.NewReplacer("!", " ", "(", " ", ")", " ").Replace(formula)) {
			if !slices.Contains([]string{"F", "G", "&&", "p0", "p1"}, word) {
				os.Exit(9)
			}
		}
		translate(formula)
	case "fin":
		// Whether state 1 is reached is told by what doesn't recur.
		propositions, label, set := `2 "p0" "p1"`, "0&1", 0
		if !strings.Contains(formula, "p1") { // !F p0
			propositions, label, set = `1 "p0"`, "0", 1
		}
		fmt.Printf("HOA: v1\nStates: 2\nStart: 0\nAP: %s\nAcceptance: 2 Fin(%d)\n--BODY--\n"+
			"State: 0\n[%s] 1\n[!(%s)] 0 {0}\nState: 1\n[t] 1 {1}\n--END--\n", propositions, set, label, label)
	case "others":
		translate("F thinks0")
	case "crash":
		fmt.Fprintln(os.Stderr, "out of luck")
		os.Exit(7)
	case "rubbish":
		fmt.Println("never claim { T0_init: skip }")
	case "hang":
		time.Sleep(time.Minute)
	}
}

// A translator that works gives the verdicts that pnmc's own gives; of one that
// doesn't, the verdict is unknown, what is wrong is told, and the next formula is
// checked. What it prints on standard error is shown.
func TestTranslators(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const verdicts = "FORMULA one TRUE TECHNIQUES …\n" +
		"FORMULA one-2 FALSE TECHNIQUES …\n"
	const none = "FORMULA one CANNOT_COMPUTE\nFORMULA one-2 CANNOT_COMPUTE\n"
	for _, c := range []struct {
		mode, arguments, output string
		complaint               string
		code                    int
	}{
		{"right", "{}", verdicts, "one: translator: and what a formula\n", exit.Violated},
		{"right", "", verdicts, "one: translator: a formula!\n", exit.Violated},
		{"plain", "-x %s", verdicts, "", exit.Violated},
		{"common", "", verdicts, "", exit.Violated},
		{"fin", "{}", verdicts, "", exit.Violated},
		{"right", "%f", verdicts, "one: translator: a formula!\n", exit.Violated},
		{"others", "{}", none, `its automaton has the proposition "thinks0"`, exit.Unknown},
		{"crash", "{}", none, "1 time more: translator: out of luck", exit.Unknown},
		{"rubbish", "{}", none, "one-2: unknown: translator: rubbish: no automaton, but", exit.Unknown},
		{"hang", "{}", none, "one-2: unknown: translator: time limit of translation, 300ms, reached", exit.Unknown},
	} {
		t.Setenv(asTranslator, c.mode)
		limit := "30s"
		if c.mode == "hang" {
			limit = "300ms"
		}
		var stdout, stderr bytes.Buffer
		code := run(context.Background(), []string{"pnmc", "--pnml", "../../testdata/philosophers.pnml",
			"--name", "one", "--ltl", `G!("eats0>=1" & "eats1>=1")`, "--ltl", `F "eats0>=1"`,
			"--translator", fmt.Sprintf("'%s' %s", self, c.arguments), "--translation-timeout", limit}, nil, &stdout, &stderr)
		if code != c.code || masked("pnmc --ltl", stdout.String()) != c.output || !strings.Contains(stderr.String(), c.complaint) ||
			(c.complaint == "") != (stderr.Len() == 0) {
			t.Errorf("%s: exit code %d\n%s%s", c.mode, code, &stdout, &stderr)
		}
	}
}

// A formula whose automaton is huge ends at the limit.
func TestTranslationLimit(t *testing.T) {
	var parts []string
	for i := range 3 {
		for _, place := range []string{"thinks", "left", "right", "eats"} {
			parts = append(parts, fmt.Sprintf("(F%s%d U G%s%d)", place, i, place, (i+1)%3))
		}
	}
	var stdout, stderr bytes.Buffer
	code := run(context.Background(), []string{"pnmc", "--pnml", "../../testdata/philosophers.pnml", "--name", "huge",
		"--ltl", strings.Join(parts, " <-> "), "--ltl", "F eats0", "--translation-timeout", "500ms", "--approach", "tgba"}, nil, &stdout, &stderr)
	want := "FORMULA huge CANNOT_COMPUTE\nFORMULA huge-2 FALSE TECHNIQUES EXPLICIT STATE_COMPRESSION\n"
	if code != exit.Violated || stdout.String() != want || !strings.Contains(stderr.String(), "huge: unknown: time limit of translation") {
		t.Errorf("exit code %d\n%s%s", code, &stdout, &stderr)
	}
}

// TestDecidingIsNotReading: what it takes to decide the questions of a file is not taken from the time
// for reading the rest of it. Each question has a line.
func TestDecidingIsNotReading(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	// The last is so long that the limits of reading are asked while its names are looked up.
	formulas := "G left0 >= 0\nG left1 >= 0\nG \"left2 >= 0" + strings.Repeat(" | left2 >= 0", 1_000) + "\"\n"
	folder := t.TempDir()
	slow, file := filepath.Join(folder, "slow.sh"), filepath.Join(folder, "formulas.ltl")
	write(t, file, formulas)
	// To decide two questions takes longer than the limit, however long that is. Where other processes leave little of
	// the processor, reading takes as long as a short one.
	var stdout, stderr string
	for _, limit := range []float64{2, 20} {
		write(t, slow, fmt.Sprintf("sleep %g; printf 'HOA: v1\\nStates: 0\\nAP: 0\\nAcceptance: 0 t\\n--BODY--\\n--END--\\n'\n", 0.55*limit))
		_, stdout, stderr = runPnmc(t, "--pnml", filepath.Join("..", "..", "testdata", "philosophers.pnml"), "--ltl-file", file,
			"--approach", "tgba", "--translator", "sh "+slow+" %f", "--timeout", fmt.Sprintf("%gs", limit))
		if strings.Count(stdout, "FORMULA ") == 3 && !strings.Contains(stderr, "while it was read") {
			return
		}
	}
	t.Errorf("%s%s", stdout, stderr)
}

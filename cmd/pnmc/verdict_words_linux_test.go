package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"pnmc/cmd/pnmc/internal/exit"
)

// TestVerdictsInWords checks that each approach tells a terminal its verdicts in words, with
// the run of one that is violated, and that --quiet has it tell nothing.
func TestVerdictsInWords(t *testing.T) {
	net := "../../testdata/philosophers.pnml"
	for _, approach := range []string{"auto", "tgba", "ba", "ta", "tgta", "sym-tgba", "sym-tgta", "sym-slap"} {
		x := inTerminal(t, nil, "--pnml", net, "--ltl", "G !deadlock", "--ltl", "G !(eats0 & eats1)", "--approach", approach)
		if code := x.ends(); code != exit.Violated {
			t.Errorf("%s: exit code %d", approach, code)
		}
		said := escapes.ReplaceAllString(x.written(), "")
		for _, want := range []string{"pnmc: G !deadlock: does not hold, by ", "; again and again deadlock", "pnmc: G !(eats0 & eats1): holds, by "} {
			if !strings.Contains(said, want) {
				t.Errorf("%s: no %q in\n%s", approach, want, said)
			}
		}
		x = inTerminal(t, nil, "--pnml", net, "--ltl", "G !deadlock", "--approach", approach, "--quiet")
		x.ends()
		if said := x.written(); strings.Contains(said, "does not hold") {
			t.Errorf("%s, quiet:\n%s", approach, said)
		}
	}
}

// TestExplainNamedApproach checks that --explain tells what a named approach decided, and
// what it did not.
func TestExplainNamedApproach(t *testing.T) {
	for _, approach := range []string{"tgba", "ta", "sym-tgta"} {
		var stdout, stderr bytes.Buffer
		run(context.Background(), []string{"pnmc", "--pnml", "../../testdata/philosophers.pnml", "--ltl", "G !deadlock",
			"--ltl", "G !(eats0 & eats1)", "--ltl", "X X eats0", "--approach", approach, "--explain"}, nil, &stdout, &stderr)
		for _, want := range []string{": G !deadlock: does not hold, by ", ": G !(eats0 & eats1): holds, by "} {
			if strings.Count(stderr.String(), want) != 1 {
				t.Errorf("%s: not once %q in\n%s", approach, want, &stderr)
			}
		}
		if lines := strings.Count(stderr.String(), "s decided by ") + strings.Count(stderr.String(), "s not decided: X X eats0: "); lines != 3 {
			t.Errorf("%s: %d of three questions told:\n%s", approach, lines, &stderr)
		}
	}
}

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pnmc/cmd/pnmc/internal/exit"
)

// streettText returns an automaton that is not deterministic, with as many pairs, the sets of
// each of which have edges of their own.
func streettText(pairs int) string {
	var conjuncts []string
	var edges strings.Builder
	for i := range pairs {
		conjuncts = append(conjuncts, fmt.Sprintf("(Fin(%d)|Inf(%d))", 2*i, 2*i+1))
		fmt.Fprintf(&edges, "[0] 0 {%d}\n[!0] 0 {%d}\n", 2*i, 2*i+1)
	}
	return fmt.Sprintf("HOA: v1\nStates: 1\nStart: 0\nAP: 1 \"a\"\nAcceptance: %d %s\n--BODY--\nState: 0\n%s--END--\n",
		2*pairs, strings.Join(conjuncts, "&"), edges.String())
}

const onlyA = "HOA: v1\nStates: 1\nStart: 0\nAP: 1 \"a\"\nAcceptance: 0 t\n--BODY--\nState: 0\n[0] 0\n--END--\n"

func TestComparisonsTellOfLimits(t *testing.T) {
	directory := t.TempDir()
	path := func(name, text string) string {
		p := filepath.Join(directory, name)
		if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return p
	}
	streett, only := path("streett.hoa", streettText(20)), path("only.hoa", onlyA)
	full := path("full.hoa", strings.Replace(onlyA, "[0] 0", "[t] 0\n[0] 0", 1))
	two := strings.NewReplacer("States: 1", "States: 2", "[0] 0", "[0] 1\nState: 1\n[0] 1").Replace(onlyA)
	many := path("many.hoa", strings.Repeat(two, 13))
	for _, c := range []struct {
		name      string
		arguments []string
		code      int
		stdout    string
		stderr    string
		lines     int
	}{
		{"a condition too large to complement", []string{"include", full, streett}, exit.Unknown, "?\n", "more than 4096 disjuncts", 1},
		{"a wrong complement: both", []string{"include", "--complement", only, only, only}, exit.Input, "?\n", "both accept", 1},
		{"a wrong complement: neither", []string{"include", "--complement", path("none.hoa", strings.Replace(onlyA, "0 t", "0 f", 1)), only, only},
			exit.Input, "?\n", "neither accept", 1},
		{"many reasons", []string{"intersect", "--limit", "1", many, many}, exit.Unknown, strings.Repeat("?????????????\n", 13), "159 more pairs of automata: unknown", 11},
	} {
		var stdout, stderr bytes.Buffer
		code := run(context.Background(), append([]string{"pnmc"}, c.arguments...), nil, &stdout, &stderr)
		if code != c.code || stdout.String() != c.stdout || !strings.Contains(stderr.String(), c.stderr) || strings.Count(stderr.String(), "\n") != c.lines {
			t.Errorf("%s: exit code %d\n%s%s", c.name, code, stdout.String(), stderr.String())
		}
	}
}

// TestTooManyPropositionsOfTestingAutomaton: a testing automaton that has too many to be made
// a plain one is right, and what is asked about it is unknown.
func TestTooManyPropositionsOfTestingAutomaton(t *testing.T) {
	var names strings.Builder
	for i := range 17 {
		fmt.Fprintf(&names, " \"p%d\"", i)
	}
	path := filepath.Join(t.TempDir(), "many.hoa")
	text := "HOA: v1\nStates: 2\nStart: 0\nAP: 17" + names.String() +
		"\nacc-name: all\nAcceptance: 0 t\nTesting: tgta\n--BODY--\nState: 0\n[t] 1\nState: 1\n[t] 1\n--END--\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		arguments []string
		stdout    string
	}{
		{[]string{"intersect", path, path}, "?\n"},
		{[]string{"include", path, path}, "?\n"},
		{[]string{"equivalent", path, path}, "?\n"},
		{[]string{"convert", "--hoa", path, "--to", "tgba"}, ""},
	} {
		var stdout, stderr bytes.Buffer
		code := run(context.Background(), append([]string{"pnmc"}, c.arguments...), nil, &stdout, &stderr)
		if code != exit.Unknown || stdout.String() != c.stdout || !strings.Contains(stderr.String(), "many.hoa:1:1: too many propositions") {
			t.Errorf("%s: exit code %d\n%s%s", c.arguments[0], code, stdout.String(), stderr.String())
		}
	}
}

package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"pnmc/automata"
	"pnmc/automata/bdd"
	"pnmc/automata/statistics"
	"pnmc/automata/translate"
	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/internal/automatatest"
	"pnmc/logic/ltl"
)

// Of a long formula that is given up, messages repeat the beginning and the end.
func TestLongFormulaGivenUp(t *testing.T) {
	formula := "Fa" + strings.Repeat(" & X a", 40) + " & (p0"
	for _, p := range strings.Fields("p1 p2 p3 p4 p5 p6 p7 p8 p9 q0 q1 q2 q3 q4 q5 q6 q7 q8 q9 r0 r1 r2 r3 r4 r5 r6 r7 r8 r9") {
		formula += " xor " + p
	}
	var out, complaints bytes.Buffer
	code := run(context.Background(), []string{"pnmc", "translate", formula + ")"}, nil, &out, &complaints)
	if said := complaints.String(); code != exit.Unknown || !strings.Contains(said, " … ") || len(said) > 400 ||
		!strings.Contains(said, "given up: translation too large") {
		t.Errorf("exit code %d, %s", code, said)
	}
}

// A Boolean function that is too large is no fault of the formula. Package automata/internal/marked has one of a formula.
func TestFunctionGivenUp(t *testing.T) {
	as := kinds["tgta"]
	defer func() { kinds["tgta"] = as }()
	kinds["tgta"] = func(context.Context, *ltl.Formulas, *ltl.Formula, translate.Options) (*automata.Automaton, error) {
		f := bdd.New(64, 16)
		for all, p := bdd.TrueFunction, 0; f.Err() == nil; p++ {
			all = f.And(all, f.Proposition(p))
		}
		return nil, f.Err()
	}
	var out, complaints bytes.Buffer
	code := run(context.Background(), []string{"pnmc", "translate", "G(a|b)", "--to", "tgta"}, nil, &out, &complaints)
	if said := complaints.String(); code != exit.Unknown || !strings.Contains(said, "given up: the Boolean function is too large") {
		t.Errorf("exit code %d, %s", code, said)
	}
}

func TestShortened(t *testing.T) {
	if s := shortened("G a"); s != "G a" {
		t.Error(s)
	}
	if s := shortened(strings.Repeat("é", 50) + strings.Repeat("b", 50)); s != strings.Repeat("é", 40)+" … "+strings.Repeat("b", 20) {
		t.Error(s)
	}
}

// The help of commands with --stats tells all sequences that there are.
func TestStatsHelpIsComplete(t *testing.T) {
	a := automatatest.Random(automatatest.RandomSettings{States: 1}, 1)
	known := 0
	for c := byte('!'); c <= '~'; c++ {
		sequence := "%" + string(c)
		if _, err := statistics.Format(context.Background(), sequence, a); err != nil {
			continue
		}
		known++
		if !strings.Contains(statsUsage, sequence+" ") {
			t.Errorf("%s is not described", sequence)
		}
	}
	if known < 10 {
		t.Errorf("only %d sequences", known)
	}
}

func TestNegativeTranslationTimeout(t *testing.T) {
	var out, complaints bytes.Buffer
	code := run(context.Background(), []string{"pnmc", "--pnml", "testdata/doors.pnml", "--ltl", "G 1",
		"--translation-timeout", "-1s"}, nil, &out, &complaints)
	if code != exit.Usage || !strings.Contains(complaints.String(), "--translation-timeout: expected") {
		t.Errorf("exit code %d, %s", code, complaints.String())
	}
}

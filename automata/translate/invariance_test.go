package translate_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"pnmc/automata"
	"pnmc/automata/stutter"
	"pnmc/hoa"
	"pnmc/logic/ltl"
)

// guess is a formula whose automaton has to guess what follows, so that simulation does
// not show its language to be stutter-invariant.
const guess = "F(a & ((F b & (!a U c)) | ((a R !c) & G !b)))"

// TestInvarianceOfNext: whether a formula with X is stutter-invariant is found out with
// the automaton of its negation, and from the automaton alone.
func TestInvarianceOfNext(t *testing.T) {
	for _, c := range []struct {
		formula   string
		invariant bool
	}{
		{"X a", false},
		{"a & X !a", false},
		{"F(!a & X a)", true},
		{"F(a & X F b)", false},
		{"G(a -> X a)", true},
		{"GF(a & X !a)", true},
		{"GF(a & X a)", false},
		{guess + " & GF(e & X !e)", true},
		{guess + " & F(e & X !e) & GF a & GF d", true},
		{guess + " & F(e & X X !e) & GF a & GF d", false},
		{"!(" + guess + " & GF(e & X !e))", true},
	} {
		s := ltl.NewFormulas()
		a := translated(t, s, parse(t, s, c.formula), false)
		if claimed := a.Claims&automata.ClaimStutterInvariant != 0; claimed != c.invariant {
			t.Errorf("%s: stutter-invariant %v", c.formula, claimed)
		}
		v, err := stutter.DecideInvariance(context.Background(), a)
		if err != nil {
			t.Fatal(err)
		}
		if v.Whole != c.invariant || v.Refuted == c.invariant {
			t.Errorf("%s, from its automaton alone: stutter-invariant %v, refuted %v", c.formula, v.Whole, v.Refuted)
		}
	}
}

// TestInvarianceOfSharedNext: the shared automata of formulas with X, of which those
// that claim to be stutter-invariant are; of each it is found out.
func TestInvarianceOfSharedNext(t *testing.T) {
	files, _ := filepath.Glob("../../../shared/ltl/*/next.hoa")
	if len(files) == 0 {
		t.Skip("no shared automata")
	}
	for _, name := range files {
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		reader := hoa.NewReader(file, name)
		n, invariant := 0, 0
		for ; ; n++ {
			a, err := reader.Read()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			v, err := stutter.DecideInvariance(context.Background(), a)
			if err != nil {
				t.Fatal(err)
			}
			if v.Whole {
				invariant++
			}
			if !v.Whole && !v.Refuted {
				t.Errorf("%s, automaton %d: neither shown nor refuted", name, n)
			}
			if claimed := a.Claims&automata.ClaimStutterInvariant != 0; claimed && v.Refuted {
				t.Errorf("%s, automaton %d: refuted, but claimed", name, n)
			}
		}
		t.Logf("%s: %d of %d stutter-invariant", name, invariant, n)
	}
}

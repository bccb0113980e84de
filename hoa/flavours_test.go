package hoa

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"pnmc/automata"
)

// transitions lists what an automaton does, valuation by valuation, so that
// equal lists mean equal automata however the labels were written.
func transitions(a *automata.Automaton) []string {
	all := []string{fmt.Sprint(a.States(), a.Initial(), a.Propositions, a.Acceptance.Sets, a.Acceptance.Condition)}
	for e := range automata.Edge(a.Edges()) {
		for v := range uint64(1) << len(a.Propositions) {
			if a.Matches(e, automata.Valuation{v}) {
				all = append(all, fmt.Sprint(a.Source(e), v, a.Destination(e), a.Marks(e)))
			}
		}
	}
	slices.Sort(all)
	return all
}

// TestFlavours reads automata that Spot wrote in all its ways: with implicit
// labels, state labels, mixed acceptance, on one line, with aliases, and in
// version 1.1. They are the same automata.
func TestFlavours(t *testing.T) {
	const folder = "../../shared/hoa/spot/"
	if _, err := os.Stat(folder); err != nil {
		t.Skip("no reference data in ../shared")
	}
	without, errs := readFile(t, folder+"tgba.hoa")
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	reference := make(map[string]*automata.Automaton)
	for _, a := range without {
		reference[a.Name] = a
	}
	for _, flavour := range []string{"Hi", "Hk", "Hl", "Hm", "Hb", "H1.1"} {
		all, errs := readFile(t, folder+"tgba-"+flavour+".hoa")
		if len(errs) > 0 || len(all) < 40 {
			t.Fatalf("%s: %d automata, %v", flavour, len(all), errs)
		}
		for i, a := range all {
			same := reference[a.Name]
			if same == nil {
				t.Fatalf("%s: %q is new", flavour, a.Name)
			}
			if len(a.Propositions) > 8 {
				continue
			}
			if !slices.Equal(transitions(a), transitions(same)) {
				t.Errorf("%s, automaton %d, %s: not as without options", flavour, i, a.Name)
			}
			// What version 1 says is said in version 1.1, too, and more.
			if a.Claims != same.Claims {
				t.Errorf("%s, automaton %d: claims %b, without options %b", flavour, i, a.Claims, same.Claims)
			}
		}
	}
}

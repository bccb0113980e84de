package mcc

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pnmc/petri"
)

// netWithout has no transitions, and a place for each of the counts.
func netWithout(t *testing.T, tokens ...int64) *petri.Net {
	t.Helper()
	b := &petri.Builder{ID: "still"}
	for i, count := range tokens {
		if _, err := b.AddPlace(string(rune('p'+i)), "", count); err != nil {
			t.Fatal(err)
		}
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// TestNetsWithoutTransitions: what is asked of all transitions is true of none.
func TestNetsWithoutTransitions(t *testing.T) {
	for _, test := range []struct {
		net  *petri.Net
		want map[string]string
	}{
		{netWithout(t), map[string]string{"ReachabilityDeadlock": "TRUE", "OneSafe": "TRUE", "QuasiLiveness": "TRUE",
			"StableMarking": "FALSE", "Liveness": "TRUE"}},
		{netWithout(t, 2, 0), map[string]string{"ReachabilityDeadlock": "TRUE", "OneSafe": "FALSE", "QuasiLiveness": "TRUE",
			"StableMarking": "TRUE", "Liveness": "TRUE"}},
	} {
		for name, want := range test.want {
			got := answersOf(t, t.TempDir(), test.net, name, nil, 10)
			expect(t, name, got, map[string]string{name: want}, nil)
		}
	}
}

// uselessTransition is a coloured net whose transition has no binding: its guard
// never holds.
const uselessTransition = `<?xml version="1.0"?>
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
 <net id="useless" type="http://www.pnml.org/version-2009/grammar/symmetricnet">
  <declaration><structure><declarations>
   <namedsort id="s" name="s"><cyclicenumeration><feconstant id="a" name="a"/><feconstant id="b" name="b"/></cyclicenumeration></namedsort>
   <variabledecl id="x" name="x"><usersort declaration="s"/></variabledecl>
  </declarations></structure></declaration>
  <page id="page">
   <place id="p"><type><structure><usersort declaration="s"/></structure></type>
    <hlinitialMarking><structure><all><usersort declaration="s"/></all></structure></hlinitialMarking></place>
   <transition id="t"><condition><structure>
    <inequality><subterm><variable refvariable="x"/></subterm><subterm><variable refvariable="x"/></subterm></inequality>
   </structure></condition></transition>
   <arc id="in" source="p" target="t"><hlinscription><structure>
    <numberof><subterm><numberconstant value="1"><positive/></numberconstant></subterm><subterm><variable refvariable="x"/></subterm></numberof>
   </structure></hlinscription></arc>
  </page>
 </net>
</pnml>`

func TestTransitionWithoutInstances(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "model.pnml"), []byte(strings.TrimSpace(uselessTransition)), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"QuasiLiveness": "FALSE", "Liveness": "FALSE", "ReachabilityDeadlock": "TRUE", "StableMarking": "TRUE"} {
		expect(t, name, answersIn(t, folder, name, nil, 10), map[string]string{name: want}, nil)
	}
}

// ring has a token that goes round two places.
func ring(t *testing.T) *petri.Net {
	t.Helper()
	b := &petri.Builder{ID: "ring"}
	for i := range 2 {
		if _, err := b.AddPlace(string(rune('p'+i)), "", int64(1-i)); err != nil {
			t.Fatal(err)
		}
	}
	for i := range petri.Place(2) {
		u, err := b.AddTransition(string(rune('t'+i)), "")
		if err := errors.Join(err, b.AddInput(i, u, 1), b.AddOutput(u, 1-i, 1)); err != nil {
			t.Fatal(err)
		}
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// TestTechniquesTellOfReduction: it is named where a rule applied, and only there.
func TestTechniquesTellOfReduction(t *testing.T) {
	folder, net := t.TempDir(), ring(t)
	answersOf(t, folder, net, "OneSafe", nil, 10) // writes the model
	// Deadlocks protect no place, tokens protect theirs.
	for name, reduced := range map[string]bool{"OneSafe": false, "ReachabilityDeadlock": true} {
		var out bytes.Buffer
		if err := Run(context.Background(), folder, name, Options{Time: 10 * time.Second}, &out); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(out.String(), "STRUCTURAL_REDUCTION"); got && !reduced {
			t.Errorf("%s: no rule applies, answer %q", name, out.String())
		}
	}
}

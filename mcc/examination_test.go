package mcc

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

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

package twin_test

import (
	"fmt"
	"strings"
	"testing"

	"pnmc/internal/torture/twin"
)

// TestReadsWideNets: a transition with very many arcs is read in time that grows with their
// number, not with its cube, which the chamber would wait for.
func TestReadsWideNets(t *testing.T) {
	const places = 20_000
	var b strings.Builder
	b.WriteString(`<pnml><net id="n"><page id="g"><transition id="t"/>`)
	for p := range places {
		fmt.Fprintf(&b, `<place id="p%d"/><arc id="a%d" source="p%d" target="t"/><arc id="b%d" source="p%d" target="t"/>`, p, p, p, p, p)
	}
	b.WriteString(`</page></net></pnml>`)
	n, err := twin.ReadNet([]byte(b.String()))
	if err != nil || len(n.Inputs[0]) != places || n.Inputs[0][7].Weight != 2 {
		t.Fatalf("%v, %d arcs", err, len(n.Inputs[0]))
	}
}

// TestReadArcs: of an input arc and read arcs of one place, the largest weight is needed, and that of the
// input arc is taken.
func TestReadArcs(t *testing.T) {
	const head = `<pnml><net><page><place id="p"><initialMarking><text>3</text></initialMarking></place><transition id="t"/>`
	arc := func(kind, weight string) string {
		return `<arc source="p" target="t" type="` + kind + `"><inscription><text>` + weight + `</text></inscription></arc>`
	}
	for text, expected := range map[string][2]int{ // markings and edges
		arc("read", "3"):                                           {1, 1},
		arc("read", "4"):                                           {1, 0},
		arc("read", "2") + arc("read", "3"):                        {1, 1},
		arc("read", "2") + arc("normal", "1"):                      {3, 2},
		arc("read", "1") + arc("normal", "1"):                      {4, 3},
		arc("normal", "2") + arc("read", "3") + arc("read", "1"):   {2, 1},
		arc("normal", "1") + arc("normal", "1") + arc("read", "2"): {2, 1},
	} {
		n, err := twin.ReadNet([]byte(head + text + `</page></net></pnml>`))
		if err != nil {
			t.Fatal(err)
		}
		g := n.Explore(100)
		edges := 0
		for _, list := range g.Edges {
			edges += len(list)
		}
		if len(g.Markings) != expected[0] || edges != expected[1] {
			t.Errorf("%s: %d markings and %d edges, expected %v", text, len(g.Markings), edges, expected)
		}
	}
}

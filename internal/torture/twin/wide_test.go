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

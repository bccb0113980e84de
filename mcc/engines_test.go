package mcc

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/pnml"
)

// drawQueries draws formulas of an examination with their truth by the
// definitions; those of LTL that the naive twin cannot decide are left out.
func drawQueries(t *rapid.T, net *petri.Net, g *petritest.Graph, name string, count int) (properties []Property, want map[string]string) {
	want = make(map[string]string)
	n := naive{net: net, g: g}
	fireability := strings.HasSuffix(name, "Fireability")
	for i := range count {
		p := Property{ID: fmt.Sprintf("%s-%02d", name, i)}
		switch {
		case name == "UpperBounds":
			p.Formula = &Formula{Kind: Bound}
			for place := range petri.Place(net.Places()) {
				if int(place) == i%net.Places() || rapid.Bool().Draw(t, "place") {
					p.Formula.Names = append(p.Formula.Names, net.PlaceLabel(place).ID)
				}
			}
			want[p.ID] = fmt.Sprint(largestSum(net, g, p.Formula.Names))
		case name[0] == 'R':
			kinds := rapid.SampledFrom([][2]Kind{{AllPaths, Globally}, {ExistsPath, Finally}}).Draw(t, "kinds")
			p.Formula = &Formula{Kind: kinds[0], Operands: []*Formula{{Kind: kinds[1], Operands: []*Formula{drawState(t, net, fireability, 3)}}}}
			want[p.ID] = word3(n.states(p.Formula)[0])
		case name[0] == 'C':
			p.Formula = drawTemporal(t, net, fireability, true, 3)
			want[p.ID] = word3(n.states(p.Formula)[0])
		default:
			f := drawTemporal(t, net, fireability, false, 3)
			b, ok := newTableau(n, f)
			if !ok {
				continue
			}
			p.Formula = &Formula{Kind: AllPaths, Operands: []*Formula{f}}
			want[p.ID] = word3(!b.violated(f))
		}
		properties = append(properties, p)
	}
	return properties, want
}

func largestSum(net *petri.Net, g *petritest.Graph, names []string) int64 {
	largest := int64(0)
	for _, m := range g.Markings {
		total := int64(0)
		for p := range m {
			if slices.Contains(names, net.PlaceLabel(petri.Place(p)).ID) {
				total += m[p]
			}
		}
		largest = max(largest, total)
	}
	return largest
}

// TestLinearTimeAgreesWithNaiveTwin holds whole runs of the LTL examinations
// against the definition.
func TestLinearTimeAgreesWithNaiveTwin(t *testing.T) {
	folder := t.TempDir()
	truths := map[string]int{}
	if !petritest.CheckUntil(t, func() bool { return truths["TRUE"] >= 10 && truths["FALSE"] >= 10 }, func(t *rapid.T) {
		net, g := petritest.SmallNet(t)
		for _, name := range []string{"LTLCardinality", "LTLFireability"} {
			properties, want := drawQueries(t, net, g, name, 5)
			if len(properties) == 0 {
				continue
			}
			expect(t, name, answersOf(t, folder, net, name, properties, 20), want, properties)
			for _, w := range want {
				truths[w]++
			}
		}
	}) {
		t.Errorf("formulas drawn: %v", truths)
	}
}

// engineTime is what a run may take that need not answer all.
const engineTime = 40 * time.Millisecond

// write makes the files of an examination in folder.
func write(t fataler, folder string, net *petri.Net, name string, properties []Property) {
	var model bytes.Buffer
	if err := pnml.Write(&model, net); err != nil {
		t.Fatal(err)
	}
	source, err := WriteXML(properties)
	if err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string][]byte{"model.pnml": model.Bytes(), name + ".xml": source} {
		if err := os.WriteFile(filepath.Join(folder, file), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

package mcc

import (
	"bytes"
	"context"
	"errors"
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
	"pnmc/petri/symmetric"
	"pnmc/petri/symmetric/colourless"
	"pnmc/pnml"
)

// colouredNaive evaluates formulas over coloured nodes on the state graph of the
// plainly unfolded net.
type colouredNaive struct {
	u *symmetric.Unfolding
	g *petritest.Graph
}

func (n colouredNaive) sum(m petri.Marking, ids []string) int64 {
	total := int64(0)
	for i, p := range n.u.Coloured.Places {
		for _, id := range ids {
			for _, q := range n.u.Places[i] {
				if p.ID == id {
					total += m[q]
				}
			}
		}
	}
	return total
}

func (n colouredNaive) fireable(m petri.Marking, ids []string) bool {
	for i, t := range n.u.Coloured.Transitions {
		if slices.Contains(ids, t.ID) && slices.ContainsFunc(n.u.Transitions[i],
			func(u petri.Transition) bool { return n.u.Net.Enabled(m, u) }) {
			return true
		}
	}
	return false
}

func (n colouredNaive) holds(f *Formula, m petri.Marking) bool {
	value := func(g *Formula) int64 {
		if g.Kind == Integer {
			return g.Value
		}
		return n.sum(m, g.Names)
	}
	switch f.Kind {
	case Fireable:
		return n.fireable(m, f.Names)
	case LessOrEqual:
		return value(f.Operands[0]) <= value(f.Operands[1])
	case Negation:
		return !n.holds(f.Operands[0], m)
	case Conjunction:
		return n.holds(f.Operands[0], m) && n.holds(f.Operands[1], m)
	}
	return n.holds(f.Operands[0], m) || n.holds(f.Operands[1], m)
}

// questions draws properties of an examination and tells their answers.
func (n colouredNaive) questions(t *rapid.T, name string) ([]Property, map[string]string) {
	want := make(map[string]string)
	some := func(f func(m petri.Marking) bool) bool { return slices.ContainsFunc(n.g.Markings, f) }
	start := n.g.Markings[0]
	places, transitions := n.u.Coloured.Places, n.u.Coloured.Transitions
	// every reports whether all nodes have a property.
	every := func(count int, f func(i int) bool) string {
		for i := range count {
			if !f(i) {
				return "FALSE"
			}
		}
		return "TRUE"
	}
	switch name {
	case "ReachabilityDeadlock":
		want[name] = word3(slices.ContainsFunc(n.g.Edges, func(e []petritest.Firing) bool { return len(e) == 0 }))
	case "OneSafe":
		want[name] = every(len(places), func(i int) bool {
			return !some(func(m petri.Marking) bool { return n.sum(m, []string{places[i].ID}) > 1 })
		})
	case "StableMarking":
		moves := every(len(places), func(i int) bool {
			id := []string{places[i].ID}
			return some(func(m petri.Marking) bool { return n.sum(m, id) != n.sum(start, id) })
		})
		want[name] = word3(moves == "FALSE")
	case "QuasiLiveness":
		want[name] = every(len(transitions), func(i int) bool {
			return some(func(m petri.Marking) bool { return n.fireable(m, []string{transitions[i].ID}) })
		})
	}
	if len(want) > 0 {
		return nil, want
	}
	// A stand-in for drawState: a net with the coloured nodes.
	skeleton, err := colourless.Skeleton(n.u.Coloured)
	if err != nil {
		t.Fatal(err)
	}
	var properties []Property
	for i := range 6 {
		p := Property{ID: fmt.Sprintf("%s-%d", name, i)}
		if name == "UpperBounds" {
			p.Formula = &Formula{Kind: Bound, Names: []string{rapid.SampledFrom(places).Draw(t, "place").ID}}
			largest := int64(0)
			for _, m := range n.g.Markings {
				largest = max(largest, n.sum(m, p.Formula.Names))
			}
			want[p.ID] = fmt.Sprint(largest)
		} else {
			f := drawState(t, skeleton, strings.HasSuffix(name, "Fireability"), 3)
			holds := func(m petri.Marking) bool { return n.holds(f, m) }
			fails := func(m petri.Marking) bool { return !n.holds(f, m) }
			if rapid.Bool().Draw(t, "exists") {
				p.Formula = &Formula{Kind: ExistsPath, Operands: []*Formula{{Kind: Finally, Operands: []*Formula{f}}}}
				want[p.ID] = word3(some(holds))
			} else {
				p.Formula = &Formula{Kind: AllPaths, Operands: []*Formula{{Kind: Globally, Operands: []*Formula{f}}}}
				want[p.ID] = word3(!some(fails))
			}
		}
		properties = append(properties, p)
	}
	return properties, want
}

// TestColouredAgreesWithNaiveTwin asks random questions about symmetric nets: whole runs
// answer all.
func TestColouredAgreesWithNaiveTwin(t *testing.T) {
	for _, net := range []string{
		"../pnml/testdata/symmetric/small.pnml", "../cmd/pnmc/testdata/token.pnml",
		"Philosophers-COL-000005", "SharedMemory-COL-000005", "TokenRing-COL-005", "NeoElection-COL-2",
	} {
		t.Run(filepath.Base(net), func(t *testing.T) {
			file := net
			if !strings.HasSuffix(net, ".pnml") {
				file = petritest.ContestModel(t, net)
			}
			compareColoured(t, file)
		})
	}
}

func compareColoured(t *testing.T, file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "model.pnml"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	document, err := pnml.Reader{}.ReadDocumentFile(file)
	if err != nil {
		t.Fatal(err)
	}
	u, err := document.Symmetric.Unfold(t.Context(), symmetric.Options{})
	if err != nil {
		t.Fatal(err)
	}
	g, complete := petritest.Explore(u.Net, 5000)
	if !complete {
		t.Fatalf("%s has more than 5000 markings", file)
	}
	twin := colouredNaive{u, g}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"ReachabilityDeadlock", "OneSafe", "StableMarking", "QuasiLiveness", "UpperBounds",
			"ReachabilityCardinality", "ReachabilityFireability", "CTLCardinality", "CTLFireability"}).Draw(t, "examination")
		properties, want := twin.questions(t, name)
		if rapid.IntRange(0, 19).Draw(t, "whole") == 0 {
			expect(t, name, answersIn(t, folder, name, properties, 20), want, properties)
		}
	})
}

// largeModel is a net of which the unfolding has 10^10 nodes.
const largeModel = `<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/symmetricnet">
<declaration><structure><declarations><namedsort id="C" name="C"><finiteintrange start="1" end="100000"/></namedsort>
<variabledecl id="x" name="x"><usersort declaration="C"/></variabledecl><variabledecl id="y" name="y"><usersort declaration="C"/></variabledecl>
</declarations></structure></declaration><page id="g">
<place id="p"><type><structure><usersort declaration="C"/></structure></type><hlinitialMarking><structure><all><usersort declaration="C"/></all></structure></hlinitialMarking></place>
<place id="q"><type><structure><productsort><usersort declaration="C"/><usersort declaration="C"/></productsort></structure></type></place>
<transition id="t"><condition><structure><inequality><subterm><variable refvariable="x"/></subterm><subterm><variable refvariable="y"/></subterm></inequality></structure></condition></transition>
<transition id="u"/>
<arc id="a" source="p" target="t"><hlinscription><structure><add><subterm><variable refvariable="x"/></subterm><subterm><variable refvariable="y"/></subterm></add></structure></hlinscription></arc>
<arc id="b" source="t" target="q"><hlinscription><structure><tuple><subterm><variable refvariable="x"/></subterm><subterm><variable refvariable="y"/></subterm></tuple></structure></hlinscription></arc>
<arc id="c" source="q" target="u"><hlinscription><structure><tuple><subterm><variable refvariable="x"/></subterm><subterm><variable refvariable="x"/></subterm></tuple></structure></hlinscription></arc>
</page></net></pnml>`

// TestTooLargeToUnfold answers for a net that is too large to be unfolded.
func TestTooLargeToUnfold(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "model.pnml"), []byte(largeModel), 0o600); err != nil {
		t.Fatal(err)
	}
	atMost := func(place string, n int64) *Formula {
		return &Formula{Kind: LessOrEqual, Operands: []*Formula{{Kind: Tokens, Names: []string{place}}, {Kind: Integer, Value: n}}}
	}
	property := func(id string, path, temporal Kind, f *Formula) Property {
		return Property{ID: id, Formula: &Formula{Kind: path, Operands: []*Formula{{Kind: temporal, Operands: []*Formula{f}}}}}
	}
	properties := []Property{
		property("q-stays-small", AllPaths, Globally, atMost("q", 50_000)), // by the skeleton
		property("q-gets-a-token", ExistsPath, Finally, &Formula{Kind: Negation, Operands: []*Formula{atMost("q", 0)}}),
	}
	source, err := WriteXML(properties)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "ReachabilityCardinality.xml"), source, 0o600); err != nil {
		t.Fatal(err)
	}
	var out, explanation bytes.Buffer
	err = Run(context.Background(), folder, "ReachabilityCardinality",
		Options{Time: 60 * time.Second, MemoryBytes: 4 << 30, Explain: &explanation}, &out)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(explanation.String(), "of the coloured net: t[x=") {
		t.Errorf("no binding is told in\n%s", explanation.String())
	}
	for _, want := range []string{"q-stays-small TRUE", "q-gets-a-token TRUE"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no answer %q in\n%s%s", want, out.String(), explanation.String())
		}
	}
}

// TestUnknownNodesOfColouredNets: formulas that name what is not there are given
// up once and with their position, be the net unfolded or not, and the others answered.
func TestUnknownNodesOfColouredNets(t *testing.T) {
	small := strings.Replace(largeModel, `end="100000"`, `end="3"`, 1)
	for name, formulas := range map[string][2]*Formula{
		"UpperBounds": {{Kind: Bound, Names: []string{"p"}}, {Kind: Bound, Names: []string{"nowhere"}}},
		"ReachabilityFireability": {
			{Kind: ExistsPath, Operands: []*Formula{{Kind: Finally, Operands: []*Formula{{Kind: Fireable, Names: []string{"t"}}}}}},
			{Kind: ExistsPath, Operands: []*Formula{{Kind: Finally, Operands: []*Formula{{Kind: Fireable, Names: []string{"nowhere"}}}}}},
		},
		"LTLFireability": {
			{Kind: AllPaths, Operands: []*Formula{{Kind: Fireable, Names: []string{"t"}}}},
			{Kind: AllPaths, Operands: []*Formula{{Kind: Finally, Operands: []*Formula{{Kind: Fireable, Names: []string{"nowhere"}}}}}},
		},
	} {
		source, err := WriteXML([]Property{{ID: "known", Formula: formulas[0]}, {ID: "unknown", Formula: formulas[1]}})
		if err != nil {
			t.Fatal(err)
		}
		for _, model := range []string{largeModel, small} {
			folder := t.TempDir()
			for file, text := range map[string]string{"model.pnml": model, name + ".xml": string(source)} {
				if err := os.WriteFile(filepath.Join(folder, file), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			var out bytes.Buffer
			err := Run(context.Background(), folder, name, Options{Time: 20 * time.Second, MemoryBytes: 4 << 30}, &out)
			unread := (*UnreadError)(nil)
			if !errors.As(err, &unread) || !slices.Equal(unread.IDs, []string{"unknown"}) ||
				strings.Count(err.Error(), name+".xml:") != 1 || !strings.Contains(err.Error(), "nowhere") {
				t.Errorf("%s: error %v", name, err)
			}
			if s := out.String(); strings.Count(s, "FORMULA unknown CANNOT_COMPUTE\n") != 1 || strings.Count(s, "FORMULA known ") != 1 {
				t.Errorf("%s: output %q", name, s)
			}
		}
	}
}

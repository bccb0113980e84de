package mcc

import (
	"bytes"
	"context"
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

// fataler is a test, of package testing or rapid.
type fataler interface {
	Fatal(...any)
	Fatalf(string, ...any)
}

// answersOf runs an examination of a net in a folder of its own.
func answersOf(t fataler, folder string, net *petri.Net, name string, properties []Property, seconds int) map[string]string {
	var model bytes.Buffer
	if err := pnml.Write(&model, net); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "model.pnml"), model.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return answersIn(t, folder, name, properties, seconds)
}

// answersIn runs an examination of the model in a folder.
func answersIn(t fataler, folder, name string, properties []Property, seconds int) map[string]string {
	source, err := WriteXML(properties)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, name+".xml"), source, 0o600); err != nil {
		t.Fatal(err)
	}
	var out, explanation bytes.Buffer
	err = Run(context.Background(), folder, name, Options{Time: time.Duration(seconds) * time.Second, Explain: &explanation}, &out)
	if err != nil {
		t.Fatal(err)
	}
	if s := explanation.String(); strings.Contains(s, "does not replay") || strings.Contains(s, "not confirmed") || strings.Contains(s, "defect: ") {
		t.Fatalf("%s: %s", name, s)
	}
	answers := make(map[string]string)
	for line := range strings.Lines(out.String()) {
		words := strings.Fields(line)
		if len(words) < 5 || words[3] != "TECHNIQUES" || answers[words[1]] != "" {
			t.Fatalf("answer line %q", line)
		}
		answers[words[1]] = words[2]
	}
	return answers
}

// drawAtom draws a comparison or is-fireable.
func drawAtom(t *rapid.T, net *petri.Net, fireability bool) *Formula {
	if fireability {
		f := &Formula{Kind: Fireable}
		for range rapid.IntRange(1, 2).Draw(t, "names") {
			f.Names = append(f.Names, net.TransitionLabel(petri.Transition(rapid.IntRange(0, net.Transitions()-1).Draw(t, "transition"))).ID)
		}
		return f
	}
	place := func() *Formula {
		id := net.PlaceLabel(petri.Place(rapid.IntRange(0, net.Places()-1).Draw(t, "place"))).ID
		return &Formula{Kind: Tokens, Names: []string{id}}
	}
	constant := &Formula{Kind: Integer, Value: rapid.Int64Range(0, 3).Draw(t, "constant")}
	operands := rapid.SampledFrom([][]*Formula{{place(), constant}, {constant, place()}, {place(), place()}}).Draw(t, "operands")
	return &Formula{Kind: LessOrEqual, Operands: operands}
}

func drawState(t *rapid.T, net *petri.Net, fireability bool, depth int) *Formula {
	if depth == 0 || rapid.IntRange(0, 3).Draw(t, "leaf") == 0 {
		return drawAtom(t, net, fireability)
	}
	f := &Formula{Kind: rapid.SampledFrom([]Kind{Negation, Conjunction, Disjunction}).Draw(t, "kind")}
	for len(f.Operands) == 0 || f.Kind != Negation && len(f.Operands) < 2 {
		f.Operands = append(f.Operands, drawState(t, net, fireability, depth-1))
	}
	return f
}

// drawTemporal draws a formula of CTL, or of LTL below its path quantifier.
func drawTemporal(t *rapid.T, net *petri.Net, fireability, branching bool, depth int) *Formula {
	if depth == 0 {
		return drawState(t, net, fireability, 1)
	}
	f := &Formula{Kind: rapid.SampledFrom([]Kind{Negation, Conjunction, Disjunction, Globally, Finally, Next, Until, Globally, Finally, Until}).Draw(t, "kind")}
	operands := 1
	switch f.Kind {
	case Conjunction, Disjunction, Until:
		operands = 2
	case Next:
		f.Steps = 1
	}
	for range operands {
		f.Operands = append(f.Operands, drawTemporal(t, net, fireability, branching, depth-1))
	}
	if branching && (f.Kind == Globally || f.Kind == Finally || f.Kind == Next || f.Kind == Until) {
		f = &Formula{Kind: rapid.SampledFrom([]Kind{AllPaths, ExistsPath}).Draw(t, "quantifier"), Operands: []*Formula{f}}
	}
	return f
}

// naive evaluates on an explicit graph, in a way that shares nothing with the
// engines.
type naive struct {
	net *petri.Net
	g   *petritest.Graph
	// evaluate, if set, is what atom does: for nets that were unfolded.
	evaluate func(f *Formula, m petri.Marking) bool
}

func (n naive) states(f *Formula) []bool {
	body, all := f, f.Kind == AllPaths
	if f.Kind == AllPaths || f.Kind == ExistsPath {
		body = f.Operands[0]
	}
	var operands [][]bool
	if body.Kind != LessOrEqual && body.Kind != Fireable {
		for _, g := range body.Operands {
			operands = append(operands, n.states(g))
		}
	}
	switch body.Kind {
	case Next:
		return n.g.Next(all, operands[0])
	case Finally:
		return n.g.Finally(all, operands[0])
	case Globally:
		return n.g.Globally(all, operands[0])
	case Until:
		return n.g.Until(all, operands[0], operands[1])
	}
	v := make([]bool, len(n.g.Markings))
	for i, m := range n.g.Markings {
		switch body.Kind {
		case Negation:
			v[i] = !operands[0][i]
		case Conjunction:
			v[i] = operands[0][i] && operands[1][i]
		case Disjunction:
			v[i] = operands[0][i] || operands[1][i]
		default:
			v[i] = n.atom(body, m)
		}
	}
	return v
}

func (n naive) atom(f *Formula, m petri.Marking) bool {
	if n.evaluate != nil {
		return n.evaluate(f, m)
	}
	if f.Kind == Fireable {
		return slices.ContainsFunc(f.Names, func(id string) bool {
			t, _ := n.net.TransitionByID(id)
			return n.net.Enabled(m, t)
		})
	}
	value := func(g *Formula) int64 {
		if g.Kind == Integer {
			return g.Value
		}
		p, _ := n.net.PlaceByID(g.Names[0])
		return m[p]
	}
	return value(f.Operands[0]) <= value(f.Operands[1])
}

func word3(v bool) string { return strings.ToUpper(fmt.Sprint(v)) }

// expect fails unless all answers are there and right.
func expect(t fataler, name string, got, want map[string]string, properties []Property) {
	for id, w := range want {
		if got[id] != w {
			text := ""
			for _, p := range properties {
				if p.ID == id {
					text = p.Formula.Text(Nested)
				}
			}
			t.Fatalf("%s: %s is %q, should be %s: %s", name, id, got[id], w, text)
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%s: answers %v, expected %v", name, got, want)
	}
}

func TestGlobalExaminationsAgreeWithNaiveTwin(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		net, g := petritest.SmallNet(t)
		firings, most, inPlace := 0, int64(0), int64(0)
		oneSafe, deadlock := true, false
		stable := make([]bool, net.Places())
		for p := range stable {
			stable[p] = true
		}
		fires := make([]bool, net.Transitions())
		for i, m := range g.Markings {
			firings += len(g.Edges[i])
			deadlock = deadlock || len(g.Edges[i]) == 0
			total := int64(0)
			for p, tokens := range m {
				total += tokens
				inPlace = max(inPlace, tokens)
				oneSafe = oneSafe && tokens <= 1
				stable[p] = stable[p] && tokens == net.InitialTokens(petri.Place(p))
			}
			most = max(most, total)
			for _, e := range g.Edges[i] {
				fires[e.Transition] = true
			}
		}
		live := true
		n := naive{net: net, g: g}
		for u := range petri.Transition(net.Transitions()) {
			f := &Formula{Kind: Fireable, Names: []string{net.TransitionLabel(u).ID}}
			f = &Formula{Kind: ExistsPath, Operands: []*Formula{{Kind: Finally, Operands: []*Formula{f}}}}
			f = &Formula{Kind: AllPaths, Operands: []*Formula{{Kind: Globally, Operands: []*Formula{f}}}}
			live = live && n.states(f)[0]
		}
		for name, want := range map[string]string{
			"ReachabilityDeadlock": word3(deadlock), "OneSafe": word3(oneSafe), "Liveness": word3(live),
			"StableMarking": word3(slices.Contains(stable, true)), "QuasiLiveness": word3(!slices.Contains(fires, false)),
		} {
			expect(t, name, answersOf(t, folder, net, name, nil, 20), map[string]string{name: want}, nil)
		}
		expect(t, "StateSpace", answersOf(t, folder, net, "StateSpace", nil, 20), map[string]string{
			"STATES": fmt.Sprint(len(g.Markings)), "TRANSITIONS": fmt.Sprint(firings),
			"MAX_TOKEN_PER_MARKING": fmt.Sprint(most), "MAX_TOKEN_IN_PLACE": fmt.Sprint(inPlace),
		}, nil)
	})
}

func TestFormulasAgreeWithNaiveTwin(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		net, g := petritest.SmallNet(t)
		for _, name := range []string{"ReachabilityCardinality", "ReachabilityFireability", "CTLCardinality", "CTLFireability"} {
			properties, want := drawQueries(t, net, g, name, 5)
			expect(t, name, answersOf(t, folder, net, name, properties, 20), want, properties)
		}
		properties, want := drawQueries(t, net, g, "UpperBounds", 4)
		expect(t, "UpperBounds", answersOf(t, folder, net, "UpperBounds", properties, 20), want, properties)
	})
}

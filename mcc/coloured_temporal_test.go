package mcc

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pnmc/petri/petritest"
	"pnmc/petri/symmetric"
)

// drawSymmetric draws a small symmetric net, with deadlocks more often than not:
// transitions need tokens of the same colour, or of certain ones, or any.
func drawSymmetric(t *rapid.T) *symmetric.Net {
	below := func(n int, what string) int { return rapid.IntRange(0, n-1).Draw(t, what) }
	classes := []*symmetric.Class{
		{Name: "A", Size: int64(2 + below(2, "size")), Start: 1, Cyclic: true},
		{Name: "B", Size: int64(1 + below(2, "size")), Start: 1},
	}
	net := &symmetric.Net{}
	for i := range 2 + below(3, "places") {
		p := symmetric.Place{ID: fmt.Sprint("p", i)}
		if below(4, "dots") > 0 {
			p.Domain = append(p.Domain, classes[below(5, "class")/4])
		}
		for range below(3, "marking") {
			m := symmetric.Monomial{Coefficient: 1}
			for _, class := range p.Domain {
				if below(3, "all") == 0 {
					m.Terms = append(m.Terms, symmetric.Term{Kind: symmetric.All})
				} else {
					m.Terms = append(m.Terms, symmetric.Term{Value: int64(below(int(class.Size), "constant"))})
				}
			}
			p.Initial = append(p.Initial, m)
		}
		net.Places = append(net.Places, p)
	}
	for i := range 1 + below(4, "transitions") {
		tr := symmetric.Transition{ID: fmt.Sprint("t", i), Variables: []symmetric.VariableDeclaration{
			{Name: "x", Class: classes[0]}, {Name: "y", Class: classes[0]}, {Name: "z", Class: classes[1]}}}
		term := func(class *symmetric.Class) symmetric.Term {
			switch below(8, "term") {
			case 0:
				return symmetric.Term{Value: int64(below(int(class.Size), "constant"))}
			case 1:
				return symmetric.Term{Kind: symmetric.All}
			}
			if class == classes[1] {
				return symmetric.Term{Kind: symmetric.Variable, Variable: 2}
			}
			steps := int64(max(0, below(4, "steps")-2))
			return symmetric.Term{Kind: symmetric.Variable, Variable: below(2, "variable"), Value: steps}
		}
		arcs := func() []symmetric.Arc {
			var list []symmetric.Arc
			for range 1 + below(2, "arcs") {
				a := symmetric.Arc{Place: below(len(net.Places), "place")}
				m := symmetric.Monomial{Coefficient: 1}
				for _, class := range net.Places[a.Place].Domain {
					m.Terms = append(m.Terms, term(class))
				}
				a.Expression = symmetric.Expression{m}
				list = append(list, a)
			}
			return list
		}
		tr.Pre, tr.Post = arcs(), arcs()
		if below(3, "guarded") == 0 {
			x := symmetric.Operand{Term: symmetric.Term{Kind: symmetric.Variable}, Class: classes[0]}
			y := symmetric.Operand{Term: symmetric.Term{Kind: symmetric.Variable, Variable: 1}, Class: classes[0]}
			tr.Guard = &symmetric.Guard{Operator: symmetric.Equal + symmetric.Operator(below(2, "comparison")), Left: x, Right: y}
			if below(2, "negated") == 0 {
				tr.Guard = &symmetric.Guard{Operator: symmetric.Not, Operands: []*symmetric.Guard{tr.Guard}}
			}
		}
		net.Transitions = append(net.Transitions, tr)
	}
	return net
}

// TestTemporalFormulasOfSmallColouredNets holds what is answered without unfolding
// against the definitions, on the unfolded net: nothing of it may be wrong, and
// the skeleton and runs must each be of use, for formulas that hold and for such
// that do not.
func TestTemporalFormulasOfSmallColouredNets(t *testing.T) {
	decided := map[string]int{}
	asked := 0
	check := func(t *rapid.T) {
		net := drawSymmetric(t)
		u, err := symmetric.Unfold(t.Context(), net, symmetric.Options{})
		if err != nil {
			t.Fatal(err)
		}
		skeleton, err := net.Skeleton()
		if err != nil {
			t.Fatal(err)
		}
		g, complete := petritest.Explore(u.Net, mostMarkings)
		if !complete {
			t.Skip("too many markings")
		}
		twin := naive{net: u.Net, g: g, evaluate: colouredNaive{u, g}.holds}
		name := rapid.SampledFrom([]string{"CTLCardinality", "CTLFireability", "LTLCardinality", "LTLFireability"}).Draw(t, "examination")
		fireability, branching := strings.HasSuffix(name, "Fireability"), name[0] == 'C'
		var properties []Property
		want := make(map[string]string)
		for i := range 4 {
			p := Property{ID: fmt.Sprintf("%s-%d", name, i), Formula: drawTemporal(t, skeleton, fireability, branching, 3)}
			if branching {
				want[p.ID] = word3(twin.states(p.Formula)[0])
			} else {
				b, ok := newTableau(twin, p.Formula)
				if !ok {
					continue
				}
				want[p.ID] = word3(!b.violated(p.Formula))
				p.Formula = &Formula{Kind: AllPaths, Operands: []*Formula{p.Formula}}
			}
			properties = append(properties, p)
		}
		asked += len(properties)
		var explanation bytes.Buffer
		lane, follow := "skeleton", (*coloured).proveTemporal
		if rapid.Bool().Draw(t, "by runs") {
			lane, follow = "runs", (*coloured).tryRuns
		}
		for id, got := range answersUncoloured(t, net, name, properties, &explanation, follow) {
			if got != want[id] {
				t.Fatalf("%s without unfolding: %q, should be %s\n%s", id, got, want[id], explanation.String())
			}
		}
		for line := range strings.Lines(explanation.String()) {
			_, answer, found := strings.Cut(line, "FORMULA")
			if found && strings.Contains(line, map[string]string{"skeleton": "runs of the skeleton", "runs": "shown by a run"}[lane]) {
				decided[lane+": "+name[:3]+" "+strings.TrimSuffix(strings.Fields(answer)[1], ":")]++
			}
			if strings.Contains(line, "does not replay") {
				t.Fatal(line)
			}
		}
	}
	wanted := []string{"skeleton: CTL TRUE", "skeleton: CTL FALSE", "skeleton: LTL TRUE",
		"runs: CTL TRUE", "runs: CTL FALSE", "runs: LTL FALSE"}
	undecided := func(key string) bool { return decided[key] == 0 }
	if !petritest.CheckUntil(t, func() bool { return !slices.ContainsFunc(wanted, undecided) }, check) {
		t.Errorf("of %q some are never decided: %d asked, decided %v", wanted, asked, decided)
	}
}

// answersUncoloured are the answers that need no unfolding, of a short run that
// does what follow does.
func answersUncoloured(t fataler, net *symmetric.Net, name string, properties []Property, explanation *bytes.Buffer,
	follow func(*coloured, context.Context)) map[string]string {
	var e examination
	for _, candidate := range examinations() {
		if candidate.name == name {
			e = candidate
		}
	}
	var out bytes.Buffer
	r := &run{options: Options{Explain: explanation}, examination: name, start: time.Now(), properties: properties}
	r.deadline = r.start.Add(10 * time.Millisecond)
	r.answers = &answers{out: &out, explain: explanation, start: r.start, given: make(map[string]string)}
	ctx, cancel := context.WithDeadline(context.Background(), r.deadline)
	defer cancel()
	c, err := newColoured(ctx, r, net, &e)
	if err != nil {
		t.Fatal(err)
	}
	c.board.allDone = cancel
	follow(c, ctx)
	got := make(map[string]string)
	for line := range strings.Lines(out.String()) {
		words := strings.Fields(line)
		got[words[1]] = words[2]
	}
	return got
}

package mcc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/petritest"
	"pnmc/petri"
)

// sourceNet fills a place without end.
func sourceNet(t *testing.T) *petri.Net {
	t.Helper()
	b := &petri.Builder{ID: "source"}
	p, err := b.AddPlace("p", "", 0)
	if err != nil {
		t.Fatal(err)
	}
	source, err := b.AddTransition("source", "")
	if err != nil {
		t.Fatal(err)
	}
	if err := b.AddOutput(source, p, 1); err != nil {
		t.Fatal(err)
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// TestUnboundedNetsEndWithWhatIsKnown: all that can be known of a place that is
// filled without end is found.
func TestUnboundedNetsEndWithWhatIsKnown(t *testing.T) {
	net := sourceNet(t)
	folder := t.TempDir()
	three := &Formula{Kind: LessOrEqual, Operands: []*Formula{{Kind: Integer, Value: 3}, {Kind: Tokens, Names: []string{"p"}}}}
	wrap := func(quantifier, kind Kind) *Formula {
		return &Formula{Kind: quantifier, Operands: []*Formula{{Kind: kind, Operands: []*Formula{three}}}}
	}
	for name, test := range map[string]struct {
		formula *Formula
		want    string
	}{
		"OneSafe": {nil, "FALSE"}, "QuasiLiveness": {nil, "TRUE"}, "StableMarking": {nil, "FALSE"}, "ReachabilityDeadlock": {nil, "FALSE"},
		"StateSpace":              {nil, "+inf"},
		"UpperBounds":             {&Formula{Kind: Bound, Names: []string{"p"}}, "+inf"},
		"ReachabilityCardinality": {wrap(ExistsPath, Finally), "TRUE"},
		"CTLCardinality":          {wrap(AllPaths, Finally), "TRUE"},
		"LTLCardinality":          {wrap(AllPaths, Globally), "FALSE"},
	} {
		var properties []Property
		want := map[string]string{name: test.want}
		switch {
		case test.formula != nil:
			properties = []Property{{ID: "it", Formula: test.formula}}
			want = map[string]string{"it": test.want}
		case name == "StateSpace":
			want = map[string]string{"STATES": "+inf", "TRANSITIONS": "+inf", "MAX_TOKEN_PER_MARKING": "+inf", "MAX_TOKEN_IN_PLACE": "+inf"}
		}
		expect(t, name, answersOf(t, folder, net, name, properties, 10), want, properties)
	}
}

// TestUnboundedNetsAgreeWithWhatIsSeen holds answers on nets with many markings,
// mostly infinitely many, against those that come first.
func TestUnboundedNetsAgreeWithWhatIsSeen(t *testing.T) {
	folder := t.TempDir()
	answered := 0
	if !petritest.CheckUntil(t, func() bool { return answered > 0 }, func(t *rapid.T) {
		net := petritest.AnyNet().Draw(t, "net")
		g, complete := petritest.Explore(net, 300)
		if complete {
			t.Skip("few markings")
		}
		e := rapid.SampledFrom(examinations()).Draw(t, "examination")
		hasFile := HasPropertyFile(e.name)
		var properties []Property
		seen := map[string]string{} // what an answer must not contradict
		switch {
		case e.name == "UpperBounds":
			properties, seen = drawQueries(t, net, g, e.name, 4)
		case hasFile && e.name[0] == 'R':
			properties, seen = drawSeen(t, net, g, strings.HasSuffix(e.name, "Fireability"))
		case hasFile:
			properties, _ = drawSeen(t, net, g, strings.HasSuffix(e.name, "Fireability"))
			if strings.HasPrefix(e.name, "LTL") { // of all paths only
				properties = slices.DeleteFunc(properties, func(p Property) bool { return p.Formula.Kind == ExistsPath })
			}
		default:
			seen = seenOf(net, g, e.name)
		}
		if hasFile && len(properties) == 0 {
			t.Skip("no formula that the examination has")
		}
		write(t, folder, net, e.name, properties)
		var out, explanation bytes.Buffer
		err := answer(context.Background(), folder, &e, Options{Time: engineTime / 2, Explain: &explanation}, &out)
		if errors.Is(err, context.DeadlineExceeded) {
			t.Skip("on a machine at work the time can be over before anything is answered")
		}
		// Formulas of LTL do not begin with exists-path; those that do are given up.
		if unread := (*UnreadError)(nil); err != nil && !(e.name[0] == 'L' && errors.As(err, &unread)) {
			t.Fatal(err)
		}
		if s := explanation.String(); strings.Contains(s, "does not replay") || strings.Contains(s, "not confirmed") || strings.Contains(s, "defect: ") {
			t.Fatalf("%s: %s", e.name, s)
		}
		for line := range strings.Lines(out.String()) {
			words := strings.Fields(line)
			answered++
			if least, ok := new(big.Int).SetString(seen[words[1]], 10); ok {
				if value, ok := new(big.Int).SetString(words[2], 10); ok && value.Cmp(least) < 0 {
					t.Fatalf("%s: %sat least %v was seen", e.name, line, least)
				}
			} else if w := seen[words[1]]; w != "" && w != words[2] {
				t.Fatalf("%s: %s%s was seen\n%s", e.name, line, w, explanation.String())
			}
		}
	}) {
		t.Error("no answer at all")
	}
}

// drawSeen draws formulas EF and AG of state predicates, with the truth of those
// that the markings of g decide.
func drawSeen(t *rapid.T, net *petri.Net, g *petritest.Graph, fireability bool) (properties []Property, seen map[string]string) {
	seen = make(map[string]string)
	for i := range 4 {
		kinds := rapid.SampledFrom([][2]Kind{{AllPaths, Globally}, {ExistsPath, Finally}}).Draw(t, "kinds")
		state := drawState(t, net, fireability, 2)
		p := Property{ID: fmt.Sprint("it", i), Formula: &Formula{Kind: kinds[0], Operands: []*Formula{{Kind: kinds[1], Operands: []*Formula{state}}}}}
		properties = append(properties, p)
		for _, holds := range (naive{net: net, g: g}).states(state) {
			if holds == (kinds[0] == ExistsPath) {
				seen[p.ID] = word3(holds)
			}
		}
	}
	return properties, seen
}

// seenOf returns what the markings of g decide, or bound from below, of an examination
// without formulas.
func seenOf(net *petri.Net, g *petritest.Graph, name string) map[string]string {
	changed := make([]bool, net.Places())
	fired := make([]bool, net.Transitions())
	deadlock, twice := false, false
	inPlace, perMarking := int64(0), int64(0)
	for i, m := range g.Markings {
		deadlock = deadlock || net.Deadlock(m)
		total := int64(0)
		for p, tokens := range m {
			twice = twice || tokens > 1
			changed[p] = changed[p] || tokens != net.InitialTokens(petri.Place(p))
			inPlace = max(inPlace, tokens)
			total += tokens
		}
		perMarking = max(perMarking, total)
		if i < len(g.Edges) {
			for _, e := range g.Edges[i] {
				fired[e.Transition] = true
			}
		}
	}
	switch {
	case name == "StateSpace":
		return map[string]string{"STATES": fmt.Sprint(len(g.Markings)), "TRANSITIONS": fmt.Sprint(len(g.Edges)),
			"MAX_TOKEN_IN_PLACE": fmt.Sprint(inPlace), "MAX_TOKEN_PER_MARKING": fmt.Sprint(perMarking)}
	case name == "ReachabilityDeadlock" && deadlock, name == "QuasiLiveness" && !slices.Contains(fired, false):
		return map[string]string{name: "TRUE"}
	case name == "OneSafe" && twice, name == "StableMarking" && !slices.Contains(changed, false), name == "Liveness" && deadlock:
		return map[string]string{name: "FALSE"}
	}
	return nil
}

package mcc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pnmc/internal/petritest"
	"pnmc/petri"
)

// answersSoon runs an examination for a fraction of a second: what is not answered then,
// or given up, is left out.
func answersSoon(t fataler, folder string, net *petri.Net, name string, properties []Property) map[string]string {
	write(t, folder, net, name, properties)
	var out bytes.Buffer
	err := Run(context.Background(), folder, name, Options{Time: 300 * time.Millisecond}, &out)
	if err != nil && !errors.As(err, new(*UnreadError)) {
		t.Fatal(err)
	}
	answers := make(map[string]string)
	for line := range strings.Lines(out.String()) {
		if words := strings.Fields(line); len(words) > 3 {
			answers[words[1]] = words[2]
		}
	}
	return answers
}

// scaled returns net with all counts and weights times factor, and a place without arcs that
// has as many tokens as there can be.
func scaled(t fataler, net *petri.Net, factor int64) *petri.Net {
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	b := &petri.Builder{ID: "large"}
	for p := range petri.Place(net.Places()) {
		_, err := b.AddPlace(net.PlaceLabel(p).ID, "", net.InitialTokens(p)*factor)
		must(err)
	}
	_, err := b.AddPlace("full", "", math.MaxInt64)
	must(err)
	for u := range petri.Transition(net.Transitions()) {
		number, err := b.AddTransition(net.TransitionLabel(u).ID, "")
		must(err)
		for _, a := range net.Pre(u) {
			must(b.AddInput(a.Place, number, a.Weight*factor))
		}
		for _, a := range net.Post(u) {
			must(b.AddOutput(number, a.Place, a.Weight*factor))
		}
	}
	large, err := b.Build()
	must(err)
	return large
}

// scale multiplies the constants of f, as far as that can be said, and makes sums of
// some token counts.
func scale(t *rapid.T, f *Formula, factor int64) *Formula {
	g := *f
	if f.Kind == Tokens && rapid.Bool().Draw(t, "sum") {
		g.Names = append([]string{"full"}, f.Names...)
	}
	if g.Operands = nil; g.Kind == Integer {
		if g.Value *= factor; f.Value > math.MaxInt64/factor {
			g.Value = math.MaxInt64
		}
	}
	for _, o := range f.Operands {
		g.Operands = append(g.Operands, scale(t, o, factor))
	}
	return &g
}

// exactly evaluates comparisons of sums of token counts by integers of any size.
func exactly(net *petri.Net) func(f *Formula, m petri.Marking) bool {
	return func(f *Formula, m petri.Marking) bool {
		value := func(g *Formula) *big.Int {
			total := big.NewInt(g.Value)
			for _, id := range g.Names {
				p, _ := net.PlaceByID(id)
				total.Add(total, big.NewInt(m[p]))
			}
			return total
		}
		return value(f.Operands[0]).Cmp(value(f.Operands[1])) <= 0
	}
}

// largest returns the most tokens that markings have on some places, counted as often as
// they are named; on one place if each is asked for.
func largest(g *petritest.Graph, places []petri.Place, each bool) string {
	most := new(big.Int)
	for _, m := range g.Markings {
		total := new(big.Int)
		for _, p := range places {
			if each {
				total.SetInt64(0)
			}
			if total.Add(total, big.NewInt(m[p])); total.Cmp(most) > 0 {
				most.Set(total)
			}
		}
	}
	return most.String()
}

// TestLargeCountsAreAnsweredRightOrNotAtAll: on nets whose counts come near 2^63-1, and
// whose sums go beyond, each answer is the one that integers of any size give.
func TestLargeCountsAreAnsweredRightOrNotAtAll(t *testing.T) {
	folder := t.TempDir()
	answered := map[string]int{}
	names := []string{"UpperBounds", "StateSpace", "ReachabilityCardinality", "CTLCardinality", "LTLCardinality"}
	unanswered := func(name string) bool { return answered[name] == 0 }
	if !petritest.CheckUntil(t, func() bool { return !slices.ContainsFunc(names, unanswered) }, func(t *rapid.T) {
		small, seen := petritest.SmallNet(t)
		most, heaviest := int64(1), int64(1)
		if !small.Plain() {
			t.Skip("scaled nets are plain")
		}
		for _, m := range seen.Markings {
			for _, tokens := range m {
				most = max(most, tokens)
			}
		}
		for u := range petri.Transition(small.Transitions()) {
			for _, arcs := range [][]petri.Arc{small.Pre(u), small.Post(u)} {
				for _, a := range arcs {
					heaviest = max(heaviest, a.Weight)
				}
			}
		}
		limit := math.MaxInt64 / max(most, heaviest)
		factor := rapid.SampledFrom([]int64{limit, limit/2 + 1, limit - 1, limit/4 + 1, limit / 9}).Draw(t, "factor")
		net := scaled(t, small, factor)
		g, complete := petritest.Explore(net, 200)
		if !complete || len(g.Markings) != len(seen.Markings) {
			t.Fatalf("%d markings, of the small net %d", len(g.Markings), len(seen.Markings))
		}
		name := rapid.SampledFrom([]string{"UpperBounds", "StateSpace", "StableMarking", "ReachabilityCardinality",
			"CTLCardinality", "LTLCardinality"}).Draw(t, "examination")
		var all []petri.Place
		for p := range petri.Place(net.Places()) {
			all = append(all, p)
		}
		var properties []Property
		want := map[string]string{}
		n := naive{net: net, g: g, evaluate: exactly(net)}
		for i := range 4 {
			p := Property{ID: fmt.Sprint("it", i)}
			switch name {
			case "UpperBounds":
				places := rapid.SliceOfNDistinct(rapid.SampledFrom(all), 1, 3, rapid.ID[petri.Place]).Draw(t, "places")
				p.Formula = &Formula{Kind: Bound}
				for _, q := range places {
					p.Formula.Names = append(p.Formula.Names, net.PlaceLabel(q).ID)
				}
				want[p.ID] = largest(g, places, false)
			case "StateSpace":
				want = map[string]string{"STATES": fmt.Sprint(len(g.Markings)),
					"MAX_TOKEN_PER_MARKING": largest(g, all, false), "MAX_TOKEN_IN_PLACE": largest(g, all, true)}
				continue
			case "StableMarking":
				want = map[string]string{name: "TRUE"} // the full place is
				continue
			case "ReachabilityCardinality":
				kinds := rapid.SampledFrom([][2]Kind{{AllPaths, Globally}, {ExistsPath, Finally}}).Draw(t, "kinds")
				state := scale(t, drawState(t, net, false, 2), factor)
				p.Formula = &Formula{Kind: kinds[0], Operands: []*Formula{{Kind: kinds[1], Operands: []*Formula{state}}}}
				want[p.ID] = word3(n.states(p.Formula)[0])
			case "CTLCardinality":
				p.Formula = scale(t, drawTemporal(t, net, false, true, 2), factor)
				want[p.ID] = word3(n.states(p.Formula)[0])
			default:
				body := scale(t, drawTemporal(t, net, false, false, 2), factor)
				tableau, ok := newTableau(n, body)
				if !ok {
					continue
				}
				p.Formula = &Formula{Kind: AllPaths, Operands: []*Formula{body}}
				want[p.ID] = word3(!tableau.violated(body))
			}
			properties = append(properties, p)
		}
		if len(properties) == 0 && HasPropertyFile(name) {
			t.Skip("the twin knows no answer: there are too many markings, or too much in each formula")
		}
		for id, answer := range answersSoon(t, folder, net, name, properties) {
			if id == "TRANSITIONS" {
				continue
			}
			if answered[name]++; answer != want[id] {
				text := ""
				for _, p := range properties {
					if p.ID == id {
						text = p.Formula.Text(Nested)
					}
				}
				t.Fatalf("%s: %s is %s, should be %s: %s", name, id, answer, want[id], text)
			}
		}
	}) {
		t.Errorf("of %v some have no answer at all: %v", names, answered)
	}
}

// TestAsManyTokensAsThereCanBeAreNoBound: a place that is full at first and gets more
// has no bound.
func TestAsManyTokensAsThereCanBeAreNoBound(t *testing.T) {
	b := &petri.Builder{ID: "full"}
	p, _ := b.AddPlace("p", "", math.MaxInt64)
	source, _ := b.AddTransition("t", "")
	if err := b.AddOutput(source, p, 1); err != nil {
		t.Fatal(err)
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	bound := []Property{{ID: "x", Formula: &Formula{Kind: Bound, Names: []string{"p"}}}}
	folder := t.TempDir()
	for name, properties := range map[string][]Property{"UpperBounds": bound, "StateSpace": nil} {
		for id, answer := range answersSoon(t, folder, net, name, properties) {
			if answer != "+inf" {
				t.Errorf("%s: %s is %s", name, id, answer)
			}
		}
	}
}

package etf

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/symbolic"
)

const naiveLimit = 2000

// A row of a table is either possible or not: this twin goes through all of them in each
// state, and counts states and firings.
func naiveCounts(m *Model, limit int) (states, firings int, finished bool) {
	key := func(state []int32) string { return fmt.Sprint(state) }
	seen := map[string]bool{key(m.Initial): true}
	queue := [][]int32{m.Initial}
	for len(queue) > 0 {
		state := queue[0]
		queue = queue[1:]
		for _, g := range m.Groups {
			for _, r := range g {
				next, possible := append([]int32(nil), state...), true
				for _, e := range r.Entries {
					possible = possible && state[e.Variable] == e.Before
					next[e.Variable] = e.After
				}
				if !possible {
					continue
				}
				firings++
				if !seen[key(next)] {
					seen[key(next)] = true
					queue = append(queue, next)
				}
			}
		}
		if len(seen) > limit {
			return 0, 0, false
		}
	}
	return len(seen), firings, true
}

func drawModel(t *rapid.T) *Model {
	value := rapid.Int32Range(-2, 3)
	m := &Model{EdgeLabels: []Typed{{"action", "action"}}, Sorts: []Sort{{"action", []string{"a", "b"}}}}
	for v := range rapid.IntRange(1, 4).Draw(t, "variables") {
		m.Variables = append(m.Variables, Typed{"x" + strconv.Itoa(v), "int"})
		m.Initial = append(m.Initial, value.Draw(t, "initial"))
	}
	for range rapid.IntRange(0, 4).Draw(t, "groups") {
		var g Group
		for range rapid.IntRange(0, 5).Draw(t, "rows") {
			r := Row{Labels: []int32{rapid.Int32Range(0, 2).Draw(t, "label")}}
			for v := range m.Variables {
				if rapid.Bool().Draw(t, "entry") {
					r.Entries = append(r.Entries, Entry{v, value.Draw(t, "before"), value.Draw(t, "after")})
				}
			}
			g = append(g, r)
		}
		m.Groups = append(m.Groups, g)
	}
	return m
}

// checkCounts compares the net's states and firings, counted one by one, with those
// expected.
func checkCounts(t interface{ Fatalf(string, ...any) }, net *petri.Net, states, firings int) {
	graph, finished := petritest.Explore(net, naiveLimit)
	if !finished {
		t.Fatalf("the net has more than %d states, want %d", naiveLimit, states)
		return
	}
	got := 0
	for _, successors := range graph.Edges {
		got += len(successors)
	}
	if len(graph.Markings) != states || got != firings {
		t.Fatalf("the net has %d states and %d firings, want %d and %d", len(graph.Markings), got, states, firings)
	}
}

// TestModelsAsNets compares random tables with the nets made of them, and with diagrams.
func TestModelsAsNets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawModel(t)
		states, firings, finished := naiveCounts(m, naiveLimit)
		if !finished {
			t.Skip("too many states")
		}
		net, err := m.Net(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		checkCounts(t, net, states, firings)
		system, err := m.System()
		if err != nil {
			t.Fatal(err)
		}
		space, err := symbolic.ExploreSystem(t.Context(), system, symbolic.Options{})
		if err != nil {
			t.Fatal(err)
		}
		counted, err := space.Firings(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if space.States().Int64() != int64(states) || counted.Int64() != int64(firings) {
			t.Fatalf("diagrams tell %v states and %v firings, want %d and %d", space.States(), counted, states, firings)
		}
	})
}

// TestNetsAsModels writes random nets as tables and makes nets of these again.
func TestNetsAsModels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := petritest.AnyNet().Draw(t, "net")
		graph, finished := petritest.Explore(net, naiveLimit)
		if !finished {
			t.Skip("too many states")
		}
		space, err := symbolic.Explore(t.Context(), net, symbolic.Options{})
		if err != nil {
			t.Fatal(err)
		}
		names := make([]string, net.Transitions())
		for i := range names {
			names[i] = net.TransitionLabel(petri.Transition(i)).ID
		}
		m, err := FromStateSpace(t.Context(), space, names)
		if err != nil {
			t.Fatal(err)
		}
		again, err := m.Net(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		firings := 0
		for _, successors := range graph.Edges {
			firings += len(successors)
		}
		checkCounts(t, again, len(graph.Markings), firings)
	})
}

// TestNet looks at the names and units of a net.
func TestNet(t *testing.T) {
	net, err := readFile(t, "testdata/counter.etf").Net(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for p := range petri.Place(net.Places()) {
		got = append(got, fmt.Sprintf("%s=%d", net.PlaceLabel(p).ID, net.InitialTokens(p)))
	}
	for u := range petri.Transition(net.Transitions()) {
		got = append(got, net.TransitionLabel(u).ID+" "+net.TransitionLabel(u).Name)
	}
	want := `low_0=1 low_1=0 high_-1=1 high_1=0 r1 set r2 carry "over"`
	if strings.Join(got, " ") != want || len(net.NUPN().Units) != 3 {
		t.Errorf("got %s and %d units, want %s and 3", strings.Join(got, " "), len(net.NUPN().Units), want)
	}
	spaced := &Model{Variables: []Typed{{"a b", "s"}}, Initial: []int32{4}}
	if net, err := spaced.Net(t.Context()); err != nil || net.PlaceLabel(0).ID != "a b_4" || net.NUPN() != nil {
		t.Errorf("%v: units can't be written of places with white space in their names", err)
	}
	clash := &Model{Variables: []Typed{{"", "s"}, {"variable_1", "s"}}, Initial: []int32{0, 0}}
	if _, err := clash.Net(t.Context()); err == nil {
		t.Error("two places of one name")
	}
}

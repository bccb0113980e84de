package automata_test

import (
	"context"
	"fmt"
	"testing"

	"pnmc/automata"

	"pgregory.net/rapid"
)

// edge is an edge of a test automaton over the propositions a and b.
type edge struct {
	from, to automata.State
	label    string // letters a b, capital: negated; "" is true
	marks    []int
}

func build(t interface{ Fatal(...any) }, acceptance automata.Acceptance, states int, edges ...edge) *automata.Automaton {
	b := automata.NewBuilder([]string{"a", "b"}, acceptance)
	b.AddStates(states)
	b.AddInitial(0)
	for _, e := range edges {
		c := automata.NewCube(2)
		for _, r := range e.label {
			switch r {
			case 'a', 'b':
				c = c.With(int(r-'a'), true)
			default:
				c = c.With(int(r-'A'), false)
			}
		}
		b.AddEdge(e.from, automata.Label{c}, automata.NewMarks(acceptance.Sets, e.marks...), e.to)
	}
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestStrengths(t *testing.T) {
	inf, fin := func(i int) *automata.Condition { return &automata.Condition{Operator: automata.Inf, Set: i} },
		func(i int) *automata.Condition { return &automata.Condition{Operator: automata.Fin, Set: i} }
	rabin := automata.Acceptance{Sets: 2, Condition: &automata.Condition{
		Operator: automata.ConditionAnd, Operands: []*automata.Condition{fin(0), inf(1)}}}
	for _, test := range []struct {
		name       string
		acceptance automata.Acceptance
		states     int
		edges      []edge
		want       automata.Strength
	}{
		{"Fa", automata.GeneralizedBuchi(1), 2, []edge{{0, 0, "A", nil}, {0, 1, "a", nil}, {1, 1, "", []int{0}}}, automata.Terminal},
		{"FGa", automata.GeneralizedBuchi(1), 2, []edge{{0, 0, "", nil}, {0, 1, "a", nil}, {1, 1, "a", []int{0}}}, automata.Weak},
		{"GFa", automata.GeneralizedBuchi(1), 1, []edge{{0, 0, "A", nil}, {0, 0, "a", []int{0}}}, automata.Strong},
		{"false", automata.GeneralizedBuchi(2), 2, []edge{{0, 0, "A", []int{0}}, {0, 1, "a", []int{1}}}, automata.Rejecting},
		{"two letters", automata.GeneralizedBuchi(0), 1, []edge{{0, 0, "A", nil}, {0, 0, "a", nil}}, automata.Terminal},
		{"rabin loops", rabin, 1, []edge{{0, 0, "a", []int{0}}, {0, 0, "b", []int{1}}}, automata.Strong},
		{"rabin never", rabin, 1, []edge{{0, 0, "", []int{0, 1}}}, automata.Rejecting},
		{"rabin always", rabin, 1, []edge{{0, 0, "a", []int{1}}}, automata.Weak},
		{"rabin in part", rabin, 2, []edge{{0, 1, "a", []int{1}}, {1, 0, "a", []int{0}}, {1, 1, "a", []int{1}}}, automata.Strong},
	} {
		a := build(t, test.acceptance, test.states, test.edges...)
		if got := automata.StrengthOf(context.Background(), a); got != test.want {
			t.Errorf("%s: strength %d, want %d", test.name, got, test.want)
		}
	}
}

// Components agree with mutual reachability, and are numbered against the edges.
func TestFindComponents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "states")
		var edges []edge
		reach := make([][]bool, n)
		for i := range reach {
			reach[i] = make([]bool, n)
			reach[i][i] = true
		}
		for range rapid.IntRange(0, 2*n).Draw(t, "edges") {
			from, to := rapid.IntRange(0, n-1).Draw(t, "from"), rapid.IntRange(0, n-1).Draw(t, "to")
			edges = append(edges, edge{automata.State(from), automata.State(to), "", nil})
			reach[from][to] = true
		}
		for k := range n {
			for i := range n {
				for j := range n {
					reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
				}
			}
		}
		a := build(t, automata.GeneralizedBuchi(0), n, edges...)
		c := automata.FindComponents(a)
		for i := range n {
			for j := range n {
				same := c.Of(automata.State(i)) == c.Of(automata.State(j))
				if same != (reach[i][j] && reach[j][i]) {
					t.Fatalf("states %d and %d: same component %v", i, j, same)
				}
			}
		}
		for _, e := range edges {
			if c.Of(e.from) < c.Of(e.to) {
				t.Fatalf("edge from component %d to %d", c.Of(e.from), c.Of(e.to))
			}
		}
	})
}

func ExampleStrengthOf() {
	b := automata.NewBuilder([]string{"a"}, automata.GeneralizedBuchi(1))
	b.AddStates(1)
	b.AddInitial(0)
	a, not := automata.NewCube(1).With(0, true), automata.NewCube(1).With(0, false)
	b.AddEdge(0, automata.Label{a}, automata.NewMarks(1, 0), 0)
	b.AddEdge(0, automata.Label{not}, automata.NewMarks(1), 0)
	infinitelyOften, _ := b.Build()
	fmt.Println(automata.StrengthOf(context.Background(), infinitelyOften) == automata.Strong)
	// Output: true
}

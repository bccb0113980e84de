package symmetric

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pnmc/petri"
)

// graph lists the edges of the state graph of an unfolded net as naive.graph
// does those of the coloured one, without the places for sums, which have what they must.
func graph(t *rapid.T, u *Unfolding, limit int) []string {
	net := u.Net
	text := func(m petri.Marking) string {
		b := bag{}
		for p, count := range m {
			b[net.PlaceLabel(petri.Place(p)).Name] = count
		}
		for _, s := range u.Sums {
			name := net.PlaceLabel(s).Name
			delete(b, name)
			sum, place := m[s], slices.IndexFunc(u.Coloured.Places, func(p Place) bool { return title(p.ID, p.Name, "all colours") == name })
			for _, p := range u.Places[place] {
				sum -= m[p]
			}
			if sum != 0 {
				t.Fatalf("%q has %d tokens more than the colours", name, sum)
			}
		}
		return b.text()
	}
	seen := map[string]bool{text(net.Initial()): true}
	queue := []petri.Marking{net.Initial()}
	var edges []string
	for len(queue) > 0 && len(seen) < limit {
		m := queue[0]
		queue = queue[1:]
		for t := range petri.Transition(net.Transitions()) {
			after := slices.Clone(m)
			if !net.Fire(after, t) {
				continue
			}
			edges = append(edges, text(m)+" --"+net.TransitionLabel(t).Name+"--> "+text(after))
			if !seen[text(after)] {
				seen[text(after)] = true
				queue = append(queue, after)
			}
		}
	}
	sort.Strings(edges)
	return edges
}

// TestUnfoldedBehavesAsColoured compares random nets with the naive
// interpreter: the state graph with names of tokens and bindings, and the sizes
// with a naive fixpoint.
func TestUnfoldedBehavesAsColoured(t *testing.T) {
	const states = 60
	for range 10 { // random nets with much in common are rare
		rapid.Check(t, func(t *rapid.T) { checkUnfolding(t, states) })
	}
}

func checkUnfolding(t *rapid.T, states int) {
	net := randomNet(t)
	twin := naive{net}
	firings, sound := twin.firings()
	for _, keepAll := range []bool{false, true} {
		u, err := net.Unfold(context.Background(), Options{KeepAll: keepAll})
		if !sound {
			// Without keepAll the arc may belong to a dead binding.
			if keepAll && err == nil {
				t.Fatal("no error for a negative number of tokens")
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		var places, transitions int
		if keepAll {
			transitions = len(firings)
			for _, p := range net.Places {
				places += int(p.Domain.Size())
			}
		} else {
			places, transitions = twin.relaxed(firings)
		}
		if u.Net.Places()-len(u.Sums) != places || u.Net.Transitions() != transitions {
			t.Fatalf("keepAll=%v: %d places and %d transitions, expected %d and %d",
				keepAll, u.Net.Places()-len(u.Sums), u.Net.Transitions(), places, transitions)
		}
		want, got := twin.graph(firings, states), graph(t, u, states)
		if len(want) == 0 && len(got) == 0 {
			continue
		}
		// Cut short, the two searches may have seen different states.
		if whole := len(distinct(want)) < states; whole && !slices.Equal(want, got) {
			t.Fatalf("keepAll=%v:\nexpected\n%s\ngot\n%s", keepAll, strings.Join(want, "\n"), strings.Join(got, "\n"))
		}
		checkGroups(t, u)
	}
}

// distinct lists the sources and targets of edges.
func distinct(edges []string) map[string]bool {
	states := map[string]bool{}
	for _, e := range edges {
		source, rest, _ := strings.Cut(e, " --")
		_, target, _ := strings.Cut(rest, "--> ")
		states[source], states[target] = true, true
	}
	return states
}

// checkGroups makes sure that each unfolded node belongs to the coloured node
// that its name says.
func checkGroups(t *rapid.T, u *Unfolding) {
	places, transitions := 0, 0
	for i, group := range u.Places {
		for _, p := range group {
			if name := u.Net.PlaceLabel(p).Name; !strings.HasPrefix(name, u.Coloured.Places[i].ID) || int(p) != places {
				t.Fatalf("place %d %q in the group of %q", p, name, u.Coloured.Places[i].ID)
			}
			places++
		}
	}
	for i, group := range u.Transitions {
		for _, tr := range group {
			if name := u.Net.TransitionLabel(tr).Name; !strings.HasPrefix(name, u.Coloured.Transitions[i].ID) || int(tr) != transitions {
				t.Fatalf("transition %d %q in the group of %q", tr, name, u.Coloured.Transitions[i].ID)
			}
			transitions++
		}
	}
	if places != u.Net.Places()-len(u.Sums) || transitions != u.Net.Transitions() {
		t.Fatal("nodes without a group")
	}
}

// squares returns a net with one transition for each pair of n colours.
func squares(n int64) *Net {
	class := &Class{Name: "C", Size: n}
	x := Expression{{1, []Term{{Variable, 0, 0}}}}
	y := Expression{{1, []Term{{Variable, 1, 0}}}}
	return &Net{
		Places: []Place{
			{ID: "p", Domain: Domain{class}, Initial: Expression{{1, []Term{{Kind: All}}}}},
			{ID: "q", Domain: Domain{class}},
		},
		Transitions: []Transition{{
			ID: "t", Variables: []VariableDeclaration{{"x", class}, {"y", class}},
			Guard: &Guard{Operator: Less,
				Left:  Operand{Term: Term{Variable, 0, 0}, Class: class},
				Right: Operand{Term: Term{Variable, 1, 0}, Class: class}},
			Pre: []Arc{{0, x}, {0, y}}, Post: []Arc{{1, x}},
		}},
	}
}

// TestLimits stops at too many nodes, arcs and steps, and when asked to.
func TestLimits(t *testing.T) {
	for _, options := range []Options{
		{MaxNodes: 100}, {MaxArcs: 100}, {MaxNodes: 100, KeepAll: true}, {MaxArcs: 100, KeepAll: true},
		{}, {KeepAll: true},
	} {
		n := int64(100)
		if options.MaxNodes == 0 && options.MaxArcs == 0 {
			n = 1 << 40
			if !options.KeepAll {
				n = 3000 // pairs 4.5 million
			}
		}
		if _, err := squares(n).Unfold(t.Context(), options); !errors.Is(err, ErrTooLarge) {
			t.Errorf("%+v: got %v", options, err)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := squares(1000).Unfold(ended, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestPlanningObeysContext plans for a transition with many input arcs, which takes
// half a minute, with a context that has ended.
func TestPlanningObeysContext(t *testing.T) {
	class := &Class{Name: "C", Size: 3}
	crowded := Transition{ID: "t"}
	for i := range 400 {
		crowded.Variables = append(crowded.Variables, VariableDeclaration{fmt.Sprintf("x%d", i), class})
		// Other coefficients, so that no two variables are interchangeable.
		crowded.Pre = append(crowded.Pre, Arc{0, Expression{{int64(i + 1), []Term{{Variable, i, 0}}}}})
	}
	net := &Net{Places: []Place{{ID: "p", Domain: Domain{class}}}, Transitions: []Transition{crowded}}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, options := range []Options{{}, {Merge: true}} {
		begin := time.Now()
		if _, err := net.Unfold(ended, options); !errors.Is(err, context.Canceled) {
			t.Errorf("%+v: got %v", options, err)
		}
		if taken := time.Since(begin); taken > 5*time.Second {
			t.Errorf("%+v: ended after %v", options, taken)
		}
	}
}

// TestNames makes identifiers unique where colours and identifiers collide.
func TestNames(t *testing.T) {
	class := &Class{Name: "C", Size: 2, Constants: []string{"1", "1_1"}}
	all := Expression{{1, []Term{{Kind: All}, {Kind: All}}}}
	u, err := (&Net{Places: []Place{{ID: "p", Domain: Domain{class, class}, Initial: all}}}).Unfold(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for p := range petri.Place(4) {
		label := u.Net.PlaceLabel(p)
		got = append(got, label.ID+" "+label.Name)
	}
	want := []string{"p_1_1 p[1,1]", "p_1_1_1 p[1,1_1]", "p_1_1_1.2 p[1_1,1]", "p_1_1_1_1 p[1_1,1_1]"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// ExampleNet_Unfold unfolds a token that goes round a ring of three colours.
func ExampleNet_Unfold() {
	ring := &Class{Name: "Ring", Size: 3, Constants: []string{"a", "b", "c"}, Cyclic: true}
	net := &Net{
		Places: []Place{{ID: "at", Domain: Domain{ring}, Initial: Expression{{1, []Term{{Value: 0}}}}}},
		Transitions: []Transition{{
			ID: "move", Variables: []VariableDeclaration{{"x", ring}},
			Pre:  []Arc{{0, Expression{{1, []Term{{Variable, 0, 0}}}}}},
			Post: []Arc{{0, Expression{{1, []Term{{Variable, 0, 1}}}}}},
		}},
	}
	u, err := net.Unfold(context.Background(), Options{})
	fmt.Println(err)
	for t := range petri.Transition(u.Net.Transitions()) {
		fmt.Println(u.Net.TransitionLabel(t), u.Net.Pre(t), u.Net.Post(t))
	}
	// Output:
	// <nil>
	// {move_a move[x=a]} [{0 1}] [{1 1}]
	// {move_b move[x=b]} [{1 1}] [{2 1}]
	// {move_c move[x=c]} [{2 1}] [{0 1}]
}

// TestBindings pins which bindings are found for nets of one transition whose
// input place p holds some colours of a ring 0, 1, 2, 3.
func TestBindings(t *testing.T) {
	ring := &Class{Name: "Ring", Size: 4, Cyclic: true}
	x, y, all := Term{Variable, 0, 0}, Term{Variable, 1, 0}, Term{Kind: All}
	next := func(t Term, steps int64) Term { t.Value = steps; return t }
	equal := func(l, r Term) *Guard {
		return &Guard{Operator: Equal, Left: Operand{Term: l, Class: ring}, Right: Operand{Term: r, Class: ring}}
	}
	one := func(terms ...Term) (e Expression) {
		for _, term := range terms {
			e = append(e, Monomial{1, []Term{term}})
		}
		return e
	}
	allBut := func(term Term) Expression { return append(one(all), Monomial{-1, []Term{term}}) }
	for _, c := range []struct {
		marked []int64
		pre    Expression
		guard  *Guard
		want   string
	}{
		{[]int64{0, 2}, one(x), nil, "t[x=0] t[x=2]"},
		{[]int64{0, 2}, one(next(x, 3)), nil, "t[x=1] t[x=3]"},
		{[]int64{0, 2}, one(x), equal(next(y, 3), next(x, 1)), "t[x=0,y=2] t[x=2,y=0]"},
		{[]int64{0, 1}, one(x, y), equal(y, next(x, 1)), "t[x=0,y=1]"},
		{[]int64{0}, one(x, y), nil, "t[x=0,y=0]"},
		{[]int64{0, 1, 2}, allBut(x), nil, "t[x=3]"},
		{[]int64{0, 1, 2, 3}, allBut(x), nil, "t[x=0] t[x=1] t[x=2] t[x=3]"},
		{[]int64{0, 1}, Expression{{2, []Term{x}}, {-1, []Term{x}}}, nil, "t[x=0] t[x=1]"},
		{[]int64{0, 1, 2}, one(all), nil, ""},
		{[]int64{0, 1, 2}, one(x), equal(next(x, 1), x), ""},
		{[]int64{0, 1, 2}, one(x), &Guard{Operator: Or}, ""},
	} {
		tr := Transition{ID: "t", Guard: c.guard, Pre: []Arc{{0, c.pre}},
			Variables: []VariableDeclaration{{"x", ring}, {"y", ring}}}
		if !strings.Contains(c.want, "y=") {
			tr.Variables = tr.Variables[:1]
		}
		if c.want == "" && len(c.pre) == 1 && c.pre[0].Terms[0].Kind == All {
			tr.Variables = nil
		}
		p := Place{ID: "p", Domain: Domain{ring}}
		for _, colour := range c.marked {
			p.Initial = append(p.Initial, Monomial{1, []Term{{Value: colour}}})
		}
		u, err := (&Net{Places: []Place{p}, Transitions: []Transition{tr}}).Unfold(t.Context(), Options{})
		if err != nil {
			t.Error(err)
			continue
		}
		var got []string
		for i := range petri.Transition(u.Net.Transitions()) {
			got = append(got, u.Net.TransitionLabel(i).Name)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%v, %v: got %q, want %q", c.marked, c.pre, got, c.want)
		}
	}
}

// TestSharedNames unfolds a class whose colours all have one name, which must
// not take quadratic time.
func TestSharedNames(t *testing.T) {
	class := &Class{Name: "C", Size: 100_000, Constants: slices.Repeat([]string{"same"}, 100_000)}
	all := Expression{{1, []Term{{Kind: All}}}}
	u, err := (&Net{Places: []Place{{ID: "p", Domain: Domain{class}, Initial: all}}}).Unfold(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := u.Net.PlaceLabel(99_999).ID; got != "p_same.100000" {
		t.Errorf("got %q", got)
	}
}

package symmetric

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/petritest"
	"pnmc/petri"
)

// colouredGraph is the state graph of an unfolded net in terms of coloured nodes:
// states are labelled with the sums over colours, edges with coloured
// transitions.
type colouredGraph struct {
	labels []string
	edges  [][]string // "transition target"
	whole  bool
}

func (u *Unfolding) graph(limit int) colouredGraph {
	net := u.Net
	text := func(m petri.Marking) string { return fmt.Sprint(m) }
	number := map[string]int{text(net.Initial()): 0}
	queue := []petri.Marking{net.Initial()}
	coloured := make([]string, net.Transitions())
	for i, group := range u.Transitions {
		for _, t := range group {
			coloured[t] = u.Coloured.Transitions[i].ID
		}
	}
	g := colouredGraph{whole: true}
	for k := 0; k < len(queue); k++ {
		m := queue[k]
		sums := make([]int64, len(u.Places))
		for i, group := range u.Places {
			for _, p := range group {
				sums[i] += m[p]
			}
		}
		g.labels = append(g.labels, fmt.Sprint(sums))
		var edges []string
		for t := range petri.Transition(net.Transitions()) {
			after := slices.Clone(m)
			if !net.Fire(after, t) {
				continue
			}
			to, known := number[text(after)]
			if !known {
				if len(queue) >= limit {
					g.whole = false
					continue
				}
				to = len(queue)
				number[text(after)] = to
				queue = append(queue, after)
			}
			edges = append(edges, fmt.Sprint(coloured[t], " ", to))
		}
		g.edges = append(g.edges, edges)
	}
	return g
}

// bisimilar reports whether the initial states of two graphs are, by naive
// refinement of all states of both at once.
func bisimilar(a, b colouredGraph) bool {
	n := len(a.labels)
	class := append(slices.Clone(a.labels), b.labels...)
	for count := 0; ; {
		next := make([]string, len(class))
		numbers := map[string]string{}
		for s := range next {
			edges, offset := a.edges, 0
			if s >= n {
				edges, offset = b.edges, n
			}
			var steps []string
			for _, e := range edges[s-offset] {
				var to int
				var by string
				fmt.Sscan(e, &by, &to)
				steps = append(steps, by+" "+class[to+offset])
			}
			sort.Strings(steps)
			key := class[s] + ":" + strings.Join(slices.Compact(steps), ",")
			if numbers[key] == "" {
				numbers[key] = fmt.Sprint("c", len(numbers))
			}
			next[s] = numbers[key]
		}
		class = next
		if len(numbers) == count {
			return class[0] == class[n]
		}
		count = len(numbers)
	}
}

// TestMergedIsBisimilar compares random nets with merged colours and bindings to
// the same nets unfolded in full.
func TestMergedIsBisimilar(t *testing.T) {
	places, bindings, compared := 0, 0, 0
	if !petritest.CheckUntil(t, func() bool { return places >= 20 && bindings >= 5 && compared >= 100 }, func(t *rapid.T) {
		net := randomNet(t)
		full, err := net.Unfold(t.Context(), Options{KeepAll: true})
		if err != nil {
			return
		}
		plain, err := net.Unfold(t.Context(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		merged, err := net.Unfold(t.Context(), Options{Merge: true})
		if err != nil {
			t.Fatal(err)
		}
		if merged.Net.Places() > plain.Net.Places() || merged.Net.Transitions() > plain.Net.Transitions() {
			t.Fatal("merging makes nodes")
		}
		a, b := full.graph(80), merged.graph(80)
		if !a.whole {
			return
		}
		if !b.whole {
			t.Fatal("merging makes states")
		}
		if !bisimilar(a, b) {
			t.Fatalf("not bisimilar:\n%v\n%v", a, b)
		}
		if len(a.labels) > 1 {
			compared++
			if merged.Net.Places() < plain.Net.Places() {
				places++
			} else if merged.Net.Transitions() < plain.Net.Transitions() {
				bindings++
			}
		}
	}) {
		t.Errorf("of %d nets, colours were merged in %d, bindings alone in %d: too few", compared, places, bindings)
	}
}

// TestDivisions pins which colours of a class of six are merged, on a place p
// from which a transition takes a token.
func TestDivisions(t *testing.T) {
	class := &Class{Name: "C", Size: 6, Cyclic: true}
	x, y := Term{Variable, 0, 0}, Term{Variable, 1, 0}
	one := func(terms ...Term) Expression { return Expression{{1, terms}} }
	compare := func(o Operator, l, r Term, parts []int64) *Guard {
		return &Guard{Operator: o, Left: Operand{l, class, parts}, Right: Operand{r, class, parts}}
	}
	for name, c := range map[string]struct {
		guard *Guard
		pre   Expression
		post  Expression // on p, too
		want  string
	}{
		"any":             {nil, one(x), nil, "[0 0 0 0 0 0]"},
		"moved":           {nil, one(x), one(Term{Variable, 0, 1}), "[0 0 0 0 0 0]"},
		"constant":        {nil, one(Term{Value: 2}), one(x), "[0 0 1 0 0 0]"},
		"constant moved":  {compare(Equal, x, Term{Value: 2}, nil), one(x), one(Term{Variable, 0, 3}), "[0 0 1 0 0 2]"},
		"below":           {compare(Less, x, Term{Value: 2}, nil), one(x), nil, "[0 0 1 1 1 1]"},
		"twice":           {nil, Expression{{2, []Term{x}}}, nil, "told"},
		"two at once":     {nil, Expression{{1, []Term{x}}, {1, []Term{y}}}, nil, "[0 0 0 0 0 0]"},
		"equal":           {compare(Equal, x, y, nil), Expression{{1, []Term{x}}, {1, []Term{y}}}, nil, "told"},
		"parts":           {compare(Equal, x, y, []int64{0, 1, 1, 0, 1, 1}), Expression{{1, []Term{x}}, {1, []Term{y}}}, nil, "[0 1 1 0 1 1]"},
		"itself":          {compare(Less, x, Term{Variable, 0, 1}, nil), one(x), nil, "[0 0 0 0 0 1]"},
		"all":             {nil, one(Term{Kind: All}), nil, "told"},
		"all but":         {nil, one(x), Expression{{1, []Term{{Kind: All}}}, {-1, []Term{x}}}, "told"},
		"all comes":       {nil, one(x), one(Term{Kind: All}), "[0 0 0 0 0 0]"},
		"round the ring":  {compare(Equal, x, Term{Value: 0}, nil), one(x), one(Term{Variable, 0, 1}), "told"},
		"neither nor":     {&Guard{Operator: Or}, one(x), nil, "[0 0 0 0 0 0]"},
		"comes from free": {compare(AtMost, y, Term{Value: 3}, nil), one(x), one(y), "[0 0 0 0 0 0]"},
	} {
		net := &Net{
			Places: []Place{{ID: "p", Domain: Domain{class}}},
			Transitions: []Transition{{ID: "t", Guard: c.guard,
				Variables: []VariableDeclaration{{"x", class}, {"y", class}},
				Pre:       []Arc{{0, c.pre}}, Post: []Arc{{0, c.post}}}},
		}
		got := "told"
		if d := divide(net, func(int) bool { return true }, func(int) bool { return true }); d != nil && !d.places[0][0].told {
			block := d.places[0][0].block
			if block == nil {
				block = make([]int32, class.Size)
			}
			got = fmt.Sprint(block)
		}
		if got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}

// TestLongRing divides a ring that splits one colour at a time: that ends soon.
func TestLongRing(t *testing.T) {
	const size = 100_000
	ring := &Class{Name: "R", Size: size, Cyclic: true}
	x := Term{Variable, 0, 0}
	net := &Net{
		Places: []Place{{ID: "p", Domain: Domain{ring}}},
		Transitions: []Transition{{ID: "t", Variables: []VariableDeclaration{{"x", ring}},
			Guard: &Guard{Operator: Equal, Left: Operand{x, ring, nil}, Right: Operand{Term{}, ring, nil}},
			Pre:   []Arc{{0, Expression{{1, []Term{x}}}}},
			Post:  []Arc{{0, Expression{{1, []Term{{Variable, 0, 1}}}}}}}},
	}
	if divide(net, func(int) bool { return true }, func(int) bool { return true }) != nil {
		t.Error("colours of the ring are merged")
	}
}

// TestInterchangeable finds variables that may change places.
func TestInterchangeable(t *testing.T) {
	class, other := &Class{Name: "C", Size: 3}, &Class{Name: "D", Size: 3}
	v := func(i int, steps int64) Term { return Term{Variable, i, steps} }
	differ := func(i, j int) *Guard {
		return &Guard{Operator: Not, Operands: []*Guard{{Operator: Equal,
			Left: Operand{v(i, 0), class, nil}, Right: Operand{v(j, 0), class, nil}}}}
	}
	all := &Guard{Operator: And, Operands: []*Guard{differ(0, 1), differ(2, 1), differ(0, 2)}}
	sum := func(terms ...Term) (e Expression) {
		for _, term := range terms {
			e = append(e, Monomial{1, []Term{term}})
		}
		return e
	}
	for name, c := range map[string]struct {
		guard *Guard
		pre   Expression
		want  string
	}{
		"all three":      {all, sum(v(0, 0), v(1, 0), v(2, 0)), "[[0 1 2]]"},
		"one apart":      {all, sum(v(0, 0), v(1, 1), v(2, 0)), "[[0 2]]"},
		"guard apart":    {differ(0, 1), sum(v(0, 0), v(1, 0), v(2, 0)), "[[0 1]]"},
		"in a row":       {&Guard{Operator: Less, Left: Operand{v(0, 0), class, nil}, Right: Operand{v(1, 0), class, nil}}, sum(v(0, 0), v(1, 0)), "[]"},
		"in other class": {nil, sum(v(0, 0), v(3, 0)), "[[1 2]]"},
	} {
		tr := &Transition{Guard: c.guard, Pre: []Arc{{0, c.pre}},
			Variables: []VariableDeclaration{{"x", class}, {"y", class}, {"z", class}, {"u", other}}}
		if got := fmt.Sprint(tr.interchangeable(unlimited)); got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}

// TestDropConstant compares random nets without the places that never change to
// the same nets with them: the markings of the places left and the firings are
// the same.
func TestDropConstant(t *testing.T) {
	dropped := 0
	if !petritest.CheckUntil(t, func() bool { return dropped >= 50 }, func(t *rapid.T) {
		net := randomNet(t)
		full, err := net.Unfold(t.Context(), Options{})
		if err != nil {
			return
		}
		u, err := net.Unfold(t.Context(), Options{DropConstant: true})
		if err != nil {
			t.Fatal(err)
		}
		if u.Net.Places() == full.Net.Places() {
			return
		}
		// Without the places that u lacks, the edges must be the same.
		lacking := map[string]bool{}
		for p := range petri.Place(full.Net.Places()) {
			label := full.Net.PlaceLabel(p)
			if _, ok := u.Net.PlaceByID(label.ID); !ok {
				lacking[label.Name] = true
			}
		}
		want := graph(t, full, 60)
		if len(distinct(want)) >= 60 {
			return
		}
		for i, edge := range want {
			source, rest, _ := strings.Cut(edge, " --")
			by, target, _ := strings.Cut(rest, "--> ")
			want[i] = without(source, lacking) + " --" + by + "--> " + without(target, lacking)
		}
		sort.Strings(want)
		if got := graph(t, u, 60); !slices.Equal(got, want) {
			t.Fatalf("expected\n%s\ngot\n%s", strings.Join(want, "\n"), strings.Join(got, "\n"))
		}
		if len(want) > 1 {
			dropped++
		}
	}) {
		t.Errorf("places were dropped in %d nets: too few", dropped)
	}
}

// without leaves places out of a marking written as text.
func without(marking string, places map[string]bool) string {
	var parts []string
	for _, part := range strings.Fields(marking) {
		if name, _, _ := strings.Cut(part, ":"); !places[name] {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, " ")
}

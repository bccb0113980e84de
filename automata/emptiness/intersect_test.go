package emptiness

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"pnmc/automata"
	"pnmc/internal/automatatest"
)

// checkIntersect compares one check, with and without a word, to the expected
// answer, and has the word judged by both automata.
func checkIntersect(t *testing.T, name string, a, b Operand, left, right *automata.Automaton, want bool) {
	t.Helper()
	for _, o := range []Options{{}, {eager: true}, {Word: true}, {Word: true, eager: true}} {
		r, err := Intersect(a, b, o)
		if err != nil {
			t.Fatalf("%s: %+v: %v", name, o, err)
		}
		if r.Nonempty != want || (r.Word != nil) != (want && o.Word) {
			t.Fatalf("%s: %+v: nonempty %v, word %v; by definition it is %v", name, o, r.Nonempty, r.Word, want)
		}
		if r.Word == nil {
			continue
		}
		for _, x := range [2]*automata.Automaton{left, right} {
			if accepted, err := automata.Accepts(x, *r.Word); err != nil || !accepted {
				t.Fatalf("%s: %q does not accept the word %v (%v)", name, x.Acceptance.Name, r.Word, err)
			}
		}
	}
}

func TestIntersectsAgreesWithTheNaiveProduct(t *testing.T) {
	pairs := uint64(5000)
	if testing.Short() {
		pairs = 500
	}
	nonempty := 0
	for seed := range pairs {
		a, b := automatatest.RandomOperandPair(seed)
		want := automatatest.NaiveIntersects(a, b)
		if want {
			nonempty++
		}
		name := fmt.Sprintf("seed %d", seed)
		checkIntersect(t, name, Explicit(a), Explicit(b), a, b, want)
		switch seed % 4 {
		case 0:
			checkIntersect(t, name+", lazy right", Explicit(a), Lazy(lazyTwin{b}), a, b, want)
		case 1:
			checkIntersect(t, name+", lazy left", Lazy(lazyTwin{a}), Explicit(b), a, b, want)
		case 2:
			checkIntersect(t, name+", both lazy", Lazy(lazyTwin{a}), Lazy(lazyTwin{b}), a, b, want)
		case 3:
			p, err := automata.Product(context.Background(), a, b)
			if err != nil {
				t.Fatal(err)
			}
			checkIntersect(t, name+", product", Explicit(p), Explicit(automatatest.UniversalAutomaton()), p, p, want)
		}
	}
	if nonempty < int(pairs)/5 || nonempty > int(pairs)*4/5 {
		t.Errorf("%d of %d pairs intersect: the sample is lopsided", nonempty, pairs)
	}
}

func TestIntersectsKripkeStructures(t *testing.T) {
	for seed := range uint64(600) {
		k, same := newRandomStructure(seed, seed%2 == 0)
		a, _ := automatatest.RandomOperandPair(seed)
		want := automatatest.NaiveIntersects(same, a)
		name := fmt.Sprintf("seed %d", seed)
		checkIntersect(t, name+", explicit", Structure(k), Explicit(a), same, a, want)
		checkIntersect(t, name+", swapped", Explicit(a), Structure(k), a, same, want)
		checkIntersect(t, name+", lazy", Structure(k), Lazy(lazyTwin{a}), same, a, want)
		other, twin := newRandomStructure(seed+1, true)
		checkIntersect(t, name+", two structures", Structure(k), Structure(other), same, twin, automatatest.NaiveIntersects(same, twin))
	}
}

// TestScanSeesAllOfAComponent: a scan that looked at most of the labels that it may looks
// at those of a component again to find its accepting part.
func TestScanSeesAllOfAComponent(t *testing.T) {
	// A ring, closed by an edge that must not recur, with a loop that must: of the
	// letters of a state the automata have one in common.
	const length, letters = 40, 8
	letter := func(v uint64) automata.Label { return automata.Label{{1<<5 - 1, v}} }
	names := []string{"a", "b", "c", "d", "e"}
	ring := automata.NewBuilder(names, automata.Acceptance{Sets: 2, Condition: &automata.Condition{
		Operator: automata.ConditionAnd, Operands: []*automata.Condition{{Operator: automata.Fin}, {Operator: automata.Inf, Set: 1}},
	}})
	ring.AddStates(length)
	ring.AddInitial(0)
	single := automata.NewBuilder(names, automata.GeneralizedBuchi(0))
	single.AddStates(1)
	single.AddInitial(0)
	for v := range uint64(letters) {
		for s := range length {
			marks := automata.NewMarks(2)
			if s == length-1 {
				marks = automata.NewMarks(2, 0)
			}
			ring.AddEdge(automata.State(s), letter(v), marks, automata.State((s+1)%length))
		}
		single.AddEdge(0, letter(v+letters-1), automata.NewMarks(0), 0)
	}
	ring.AddEdge(length-1, letter(letters-1), automata.NewMarks(2, 1), length-1)
	a, err := ring.Build()
	if err != nil {
		t.Fatal(err)
	}
	b, err := single.Build()
	if err != nil {
		t.Fatal(err)
	}
	checkIntersect(t, "ring", Explicit(a), Explicit(b), a, b, true)
	checkIntersect(t, "swapped", Explicit(b), Explicit(a), b, a, true)
}

// countedStructure counts the calls for the label of each state.
type countedStructure struct {
	*randomStructure
	asked map[uint32]int
}

func (k countedStructure) Label(s uint32, v automata.Valuation) {
	k.asked[s]++
	k.randomStructure.Label(s, v)
}

// TestLabelsAreReadOnce: each state of a Kripke structure is asked for its label once,
// however many states of the automaton it is met with.
func TestLabelsAreReadOnce(t *testing.T) {
	visits, states := int64(0), 0
	for seed := range uint64(200) {
		k, _ := newRandomStructure(seed, false)
		a, _ := automatatest.RandomOperandPair(seed)
		counted := countedStructure{k, map[uint32]int{}}
		r, err := Intersect(Structure(counted), Explicit(a), Options{eager: true})
		if err != nil {
			t.Fatal(err)
		}
		visits, states = visits+r.Pairs, states+len(counted.asked)
		for s, n := range counted.asked {
			if n > 1 {
				t.Fatalf("seed %d: state %d was asked %d times", seed, s, n)
			}
		}
	}
	if visits < int64(states)*3/2 {
		t.Errorf("%d pairs of %d states: nothing to save", visits, states)
	}
}

// uniformMarks returns a with the same marks on all edges within each component, which
// are those of one of its edges: a weak automaton.
func uniformMarks(t *testing.T, a *automata.Automaton) *automata.Automaton {
	t.Helper()
	c := automata.FindComponents(a)
	marks := map[automata.Component]automata.Marks{}
	b := automata.NewBuilder(a.Propositions, a.Acceptance)
	b.AddStates(a.States())
	for _, s := range a.Initial() {
		b.AddInitial(s)
	}
	for e := range automata.Edge(a.Edges()) {
		m := a.Marks(e)
		if c.Inside(a, e) {
			n := c.Of(a.Source(e))
			if marks[n] == nil {
				marks[n] = m
			}
			m = marks[n]
		}
		b.AddEdge(a.Source(e), a.Label(e), m, a.Destination(e))
	}
	weak, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return weak
}

func TestIntersectsWeakAndTerminalOperands(t *testing.T) {
	kinds := map[string]int{}
	for seed := range uint64(2000) {
		a, b := automatatest.RandomOperandPair(seed)
		a = uniformMarks(t, a)
		if seed%3 == 0 {
			b = uniformMarks(t, b)
		}
		kinds[fmt.Sprint(automata.StrengthOf(context.Background(), a), automata.StrengthOf(context.Background(), b))]++
		want := automatatest.NaiveIntersects(a, b)
		name := fmt.Sprintf("seed %d", seed)
		checkIntersect(t, name, Explicit(a), Explicit(b), a, b, want)
		checkIntersect(t, name+", swapped", Explicit(b), Explicit(a), b, a, want)
		checkIntersect(t, name+", lazy", Lazy(lazyTwin{a}), Explicit(b), a, b, want)
	}
	for _, left := range []automata.Strength{automata.Terminal, automata.Weak} {
		for _, right := range []automata.Strength{automata.Terminal, automata.Weak, automata.Strong} {
			if kinds[fmt.Sprint(left, right)] < 10 {
				t.Errorf("%d pairs of strengths %v and %v", kinds[fmt.Sprint(left, right)], left, right)
			}
		}
	}
}

func TestIntersectsTerminalOperandBesideFin(t *testing.T) {
	// The left automaton accepts everything, from its first state by an edge without
	// a mark too; of the right, a part of the only component is accepting.
	b := automata.NewBuilder([]string{"a"}, automata.GeneralizedBuchi(1))
	b.AddStates(2)
	b.AddInitial(0)
	b.AddEdge(0, automata.Label{automata.NewCube(1)}, automata.NewMarks(1), 1)
	b.AddEdge(0, automata.Label{automata.NewCube(1)}, automata.NewMarks(1, 0), 0)
	b.AddEdge(1, automata.Label{automata.NewCube(1)}, automata.NewMarks(1, 0), 1)
	left, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	c := automata.NewBuilder([]string{"a"}, automata.Acceptance{Sets: 1, Condition: &automata.Condition{Operator: automata.Fin}})
	c.AddStates(1)
	c.AddInitial(0)
	c.AddEdge(0, automata.Label{automata.NewCube(1).With(0, true)}, automata.NewMarks(1, 0), 0)
	c.AddEdge(0, automata.Label{automata.NewCube(1).With(0, false)}, automata.NewMarks(1), 0)
	right, err := c.Build()
	if err != nil {
		t.Fatal(err)
	}
	checkIntersect(t, "left", Explicit(left), Explicit(right), left, right, true)
	checkIntersect(t, "right", Explicit(right), Explicit(left), right, left, true)
}

func TestIntersectsMoreThan64Propositions(t *testing.T) {
	names := make([]string, 150)
	for i := range names {
		names[i] = fmt.Sprintf("p%d", i)
	}
	// The two automata differ in the value of one proposition only.
	one := func(p int, positive bool, order []string) *automata.Automaton {
		b := automata.NewBuilder(order, automata.GeneralizedBuchi(1))
		b.AddStates(1)
		b.AddInitial(0)
		b.AddEdge(0, automata.Label{automata.NewCube(len(order)).With(p, positive)}, automata.NewMarks(1, 0), 0)
		a, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	reversed := make([]string, len(names))
	for i, n := range names {
		reversed[len(names)-1-i] = n
	}
	for _, p := range []int{0, 63, 64, 127, 128, 149} {
		yes, no := one(p, true, names), one(len(names)-1-p, false, reversed)
		same := one(len(names)-1-p, true, reversed)
		checkIntersect(t, fmt.Sprintf("p%d against !p%d", p, p), Explicit(yes), Explicit(no), yes, no, false)
		checkIntersect(t, fmt.Sprintf("p%d twice", p), Explicit(yes), Explicit(same), yes, same, true)
		checkIntersect(t, "lazy", Lazy(lazyTwin{yes}), Lazy(lazyTwin{no}), yes, no, false)
	}
}

func TestIntersectsManySets(t *testing.T) {
	// One state, an edge for each set: the run has to take all of them.
	many := func(sets, marked int) *automata.Automaton {
		b := automata.NewBuilder([]string{"a"}, automata.GeneralizedBuchi(sets))
		b.AddStates(1)
		b.AddInitial(0)
		for i := range marked {
			b.AddEdge(0, automata.Label{automata.NewCube(1).With(0, i%2 == 0)}, automata.NewMarks(sets, i), 0)
		}
		a, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	full, short := many(200, 200), many(130, 129)
	checkIntersect(t, "400 sets", Explicit(full), Explicit(full), full, full, true)
	checkIntersect(t, "330 sets, one never seen", Explicit(full), Explicit(short), full, short, false)
}

func TestIntersectRefusesTestingAutomata(t *testing.T) {
	b := automata.NewBuilder(nil, automata.GeneralizedBuchi(0))
	b.Kind = automata.TGTA
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Intersects(Explicit(a), Explicit(automatatest.UniversalAutomaton())); err == nil {
		t.Error("no error for a testing automaton")
	}
}

func TestIntersectKeepsToItsLimits(t *testing.T) {
	a := automatatest.Random(automatatest.RandomSettings{States: 60, Propositions: []string{"a"}, Density: 0.1, Sets: 1}, 3)
	if _, err := Intersect(Lazy(lazyTwin{a}), Lazy(lazyTwin{a}), Options{MaxPairs: 10}); !errors.Is(err, ErrTooManyPairs) {
		t.Errorf("limit of 10 pairs: error %v, want ErrTooManyPairs", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Intersect(Lazy(lazyTwin{a}), Lazy(lazyTwin{a}), Options{Context: ctx}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error %v, want context.Canceled", err)
	}
}

func TestTerminalOperandStopsEarly(t *testing.T) {
	// F a, and a long chain of states that is accepting in its end only.
	b := automata.NewBuilder([]string{"a"}, automata.GeneralizedBuchi(1))
	b.AddStates(2)
	b.AddInitial(0)
	b.AddEdge(0, automata.Label{automata.NewCube(1)}, automata.NewMarks(1), 0)
	b.AddEdge(0, automata.Label{automata.NewCube(1).With(0, true)}, automata.NewMarks(1), 1)
	b.AddEdge(1, automata.Label{automata.NewCube(1)}, automata.NewMarks(1, 0), 1)
	terminal, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	const length = 1000
	c := automata.NewBuilder([]string{"a"}, automata.GeneralizedBuchi(1))
	c.AddStates(length)
	c.AddInitial(0)
	for s := range length {
		c.AddEdge(automata.State(s), automata.Label{automata.NewCube(1)}, automata.NewMarks(1), automata.State(min(s+1, length-1)))
	}
	c.AddEdge(length-1, automata.Label{automata.NewCube(1)}, automata.NewMarks(1, 0), length-1)
	chain, err := c.Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range [][2]Operand{{Explicit(terminal), Explicit(chain)}, {Explicit(chain), Explicit(terminal)}} {
		r, err := Intersect(o[0], o[1], Options{})
		if err != nil || !r.Nonempty {
			t.Fatalf("nonempty %v, error %v", r.Nonempty, err)
		}
		if r.Pairs > 2*length {
			t.Errorf("%d pairs visited", r.Pairs)
		}
	}
	checkIntersect(t, "word", Explicit(terminal), Explicit(chain), terminal, chain, true)
}

func ExampleIntersect() {
	// infinitely often a, and infinitely often not a
	recurs := func(positive bool) *automata.Automaton {
		b := automata.NewBuilder([]string{"a"}, automata.GeneralizedBuchi(1))
		b.AddStates(1)
		b.AddInitial(0)
		b.AddEdge(0, automata.Label{automata.NewCube(1)}, automata.NewMarks(1), 0)
		b.AddEdge(0, automata.Label{automata.NewCube(1).With(0, positive)}, automata.NewMarks(1, 0), 0)
		a, _ := b.Build()
		return a
	}
	r, err := Intersect(Explicit(recurs(true)), Explicit(recurs(false)), Options{Word: true})
	fmt.Println(r.Nonempty, r.Word, err)
	// Output: true cycle{!a; a} <nil>
}

func TestIntersectsWithGroupedRows(t *testing.T) {
	// States with many edges, whose labels leave some propositions open, so that
	// some rows are grouped by the values of propositions and others are not.
	answers := map[bool]int{}
	for seed := range uint64(60) {
		one := func(names []string, seed uint64) *automata.Automaton {
			return automatatest.Random(automatatest.RandomSettings{
				States: 4 + int(seed%5), Propositions: names, Density: 0.8,
				LiteralProbability: []float64{0.6, 0.9, 1}[seed%3], Sets: 4, MarkProbability: 0.02,
				Condition: automatatest.RandomInf,
			}, seed)
		}
		a, b := one([]string{"a", "b", "c", "d"}, 2*seed), one([]string{"d", "e", "b", "a"}, 2*seed+1)
		want := automatatest.NaiveIntersects(a, b)
		answers[want]++
		checkIntersect(t, fmt.Sprintf("seed %d", seed), Explicit(a), Explicit(b), a, b, want)
	}
	if answers[true] < 10 || answers[false] < 10 {
		t.Errorf("lopsided sample: %v", answers)
	}
}

package symbolic

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/automata"
	"pnmc/automata/reduce"
	"pnmc/automata/stutter"
	"pnmc/automata/testingautomata"
	"pnmc/automata/translate"
	"pnmc/logic"
	"pnmc/logic/ltl"
	"pnmc/symbolic/order"
)

// drawPredicate draws a predicate over the variables and events of s.
func drawPredicate(t *rapid.T, s *System, depth int) *logic.Predicate {
	kinds := []logic.Operator{logic.AtMost, logic.Equal, logic.PolynomialAtMost, logic.PolynomialEqual, logic.Fireable, logic.Deadlocked, logic.True}
	if depth > 0 {
		kinds = append(kinds, logic.Not, logic.And, logic.Or)
	}
	p := &logic.Predicate{Operator: rapid.SampledFrom(kinds).Draw(t, "operator")}
	switch p.Operator {
	case logic.AtMost, logic.Equal:
		p.Sum = drawSum(t, s)
	case logic.PolynomialAtMost, logic.PolynomialEqual:
		p.Sum = drawSum(t, s)
		for range rapid.IntRange(1, 2).Draw(t, "products") {
			product := logic.Product{Coefficient: rapid.Int64Range(-2, 2).Draw(t, "coefficient")}
			for range rapid.IntRange(2, 3).Draw(t, "factors") {
				product.Factors = append(product.Factors, drawSum(t, s))
			}
			p.Products = append(p.Products, product)
		}
	case logic.Fireable:
		for e := range s.Events {
			if rapid.Bool().Draw(t, "transition") {
				p.Transitions = append(p.Transitions, uint32(e))
			}
		}
	case logic.Not:
		p.Operands = []*logic.Predicate{drawPredicate(t, s, depth-1)}
	case logic.And, logic.Or:
		for range rapid.IntRange(0, 3).Draw(t, "operands") {
			p.Operands = append(p.Operands, drawPredicate(t, s, depth-1))
		}
	}
	return p
}

func drawSum(t *rapid.T, s *System) logic.Sum {
	sum := logic.Sum{Constant: rapid.Int64Range(-4, 4).Draw(t, "constant")}
	for v := range s.Names {
		if c := rapid.Int64Range(-2, 2).Draw(t, "coefficient"); c != 0 {
			sum.Terms = append(sum.Terms, logic.Term{Place: uint32(v), Coefficient: c})
		}
	}
	return sum
}

// valueIn returns the naive value of a sum.
func valueIn(sum logic.Sum, v []uint32) int64 {
	value := sum.Constant
	for _, t := range sum.Terms {
		value += t.Coefficient * int64(v[t.Place])
	}
	return value
}

// holds returns the naive meaning of p.
func holds(s *System, p *logic.Predicate, v []uint32) bool {
	possible := func(e Event) bool { return len((&System{Events: []Event{e}}).successors(v)) > 0 }
	switch p.Operator {
	case logic.True:
		return true
	case logic.Not:
		return !holds(s, p.Operands[0], v)
	case logic.And:
		return !slices.ContainsFunc(p.Operands, func(o *logic.Predicate) bool { return !holds(s, o, v) })
	case logic.Or:
		return slices.ContainsFunc(p.Operands, func(o *logic.Predicate) bool { return holds(s, o, v) })
	case logic.AtMost, logic.Equal, logic.PolynomialAtMost, logic.PolynomialEqual:
		sum := valueIn(p.Sum, v)
		for _, product := range p.Products {
			each := product.Coefficient
			for _, f := range product.Factors {
				each *= valueIn(f, v)
			}
			sum += each
		}
		return sum == 0 || sum < 0 && (p.Operator == logic.AtMost || p.Operator == logic.PolynomialAtMost)
	case logic.Fireable:
		return slices.ContainsFunc(p.Transitions, func(e uint32) bool { return possible(s.Events[e]) })
	case logic.Deadlocked:
		return !slices.ContainsFunc(s.Events, possible)
	}
	return false
}

// drawSpace draws a system with few states, explored both ways.
func drawSpace(t *rapid.T) (*StateSpace, vectorSet) { return spaceOf(t, drawSystem(t)) }

// spaceOf explores s in a random order of its variables.
func spaceOf(t *rapid.T, s *System) (*StateSpace, vectorSet) {
	states, _, finished := s.explore(naiveLimit)
	if !finished {
		t.Skip("too many states")
	}
	sp, err := newSpace(t.Context(), s, rapid.Permutation(order.Declared(len(s.Names))).Draw(t, "order"), Options{Memory: 0})
	must(t, err)
	n, err := sp.reach(context.Background(), Saturation)
	must(t, err)
	return sp.result("test", n), states
}

func TestSatisfying(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		space, states := drawSpace(t)
		space.Forest.eager = rapid.Bool().Draw(t, "eager")
		p := drawPredicate(t, space.System, 2)
		n, err := space.Satisfying(p)
		must(t, err)
		want := 0
		for _, v := range states {
			byLevel := make([]uint32, len(v))
			for i, level := range space.Levels {
				byLevel[level-1] = v[i]
			}
			expected := holds(space.System, p, v)
			if expected {
				want++
			}
			if got := space.Forest.Contains(n, byLevel); got != expected {
				t.Fatalf("predicate %+v in state %v: %v, want %v", p, v, got, expected)
			}
		}
		if got := space.Forest.Count(n); got.Cmp(big.NewInt(int64(want))) != 0 {
			t.Fatalf("%v states, want %d", got, want)
		}
	})
}

// acceptsSomeRun decides emptiness of the product state by state.
func acceptsSomeRun(t fataler, s *System, a *automata.Automaton, propositions []*logic.Predicate) bool {
	accepts, err := automata.HasAcceptingCycle(context.Background(), naiveProduct(t, s, a, propositions))
	must(t, err)
	return accepts
}

// naiveProduct returns the product state by state, without labels: the reachable states.
func naiveProduct(t fataler, s *System, a *automata.Automaton, propositions []*logic.Predicate) *automata.Automaton {
	b := automata.NewBuilder(nil, a.Acceptance)
	numbers := map[string]automata.State{}
	type pair struct {
		v []uint32
		q automata.State
	}
	var queue []pair
	number := func(v []uint32, q automata.State) automata.State {
		key := fmt.Sprint(v, q)
		n, ok := numbers[key]
		if !ok {
			n = b.AddState("")
			numbers[key] = n
			queue = append(queue, pair{slices.Clone(v), q})
		}
		return n
	}
	for _, q := range a.Initial() {
		b.AddInitial(number(s.Initial, q))
	}
	for len(queue) > 0 {
		from := queue[0]
		queue = queue[1:]
		valuation := make(automata.Valuation, a.ValuationWords())
		for i, p := range propositions {
			if holds(s, p, from.v) {
				valuation[0] |= 1 << i
			}
		}
		next := s.successors(from.v)
		if len(next) == 0 {
			next = [][]uint32{from.v}
		}
		first, end := a.Out(from.q)
		for e := first; e < end; e++ {
			if !a.Matches(e, valuation) {
				continue
			}
			for _, w := range next {
				b.AddEdge(number(from.v, from.q), automata.Label{automata.NewCube(0)}, a.Marks(e), number(w, a.Destination(e)))
			}
		}
	}
	product, err := b.Build()
	must(t, err)
	return product
}

// drawPropositions draws meanings for that many propositions p0, p1, …
func drawPropositions(t *rapid.T, s *System, n int) (names []string, propositions []*logic.Predicate) {
	for i := range n {
		names = append(names, fmt.Sprint("p", i))
		propositions = append(propositions, drawPredicate(t, s, 1))
	}
	return names, propositions
}

// drawOptions draws a way to check a product, with a witness.
func drawOptions(t *rapid.T) ProductOptions {
	return ProductOptions{
		NoSaturation:  rapid.Bool().Draw(t, "chaining"),
		StateVariable: StateVariable(rapid.IntRange(0, len(stateVariableNames)-1).Draw(t, "placement")),
		Witness:       true,
		eager:         rapid.IntRange(0, 9).Draw(t, "eager") == 0,
	}
}

// compareProducts checks the product with a as it is, as a TGTA that is built, as one
// that observes valuations, and by self-loop aggregation, and compares with the naive product.
func compareProducts(t *rapid.T, space *StateSpace, a *automata.Automaton, propositions []*logic.Predicate, options ProductOptions) {
	want := acceptsSomeRun(t, space.System, a, propositions)
	pruned, err := reduce.Prune(context.Background(), a)
	must(t, err)
	invariance, err := stutter.DecideInvariance(context.Background(), pruned)
	must(t, err)
	testing, err := testingautomata.NewTGTA(context.Background(), pruned, invariance)
	must(t, err)
	observed := options
	observed.Testing = &invariance
	aggregated := options
	aggregated.Aggregate = true
	for _, c := range []struct {
		automaton *automata.Automaton
		options   ProductOptions
	}{{a, options}, {testing, options}, {pruned, observed}, {a, aggregated}, {pruned, aggregated}} {
		got, err := CheckEmptiness(context.Background(), space, c.automaton, propositions, c.options)
		must(t, err)
		if got.Empty == want {
			t.Fatalf("kind %v, options %+v: empty %v, want %v", c.automaton.Kind, c.options, got.Empty, !want)
		}
		if want {
			replay(t, space.System, a, propositions, got.Run)
		}
	}
}

// TestEmptiness compares products with random automata, few of which are
// stutter-invariant.
func TestEmptiness(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		space, _ := drawSpace(t)
		names, propositions := drawPropositions(t, space.System, rapid.IntRange(1, 2).Draw(t, "propositions"))
		compareProducts(t, space, drawAutomaton(t, names), propositions, drawOptions(t))
	})
}

// TestStutterInvariantEmptiness compares products with automata of formulas
// without the operator X, and of some whose parts only are stutter-invariant.
func TestStutterInvariantEmptiness(t *testing.T) {
	formulas := ltl.NewFormulas()
	parser := ltl.Parser{Formulas: formulas}
	var list []*automata.Automaton
	for _, text := range []string{
		"G p0", "F p0", "G F p0", "F G p0", "p0 U p1", "G(p0 -> F p1)", "G F p0 & G F p1", "F(p0 & (p0 U (p1 & F !p0)))",
		"G F p0 -> G F p1", "(G F p0 & F G p1) | G !p0", "(p0 U p1) R !p0", "F G p0 | F G p1", "G(p0 | F G p1)",
		"p0 & F(!p0 & F(p0 & F !p0))", "X G F p0", "X(p0 & F G p1)", "p0 & X(!p0 U p1)", "F(p0 & X p0) | G F p1",
	} {
		f, err := parser.Parse(text)
		must(t, err)
		a, err := translate.ToAutomaton(t.Context(), formulas, f, translate.Options{})
		must(t, err)
		list = append(list, a)
	}
	rapid.Check(t, func(t *rapid.T) {
		space, _ := drawSpace(t)
		_, propositions := drawPropositions(t, space.System, 2)
		a := rapid.SampledFrom(list).Draw(t, "automaton")
		compareProducts(t, space, a, propositions[:len(a.Propositions)], drawOptions(t))
	})
}

// replay expects that the run is one of s, that its cycle comes back, and that a
// accepts it.
func replay(t fataler, s *System, a *automata.Automaton, propositions []*logic.Predicate, run *Run) {
	at := slices.Clone(s.Initial)
	walk := func(steps []int) (word []automata.Valuation) {
		for _, event := range steps {
			valuation := make(automata.Valuation, a.ValuationWords())
			for i, p := range propositions {
				if holds(s, p, at) {
					valuation[0] |= 1 << i
				}
			}
			word = append(word, valuation)
			if event == Stutter {
				if len(s.successors(at)) > 0 {
					t.Fatalf("run %+v stutters in %v, which has successors", run, at)
				}
				continue
			}
			next := (&System{Events: s.Events[event : event+1]}).successors(at)
			if len(next) != 1 {
				t.Fatalf("run %+v: event %d is not possible in %v", run, event, at)
			}
			at = next[0]
		}
		return word
	}
	lasso := automata.Lasso{Propositions: a.Propositions, Prefix: walk(run.Prefix)}
	begin := slices.Clone(at)
	lasso.Cycle = walk(run.Cycle)
	if len(run.Cycle) == 0 || !slices.Equal(at, begin) {
		t.Fatalf("run %+v: the cycle leads from %v to %v", run, begin, at)
	}
	accepted, err := automata.Accepts(a, lasso)
	must(t, err)
	if !accepted {
		t.Fatalf("run %+v with the word %v is not accepted", run, lasso)
	}
}

func drawAutomaton(t *rapid.T, names []string) *automata.Automaton {
	sets := rapid.IntRange(0, 2).Draw(t, "sets")
	b := automata.NewBuilder(names, automata.GeneralizedBuchi(sets))
	states := rapid.IntRange(1, 3).Draw(t, "states")
	b.AddStates(states)
	b.AddInitial(0)
	for range rapid.IntRange(1, 6).Draw(t, "edges") {
		cube := automata.NewCube(len(names))
		for p := range names {
			switch rapid.IntRange(0, 2).Draw(t, "literal") {
			case 1:
				cube = cube.With(p, true)
			case 2:
				cube = cube.With(p, false)
			}
		}
		var marks []int
		for f := range sets {
			if rapid.Bool().Draw(t, "mark") {
				marks = append(marks, f)
			}
		}
		from := automata.State(rapid.IntRange(0, states-1).Draw(t, "from"))
		to := automata.State(rapid.IntRange(0, states-1).Draw(t, "to"))
		b.AddEdge(from, automata.Label{cube}, automata.NewMarks(sets, marks...), to)
	}
	a, err := b.Build()
	must(t, err)
	return a
}

func TestProductErrors(t *testing.T) {
	s := &System{Names: []string{"a"}, Initial: []uint32{0}}
	space, err := ExploreSystem(t.Context(), s, Options{})
	must(t, err)
	coBuchi := automata.Acceptance{Sets: 1, Condition: &automata.Condition{Operator: automata.Fin}}
	for _, c := range []struct {
		acceptance automata.Acceptance
		names      []string
	}{{coBuchi, nil}, {automata.GeneralizedBuchi(1), []string{"p"}}} {
		a, err := automata.NewBuilder(c.names, c.acceptance).Build()
		must(t, err)
		if _, err := CheckEmptiness(t.Context(), space, a, nil, ProductOptions{}); err == nil {
			t.Errorf("automaton with acceptance %v over %v was taken", c.acceptance, c.names)
		}
	}
}

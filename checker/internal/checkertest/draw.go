package checkertest

import (
	"pgregory.net/rapid"

	"pnmc/automata"
	"pnmc/internal/automatatest"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/logic/ltl"
	"pnmc/petri"
)

// AnyNet draws a net with arcs of any kind whose markings can all be listed.
func AnyNet(t *rapid.T) (*petri.Net, *petritest.Graph) { return among(t, petritest.AnyNet()) }

func among(t *rapid.T, nets *rapid.Generator[*petri.Net]) (*petri.Net, *petritest.Graph) {
	net := nets.Draw(t, "net")
	if rapid.IntRange(0, 3).Draw(t, "machines") == 0 {
		net = petritest.StateMachines(true).Draw(t, "net")
	}
	g, complete := petritest.Explore(net, 400)
	if !complete {
		t.Skip("too many markings")
	}
	return net, g
}

// Predicate draws a state predicate over the nodes of net.
func Predicate(t *rapid.T, net *petri.Net) *logic.Predicate {
	kinds := []string{"true", "deadlock"}
	if net.Places() > 0 {
		kinds = append(kinds, "at most", "at most", "equal", "difference", "product")
	}
	if net.Transitions() > 0 {
		kinds = append(kinds, "fireable", "fireable")
	}
	place := func() uint32 { return uint32(rapid.IntRange(0, net.Places()-1).Draw(t, "place")) }
	var p *logic.Predicate
	switch rapid.SampledFrom(kinds).Draw(t, "kind") {
	case "true":
		p = &logic.Predicate{Operator: logic.True}
	case "deadlock":
		p = &logic.Predicate{Operator: logic.Deadlocked}
	case "at most":
		sum := logic.Sum{Constant: -rapid.Int64Range(0, 2).Draw(t, "constant"), Terms: []logic.Term{{Place: place(), Coefficient: 1}}}
		p = &logic.Predicate{Operator: logic.AtMost, Sum: sum}
	case "equal":
		sum := logic.Sum{Constant: -rapid.Int64Range(0, 2).Draw(t, "constant"), Terms: []logic.Term{{Place: place(), Coefficient: 1}}}
		p = &logic.Predicate{Operator: logic.Equal, Sum: sum}
	case "difference":
		sum := logic.Sum{Terms: []logic.Term{{Place: place(), Coefficient: 1}, {Place: place(), Coefficient: -2}}}
		p = &logic.Predicate{Operator: logic.AtMost, Sum: sum}
	case "product":
		p = multiplied(t, net)
	case "fireable":
		tr := uint32(rapid.IntRange(0, net.Transitions()-1).Draw(t, "transition"))
		p = &logic.Predicate{Operator: logic.Fireable, Transitions: []uint32{tr}}
	}
	if rapid.Bool().Draw(t, "negated") {
		p = &logic.Predicate{Operator: logic.Not, Operands: []*logic.Predicate{p}}
	}
	return p
}

// multiplied draws a comparison of a product of places, which may have become a simpler one.
func multiplied(t *rapid.T, net *petri.Net) *logic.Predicate {
	sum := func(least int64) logic.Sum {
		s := logic.Sum{Constant: rapid.Int64Range(-2, 1).Draw(t, "constant")}
		for range rapid.IntRange(1, 2).Draw(t, "terms") {
			s.Terms = append(s.Terms, logic.Term{
				Place:       uint32(rapid.IntRange(0, net.Places()-1).Draw(t, "place")),
				Coefficient: rapid.Int64Range(least, 2).Draw(t, "coefficient"),
			})
		}
		return s
	}
	number, ok := logic.Polynomial{Sum: sum(0)}.Times(logic.Polynomial{Sum: sum(-1)})
	if !ok {
		t.Fatal("small numbers are too large")
	}
	number.Sum.Constant += rapid.Int64Range(-3, 1).Draw(t, "constant")
	p, ok := number.Compare(rapid.SampledFrom([]logic.Operator{logic.AtMost, logic.Equal}).Draw(t, "comparison"))
	if !ok {
		t.Fatal("small numbers are too large")
	}
	return p
}

// Automaton draws an automaton without Fin over that many propositions:
// strong, weak or terminal components among them, sometimes without edges for
// some valuations, and sometimes with several initial states.
func Automaton(t *rapid.T, propositions []string) *automata.Automaton {
	settings := automatatest.RandomSettings{
		States: rapid.IntRange(1, 5).Draw(t, "states"), Propositions: propositions,
		Density:            rapid.Float64Range(0.05, 0.5).Draw(t, "density"),
		LiteralProbability: rapid.Float64Range(0, 1).Draw(t, "literals"),
		Sets:               rapid.IntRange(0, 4).Draw(t, "sets"),
		MarkProbability:    rapid.SampledFrom([]float64{0.1, 0.3, 0.5, 1}).Draw(t, "marks"),
		Condition:          rapid.SampledFrom([]automatatest.RandomCondition{automatatest.RandomGeneralizedBuchi, automatatest.RandomInf}).Draw(t, "condition"),
	}
	a := automatatest.Random(settings, rapid.Uint64().Draw(t, "seed"))
	if rapid.Bool().Draw(t, "one initial state") {
		return a
	}
	b := automata.NewBuilder(a.Propositions, a.Acceptance)
	b.AddStates(a.States())
	for e := range automata.Edge(a.Edges()) {
		b.AddEdge(a.Source(e), a.Label(e), a.Marks(e), a.Destination(e))
	}
	for range rapid.IntRange(0, 3).Draw(t, "initial states") {
		b.AddInitial(automata.State(rapid.IntRange(0, a.States()-1).Draw(t, "initial")))
	}
	c, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// State draws a predicate whose sums have their terms in order.
func State(t *rapid.T, net *petri.Net) *logic.Predicate {
	p := Predicate(t, net)
	s := &p.Sum
	if p.Operator == logic.Not {
		s = &p.Operands[0].Sum
	}
	if len(s.Terms) == 2 {
		switch a, b := s.Terms[0], s.Terms[1]; {
		case a.Place == b.Place:
			s.Terms = []logic.Term{{Place: a.Place, Coefficient: a.Coefficient + b.Coefficient}}
		case a.Place > b.Place:
			s.Terms = []logic.Term{b, a}
		}
	}
	return p
}

// Goal draws a Boolean combination of predicates.
func Goal(t *rapid.T, net *petri.Net, depth int) *logic.Predicate {
	if depth == 0 || rapid.IntRange(0, 3).Draw(t, "leaf") == 0 {
		return State(t, net)
	}
	p := &logic.Predicate{Operator: rapid.SampledFrom([]logic.Operator{logic.And, logic.And, logic.Or, logic.Not, logic.Equivalent}).Draw(t, "operator")}
	operands := 2
	if p.Operator == logic.Not {
		operands = 1
	}
	for range operands {
		p.Operands = append(p.Operands, Goal(t, net, depth-1))
	}
	return p
}

// Sum draws a sum over places.
func Sum(t *rapid.T, net *petri.Net) logic.Sum {
	s := logic.Sum{}
	for p := range net.Places() {
		if c := rapid.SampledFrom([]int64{0, 1, 1, 2}).Draw(t, "coefficient"); c > 0 {
			s.Terms = append(s.Terms, logic.Term{Place: uint32(p), Coefficient: c})
		}
	}
	return s
}

// Products draws products of sums over places, perhaps none, which may be negative.
func Products(t *rapid.T, net *petri.Net) (list []logic.Product) {
	for range rapid.SampledFrom([]int{0, 0, 1, 1, 2}).Draw(t, "products") {
		p := logic.Product{Coefficient: rapid.SampledFrom([]int64{1, 1, 2, -1}).Draw(t, "coefficient")}
		for range 2 {
			factor := Sum(t, net)
			factor.Constant = rapid.Int64Range(-2, 1).Draw(t, "constant")
			p.Factors = append(p.Factors, factor)
		}
		list = append(list, p)
	}
	return list
}

// CTL draws a formula with every operator.
func CTL(t *rapid.T, net *petri.Net, depth int) *ctl.Formula {
	return formula(t, func() *logic.Predicate { return State(t, net) }, depth)
}

// formula draws a formula of CTL over predicates that state draws.
func formula(t *rapid.T, state func() *logic.Predicate, depth int) *ctl.Formula {
	if depth == 0 || rapid.IntRange(0, 4).Draw(t, "leaf") == 0 {
		return ctl.Of(state())
	}
	operator := rapid.SampledFrom([]ctl.Operator{logic.Not, logic.And, logic.Or,
		ctl.ExistsNext, ctl.ExistsFinally, ctl.ExistsGlobally, ctl.ExistsUntil,
		ctl.AllNext, ctl.AllFinally, ctl.AllGlobally, ctl.AllUntil}).Draw(t, "operator")
	operands := 1
	switch operator {
	case logic.And, logic.Or, ctl.ExistsUntil, ctl.AllUntil:
		operands = 2
	}
	f := &ctl.Formula{Operator: operator}
	for range operands {
		f.Operands = append(f.Operands, formula(t, state, depth-1))
	}
	return f
}

// Linear draws a formula over the first few propositions.
func Linear(t *rapid.T, s *ltl.Formulas, names []string, depth int) *ltl.Formula {
	if depth == 0 || rapid.IntRange(0, 5).Draw(t, "leaf") == 0 {
		return s.Atom(rapid.SampledFrom(names).Draw(t, "atom"))
	}
	o := func() *ltl.Formula { return Linear(t, s, names, depth-1) }
	switch rapid.IntRange(0, 9).Draw(t, "connective") {
	case 0:
		return s.Not(o())
	case 1:
		return s.And(o(), o())
	case 2:
		return s.Or(o(), o())
	case 3:
		return s.Next(o())
	case 4, 5:
		return s.Finally(o())
	case 6, 7:
		return s.Globally(o())
	}
	return s.Until(o(), o())
}

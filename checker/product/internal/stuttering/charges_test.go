package stuttering

import (
	"context"
	"strings"
	"testing"

	"pnmc/automata"
	"pnmc/automata/stutter"
	"pnmc/automata/testingautomata"
	"pnmc/automata/translate"
	"pnmc/checker/product/internal/states"
	"pnmc/checker/properties"
	"pnmc/internal/account"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/logic/ltl"
	"pnmc/petri"
)

// TestSearchesChargeTheirOwnWork: on a graph that was explored before, so that its exploration charges
// little or nothing, a search charges its states, edges, rows and numbers, and what it holds. The numbers
// are those of a search without a defect: a charge that is missing makes them less. On a graph whose edges
// are not kept, that of the graph is in them as well.
func TestSearchesChargeTheirOwnWork(t *testing.T) {
	ta, tgta := testingautomata.NewTA, testingautomata.NewTGTA
	for _, test := range []struct {
		name     string
		formula  string
		with     func(context.Context, *automata.Automaton, stutter.Invariance) (*automata.Automaton, error)
		kept     bool
		accepted bool
		least    int64
	}{
		{"nothing accepted by a TGTA", "G F !dead & G F dead", tgta, true, false, 3_123_148},
		{"nothing accepted by a TGTA, edges not kept", "G F !dead & G F dead", tgta, false, false, 4_855_260},
		{"no livelock", "F G never", ta, true, false, 2_857_912},
		{"two passes without a livelock", "F G early", ta, true, false, 6_085_628},
		{"cycle", "G F eats0 & G F (eats1 & thinks2) & G F left2", tgta, true, true, 1_681_664},
		{"livelock", "F G dead", ta, true, true, 1_186_696},
		{"whatever follows", "F eats0", tgta, true, true, 531_080},
	} {
		spent := spentBy(t, test.formula, test.with, test.kept, test.accepted)
		if spent < test.least {
			t.Errorf("%s: %d units charged, expected %d", test.name, spent, test.least)
		}
	}
}

// spentBy returns what a search for a run of the formula's automaton charges, with the run if there is one.
func spentBy(t *testing.T, formula string, with func(context.Context, *automata.Automaton, stutter.Invariance) (*automata.Automaton, error), kept, accepted bool) int64 {
	t.Helper()
	k, f, x, err := searched(t, t.Context(), formula, with, kept)
	if err != nil || (f != nil) != accepted {
		t.Fatalf("%s: found %v, %v", formula, f, err)
	}
	if f != nil {
		if _, err := x.Lasso(f); err != nil {
			t.Fatal(err)
		}
	}
	return k.Account().Spent() - 1<<20 // which an account begins with
}

// TestNothingIsSaidAfterALook: a look that ends the search, at whatever place, ends it without an answer. That
// nothing is accepted would else be said of a part.
func TestNothingIsSaidAfterALook(t *testing.T) {
	for formula, with := range map[string]func(context.Context, *automata.Automaton, stutter.Invariance) (*automata.Automaton, error){
		"F G early": testingautomata.NewTA, "G F !dead & G F dead": testingautomata.NewTGTA,
	} {
		counted := &counting{Context: t.Context()}
		if _, f, _, err := searched(t, counted, formula, with, true); f != nil || err != nil || counted.looks < 3 {
			t.Fatalf("%s: found %v, %v after %d looks", formula, f, err, counted.looks)
		}
		for n := range counted.looks {
			if _, f, _, err := searched(t, account.EndsAfter(n), formula, with, true); f != nil || err == nil {
				t.Errorf("%s: found %v, error %v, with an end at look %d of %d", formula, f, err, n+1, counted.looks)
			}
		}
	}
}

// searched searches within a context for a run of the formula's automaton.
func searched(t *testing.T, ctx context.Context, formula string, with func(context.Context, *automata.Automaton, stutter.Invariance) (*automata.Automaton, error), kept bool) (*petri.Kripke, *Finding, *Search, error) {
	t.Helper()
	const philosophers, links = 8, 9000
	net := petritest.Philosophers(philosophers)
	if strings.Contains(formula, "early") {
		net = petritest.BackwardChain(links)
	}
	meaning := map[string]*logic.Predicate{"dead": {Operator: logic.Deadlocked}, "never": {Operator: logic.False}}
	for place := range uint32(net.Places() - 1) {
		term := logic.Term{Place: place, Coefficient: -1}
		meaning[net.PlaceLabel(petri.Place(place)).ID] = &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: 1, Terms: []logic.Term{term}}}
	}
	meaning["early"] = &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Terms: []logic.Term{{Place: uint32(net.Places() - 1), Coefficient: 1}}}}
	s := ltl.NewFormulas()
	parsed, err := ltl.Parse(formula, s)
	if err != nil {
		t.Fatal(err)
	}
	a, err := translate.ToAutomaton(t.Context(), s, parsed, translate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	testing, err := with(t.Context(), a, stutter.ClaimedInvariance(a))
	if err != nil {
		t.Fatal(err)
	}
	var predicates []*logic.Predicate
	for _, name := range testing.Propositions {
		predicates = append(predicates, meaning[name])
	}
	budget := petri.Budget{}
	if !kept {
		budget.EdgeBytes = 1
	}
	k := petri.NewKripke(net, petri.Facts{}, budget)
	k.Begin(t.Context())
	for state := petri.StateID(0); int(state) < k.Len(); state++ {
		if _, err := k.Successors(state); err != nil {
			t.Fatal(err)
		}
	}
	built, err := NewBuilt(t.Context(), testing)
	if err != nil {
		t.Fatal(err)
	}
	k.Begin(ctx)
	x, err := New(k, properties.Property{Automaton: testing, Predicates: predicates}, built)
	if err != nil {
		t.Fatal(err)
	}
	f, err := x.Find()
	return k, f, x, err
}

// TestRowsAreCharged: each row is charged, with its steps and the room that it and a larger table take.
func TestRowsAreCharged(t *testing.T) {
	const rows = 1 << 12
	p := &Product{table: newTable(telling{}, new(account.Account))}
	for n := range uint32(rows) {
		p.row(n, 0, 0)
	}
	const all = 5_911_072 // with what tables and steps grow by
	if spent := p.Account.Spent(); p.full != nil || spent < all {
		t.Errorf("%d units charged, expected %d; %v", spent, all, p.full)
	}
}

// stuck is a reader without a step, whose letters are labels.
type stuck struct{ telling }

func (stuck) Steps(_, _, _ uint32) []testingautomata.Step { return nil }

// TestDearLabelsAreLookedAt: the labels of successors to which no step leads may take all the time. Both
// passes look between them.
func TestDearLabelsAreLookedAt(t *testing.T) {
	const switches = 200
	net := petritest.Switches(switches, false)
	dear := &logic.Predicate{Operator: logic.Or}
	for range 1 << 15 {
		dear.Operands = append(dear.Operands, &logic.Predicate{Operator: logic.Deadlocked})
	}
	for _, second := range []bool{false, true} {
		k := petri.NewKripke(net, petri.Facts{}, petri.Budget{})
		k.Begin(t.Context())
		if _, err := k.Successors(k.Initial()); err != nil {
			t.Fatal(err)
		}
		looks := &counting{Context: t.Context()}
		k.Begin(looks)
		x := &Search{most: states.Most, Product: newProduct(k, properties.CompileAll(net, []*logic.Predicate{dear}), stuck{}, func(uint64) bool { return false })}
		pass := x.Find
		if second {
			x.seen.Push(states.Pair{S: k.Initial()})
			pass = x.secondPass
		}
		if f, err := pass(); f != nil || err != nil {
			t.Fatal(f, err)
		}
		if spent := k.Account().Spent(); int64(looks.looks) < spent>>21 || looks.looks < 20 {
			t.Errorf("second pass %v: %d looks for %d units", second, looks.looks, spent)
		}
	}
}

// counting counts how often it is asked whether it has ended.
type counting struct {
	context.Context
	looks int
}

func (c *counting) Err() error {
	c.looks++
	return nil
}

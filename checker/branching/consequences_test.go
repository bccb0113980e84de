package branching_test

import (
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"pnmc/automata"
	"pnmc/automata/translate"
	"pnmc/checker"
	"pnmc/checker/branching"
	"pnmc/checker/internal/checkertest"
	"pnmc/checker/internal/rephrase"
	"pnmc/checker/witness"
	"pnmc/internal/bitset"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/logic/ltl"
)

// TestConsequencesFollow: where a formula holds, or does not, what that implies of
// reachability holds too, and all runs satisfy what it implies of them.
func TestConsequencesFollow(t *testing.T) {
	refuted, violated := 0, 0
	if !petritest.CheckUntil(t, func() bool { return refuted > 50 && violated > 50 }, func(t *rapid.T) {
		net, g := checkertest.AnyNet(t)
		f := checkertest.CTL(t, net, 4)
		text := f.Text(func(p *logic.Predicate) string { return p.Text(checker.Vocabulary(net)) })
		truth := checkertest.Truth(net, g, f)
		consequences := branching.Consequences{Before: func(p *logic.Predicate) *logic.Predicate { return rephrase.Before(net, p) }}
		for _, holds := range []bool{true, false} {
			simpler := consequences.OfReachability(f, holds)
			for i, value := range checkertest.Truth(net, g, simpler) {
				if !value {
					refuted++
				}
				if truth[i] == holds && !value {
					t.Fatalf("%s is %t in marking %d, but not what follows, %s", text, holds, i,
						simpler.Text(func(p *logic.Predicate) string { return p.Text(checker.Vocabulary(net)) }))
				}
			}
			formulas := ltl.NewFormulas()
			predicates := make(map[string]*logic.Predicate)
			onRuns := consequences.OnRuns(f, holds, formulas, func(p *logic.Predicate) *ltl.Formula {
				name := "p" + strconv.Itoa(len(predicates))
				predicates[name] = p
				return formulas.Atom(name)
			})
			a, err := translate.ToAutomaton(t.Context(), formulas, onRuns, translate.Options{Negate: true})
			if err != nil {
				t.Fatal(err)
			}
			labels := make([]automata.Valuation, len(g.Markings))
			for i, m := range g.Markings {
				labels[i] = make(automata.Valuation, a.ValuationWords())
				for k, name := range a.Propositions {
					if witness.Satisfies(net, m, predicates[name]) {
						bitset.Add(labels[i], k)
					}
				}
			}
			if checkertest.Accepts(g, a, labels) {
				violated++
				if truth[0] == holds {
					t.Fatalf("%s is %t, but some run violates %s", text, holds, formulas.Text(onRuns, ltl.SpotSyntax))
				}
			}
		}
	}) {
		t.Errorf("%d formulas of reachability were refuted, %d of linear time violated", refuted, violated)
	}
}

// TestConsequencesTellSomething has formulas that are decided by what they imply.
func TestConsequencesTellSomething(t *testing.T) {
	p := &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Terms: []logic.Term{{Place: 0, Coefficient: 1}}}}
	state := ctl.Of(p)
	var consequences branching.Consequences
	var name func(q *logic.Predicate) string
	name = func(q *logic.Predicate) string {
		switch q.Operator {
		case logic.Or:
			return name(q.Operands[0]) + " or " + name(q.Operands[1])
		case logic.Not:
			return "!" + name(q.Operands[0])
		case logic.AtMost:
			return "p"
		case logic.True:
			return "true"
		}
		return "dead"
	}
	for _, c := range []struct {
		formula      *ctl.Formula
		holds        bool
		reachability string
		runs         string
	}{
		{ctl.New(ctl.AllFinally, ctl.New(ctl.AllGlobally, state)), true, "EF (p)", "FGp"},
		{ctl.New(ctl.ExistsGlobally, ctl.New(ctl.ExistsFinally, state)), true, "EF (p)", `"!dead or p"`},
		{ctl.New(ctl.AllGlobally, ctl.New(ctl.ExistsFinally, state)), true, "EF (p)", `G"!dead or p"`},
		{ctl.New(ctl.AllGlobally, ctl.New(ctl.ExistsNext, state)), true, "EF (p)", `G"!dead"`},
		{ctl.New(ctl.ExistsGlobally, ctl.New(ctl.ExistsFinally, state)), false, "EF (!p)", "FG!p"},
		{ctl.New(ctl.AllNext, state), true, "(true)", "Xp | dead"},
	} {
		formulas := ltl.NewFormulas()
		onRuns := consequences.OnRuns(c.formula, c.holds, formulas, func(q *logic.Predicate) *ltl.Formula { return formulas.Atom(name(q)) })
		reach := consequences.OfReachability(c.formula, c.holds).MergeStates()
		if got := reach.Text(name); got != c.reachability {
			t.Errorf("%s is %t: %s follows, want %s", c.formula.Text(name), c.holds, got, c.reachability)
		}
		if got := formulas.Text(onRuns, ltl.SpotSyntax); got != c.runs {
			t.Errorf("%s is %t: on all runs %s, want %s", c.formula.Text(name), c.holds, got, c.runs)
		}
	}
}

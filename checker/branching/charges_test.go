package branching_test

import (
	"context"
	"errors"
	"testing"

	"pnmc/checker/branching"
	"pnmc/internal/account"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/petri"
)

// keptGraph returns a Kripke structure of the net whose edges are all kept, so that who goes through
// them again is charged nothing for that.
func keptGraph(t *testing.T, net *petri.Net) *petri.Kripke {
	t.Helper()
	k := petri.NewKripke(net, petri.Facts{}, petri.Budget{})
	k.Begin(context.Background())
	for s := petri.StateID(0); int(s) < k.Len(); s++ {
		if _, err := k.Successors(s); err != nil {
			t.Fatal(err)
		}
	}
	return k
}

// tokens returns the formula that the places have so many tokens at most.
func tokens(most int64, places ...uint32) *ctl.Formula {
	sum := logic.Sum{Constant: -most}
	for _, p := range places {
		sum.Terms = append(sum.Terms, logic.Term{Place: p, Coefficient: 1})
	}
	return ctl.Of(&logic.Predicate{Operator: logic.AtMost, Sum: sum})
}

// TestFormulasChargeTheirOwnWork: on a graph that is kept, each operator charges the states and edges that
// it goes through and the sets that it makes. The numbers are those of searches without a defect: a charge
// that is missing makes them less. A formula whose state predicates were evaluated for one before it has less to do.
func TestFormulasChargeTheirOwnWork(t *testing.T) {
	allOn, someOn := tokens(0, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22), tokens(11, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22)
	const links = 5000
	early := tokens(0, links)
	switches, chain := keptGraph(t, petritest.Switches(12, false)), keptGraph(t, petritest.BackwardChain(links))
	graphs := map[*petri.Kripke]*branching.Graph{}
	for k, least := range map[*petri.Kripke]int64{switches: 1_097_728, chain: 245_044} {
		var err error
		if graphs[k], err = branching.ExploreGraph(t.Context(), k, 1, 0); err != nil {
			t.Fatal(err)
		}
		spent := k.Account().Spent() - 1<<20
		if spent < least {
			t.Errorf("turning edges around: %d units charged, expected %d", spent, least)
		}
	}
	for _, test := range []struct {
		name                 string
		k                    *petri.Kripke
		formula              *ctl.Formula
		inGraph, broad, deep int64
	}{
		{"state", switches, someOn, 1_901_232, 544, 544},
		{"exists next", switches, ctl.New(ctl.ExistsNext, allOn), 1_902_360, 6_025, 6_025},
		{"exists until", switches, ctl.New(ctl.ExistsUntil, tokens(1, 0), allOn), 2_394_804, 3_965_288, 1_492_692},
		{"exists finally", switches, ctl.New(ctl.ExistsFinally, allOn), 2_327_732, 3_883_368, 1_447_932},
		{"all finally", switches, ctl.New(ctl.AllFinally, allOn), 1_918_236, 1_086, 1_086},
		{"all globally", switches, ctl.New(ctl.AllGlobally, ctl.New(ctl.ExistsNext, someOn)), 2_328_648, 4_234_272, 6_160_656},
		{"exists globally", chain, ctl.New(ctl.ExistsGlobally, early), 182_539, 807_516, 1_176_607},
		{"all finally, along a chain", chain, ctl.New(ctl.AllFinally, ctl.New(logic.Not, early)), 102_523, 807_516, 1_176_607},
		{"exists next, again and again", chain, ctl.New(ctl.ExistsFinally, ctl.New(ctl.ExistsNext, tokens(-1, links))), 83_773, 1_357_944, 1_998_398},
	} {
		for engine, x := range map[string]struct {
			decide func(context.Context, *ctl.Formula) (bool, error)
			least  int64
		}{
			"graph": {graphs[test.k].Decide, test.inGraph}, "broad": {branching.NewSearch(test.k, false, 1).Decide, test.broad}, "deep": {branching.NewSearch(test.k, true, 1).Decide, test.deep},
		} {
			if _, err := x.decide(t.Context(), test.formula); err != nil {
				t.Fatal(err)
			}
			spent := test.k.Account().Spent() - 1<<20 // an account begins with a look
			if spent < x.least {
				t.Errorf("%s, %s: %d units charged, expected %d", test.name, engine, spent, x.least)
			}
			if _, err := x.decide(account.EndsAfter(0), test.formula); test.formula.Operator != ctl.State && !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s, %s: %v after the end", test.name, engine, err)
			}
		}
	}
	if _, err := branching.ExploreGraph(account.EndsAfter(0), switches, 1, 0); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("turning edges around: %v after the end", err)
	}
	const operands = 9896380
	if spent, err := spentOn(switches, conjunction(1<<10)); err != nil || spent < operands {
		t.Errorf("a thousand operands in a marking: %d units charged, expected %d, %v", spent, operands, err)
	}
}

// conjunction returns a formula that has n operands in each of many places.
func conjunction(n int) *ctl.Formula {
	var outer []*ctl.Formula
	for i := range uint32(100) {
		var list []*ctl.Formula
		for range n {
			list = append(list, tokens(1, i%24))
		}
		outer = append(outer, ctl.New(ctl.ExistsNext, ctl.New(logic.And, append(list, ctl.New(ctl.ExistsNext, tokens(1, 0)))...)))
	}
	return ctl.New(logic.And, outer...)
}

// spentOn returns what a search for the formula charges.
func spentOn(k *petri.Kripke, f *ctl.Formula) (int64, error) {
	_, err := branching.NewSearch(k, false, 1).Decide(context.Background(), f)
	return k.Account().Spent() - 1<<20, err
}

package product_test

import (
	"context"
	"fmt"
	"testing"

	"pnmc/automata"
	"pnmc/checker/internal/checkertest"
	"pnmc/checker/product"
	"pnmc/checker/properties"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/invariant"
)

// BenchmarkCheck decides, on a state graph that is there, whether two propositions
// hold again and again, of which one never does: the whole product is one large
// component that is searched in vain.
func BenchmarkCheck(b *testing.B) {
	net := petritest.Kanban(3)
	place, _ := net.PlaceByID("Pout1")
	other, _ := net.PlaceByID("Pm4")
	marked := func(p petri.Place, count int64) *logic.Predicate {
		return &logic.Predicate{Operator: logic.AtMost,
			Sum: logic.Sum{Constant: count, Terms: []logic.Term{{Place: uint32(p), Coefficient: -1}}}}
	}
	build := automata.NewBuilder([]string{"a", "b"}, automata.GeneralizedBuchi(2))
	build.AddInitial(build.AddState(""))
	for v := range 4 {
		label := automata.Label{automata.NewCube(2).With(0, v&1 != 0).With(1, v&2 != 0)}
		marks := automata.NewMarks(2)
		marks[0] = uint64(v)
		build.AddEdge(0, label, marks, 0)
	}
	a, err := build.Build()
	if err != nil {
		b.Fatal(err)
	}
	property := properties.Property{Automaton: a, Predicates: []*logic.Predicate{marked(place, 1), marked(other, 4)}}
	facts := invariant.Prove(context.Background(), net, 0)
	for _, approach := range []product.Approach{product.ByTGBA, product.ByTGTA} {
		for _, labels := range []struct {
			name  string
			bytes int64
		}{{"", 0}, {"/labels=last", 4}} { // one without room for a table of labels
			k := petri.NewKripke(net, facts, petri.Budget{LabelBytes: labels.bytes})
			b.Run("model=Kanban-3/approach="+approach.String()+labels.name, func(b *testing.B) {
				benchmarkCheck(b, k, property, product.Settings{Approach: approach})
			})
		}
	}
}

// BenchmarkTogether decides the same by one thread and by several, each time on a state graph that is there. The
// product of the TA has livelock-accepting states, too.
func BenchmarkTogether(b *testing.B) {
	net := petritest.Kanban(3)
	facts := invariant.Prove(context.Background(), net, 0)
	property := checkertest.Negated(b, net, `!(G F "Pout1 >= 1" && G F "Pm4 >= 4")`)
	for _, approach := range []product.Approach{product.ByTGBA, product.ByBA, product.ByTGTA, product.ByTA} {
		for _, count := range []int{1, 2, 4} {
			threads := product.NewThreads(count, facts)
			k := petri.NewKripke(net, facts, petri.Budget{})
			b.Run(fmt.Sprintf("model=Kanban-3/approach=%v/threads=%d", approach, count), func(b *testing.B) {
				benchmarkCheck(b, k, property, product.Settings{Approach: approach, Threads: threads})
			})
		}
	}
}

func benchmarkCheck(b *testing.B, k *petri.Kripke, property properties.Property, settings product.Settings) {
	edges, asked, last, misses := 0.0, 0.0, 0.0, 0.0
	for b.Loop() {
		r, err := product.CheckBy(context.Background(), k, property, settings)
		if err != nil || r.Verdict != properties.Holds {
			b.Fatal(r.Verdict, err)
		}
		edges += float64(r.Statistics.ExploredTransitions)
		asked += float64(r.Statistics.LabelHits + r.Statistics.LabelMisses)
		last += float64(r.Statistics.LabelLastHits)
		misses += float64(r.Statistics.LabelMisses)
	}
	b.ReportMetric(edges/b.Elapsed().Seconds(), "edges/s")
	if asked > 0 { // several threads don't count
		b.ReportMetric(last/asked, "last/label")
		b.ReportMetric(misses/asked, "evaluated/label")
	}
}

package emptiness

import (
	"context"

	"pnmc/automata"
	"pnmc/automata/emptiness/generic"
)

// Empty reports whether a accepts no word, whatever its acceptance condition. Linear
// for conditions without Fin. Of testing automata, it reports whether no sequence of
// labels is accepted. An error is that of the context.
func Empty(ctx context.Context, a *automata.Automaton) (bool, error) {
	condition := generic.NewCondition(a.Acceptance)
	g := generic.NewGraph(a, condition)
	search := generic.NewSearch(ctx, g)
	var reached []uint32
	met := make([]bool, g.Nodes())
	visit := func(n uint32) {
		if !met[n] {
			met[n] = true
			reached = append(reached, n)
		}
	}
	for _, n := range a.Initial() {
		visit(uint32(n))
	}
	for i := 0; i < len(reached); i++ {
		for e := g.Start[reached[i]]; e < g.Start[reached[i]+1]; e++ {
			visit(g.Destination[e])
		}
	}
	found := search.Among(reached, make([]uint64, g.Words), condition.Formula())
	return found == nil, search.Err
}

// NonemptyStates returns for each state of a whether some word is accepted from there,
// whatever the acceptance condition. Linear for conditions without Fin. An error is that
// of the context.
func NonemptyStates(ctx context.Context, a *automata.Automaton) ([]bool, error) {
	s := &OperandSide{condition: generic.NewCondition(a.Acceptance)}
	return s.classify(ctx, generic.NewGraph(a, s.condition))
}

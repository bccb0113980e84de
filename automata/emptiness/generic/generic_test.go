package generic_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"pnmc/automata"
	"pnmc/automata/emptiness/generic"
	"pnmc/internal/account"
)

// Two nodes, each with a loop, and edges between them: without the loop of node 0, which is in
// set 1, they satisfy Inf(0) & Fin(1), and the loop of node 1 by itself does.
func ExampleGraph_AcceptingComponent() {
	condition := generic.NewCondition(automata.Acceptance{Sets: 2, Condition: &automata.Condition{
		Operator: automata.ConditionAnd,
		Operands: []*automata.Condition{{Operator: automata.Inf, Set: 0}, {Operator: automata.Fin, Set: 1}},
	}})
	g := generic.Graph{Start: []uint32{0, 2, 4}, Destination: []uint32{0, 1, 0, 1}, Marks: []uint64{2, 1, 0, 1}, Words: condition.Words}
	part, err := g.AcceptingComponent(context.Background(), condition.Formula())
	if err != nil {
		fmt.Println(err)
		return
	}
	cycle, err := g.Cycle(context.Background(), part, 1, condition.Formula())
	fmt.Println(part.Nodes, cycle, err)
	// Output: [0 1] [3] <nil>
}

// TestCycleEndsWithItsContext: the cycle of a large component is looked for within the context, from mark to
// mark, and back.
func TestCycleEndsWithItsContext(t *testing.T) {
	const nodes = 1 << 18
	condition := generic.NewCondition(automata.GeneralizedBuchi(1))
	g := generic.Graph{Words: condition.Words}
	for n := range uint32(nodes) { // a ring with a mark in the middle
		g.Start, g.Destination = append(g.Start, n), append(g.Destination, (n+1)%nodes)
		g.Marks = append(g.Marks, uint64(1-min(1, (n^nodes/2))))
	}
	g.Start = append(g.Start, nodes)
	part, err := g.AcceptingComponent(context.Background(), condition.Formula())
	if err != nil || part == nil {
		t.Fatal(part, err)
	}
	if cycle, err := g.Cycle(context.Background(), part, 0, condition.Formula()); err != nil || len(cycle) != nodes {
		t.Errorf("%d edges, %v", len(cycle), err)
	}
	for _, looks := range []int{0, 2, 10} {
		if cycle, err := g.Cycle(account.EndsAfter(looks), part, 0, condition.Formula()); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("after %d looks: %d edges, %v", looks, len(cycle), err)
		}
	}
}

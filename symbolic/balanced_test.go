package symbolic

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestBalancedAgreesWithRounds compares with rounds over all events, each of which removes what is on no cycle.
func TestBalancedAgreesWithRounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const variables = 5
		system := &System{Names: make([]string, variables)}
		var all []guardedStep
		for i := range rapid.IntRange(0, 12).Draw(t, "events") {
			var event Event
			for range rapid.IntRange(0, 3).Draw(t, "guards") {
				delta := rapid.SampledFrom([]int64{0, 1, 1, -1, -1, assign(2)}).Draw(t, "delta")
				event = append(event, Guard{Variable: rapid.Uint32Range(0, variables-1).Draw(t, "variable"), Delta: delta})
			}
			system.Events, all = append(system.Events, event), append(all, guardedStep{event: i})
		}
		left := slices.Clone(all)
		for before := -1; before != len(left); {
			before = len(left)
			increased, decreased := make([]bool, variables), make([]bool, variables)
			for _, e := range left {
				for _, g := range system.Events[e.event] {
					increased[g.Variable] = increased[g.Variable] || g.Delta > 0
					decreased[g.Variable] = decreased[g.Variable] || g.Delta < 0 || assigns(g.Delta)
				}
			}
			left = slices.DeleteFunc(left, func(e guardedStep) bool {
				return slices.ContainsFunc(system.Events[e.event], func(g Guard) bool {
					return g.Delta != 0 && !assigns(g.Delta) && !(increased[g.Variable] && decreased[g.Variable])
				})
			})
		}
		if got := balanced(system, all); !slices.Equal(got, left) {
			t.Fatalf("%v of %v are left, expected %v", got, system.Events, left)
		}
	})
}

package symbolic

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestTerminalComponents compares with components found state by state: the states
// onwards from one that all lead back.
func TestTerminalComponents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		space, states := drawSpace(t)
		space.Forest.eager = rapid.Bool().Draw(t, "eager")
		s := space.System
		want := map[string]bool{}
		for _, v := range states {
			one := vectorSet{}
			one.add(v)
			component := naiveOnwards(s, one, states)
			terminal := true
			for _, w := range component {
				other := vectorSet{}
				other.add(w)
				_, back := naiveOnwards(s, other, states)[fmt.Sprint(v)]
				terminal = terminal && back
			}
			if terminal {
				want[fmt.Sprint(component.keys())] = true
			}
		}
		got := map[string]bool{}
		must(t, space.EachTerminalComponent(context.Background(), func(n Node) bool {
			key := fmt.Sprint(space.statesOf(n).keys())
			if got[key] {
				t.Fatalf("component %s twice", key)
			}
			got[key] = true
			return true
		}))
		if fmt.Sprint(sortedKeys(got)) != fmt.Sprint(sortedKeys(want)) {
			t.Fatalf("components %v, want %v", got, want)
		}
	})
}

func sortedKeys(m map[string]bool) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// TestTerminalComponentsEnd: visit may end the search, and a context does.
func TestTerminalComponentsEnd(t *testing.T) {
	s := &System{Names: []string{"a"}, Initial: []uint32{1}, Events: []Event{
		{{0, 1, 1, -1}}, {{0, 1, 1, 1}},
	}}
	space, err := ExploreSystem(t.Context(), s, Options{})
	must(t, err)
	visits := 0
	must(t, space.EachTerminalComponent(t.Context(), func(Node) bool { visits++; return false }))
	if visits != 1 {
		t.Errorf("%d visits after the first said to end", visits)
	}
}

package symbolic

import (
	"testing"

	"pgregory.net/rapid"

	"pnmc/automata"
)

// TestStateVariables writes states into vectors and reads them back, at every
// placement, and expects names to be read back.
func TestStateVariables(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		where := StateVariable(rapid.IntRange(0, len(stateVariableNames)-1).Draw(t, "placement"))
		if again, err := ParseStateVariable(where.String()); err != nil || again != where {
			t.Fatalf("%v is read as %v, %v", where, again, err)
		}
		states, variables := rapid.IntRange(1, 300).Draw(t, "states"), rapid.IntRange(0, 4).Draw(t, "variables")
		v := newStateVariable(where, states, variables)
		vector := make([]uint32, variables+v.levels)
		q := automata.State(rapid.IntRange(0, states-1).Draw(t, "state"))
		v.put(vector, q)
		if got := v.of(vector); got != q {
			t.Fatalf("%v: state %d is read as %d", where, q, got)
		}
	})
	if _, err := ParseStateVariable("middle"); err == nil {
		t.Error("a placement that does not exist was read")
	}
}

// TestStateMoves fires the rules of random moves and compares with the moves.
func TestStateMoves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		where := StateVariable(rapid.IntRange(0, len(stateVariableNames)-1).Draw(t, "placement"))
		const states = 5
		v := newStateVariable(where, states, 0)
		f := NewForest(v.levels, 0)
		state := rapid.Uint32Range(0, states-1)
		var moves []stateMove
		for range rapid.IntRange(0, 6).Draw(t, "moves") {
			moves = append(moves, stateMove{automata.State(state.Draw(t, "from")), automata.State(state.Draw(t, "to")), identity})
		}
		r := f.NewRelation()
		for _, rule := range v.rules(r, moves) {
			r.addRule(rule)
		}
		for q := range automata.State(states) {
			vector := make([]uint32, v.levels)
			v.put(vector, q)
			from, err := f.Singleton(vector)
			must(t, err)
			got, err := r.Image(from)
			must(t, err)
			want := vectorSet{}
			for _, m := range moves {
				if m.from == q {
					to := make([]uint32, v.levels)
					v.put(to, m.to)
					want.add(to)
				}
			}
			if got != want.node(t, f) {
				t.Fatalf("%v: moves %v from %d: %v, want %v", where, moves, q, vectorsOf(f, got).keys(), want.keys())
			}
		}
	})
}

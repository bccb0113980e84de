package emptiness

import (
	"testing"
	"time"

	"pnmc/automata"
)

// TestWordsFromManyInitialStates: a word is found again without going through all pairs of initial
// states, of which there are billions here.
func TestWordsFromManyInitialStates(t *testing.T) {
	const states = 150_000
	b := automata.NewBuilder([]string{"p"}, automata.GeneralizedBuchi(1))
	b.AddStates(states)
	for s := range automata.State(states) {
		b.AddInitial(s)
		b.AddEdge(s, automata.Label{automata.NewCube(1)}, automata.NewMarks(1, 0), s)
	}
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		found, err := Intersect(Explicit(a), Explicit(a), Options{Context: t.Context(), Word: true})
		if err == nil && (found.Word == nil || len(found.Word.Cycle) != 1) {
			t.Errorf("the word is %v", found.Word)
		}
		done <- err
	}()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Fatal("it goes on and on")
	}
}

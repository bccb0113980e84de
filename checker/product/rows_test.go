package product

import (
	"context"
	"sync/atomic"
	"testing"

	"pnmc/automata"
	"pnmc/checker/properties"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
)

// TestRowTableTellsPairsApart: the rows of pairs are told apart, however many labels and states there are, also
// where some bits of one follow those of another.
func TestRowTableTellsPairsApart(t *testing.T) {
	var numbers []uint32
	for _, bit := range []int{0, 8, 16, 20, 21, 24, 30} {
		numbers = append(numbers, 1<<bit-1, 1<<bit, 1<<bit+1)
	}
	type pair struct{ label, state uint32 }
	var table rowTable
	numberOf := map[pair]uint32{}
	for range 2 { // pairs are new, and found again
		for _, label := range numbers {
			for _, state := range numbers {
				p := pair{label, state}
				slot := table.slot(label, state)
				if *slot != numberOf[p] {
					t.Fatalf("label %d and state %d have number %d, expected %d", label, state, *slot, numberOf[p])
				}
				if *slot == 0 {
					*slot = uint32(len(numberOf) + 1)
					numberOf[p] = *slot
				}
			}
		}
	}
}

// ending is a context for several threads that ends when its error was asked for so many times.
type ending struct {
	context.Context
	left atomic.Int64
}

func (e *ending) Err() error {
	if e.left.Add(-1) < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// TestNothingHoldsWithoutARow: the automaton has so many edges that there is a look for each row that is made,
// and the only run that it accepts needs the rows of all its states. Wherever a look ends the search, by one
// thread or by two, the property is not said to hold: some row lacks its edges then.
func TestNothingHoldsWithoutARow(t *testing.T) {
	b := automata.NewBuilder([]string{"never"}, automata.GeneralizedBuchi(1))
	b.AddStates(3)
	b.AddInitial(0)
	never := automata.NewCube(1).With(0, true)
	for s := range automata.State(3) {
		for range 1 << 16 {
			b.AddEdge(s, automata.Label{never}, automata.NewMarks(1), s)
		}
		marks := automata.NewMarks(1)
		if s == 2 {
			marks = automata.NewMarks(1, 0)
		}
		b.AddEdge(s, automata.Label{automata.NewCube(1).With(0, false)}, marks, (s+1)%3)
	}
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	property := properties.Property{Automaton: a, Predicates: []*logic.Predicate{{Operator: logic.False}}}
	for _, threads := range []int{1, 2} {
		settings := Settings{Approach: ByTGBA}
		if threads > 1 {
			settings.Threads = NewThreads(threads, petri.Facts{})
			settings.Threads.First = 0
		}
		violated := false
		for looks := int64(0); !violated; looks++ {
			ctx := &ending{Context: t.Context()}
			ctx.left.Store(looks)
			result, err := CheckBy(ctx, petri.NewKripke(petritest.Philosophers(2), petri.Facts{}, petri.Budget{}), property, settings)
			if violated = result.Verdict == properties.Violated; result.Verdict == properties.Holds || err != nil {
				t.Fatalf("%d threads, ended after %d looks: %v, %v", threads, looks, result.Verdict, err)
			}
			if violated && looks < 3 {
				t.Errorf("%d threads: only %d looks", threads, looks)
			}
		}
	}
}

package stuttering

import (
	"context"
	"testing"

	"pnmc/automata"
	"pnmc/automata/stutter"
	"pnmc/automata/testingautomata"
	"pnmc/checker/product/internal/states"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
)

// TestNumbersEnd: where the numbers of product states, or of steps, are used up, that is why a search finds
// nothing.
func TestNumbersEnd(t *testing.T) {
	all := mostSteps
	defer func() { mostSteps = all }()
	meaning := map[string]*logic.Predicate{"dead": {Operator: logic.Deadlocked}, "eats0": marked("eats0")}
	for kind, with := range map[string]func(context.Context, *automata.Automaton, stutter.Invariance) (*automata.Automaton, error){
		"TGTA": testingautomata.NewTGTA, "TA": testingautomata.NewTA,
	} {
		find := func(left uint32, steps int) (*Finding, error) {
			mostSteps = all
			_, x, err := search(t, "G F eats0 & G F dead", with, meaning, 0)
			if err != nil {
				t.Fatal(err)
			}
			mostSteps = steps
			again := x.Again()
			again.numbering.Count = states.Most - left
			again.table = newTable(again.automaton, again.Account)
			return again.Find()
		}
		for _, test := range []struct {
			left  uint32
			steps int
			want  error
		}{{10, all, states.ErrTooMany}, {100_000, 2, states.ErrTooManySteps}, {100_000, all, nil}} {
			if found, err := find(test.left, test.steps); found != nil || err != test.want {
				t.Errorf("%s, %d numbers, %d steps: found %v, error %v, should be %v", kind, test.left, test.steps, found, err, test.want)
			}
		}
	}
}

// marked says that a place of the philosophers has a token.
func marked(id string) *logic.Predicate {
	p, _ := petritest.Philosophers(philosophers).PlaceByID(id)
	return &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: 1, Terms: []logic.Term{{Place: uint32(petri.Place(p)), Coefficient: -1}}}}
}

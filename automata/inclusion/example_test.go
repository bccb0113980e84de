package inclusion_test

import (
	"context"
	"fmt"

	"pnmc/automata"
	"pnmc/automata/inclusion"
	"pnmc/automata/translate"
	"pnmc/logic/ltl"
)

func ExampleIncluded() {
	s := ltl.NewFormulas()
	automaton := func(text string) *automata.Automaton {
		f, _ := ltl.Parse(text, s)
		a, _ := translate.ToAutomaton(context.Background(), s, f, translate.Options{})
		return a
	}
	both, one := automaton("G F a & G F b"), automaton("G F a")
	forth, err := inclusion.Included(both, one, inclusion.Options{})
	fmt.Println(forth.Holds, err)
	back, err := inclusion.Included(one, both, inclusion.Options{})
	fmt.Println(back.Holds, back.Word, err)
	// Output:
	// true <nil>
	// false cycle{a&!b} <nil>
}

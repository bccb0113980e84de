package complement_test

import (
	"context"
	"fmt"

	"pnmc/automata"
	"pnmc/automata/complement"
	"pnmc/automata/emptiness"
)

// The automaton accepts the words in which a is true infinitely often, the complement those in
// which it is not.
func ExampleComplement() {
	b := automata.NewBuilder([]string{"a"}, automata.GeneralizedBuchi(1))
	b.AddStates(1)
	b.AddInitial(0)
	b.AddEdge(0, automata.Label{automata.NewCube(1).With(0, true)}, automata.NewMarks(1, 0), 0)
	b.AddEdge(0, automata.Label{automata.NewCube(1).With(0, false)}, automata.NewMarks(1), 0)
	often, _ := b.Build()
	c, err := complement.Complement(context.Background(), often, 100)
	both, _ := emptiness.Intersect(emptiness.Explicit(often), emptiness.Explicit(c), emptiness.Options{})
	other, _ := emptiness.Intersect(emptiness.Explicit(c), emptiness.Explicit(automata.EveryWord()), emptiness.Options{Word: true})
	fmt.Println(both.Nonempty, err)
	fmt.Println(other.Word)
	// Output:
	// false <nil>
	// cycle{!a}
}

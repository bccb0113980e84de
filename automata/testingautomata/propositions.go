package testingautomata

import (
	"errors"

	"pnmc/automata"
)

// mentioned returns a over the propositions that its labels mention, and which of a's
// propositions these are. Where all are, it returns a itself.
func mentioned(a *automata.Automaton) (*automata.Automaton, []int, error) {
	used := make([]bool, len(a.Propositions))
	for e := range automata.Edge(a.Edges()) {
		for i := range a.Cubes(e) {
			cube := a.Cube(e, i)
			for p := range used {
				if some, _ := cube.Literal(p); some {
					used[p] = true
				}
			}
		}
	}
	var numbers []int
	number := make([]int, len(used))
	for p, u := range used {
		if u {
			number[p] = len(numbers)
			numbers = append(numbers, p)
		}
	}
	if len(numbers) == len(used) {
		return a, numbers, nil
	}
	names := make([]string, len(numbers))
	for i, p := range numbers {
		names[i] = a.Propositions[p]
	}
	b, err := renamed(a, names, func(p int) int { return number[p] })
	return b, numbers, err
}

// renamed returns a with other propositions: number returns which one stands for a proposition of a
// that some label mentions.
func renamed(a *automata.Automaton, names []string, number func(p int) int) (*automata.Automaton, error) {
	b := automata.NewBuilder(names, a.Acceptance)
	b.Name, b.Kind, b.Claims = a.Name, a.Kind, a.Claims
	b.AddStates(a.States())
	for _, s := range a.Initial() {
		b.AddInitial(s)
	}
	for e := range automata.Edge(a.Edges()) {
		label := make(automata.Label, 0, a.Cubes(e))
		for i := range a.Cubes(e) {
			cube := automata.NewCube(len(names))
			for p := range a.Propositions {
				if some, positive := a.Cube(e, i).Literal(p); some {
					cube = cube.With(number(p), positive)
				}
			}
			label = append(label, cube)
		}
		b.AddEdge(a.Source(e), label, a.Marks(e), a.Destination(e))
	}
	return b.Build()
}

// overMentioned makes a testing automaton of a by way of the propositions that its
// labels mention: the others have no part in what is enumerated.
//
// A testing automaton has letters for single valuations and changesets, of which there are 2^n
// each. An automaton over 20 propositions whose labels mention three so has 8 of each, and not a
// million. It is the same automaton: what it accepts does not depend on the others, and the
// labels of the result leave them open, whether they change or not.
func overMentioned(a *automata.Automaton, build func(*automata.Automaton) (*automata.Automaton, error)) (*automata.Automaton, error) {
	if a.Kind != automata.Plain {
		return nil, errors.New("a testing automaton can't be made of a testing automaton")
	}
	small, numbers, err := mentioned(a)
	if err != nil {
		return nil, err
	}
	t, err := build(small)
	if err != nil || small == a {
		return t, err
	}
	return renamed(t, a.Propositions, func(p int) int { return numbers[p] })
}

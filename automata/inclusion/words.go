package inclusion

import (
	"math/rand/v2"
	"slices"

	"pnmc/automata"
	"pnmc/automata/emptiness"
	"pnmc/internal/bitset"
)

// triedWords is the number of words of the one automaton that are tried on the other
// before an inclusion is looked at in earnest: where it does not hold, most words show that.
const triedWords = 64

// rejectedWord returns a word that a accepts and b does not, if one of those tried is one;
// else nil. Words go through different states of a: a shortest path to the state, with random
// letters where the labels leave a choice, and then a word that a accepts from there. The random
// numbers begin the same each time, so that the answer does.
//
// For example, of an automaton with three useful states each state is the middle of some twenty
// words. If it has hundreds of states, every few of them one has a word. To try a word takes a
// search in a product with as many states as the word has letters, which is nothing beside a
// complement.
func rejectedWord(a, b *automata.Automaton, useful []bool, o emptiness.Options) (*automata.Lasso, error) {
	r := rand.New(rand.NewPCG(uint64(a.States()), uint64(b.States())))
	via := shortestEdges(a, useful)
	var states []automata.State
	for n := range automata.State(a.States()) {
		if via[n] != unreachedEdge {
			states = append(states, n)
		}
	}
	if len(states) == 0 {
		return nil, nil
	}
	every := emptiness.Explicit(automata.EveryWord())
	for i := range triedWords {
		n := states[i*len(states)/triedWords%len(states)]
		if len(states) < triedWords {
			n = states[i%len(states)]
		}
		from := emptiness.Explicit(a)
		from.Start = []uint32{uint32(n)}
		found, err := emptiness.Intersect(from, every, o)
		if err != nil {
			return nil, err
		}
		word := found.Word
		for word.Prefix = slices.Clone(word.Prefix); via[n] < initialEdge; n = a.Source(via[n]) {
			word.Prefix = slices.Insert(word.Prefix, 0, randomLetter(r, a, via[n]))
		}
		word = overMore(r, word, b.Propositions)
		accepted, err := emptiness.Intersect(emptiness.Explicit(word.Automaton()), emptiness.Explicit(b), emptiness.Options{Context: o.Context})
		if err != nil || !accepted.Nonempty {
			return word, err
		}
	}
	return nil, nil
}

// These stand instead of an edge by which a state is reached: none leads to it, or none
// is needed.
const (
	unreachedEdge = ^automata.Edge(0)
	initialEdge   = unreachedEdge - 1
)

// shortestEdges gives each state the last edge of a shortest path to it through useful
// states.
func shortestEdges(a *automata.Automaton, useful []bool) []automata.Edge {
	via := make([]automata.Edge, a.States())
	for n := range via {
		via[n] = unreachedEdge
	}
	var queue []automata.State
	visit := func(n automata.State, e automata.Edge) {
		if useful[n] && via[n] == unreachedEdge {
			via[n] = e
			queue = append(queue, n)
		}
	}
	for _, n := range a.Initial() {
		visit(n, initialEdge)
	}
	for i := 0; i < len(queue); i++ {
		for e, end := a.Out(queue[i]); e < end; e++ {
			if a.Cubes(e) > 0 {
				visit(a.Destination(e), e)
			}
		}
	}
	return via
}

// randomLetter returns a valuation that matches e.
func randomLetter(r *rand.Rand, a *automata.Automaton, e automata.Edge) automata.Valuation {
	c := a.Cube(e, r.IntN(a.Cubes(e)))
	v := make(automata.Valuation, a.ValuationWords())
	for p := range a.Propositions {
		occurs, positive := c.Literal(p)
		if occurs && positive || !occurs && r.IntN(2) == 0 {
			bitset.Add(v, p)
		}
	}
	return v
}

// overMore returns the word over these propositions too, with random values of those that it
// does not have.
func overMore(r *rand.Rand, word *automata.Lasso, names []string) *automata.Lasso {
	wide := word.Over(names)
	for _, letter := range slices.Concat(wide.Prefix, wide.Cycle) {
		for p := len(word.Propositions); p < len(wide.Propositions); p++ {
			bitset.Put(letter, p, r.Uint64()&1)
		}
	}
	return wide
}

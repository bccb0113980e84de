package stutter

import (
	"pnmc/automata"
	"pnmc/automata/complement"
	"pnmc/automata/internal/marked"
)

// rejectedWords is an automaton with the words that another one does not accept.
type rejectedWords interface {
	// starts returns its initial states.
	starts() []automata.State
	// sets returns the number of its acceptance sets. A run must visit all of them
	// again and again.
	sets() int
	// next returns the moves of a state for a letter, and reports false where there are
	// too many.
	next(m automata.State, letter int) ([]marked.Move, bool)
	// reached returns states of the other automaton, as far as they are known: those to
	// which the words lead that lead to m.
	reached(m automata.State) []automata.State
}

// computedRejection is a complement that is computed on the fly.
type computedRejection struct {
	complement *complement.Complementation
	letters    int
	taken      [][]automata.Edge // by state s of what is complemented and letter l, at s×letters + l
	known      map[letterStep][]marked.Move
	work       *int // left
}

// letterStep is a state of a complement and a letter.
type letterStep struct {
	state  automata.State
	letter int32
}

// stepWork is what a step of a complement costs, compared with an edge of a product.
const stepWork = 16

// newComputedRejection returns c for letters that are each represented by a valuation.
func newComputedRejection(c *complement.Complementation, letters []automata.Valuation, work *int) *computedRejection {
	buchi := c.Buchi()
	r := &computedRejection{
		complement: c, letters: len(letters), work: work,
		taken: make([][]automata.Edge, buchi.States()*len(letters)), known: map[letterStep][]marked.Move{},
	}
	for l, v := range letters {
		for e := range automata.Edge(buchi.Edges()) {
			if buchi.Matches(e, v) {
				at := int(buchi.Source(e))*len(letters) + l
				r.taken[at] = append(r.taken[at], e)
			}
		}
	}
	return r
}

// starts returns the one initial state of a complement.
func (r *computedRejection) starts() []automata.State { return []automata.State{0} }
func (r *computedRejection) sets() int                { return r.complement.Sets }

// reached returns what the complement knows of the states of the automaton that it complements.
func (r *computedRejection) reached(m automata.State) []automata.State {
	return r.complement.Reached(uint32(m))
}

// next returns the steps of the complement from m by a letter, and reports whether they are
// known: the complement may reach its limits. It computes a step once, which counts as stepWork
// edges.
func (r *computedRejection) next(m automata.State, letter int) ([]marked.Move, bool) {
	step := letterStep{m, int32(letter)}
	list, known := r.known[step]
	if known {
		return list, true
	}
	*r.work -= stepWork
	var taken []automata.Edge
	for _, s := range r.reached(m) {
		taken = append(taken, r.taken[int(s)*r.letters+letter]...)
	}
	err := r.complement.Read(uint32(m), taken, func(marks automata.Marks, to uint32) {
		list = append(list, marked.Move{To: automata.State(to), Marks: marks[0]})
	})
	if err == nil {
		r.known[step] = list
	}
	return list, err == nil
}

// givenRejection is an automaton that is known for the complement, such as that of a
// negated formula.
type givenRejection struct {
	*lettered
	initial []automata.State
}

func (r givenRejection) starts() []automata.State { return r.initial }
func (r givenRejection) sets() int                { return r.lettered.sets }

// reached returns nil: nothing is known of the states of the other automaton.
func (r givenRejection) reached(automata.State) []automata.State            { return nil }
func (r givenRejection) next(m automata.State, l int) ([]marked.Move, bool) { return r.of(m, l), true }

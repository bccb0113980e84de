package stuttering

import (
	"pnmc/automata"
	"pnmc/automata/testingautomata"
	"pnmc/checker/product/internal/states"
	"pnmc/petri"
	"pnmc/petri/labelling"
)

// Reader is an automaton that reads the labels of a run in pairs. In state n, the graph moves from
// a state with letter from to one with letter to, and the automaton takes a step for that pair. It
// may be made on the fly, as it is asked. Its answers are kept, so that it is asked once for each
// state and pair of letters.
//
// For example, the letters of p, !p, !p are 0, 1, 1. A testing automaton reads the first letter by
// Initial, then the pair (0, 1), a change, then (1, 1), which is stuttering.
type Reader interface {
	// Letter numbers a valuation. Valuations with the same letter are the same to
	// the automaton.
	Letter(v automata.Valuation) uint32
	// Initial returns the states where a run starts whose first letter is l.
	Initial(l uint32) []uint32
	// Steps returns the steps of n for the change.
	Steps(n, from, to uint32) []testingautomata.Step
	// Universal reports whether n is known to accept whatever follows l, the letter that
	// the graph is at; false means unknown.
	Universal(n, l uint32) bool
	// States returns the number of states that were met.
	States() int
}

// Product is the synchronized product of the state graph of a net and a testing automaton (2012,
// Definitions 8 and 9), on the fly. Its states are pairs of a marking and a state of the automaton.
//
// The steps for a state and two letters are found once (rows.go).
type Product struct {
	Kripke    *petri.Kripke
	Labelling *labelling.Labels
	letterOf  []uint32 // of each label, plus one
	numbering states.Numbering
	table

	accepts    func(union uint64) bool
	transition int64 // edges of the product found so far
}

// firstNodes is how many states of the automaton there is room for at first.
const firstNodes = 16

// newProduct returns a product of which nothing is explored yet.
func newProduct(k *petri.Kripke, propositions []*labelling.Proposition, a Reader, accepts func(uint64) bool) *Product {
	return &Product{
		Kripke: k, Labelling: labelling.New(k, propositions), accepts: accepts,
		numbering: states.Numbering{States: firstNodes, Account: k.Account()}, table: newTable(a, k.Account()),
	}
}

// letter returns the letter of a state of the graph. It is computed once for each label.
func (p *Product) letter(s petri.StateID) uint32 {
	label := p.Labelling.Of(s)
	if int(label) >= len(p.letterOf) {
		p.letterOf = append(p.letterOf, make([]uint32, int(label)+1-len(p.letterOf))...)
	}
	l := p.letterOf[label]
	if l == 0 {
		l = p.automaton.Letter(p.Labelling.Label(label)) + 1
		p.letterOf[label] = l
	}
	return l - 1
}

// slot returns where the number of (s, n) lies. The automaton may have got new states since the last
// call; the numbering is then widened.
func (p *Product) slot(s petri.StateID, n uint32) *uint32 {
	if n >= p.numbering.States && !p.numbering.Widen(max(2*p.numbering.States, n+1)) {
		return &p.numbering.Dummy
	}
	return p.numbering.Slot(s, n)
}

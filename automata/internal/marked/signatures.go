package marked

import (
	"math/bits"

	"pnmc/automata"
	"pnmc/automata/bdd"
)

// signatureNodes bounds the decision diagrams of signatures. Tests lower it.
var signatureNodes = 1 << 23

// fewSignatureNodes is the number of nodes up to which signatures of the past are kept.
const fewSignatureNodes = 1 << 16

// signatures computes the signatures of the states of an automaton, for classes of them.
//
// The problem: states are compared by what they do, but two states may do the same with different
// edges. For example, an edge labelled a | b does what two edges labelled a and b do. As one
// Boolean function, both are the same node of a diagram, and a comparison of states is one of
// numbers. The variables stand for the propositions first, then for "this arc is not in set i", and
// then for "this arc leads to class c", see Quotient. An arc labelled a to class 2 that is not in
// set 0 is a & x0 & c2.
//
// Signatures have diagrams of their own, apart from those of the labels: there are many of them, and
// they are forgotten as classes are split.
type signatures struct {
	*Reducible
	class    []uint32   // of each state
	above    [][]uint32 // of each class: those that simulate it, itself among them, ascending; nil: itself
	diagrams *bdd.Functions
	labels   map[bdd.Function]bdd.Function // of the automaton, among the diagrams
	crowd    int                           // nodes from which all are forgotten; 0: not known yet
}

// newSignatures returns the signatures of d for these classes, which may change.
func newSignatures(d *Reducible, class []uint32) *signatures {
	s := &signatures{Reducible: d, class: class}
	s.forget()
	return s
}

// forget begins with new diagrams.
func (s *signatures) forget() {
	s.diagrams = bdd.New(len(s.Propositions)+s.Sets+len(s.Out)+1, signatureNodes)
	s.diagrams.WatchWith(s.Functions)
	s.labels = map[bdd.Function]bdd.Function{bdd.FalseFunction: bdd.FalseFunction, bdd.TrueFunction: bdd.TrueFunction}
}

// crowded reports whether there are about twice as many nodes as after the last time. If
// so, it forgets them. Making the old ones again then takes no longer than making the new
// ones did.
func (s *signatures) crowded() bool {
	n := s.diagrams.Nodes()
	if s.crowd == 0 {
		s.crowd = min(max(fewSignatureNodes, 2*n), signatureNodes/2)
	}
	if n < s.crowd || s.diagrams.Err() != nil {
		return false
	}
	s.crowd = 0
	s.forget()
	return true
}

// err returns the error of the diagrams that signatures are made in.
func (s *signatures) err() error { return s.diagrams.Err() }

// sign returns the signature of the edges out of a state.
func (s *signatures) sign(state automata.State) bdd.Function { return s.of(s.Out[state]) }

// variables returns the number of variables of labels.
func (s *signatures) variables() int { return len(s.Propositions) }

// classVariable returns the variable of class c, after those of propositions and
// acceptance sets.
func (s *signatures) classVariable(c uint32) uint32 {
	return uint32(s.variables()+s.Sets) + c
}

// aboveCount returns how many classes simulate c, itself among them.
func (s *signatures) aboveCount(c int) int {
	if s.above == nil {
		return 1
	}
	return len(s.above[c])
}

// label copies a label into the diagrams.
func (s *signatures) label(g bdd.Function) bdd.Function {
	if h, ok := s.labels[g]; ok {
		return h
	}
	p, low, high := s.Functions.Split(g)
	h := s.diagrams.Choice(uint32(p), s.label(low), s.label(high))
	s.labels[g] = h
	return h
}

// term returns the conjunction of the variables of marks and class of an arc. It builds the chain
// from its last variable up, and has a variable for each set that the arc is not in.
func (s *signatures) term(e Link) bdd.Function {
	g := bdd.TrueFunction
	if c := s.class[e.To]; s.above == nil {
		g = s.diagrams.Choice(s.classVariable(c), bdd.FalseFunction, g)
	} else {
		above := s.above[c]
		if !s.diagrams.Look(len(above)) { // there may be as many for each arc as there are states
			return bdd.FalseFunction
		}
		for i := len(above) - 1; i >= 0; i-- {
			g = s.diagrams.Choice(s.classVariable(above[i]), bdd.FalseFunction, g)
		}
	}
	for missing := s.All() &^ e.Marks; missing != 0; {
		set := 63 - bits.LeadingZeros64(missing)
		missing &^= 1 << set
		g = s.diagrams.Choice(uint32(s.variables()+set), bdd.FalseFunction, g)
	}
	return g
}

// of returns the signature of a set of arcs.
func (s *signatures) of(arcs []Link) bdd.Function {
	d := s.diagrams
	if len(arcs) == 1 {
		return d.And(s.label(arcs[0].Label), s.term(arcs[0]))
	}
	// Arcs to the same class with the same marks have the same term.
	labels := map[bdd.Function][]bdd.Function{}
	var order []bdd.Function
	for _, e := range arcs {
		t := s.term(e)
		if labels[t] == nil {
			order = append(order, t)
		}
		labels[t] = append(labels[t], s.label(e.Label))
	}
	for i, t := range order {
		order[i] = d.And(d.Any(labels[t]...), t)
	}
	return d.Any(order...)
}

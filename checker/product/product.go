package product

import (
	"cmp"
	"context"
	"math"
	"slices"

	"pnmc/automata"
	"pnmc/checker/product/internal/states"
	"pnmc/internal/account"
	"pnmc/internal/bitset"
	"pnmc/petri"
	"pnmc/petri/labelling"
)

// product is the synchronized product of the state graph of a net and an automaton on
// transitions, made on the fly (Definition 7 of "Model Checking using Generalized
// Testing Automata"). In state (s, q) the automaton takes an edge whose label matches
// the label of s, while the graph moves to a successor of s.
//
// Which edges of q match a label is looked up, not computed. Labels are numbered, and the row of edges
// for each pair of label and automaton state is made once. A net may have a hundred million markings,
// but a formula with three propositions can tell at most eight of them apart.
//
// For example, let q have two edges: e1 to q with label a, and e2 to r with label !b. In a marking
// with label {a}, both match. If r is terminal, the slice edges gets 2, r, e2, q, e1: the number of
// pairs, then destination and edge of each, the most promising first. The row's position is that of
// r. Let s be labelled so, with two successors t and u. Then state (s, q) has four edges: to (t,
// r), (t, q), (u, r) and (u, q).
//
// Edges to states from which no run is accepted are not in any row. So the product never goes where
// it cannot find anything.
type product struct {
	kripke    *petri.Kripke
	labelling *labelling.Labels
	matching
	// guided are the graphs for states of the automaton that wait, by state, and nil for those that don't.
	// It is nil if no state waits.
	guided     []*petri.Kripke
	transition int64 // edges of the product found so far
}

// matching is the automaton's part of a product: which of its edges match which labels.
type matching struct {
	automaton *automata.Automaton
	states    uint32 // of the automaton

	components *automata.Components
	strength   []automata.Strength // of the component of each automaton state
	useful     []bool              // some accepted run starts in the automaton state

	// rows maps label and automaton state to the position of their row in edges: pairs of
	// destination and edge, preceded by their number. 0: the row is not made yet.
	rows  rowTable
	edges []uint32

	acceptance acceptance

	account *account.Account
	full    error // why there are no more rows, or nil; looked at before a row is relied on
}

// newProduct prepares the product of a state graph and an automaton.
func newProduct(ctx context.Context, k *petri.Kripke, propositions []*labelling.Proposition, a *automata.Automaton) *product {
	return &product{kripke: k, labelling: labelling.New(k, propositions), matching: newMatching(ctx, a, k.Account())}
}

// newMatching finds the useful states of the automaton: those of components that are not rejecting,
// and those from which edges lead to useful ones. Successors of a component have lower numbers, so
// that one pass is enough.
func newMatching(ctx context.Context, a *automata.Automaton, work *account.Account) matching {
	p := matching{account: work, automaton: a, states: uint32(a.States()), components: automata.FindComponents(a), edges: []uint32{0}}
	ofComponent := automata.Strengths(ctx, a, p.components)
	p.strength = make([]automata.Strength, a.States())
	p.useful = make([]bool, a.States())
	for c := range p.components.Count() { // successors have lower numbers
		useful := ofComponent[c] != automata.Rejecting
		for _, s := range p.components.States(automata.Component(c)) {
			p.strength[s] = ofComponent[c]
			first, end := a.Out(s)
			for e := first; e < end; e++ {
				useful = useful || p.useful[a.Destination(e)] && a.Cubes(e) > 0
			}
		}
		for _, s := range p.components.States(automata.Component(c)) {
			p.useful[s] = useful
		}
	}
	p.acceptance = newAcceptance(a)
	return p
}

// graph returns the state graph whose edges are taken in automaton state q.
func (p *product) graph(q uint32) *petri.Kripke {
	if p.guided != nil && p.guided[q] != nil {
		return p.guided[q]
	}
	return p.kripke
}

// row returns the range of positions in p.edges where the pairs of destination and edge lie that q can
// take in graph state s.
func (p *product) row(s petri.StateID, q uint32) (first, end uint32) {
	label := p.labelling.Of(s)
	row := p.rows.slot(label, q)
	if *row == 0 {
		*row = p.makeRow(automata.Valuation(p.labelling.Label(label)), q)
	}
	return *row, p.rowEnd(*row)
}

// another returns a matching of the same automaton for another thread, which it charges to work.
func (p *matching) another(work *account.Account) matching {
	other := *p
	other.rows, other.edges, other.account, other.full = rowTable{}, []uint32{0}, work, nil
	return other
}

// rowEnd returns the position where the row at position first ends.
func (p *matching) rowEnd(first uint32) uint32 { return first + 2*p.edges[first-1] }

// noRow is the position of a row without edges.
const noRow = 1

// mostPositions is how many positions in edges there are numbers for. Tests lower it.
var mostPositions = min(math.MaxUint32, math.MaxInt)

// makeRow finds the edges of q that match a label, given as a valuation, and lead to where runs may still be accepted. The
// first come those to terminal states. Then come those whose destination has a loop for the same label
// in more acceptance sets, since labels seldom change, and then those in more sets themselves.
//
// It returns the row's position. That is noRow if there is no room for the row; full then says why.
func (p *matching) makeRow(valuation automata.Valuation, q uint32) uint32 {
	type match struct {
		edge           automata.Edge
		promise, marks int
	}
	var matching []match
	promises := map[automata.State]int{}
	first, end := p.automaton.Out(automata.State(q))
	p.account.Add(int(end-first) * (matchWork + len(valuation)))
	for e := first; e < end; e++ {
		to := p.automaton.Destination(e)
		if !p.useful[to] || !p.automaton.Matches(e, valuation) {
			continue
		}
		promise, known := promises[to]
		if !known {
			promise = p.promise(to, valuation)
			promises[to] = promise
		}
		matching = append(matching, match{e, promise, p.automaton.Marks(e).Count()})
	}
	slices.SortStableFunc(matching, func(a, b match) int { return cmp.Or(b.promise-a.promise, b.marks-a.marks) })
	if p.full == nil && len(p.edges)+1+2*len(matching) > mostPositions {
		p.full = states.ErrTooManySteps
	}
	if p.full == nil {
		p.full = account.Room(p.account, p.edges, 1+2*len(matching))
	}
	if p.full != nil {
		return noRow
	}
	p.edges = append(p.edges, uint32(len(matching)))
	row := uint32(len(p.edges))
	for _, m := range matching {
		p.edges = append(p.edges, uint32(p.automaton.Destination(m.edge)), uint32(m.edge))
	}
	return row
}

// matchWork is about the time to see whether an edge matches a label, in nanoseconds.
const matchWork = 16

// promise estimates how close a state is to acceptance if the label stays the same. It is the
// number of sets on its best loop for the label. For a terminal state it is one more than the
// number of all sets.
func (p *matching) promise(to automata.State, label automata.Valuation) int {
	if p.strength[to] == automata.Terminal {
		return p.automaton.Acceptance.Sets + 1
	}
	most := 0
	first, end := p.automaton.Out(to)
	p.account.Add(int(end-first) * matchWork)
	for loop := first; loop < end; loop++ {
		if p.automaton.Destination(loop) == to && p.automaton.Matches(loop, label) {
			most = max(most, p.automaton.Marks(loop).Count())
		}
	}
	return most
}

// acceptance is a condition without Fin, evaluated on the union of the marks of a strongly connected
// set of edges. Inf(!s), that edges outside of set s come infinitely often, gets a set of its own: the
// edges that lack s.
type acceptance struct {
	condition *automata.Condition
	sets      int
	words     int
	marks     []uint64 // words of each edge
	// everything, unless nil, says that the condition is to see all of these marks.
	everything []uint64
}

// newAcceptance lays out the condition of a. Sets that occur in Inf(!s) get numbers behind those of
// the automaton, and each edge gets the marks that follow.
func newAcceptance(a *automata.Automaton) acceptance {
	sets := a.Acceptance.Sets
	complement := map[int]int{}
	condition := positive(a.Acceptance.Condition, func(set int) int {
		if _, known := complement[set]; !known {
			complement[set] = sets + len(complement)
		}
		return complement[set]
	})
	total := sets + len(complement)
	c := acceptance{condition: condition, sets: total, words: automata.MarkWordsFor(total)}
	c.marks = make([]uint64, a.Edges()*c.words)
	for e := range automata.Edge(a.Edges()) {
		marks := automata.Marks(c.marks[int(e)*c.words : int(e+1)*c.words])
		copy(marks, a.Marks(e))
		for set, extra := range complement {
			if !a.Marks(e).Has(set) {
				bitset.Add(marks, extra)
			}
		}
	}
	if (automata.Acceptance{Sets: total, Condition: condition}).IsGeneralizedBuchi() {
		c.everything = make(automata.Marks, c.words)
		for set := range total {
			bitset.Add(c.everything, set)
		}
	}
	return c
}

// positive replaces Inf of a complement by Inf of the set that fresh returns for it.
func positive(c *automata.Condition, fresh func(set int) int) *automata.Condition {
	d := *c
	if d.Operator == automata.Inf && d.Negated {
		d.Set, d.Negated = fresh(d.Set), false
	}
	d.Operands = nil
	for _, o := range c.Operands {
		d.Operands = append(d.Operands, positive(o, fresh))
	}
	return &d
}

// of returns the acceptance sets of an edge, as words of bits.
func (c *acceptance) of(e automata.Edge) []uint64 {
	return c.marks[int(e)*c.words : int(e+1)*c.words]
}

// holds reports whether a strongly connected set of edges with this union of marks has an accepted
// cycle. If any cycle is accepted, the one through all of the edges is, as there is no Fin.
func (c *acceptance) holds(union []uint64) bool {
	if c.everything != nil {
		for i, w := range c.everything {
			if union[i] != w {
				return false
			}
		}
		return true
	}
	return c.condition.Accepts(union, nil)
}

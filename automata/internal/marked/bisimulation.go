package marked

import (
	"math/bits"
	"slices"

	"pnmc/automata"
	"pnmc/automata/bdd"
	"pnmc/internal/account"
)

// signatureNodes bounds the decision diagrams of one round of refinement.
const signatureNodes = 1 << 23

// equivalence says which states a quotient merges.
type equivalence uint8

const (
	// Bisimilar states have the same labels and marks to bisimilar states.
	Bisimilar equivalence = iota
	// Similar states simulate each other: what one does the other can do with
	// the same label and at least the same marks.
	Similar
)

// Quotient merges equivalent states of d, by rounds of partition refinement on
// signatures.
//
// The signature of a state is one Boolean function: the disjunction, over its
// arcs, of the label, of one variable for each acceptance set that the arc is
// not in, and of variables for the class of the destination. For bisimulation a
// class has one variable. For simulation it has those of all the classes that
// simulate it, so that implication between signatures is simulation (Babiak,
// Badie, Duret-Lutz, Křetínský, Strejček, "Compositional approach to suspension
// and other improvements to LTL translation", 2013, section 4). Arcs that others
// simulate are then no prime implicants of the signature, and vanish.
//
// Acceptance must be such that more marks never make a run rejected. A round
// takes time in the sum over arcs of their diagrams' sizes, and for simulation
// also in the number of pairs of classes of which one simulated the other in the round
// before. Where that takes too many steps, bisimilar states are merged only.
//
// A root, an initial state that no edge enters, stays apart from all others.
// States that no run reaches any more remain.
func (d *Reducible) Quotient(by equivalence, rooted bool) error {
	r := newRefinement(d, by, rooted)
	for {
		before, pairs := r.count, r.pairs()
		if err := r.round(); err != nil {
			return err
		}
		if r.spent > mostSpent {
			r = newRefinement(d, Bisimilar, rooted)
			continue
		}
		if r.count == before && r.pairs() == pairs {
			break
		}
	}
	return r.rebuild()
}

// mostSpent bounds the steps that finding similar states may take: half a second.
const mostSpent = 5_000_000

func newRefinement(d *Reducible, by equivalence, rooted bool) *refinement {
	return &refinement{Reducible: d, by: by, rooted: rooted, class: make([]uint32, len(d.Out)), count: 1, above: [][]uint32{{0}}}
}

// refinement is a partition of the states of an automaton under way.
type refinement struct {
	*Reducible
	by         equivalence
	rooted     bool
	class      []uint32   // of each state
	count      int        // of classes
	above      [][]uint32 // of each class: those that simulate it, itself among them
	signatures *bdd.Functions
	signature  []bdd.Function // of each class
	labels     map[bdd.Function]bdd.Function
	// spent is how many steps have been made, if that has a bound: pairs of classes compared,
	// nodes made and met.
	spent int
}

func (r *refinement) pairs() int {
	n := 0
	for _, a := range r.above {
		n += len(a)
	}
	return n
}

// variables is the number of variables of labels.
func (r *refinement) variables() int { return len(r.Propositions) }

// classVariable is the variable of class c, after those of propositions and
// acceptance sets.
func (r *refinement) classVariable(c uint32) uint32 {
	return uint32(r.variables()+r.Sets) + c
}

// start begins a round with new diagrams.
func (r *refinement) start() {
	r.signatures = bdd.New(r.variables()+r.Sets+r.count+1, signatureNodes)
	r.signatures.WatchWith(r.Functions)
	r.labels = map[bdd.Function]bdd.Function{bdd.FalseFunction: bdd.FalseFunction, bdd.TrueFunction: bdd.TrueFunction}
}

// label copies a label into the diagrams of this round.
func (r *refinement) label(g bdd.Function) bdd.Function {
	if h, ok := r.labels[g]; ok {
		return h
	}
	p, low, high := r.Functions.Split(g)
	h := r.signatures.Choice(uint32(p), r.label(low), r.label(high))
	r.labels[g] = h
	return h
}

// term is the conjunction of the variables of marks and class of an arc.
func (r *refinement) term(e Link) bdd.Function {
	g := bdd.TrueFunction
	above := r.above[r.class[e.To]]
	for i := len(above) - 1; i >= 0; i-- {
		g = r.signatures.Choice(r.classVariable(above[i]), bdd.FalseFunction, g)
	}
	for missing := r.All() &^ e.Marks; missing != 0; {
		set := 63 - bits.LeadingZeros64(missing)
		missing &^= 1 << set
		g = r.signatures.Choice(uint32(r.variables()+set), bdd.FalseFunction, g)
	}
	return g
}

// of is the signature of a set of arcs.
func (r *refinement) of(arcs []Link) bdd.Function {
	s := r.signatures
	if len(arcs) == 1 {
		return s.And(r.label(arcs[0].Label), r.term(arcs[0]))
	}
	// Arcs to the same class with the same marks have the same term.
	labels := map[bdd.Function][]bdd.Function{}
	var order []bdd.Function
	for _, e := range arcs {
		t := r.term(e)
		if labels[t] == nil {
			order = append(order, t)
		}
		labels[t] = append(labels[t], r.label(e.Label))
	}
	for i, t := range order {
		order[i] = s.And(s.Any(labels[t]...), t)
	}
	return s.Any(order...)
}

// signatureOf is the signature of a state with these arcs. The root's says with
// one more variable that it is none of the others.
func (r *refinement) signatureOf(s automata.State, arcs []Link) bdd.Function {
	g := r.of(arcs)
	if r.rooted && s == r.Initial[0] {
		g = r.signatures.Xor(g, r.signatures.Proposition(r.variables()+r.Sets+r.count))
	}
	return g
}

// round splits the classes by the signatures of their states.
func (r *refinement) round() error {
	// A chain takes as many rounds as it has states, each with diagrams of its own, which
	// are too small to look by themselves.
	if r.Functions.Ctx != nil {
		if err := account.Reason(r.Functions.Ctx); err != nil {
			return err
		}
	}
	r.start()
	numbers := map[bdd.Function]uint32{}
	class := make([]uint32, len(r.class))
	signature := []bdd.Function(nil)
	parts := make([][]uint32, r.count) // of each class: what it is split into
	for s, arcs := range r.Out {
		g := r.signatureOf(automata.State(s), arcs)
		n, known := numbers[g]
		if !known {
			n = uint32(len(signature))
			numbers[g] = n
			signature = append(signature, g)
			parts[r.class[s]] = append(parts[r.class[s]], n)
		}
		class[s] = n
	}
	if r.by == Similar {
		r.spent += r.signatures.Nodes() + r.signatures.Steps
	}
	r.relate(signature, parts)
	r.class, r.count, r.signature = class, len(signature), signature
	return r.signatures.Err()
}

// relate finds which of the new classes simulate which: of two of them only if the classes
// did that they are parts of.
func (r *refinement) relate(signature []bdd.Function, parts [][]uint32) {
	above := make([][]uint32, len(signature))
	for old, list := range parts {
		for _, c := range list {
			if r.by == Bisimilar {
				above[c] = []uint32{c}
				continue
			}
			for _, higher := range r.above[old] {
				before := r.signatures.Steps
				for _, b := range parts[higher] {
					if b == c || r.signatures.Implies(signature[c], signature[b]) {
						above[c] = append(above[c], b)
					}
				}
				r.spent += len(parts[higher]) + r.signatures.Steps - before
				if r.spent > mostSpent {
					return // the round is of no use any more
				}
			}
			slices.Sort(above[c])
		}
	}
	r.above = above
}

// rebuild makes the quotient: one state for each class, with the arcs that the
// prime implicants of its signature are.
func (r *refinement) rebuild() error {
	r.start() // signatures in terms of the final classes
	done := make([]bool, r.count)
	out := make([][]Link, r.count)
	arcs := &arcReader{refinement: r, split: map[bdd.Function][]labelled{}, terms: map[bdd.Function][]Link{}}
	for s, c := range r.class {
		if done[c] {
			continue
		}
		done[c] = true
		list, err := arcs.read(r.of(r.Out[s]))
		if err != nil {
			return err
		}
		out[c] = list
	}
	for i, s := range r.Initial {
		r.Initial[i] = automata.State(r.class[s])
	}
	slices.Sort(r.Initial)
	r.Initial = slices.Compact(r.Initial)
	r.Out = out
	if err := r.signatures.Err(); err != nil {
		return err
	}
	return r.Functions.Err()
}

// arcReader turns signatures back into arcs.
type arcReader struct {
	*refinement
	split map[bdd.Function][]labelled // of a node over propositions
	terms map[bdd.Function][]Link     // of a function over marks and classes: its prime implicants
}

// labelled is a function over marks and classes, and the label, among the functions of
// the automaton, for which a signature is it.
type labelled struct {
	rest  bdd.Function
	label bdd.Function
}

func (a *arcReader) read(g bdd.Function) ([]Link, error) {
	var arcs []Link
	for _, l := range a.parts(g) {
		terms, err := a.primes(l.rest)
		if err != nil {
			return nil, err
		}
		for _, t := range terms {
			t.Label = l.label
			arcs = append(arcs, t)
		}
	}
	return arcs, nil
}

// parts splits a signature by what is left of it once propositions are known.
func (a *arcReader) parts(g bdd.Function) []labelled {
	if g == bdd.FalseFunction {
		return nil
	}
	p, low, high := a.signatures.Split(g)
	if p >= a.variables() { // a constant, too
		return []labelled{{g, bdd.TrueFunction}}
	}
	if list, ok := a.split[g]; ok {
		return list
	}
	f := a.Functions
	variable := f.Proposition(p)
	var list []labelled
	at := map[bdd.Function]int{}
	add := func(part labelled, condition bdd.Function) {
		label := f.And(part.label, condition)
		if i, ok := at[part.rest]; ok {
			list[i].label = f.Or(list[i].label, label)
			return
		}
		at[part.rest] = len(list)
		list = append(list, labelled{part.rest, label})
	}
	for _, p := range a.parts(low) {
		add(p, f.Not(variable))
	}
	for _, p := range a.parts(high) {
		add(p, variable)
	}
	a.split[g] = list
	return list
}

// primes are the prime implicants of a function over marks and classes, as arcs
// without label. The function grows in every variable, so that the irredundant
// sum is that of all prime implicants.
func (a *arcReader) primes(g bdd.Function) ([]Link, error) {
	if list, ok := a.terms[g]; ok {
		return list, nil
	}
	label, err := a.signatures.Label(g)
	if err != nil {
		return nil, err
	}
	var list []Link
	for _, cube := range label {
		e := Link{Marks: a.All()}
		largest := -1
		for i, w := range cube[:len(cube)/2] {
			for ; w != 0; w &= w - 1 {
				v := 64*i + bits.TrailingZeros64(w)
				if set := v - a.variables(); set < a.Sets {
					e.Marks &^= 1 << set
					continue
				}
				// The class meant is the one that most others of the cube simulate.
				c := v - a.variables() - a.Sets
				if n := len(a.above[c]); n > largest {
					largest, e.To = n, automata.State(c)
				}
			}
		}
		list = append(list, e)
	}
	a.terms[g] = list
	return list, nil
}

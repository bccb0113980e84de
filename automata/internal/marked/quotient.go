package marked

import (
	"math/bits"
	"slices"

	"pnmc/automata"
	"pnmc/automata/bdd"
)

// equivalence says which states a quotient merges.
type equivalence uint8

const (
	// Bisimilar states have the same labels and marks to bisimilar states.
	Bisimilar equivalence = iota
	// Similar states simulate each other: what one does the other can do with
	// the same label and at least the same marks.
	Similar
)

// Quotient merges equivalent states of d.
//
// The signature of a state is one Boolean function, a disjunction over its arcs. Each arc gives
// the conjunction of its label, of one variable for each acceptance set that it is not in, and of
// variables for the class of its destination. For bisimulation a class has one variable. For
// simulation it has those of all the classes that simulate it. Then implication between
// signatures is simulation (Babiak, Badie, Duret-Lutz, Křetínský, Strejček, "Compositional
// approach to suspension and other improvements to LTL translation", 2013, section 4). Arcs that
// others simulate are then no prime implicants of the signature, and vanish.
//
// For example, let a state have two arcs labelled a, one to class c in no set, and one to class d
// in set 0, and let d simulate c. Let x stand for "not in set 0", and C and D for the classes. The
// terms of the arcs are x & C & D, as both c and d simulate c, and D. The signature is a & (x & C & D
// | D), which is a & D: the first arc is gone. A state with the second arc only has the same
// signature, and both are one state.
//
// Acceptance must be such that more marks never make a run rejected. Bisimilar states are
// found by splitting classes, as partition describes. Which of their classes simulate each
// other is found as similar describes; where that takes too many steps, bisimilar states are
// merged only.
//
// A root, an initial state that no edge enters, stays apart from all others.
// States that no run reaches any more remain.
func (d *Reducible) Quotient(by equivalence, rooted bool) error {
	if err := d.mergeBisimilar(rooted); err != nil {
		return err
	}
	s := newSignatures(d, identity(len(d.Out)))
	if by == Similar {
		class, above, err := d.similar(rooted, similarRounds, mostSpent)
		if err != nil {
			return err
		}
		if class != nil {
			s.class, s.above = class, above
		}
	}
	return s.rebuild()
}

// mergeBisimilar leaves the first state of each class of bisimilar ones, with its arcs.
func (d *Reducible) mergeBisimilar(rooted bool) error {
	start, count := make([]uint32, len(d.Out)), 1
	if rooted && len(d.Out) > 1 {
		start[d.Initial[0]] = 1
		count = 2
	}
	p := newPartition(d.predecessors(), start, count)
	if err := p.refine(d.context(), newSignatures(d, p.class)); err != nil {
		return err
	}
	class, count := p.inOrder()
	if count == len(d.Out) {
		return nil
	}
	out := make([][]Link, 0, count)
	for s, c := range class {
		if int(c) < len(out) {
			continue
		}
		for i, e := range d.Out[s] {
			d.Out[s][i].To = automata.State(class[e.To])
		}
		out = append(out, d.Out[s])
	}
	d.Out = out
	d.renameInitial(class)
	return nil
}

// renameInitial gives the initial states the numbers of their classes.
func (d *Reducible) renameInitial(class []uint32) {
	for i, s := range d.Initial {
		d.Initial[i] = automata.State(class[s])
	}
	slices.Sort(d.Initial)
	d.Initial = slices.Compact(d.Initial)
}

// identity returns the numbers below n, in order.
func identity(n int) []uint32 {
	list := make([]uint32, n)
	for i := range list {
		list[i] = uint32(i)
	}
	return list
}

// rebuild makes the quotient: one state for each class, with the arcs that the
// prime implicants of its signature are. Classes are numbered in the order of their first
// states.
func (s *signatures) rebuild() error {
	d := s.Reducible
	var out [][]Link
	arcs := &arcReader{signatures: s, split: map[bdd.Function][]labelled{}, terms: map[bdd.Function][]Link{}}
	for from, c := range s.class {
		if int(c) < len(out) {
			continue
		}
		list, err := arcs.read(s.of(d.Out[from]))
		if err != nil {
			return err
		}
		out = append(out, s.shortened(list, d.Out[from]))
	}
	d.renameInitial(s.class)
	d.Out = out
	if err := s.diagrams.Err(); err != nil {
		return err
	}
	return d.Functions.Err()
}

// shortened returns the arcs of a class. If some of their labels have many cubes, and those of the
// arcs of its first state have not, it returns the latter: these overlap, which does no harm.
func (s *signatures) shortened(arcs, own []Link) []Link {
	long := func(e Link) bool { return s.isLong(e.Label) }
	if !slices.ContainsFunc(arcs, long) || slices.ContainsFunc(own, long) {
		return arcs
	}
	kept := slices.Clone(own)
	for i, e := range own {
		kept[i].To = automata.State(s.class[e.To])
	}
	return kept
}

// arcReader turns signatures back into arcs.
type arcReader struct {
	*signatures
	split map[bdd.Function][]labelled // of a node over propositions
	terms map[bdd.Function][]Link     // of a function over marks and classes: its prime implicants
}

// labelled is a function over marks and classes, and the label, among the functions of
// the automaton, for which a signature is it.
type labelled struct {
	rest  bdd.Function
	label bdd.Function
}

// read returns the arcs that signature g is made of. It splits g by labels first. What remains of
// g for a label is a function over marks and classes, and each of its prime implicants is an arc.
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
	p, low, high := a.diagrams.Split(g)
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

// primes returns the prime implicants of a function over marks and classes, as arcs
// without label. The function grows in every variable, so that the irredundant
// sum is that of all prime implicants.
func (a *arcReader) primes(g bdd.Function) ([]Link, error) {
	if list, ok := a.terms[g]; ok {
		return list, nil
	}
	label, err := a.diagrams.Label(g)
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
				if n := a.aboveCount(c); n > largest {
					largest, e.To = n, automata.State(c)
				}
			}
		}
		list = append(list, e)
	}
	a.terms[g] = list
	return list, nil
}

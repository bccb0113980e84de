package ltl

import "pnmc/logic"

// Traits are properties of a formula that its syntax shows. A trait that is
// missing may nevertheless be a property of the formula's language.
//
// For example, F a is eventual, whatever a is: if a holds later in a suffix, it holds later in the
// run. G of an eventual formula stays eventual and is universal, so that G F a is suspendable, and no
// rewriting has to look into it. For propositions a and b, a U b is a guarantee: a run that satisfies
// it has a prefix that ends where b holds, and every way to go on satisfies it.
//
// Traits are computed once, when a formula is made, from those of its operands.
type Traits uint16

// The traits. The classes are those of the hierarchy of Manna and Pnueli ("A hierarchy
// of temporal properties", 1990). They are recognized by the grammars of Černá and
// Pelánek ("Relating hierarchy of temporal properties to model checking", 2003).
// Eventualities and universalities are those of Etessami and Holzmann ("Optimizing
// Büchi automata", 2000).
const (
	// Boolean: no temporal connective.
	Boolean Traits = 1 << iota
	// Eventual: if a suffix of a run satisfies it, so does the run.
	Eventual
	// Universal: if a run satisfies it, so do all suffixes.
	Universal
	// StutterInvariant: without X, so that repetition of letters is not seen.
	StutterInvariant
	// Safety: every run that violates it has a prefix that shows so.
	Safety
	// Guarantee: every run that satisfies it has a prefix that shows so.
	Guarantee
	// Obligation: a Boolean combination of safety and guarantee properties.
	Obligation
	// Recurrence: accepted by a deterministic Büchi automaton.
	Recurrence
	// Persistence: the complement of a recurrence property.
	Persistence
	// NegationNormal: negations stand at propositions only, and neither xor,
	// equivalence nor implication occurs.
	NegationNormal
	// Delayed: a proposition or the negation of one, after X any number of times.
	Delayed
)

// Suspendable formulas hold on a run if and only if on each of its suffixes.
const Suspendable = Eventual | Universal

// Has reports whether f has all of these traits.
func (f *Formula) Has(t Traits) bool { return f.traits&t == t }

const everyTrait = Boolean | Eventual | Universal | StutterInvariant | Safety | Guarantee |
	Obligation | Recurrence | Persistence | NegationNormal

// dual swaps the traits that negation swaps.
func (t Traits) dual() Traits {
	swapped := t &^ (Eventual | Universal | Safety | Guarantee | Recurrence | Persistence)
	for _, pair := range [][2]Traits{{Eventual, Universal}, {Safety, Guarantee}, {Recurrence, Persistence}} {
		if t&pair[0] != 0 {
			swapped |= pair[1]
		}
		if t&pair[1] != 0 {
			swapped |= pair[0]
		}
	}
	return swapped
}

// closed adds the classes that contain the ones in t.
func (t Traits) closed() Traits {
	if t&(Safety|Guarantee) != 0 {
		t |= Obligation
	}
	if t&Obligation != 0 {
		t |= Recurrence | Persistence
	}
	return t
}

// traitsOf derives the traits of f from those of its operands.
func traitsOf(f *Formula) Traits {
	if len(f.operands) == 0 {
		if f.operator == Atom {
			return everyTrait&^(Eventual|Universal) | Delayed
		}
		return everyTrait
	}
	all := everyTrait
	for _, g := range f.operands {
		all &= g.traits
	}
	first, last := f.operands[0], f.operands[len(f.operands)-1]
	switch f.operator {
	case logic.Not:
		t := first.traits.dual()
		if first.operator != Atom {
			t &^= NegationNormal | Delayed
		}
		return t
	case logic.And, logic.Or:
		return all
	case logic.Implies:
		return first.traits.dual() & last.traits &^ NegationNormal
	case logic.Xor, logic.Equivalent:
		return all & all.dual() &^ NegationNormal
	case Next:
		return all&^(Boolean|StutterInvariant) | first.traits&Delayed
	}
	return temporalTraits(f.operator, first.traits, last.traits)
}

// temporalTraits returns those of F, G, U, R, W and M with these traits of operands.
//
// Those of G, R and W follow by duality: f R g is the negation of !f U !g, and so on. Negation swaps
// traits, in operands as in the whole.
func temporalTraits(c Operator, first, last Traits) Traits {
	switch c {
	case Globally:
		return temporalTraits(Finally, first.dual(), last.dual()).dual()
	case Release:
		return temporalTraits(Until, first.dual(), last.dual()).dual()
	case WeakUntil:
		return temporalTraits(StrongRelease, first.dual(), last.dual()).dual()
	}
	all := first & last
	t := all & (StutterInvariant | NegationNormal | Universal | Guarantee | Persistence)
	switch c {
	case Finally:
		t |= Eventual
	case Until:
		t |= last & Eventual
		if last&Guarantee != 0 {
			t |= first & (Obligation | Recurrence)
		}
	case StrongRelease:
		t |= all & Eventual
		if first&Guarantee != 0 {
			t |= last & (Obligation | Recurrence)
		}
	}
	return t.closed()
}

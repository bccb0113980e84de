package logic

// Operator is what the root of a formula says. The Boolean ones are the same in all
// logics; packages ltl and ctl number theirs from Further on.
type Operator uint8

// The Boolean operators.
const (
	False      Operator = iota // never
	True                       // always
	Not                        // the one operand does not hold
	And                        // all operands hold (none: true)
	Or                         // some operand holds (none: false)
	Xor                        // one of the two operands holds and the other does not; not in predicates
	Equivalent                 // the two operands both hold, or neither does
	Implies                    // the second operand holds where the first does; not in predicates
)

// The operators of state predicates beside them.
const (
	AtMost           = Implies + 1 + iota // Sum ≤ 0
	Equal                                 // Sum = 0
	PolynomialAtMost                      // Sum and Products ≤ 0, with at least one product
	PolynomialEqual                       // Sum and Products = 0, with at least one product
	Fireable                              // some transition of Transitions is enabled
	Deadlocked                            // no transition of the net is enabled
	Further                               // the first number that is no operator of this package
)

// Predicate is a state predicate over markings, as a tree.
//
// Every comparison is brought to the form Sum ≤ 0 or Sum = 0 or a negation of
// these, so that engines know two comparisons only. Where places are multiplied, products
// add to Sum, in two comparisons of their own: an engine that knows linear ones only can't
// take them for such.
type Predicate struct {
	Operator    Operator
	Operands    []*Predicate // Not: one; Equivalent: two; And, Or: any number
	Sum         Sum          // of comparisons
	Products    []Product    // PolynomialAtMost, PolynomialEqual
	Transitions []uint32     // Fireable: ascending, without repetition
}

// Sum is Constant + Σ Coefficient·m(Place), over the integers: evaluation must
// not wrap around, even where coefficients and token counts are huge.
type Sum struct {
	Constant int64
	Terms    []Term // ascending by Place, no zero coefficient
}

// Term is one summand of a Sum.
type Term struct {
	Place       uint32
	Coefficient int64
}

// Vocabulary says which places and transitions a name in a formula stands for. A name
// of a coloured net may stand for several.
type Vocabulary interface {
	// Places returns the numbers of the places called name, first by identifier, then
	// by name. It returns nil if there is no such place. For a coloured place whose
	// colours are never marked, the result is empty but not nil.
	Places(name string) []uint32
	// Transitions likewise returns the numbers of the transitions called name.
	Transitions(name string) []uint32
	// PlaceName and TransitionName are identifiers to print.
	PlaceName(p uint32) string
	TransitionName(t uint32) string
	// PlaceNames and TransitionNames are all names known, for suggestions.
	PlaceNames() []string
	TransitionNames() []string
}

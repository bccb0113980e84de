package symmetric

// plan is an order in which to bind the variables of a transition. It is chosen once, and then run
// for each token that may complete a binding.
//
// The problem. A transition with four variables over a class of a thousand colours has 10^12
// bindings. Perhaps a thousand of these have their tokens and satisfy the guard. Databases call
// this a join. Input arcs are the relations, tokens are their rows, and the relations are joined
// by the variables that several arcs share.
//
// The idea. Bind as much as possible by what is known already. There are three ways to bind a
// variable, and the first that applies is taken:
//
//  1. The guard says what it is, as in x = y + 1 with y bound: one colour.
//  2. An input arc takes a token with it: the tokens that have the right colours at the positions
//     which are bound, looked up in an index. Of several arcs the one with fewest unbound positions
//     is taken.
//  3. Nothing helps: all colours of its class, but only between the limits that the guard sets
//     (narrow).
//
// For example, t takes (x, y) from p and (y, z) from q, with the guard z ≠ x. A new token (1, 2) on
// p triggers the plan: x = 1 and y = 2. Next the arc from q has one position bound: the index of q
// by its first position gives the tokens with y = 2. Each binds z, and the guard is tested at once.
//
// Each part of the guard is tested as soon as its variables are bound, and of a disjunction what it
// says of those that are.
type plan struct {
	trigger *atom // the arc that the new token matches; nil for none
	steps   []step
	before  []test // made when the trigger is matched
	work    int    // comparisons of before
	cost    int    // of matching the trigger, in comparisons
}

// atom is a monomial of an input arc without All: it needs a token whose colour
// is the tuple of its terms.
type atom struct {
	place int
	terms []Term
	order int // among the atoms of the transition
}

// step binds variables. Exactly one of the three ways is set.
type step struct {
	match    *matching
	equation *equation
	variable int // enumerate the class of this variable
	tests    []test
	work     int // comparisons of tests
}

// equation binds variable to the colour of an operand, steps back.
type equation struct {
	variable int
	steps    int64
	other    *Operand
}

// matching looks up an atom with those tuples that have the colours of the
// terms that are bound already.
type matching struct {
	atom  *atom
	index *index
	bound []int // positions in atom.terms that are bound before
	free  []int // positions of the others
}

// hasAll reports whether m stands for several tuples.
func hasAll(m Monomial) bool {
	for _, t := range m.Terms {
		if t.Kind == All {
			return true
		}
	}
	return false
}

package twin

import (
	"math/big"
	"slices"
)

// Op says what a formula is made of.
type Op int

// The operators. Those with paths are of CTL: AllPaths and SomePath stand right
// before Next, Until, Finally or Globally.
const (
	True Op = iota
	False
	Atomic
	Not
	And
	Or
	Implies
	Equivalent
	Next
	Until
	Finally
	Globally
	Release
	WeakUntil
	StrongRelease
	AllPaths
	SomePath
)

// Formula is a formula of LTL or CTL.
type Formula struct {
	Op          Op
	Left, Right *Formula // Left alone if there is one operand
	Atom        *Atom    // of Atomic
}

// Atom is a proposition about a marking, or, with a name alone, about a letter.
type Atom struct {
	Name string
	// Fireable names transitions of which one is enabled.
	Fireable []string
	// Deadlock says that nothing is enabled.
	Deadlock bool
	// Otherwise: the tokens in the places Less and the constant LessBy together are
	// at most those in More and MoreBy. The former is multiplied by the tokens in Times,
	// unless that is empty.
	Less, More     []string
	LessBy, MoreBy int64
	Times          string
}

// Holds reports whether the atom is true in m.
func (a *Atom) Holds(n *Net, m []int64) bool {
	switch {
	case a.Deadlock:
		return n.Deadlock(m)
	case a.Fireable != nil:
		return slices.ContainsFunc(a.Fireable, func(name string) bool {
			return slices.ContainsFunc(n.Transitions[name], func(t int) bool { return n.Enabled(m, t) })
		})
	}
	less := sum(n, m, a.Less, a.LessBy)
	if a.Times != "" {
		less.Mul(less, sum(n, m, []string{a.Times}, 0))
	}
	return less.Cmp(sum(n, m, a.More, a.MoreBy)) <= 0
}

// sum adds up the tokens of places and a constant.
func sum(n *Net, m []int64, names []string, constant int64) *big.Int {
	total := big.NewInt(constant)
	for _, name := range names {
		for _, p := range n.Places[name] {
			total.Add(total, big.NewInt(m[p]))
		}
	}
	return total
}

// Atoms lists the atoms of f, each once.
func (f *Formula) Atoms() []*Atom {
	var list []*Atom
	f.visit(func(g *Formula) {
		if g.Op == Atomic && !slices.Contains(list, g.Atom) {
			list = append(list, g.Atom)
		}
	})
	return list
}

// visit hands over f and all below it.
func (f *Formula) visit(do func(*Formula)) {
	if f == nil {
		return
	}
	do(f)
	f.Left.visit(do)
	f.Right.visit(do)
}

// Size returns the number of operators and atoms.
func (f *Formula) Size() (size int) {
	f.visit(func(*Formula) { size++ })
	return size
}

// Unary and Binary make formulas.
func Unary(op Op, f *Formula) *Formula { return &Formula{Op: op, Left: f} }

// Binary returns f op g.
func Binary(op Op, f, g *Formula) *Formula { return &Formula{Op: op, Left: f, Right: g} }

// Proposition returns the atom as a formula.
func Proposition(a *Atom) *Formula { return &Formula{Op: Atomic, Atom: a} }

// core writes f with true, atoms, not, and, next and until alone.
func (f *Formula) core() *Formula {
	not := func(g *Formula) *Formula { return Unary(Not, g) }
	or := func(g, h *Formula) *Formula { return not(Binary(And, not(g), not(h))) }
	var left, right *Formula
	if f.Left != nil {
		left = f.Left.core()
	}
	if f.Right != nil {
		right = f.Right.core()
	}
	truth := &Formula{Op: True}
	release := func(g, h *Formula) *Formula { return not(Binary(Until, not(g), not(h))) }
	switch f.Op {
	case False:
		return not(truth)
	case Not, Next:
		return Unary(f.Op, left)
	case And, Until:
		return Binary(f.Op, left, right)
	case Or:
		return or(left, right)
	case Implies:
		return or(not(left), right)
	case Equivalent:
		return or(Binary(And, left, right), Binary(And, not(left), not(right)))
	case Finally:
		return Binary(Until, truth, left)
	case Globally:
		return not(Binary(Until, truth, not(left)))
	case Release:
		return release(left, right)
	case WeakUntil: // f W g is g R (f or g)
		return release(right, or(left, right))
	case StrongRelease:
		return Binary(Until, right, Binary(And, left, right))
	}
	return f
}

package rewrite

import (
	"slices"

	"pnmc/logic"
	"pnmc/logic/ltl"
)

// junctionOperands is the number of operands up to which those of a conjunction
// or disjunction are compared pair by pair.
const junctionOperands = 24

// junction applies a rule to a conjunction or, dually, to a disjunction. It tries the rules in order,
// and the first that changes something ends it; the result is simplified again.
//
//	dropImplied      G a & F a is G a; G a & F !a is false
//	dropRefuted      a & (b | !a) is a & b
//	underInvariant   G a & F(a & b) is G a & F b
//	mergeOperands    G a & G b is G(a & b); (a U c) & (b U c) is (a & b) U c
//	unrolled         a & X G a is G a
//
// The first three compare operands pair by pair, and so are for few operands only; of many,
// dropCovered compares the temporal ones as far as a bound allows.
func (w *Rewriter) junction(f *ltl.Formula) *ltl.Formula {
	if len(f.Operands()) <= junctionOperands {
		if g := w.dropImplied(f); g != f {
			return g
		}
		if g := w.dropRefuted(f); g != f {
			return g
		}
		if g := w.underInvariant(f); g != f {
			return g
		}
	} else if g := w.dropCovered(f); g != f {
		return g
	}
	if g := w.mergeOperands(f); g != f {
		return g
	}
	return w.unrolled(f)
}

// replacePair returns f with operand i replaced and operand j left out.
func (w *Rewriter) replacePair(f *ltl.Formula, i, j int, by *ltl.Formula) *ltl.Formula {
	rest := []*ltl.Formula{by}
	for k, o := range f.Operands() {
		if k != i && k != j {
			rest = append(rest, o)
		}
	}
	return w.formulas.Make(f.Operator(), rest)
}

// stronger reports whether a makes b superfluous beside it under c: it implies b in
// a conjunction, and is implied in a disjunction.
func (w *Rewriter) stronger(c ltl.Operator, a, b *ltl.Formula) bool {
	if c == logic.And {
		return w.Implies(a, b)
	}
	return w.Implies(b, a)
}

// refutes reports whether a and b together make a conjunction false, or a
// disjunction true.
func (w *Rewriter) refutes(c ltl.Operator, a, b *ltl.Formula) bool {
	if c == logic.And {
		return w.contradicts(a, b)
	}
	return w.Implies(w.Negate(a), b)
}

// dropImplied drops an operand that another one makes superfluous, or gives the
// constant that two of them make of f.
func (w *Rewriter) dropImplied(f *ltl.Formula) *ltl.Formula {
	for i, a := range f.Operands() {
		for j, b := range f.Operands() {
			if i == j {
				continue
			}
			if w.stronger(f.Operator(), a, b) {
				return w.replacePair(f, i, j, a)
			}
			if i < j && w.refutes(f.Operator(), a, b) {
				if f.Operator() == logic.And {
					return w.formulas.False()
				}
				return w.formulas.True()
			}
		}
	}
	return f
}

// coverComparisons is the number of pairs of operands that dropCovered compares.
const coverComparisons = 1 << 12

// dropCovered drops temporal operands that others make superfluous, however many there are. Each
// is compared with those that are left of the ones before. These are few where most imply one
// another, as in G(a | G(b | …)) & G(b | …) & …. When too many comparisons were made, all others
// are kept.
func (w *Rewriter) dropCovered(f *ltl.Formula) *ltl.Formula {
	var kept, rest []*ltl.Formula
	left := coverComparisons
	for _, b := range f.Operands() {
		if b.Operator() < ltl.Next || left < len(kept) {
			rest = append(rest, b)
			continue
		}
		left -= len(kept)
		if slices.ContainsFunc(kept, func(a *ltl.Formula) bool { return w.stronger(f.Operator(), a, b) }) {
			continue
		}
		kept = append(slices.DeleteFunc(kept, func(a *ltl.Formula) bool { return w.stronger(f.Operator(), b, a) }), b)
	}
	if len(kept)+len(rest) == len(f.Operands()) {
		return f
	}
	return w.formulas.Make(f.Operator(), append(rest, kept...))
}

// dropRefuted drops from an operand of the other connective the parts that an
// operand refutes: a & (b | !a) is a & b.
func (w *Rewriter) dropRefuted(f *ltl.Formula) *ltl.Formula {
	inner := opposite.Get()[f.Operator()]
	for j, b := range f.Operands() {
		if b.Operator() != inner || len(b.Operands()) > junctionOperands {
			continue
		}
		for i, a := range f.Operands() {
			if i == j {
				continue
			}
			for k, part := range b.Operands() {
				if w.refutes(f.Operator(), a, part) {
					g := w.formulas.Make(inner, without(b.Operands(), k))
					return w.formulas.Make(f.Operator(), append(without(f.Operands(), j), g))
				}
			}
		}
	}
	return f
}

// without returns a copy of list without element i.
func without(list []*ltl.Formula, i int) []*ltl.Formula {
	return append(append(make([]*ltl.Formula, 0, len(list)), list[:i]...), list[i+1:]...)
}

// underInvariant simplifies the operands beside G a, assuming that a holds at every
// position. Beside F a it assumes that a holds at none.
func (w *Rewriter) underInvariant(f *ltl.Formula) *ltl.Formula {
	root := ltl.Globally
	if f.Operator() == logic.Or {
		root = ltl.Finally
	}
	for i, a := range f.Operands() {
		if a.Operator() != root {
			continue
		}
		invariant := a.Operands()[0]
		if root == ltl.Finally {
			invariant = w.Negate(invariant)
		}
		for j, b := range f.Operands() {
			if i == j {
				continue
			}
			if g := w.assume(b, invariant, map[*ltl.Formula]*ltl.Formula{}); g != b {
				return w.formulas.Make(f.Operator(), append(without(f.Operands(), j), g))
			}
		}
	}
	return f
}

// assume replaces subformulas of f that the invariant implies or contradicts by
// constants.
func (w *Rewriter) assume(f, invariant *ltl.Formula, done map[*ltl.Formula]*ltl.Formula) *ltl.Formula {
	if g, known := done[f]; known {
		return g
	}
	if w.isOverAt(f) {
		return f
	}
	g := f
	switch {
	case f.Operator() <= logic.True:
	case w.Implies(invariant, f):
		g = w.formulas.True()
	case w.contradicts(invariant, f):
		g = w.formulas.False()
	case len(f.Operands()) > 0:
		operands := make([]*ltl.Formula, len(f.Operands()))
		for i, o := range f.Operands() {
			operands[i] = w.assume(o, invariant, done)
		}
		g = w.formulas.Make(f.Operator(), operands)
	}
	done[f] = g
	return g
}

// unrolled folds one step of a fixpoint back: a & XGa is G a, b & (a | X(a R b))
// is a R b, and dually.
func (w *Rewriter) unrolled(f *ltl.Formula) *ltl.Formula {
	d := sideOf(f.Operator())
	for i, a := range f.Operands() {
		if a.Operator() == ltl.Next {
			for k, g := range parts(a.Operands()[0], f.Operator()) {
				if g.Operator() != d.globally || !contains(f, g.Operands()[0]) {
					continue
				}
				rest := append(without(parts(a.Operands()[0], f.Operator()), k), w.make(d.truth))
				x := w.formulas.Next(w.formulas.Make(f.Operator(), rest))
				return w.formulas.Make(f.Operator(), append(without(f.Operands(), i), g, x))
			}
		}
		if a.Operator() != d.or || len(a.Operands()) != 2 {
			continue
		}
		for k, x := range a.Operands() {
			if x.Operator() != ltl.Next {
				continue
			}
			g, first := x.Operands()[0], a.Operands()[1-k]
			if d.isRelease(g) && g.Operands()[0] == first && contains(f, g.Operands()[1]) {
				return w.formulas.Make(f.Operator(), append(without(f.Operands(), i), g))
			}
		}
	}
	return f
}

// parts returns the operands of f if c is its root, else f alone.
func parts(f *ltl.Formula, c ltl.Operator) []*ltl.Formula {
	if f.Operator() == c {
		return f.Operands()
	}
	return []*ltl.Formula{f}
}

// contains reports whether g, or each of its operands if it has the root of f, is
// an operand of f.
func contains(f, g *ltl.Formula) bool {
	for _, part := range parts(g, f.Operator()) {
		if !f.HasOperand(part) {
			return false
		}
	}
	return true
}

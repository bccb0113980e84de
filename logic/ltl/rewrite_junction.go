package ltl

import (
	"slices"

	"pnmc/logic"
)

// junctionOperands is the number of operands up to which those of a conjunction
// or disjunction are compared pair by pair.
const junctionOperands = 24

// junction applies a rule to a conjunction or, dually, to a disjunction.
func (w *Rewriter) junction(f *Formula) *Formula {
	if len(f.operands) <= junctionOperands {
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

// replacePair is f with operand i replaced and operand j left out.
func (w *Rewriter) replacePair(f *Formula, i, j int, by *Formula) *Formula {
	rest := []*Formula{by}
	for k, o := range f.operands {
		if k != i && k != j {
			rest = append(rest, o)
		}
	}
	return w.formulas.Make(f.operator, rest)
}

// stronger reports whether a makes b superfluous beside it under c: it implies b in
// a conjunction, and is implied in a disjunction.
func (w *Rewriter) stronger(c Operator, a, b *Formula) bool {
	if c == logic.And {
		return w.Implies(a, b)
	}
	return w.Implies(b, a)
}

// refutes reports whether a and b together make a conjunction false, or a
// disjunction true.
func (w *Rewriter) refutes(c Operator, a, b *Formula) bool {
	if c == logic.And {
		return w.contradicts(a, b)
	}
	return w.Implies(w.Negate(a), b)
}

// dropImplied drops an operand that another one makes superfluous, or gives the
// constant that two of them make of f.
func (w *Rewriter) dropImplied(f *Formula) *Formula {
	for i, a := range f.operands {
		for j, b := range f.operands {
			if i == j {
				continue
			}
			if w.stronger(f.operator, a, b) {
				return w.replacePair(f, i, j, a)
			}
			if i < j && w.refutes(f.operator, a, b) {
				if f.operator == logic.And {
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

// dropCovered drops temporal operands that others make superfluous, of any number: each is
// compared with those that are left of the ones before, which are few where most imply one
// another, as of G(a | G(b | …)) & G(b | …) & …; all are kept that there are too many
// comparisons for.
func (w *Rewriter) dropCovered(f *Formula) *Formula {
	var kept, rest []*Formula
	left := coverComparisons
	for _, b := range f.operands {
		if b.operator < Next || left < len(kept) {
			rest = append(rest, b)
			continue
		}
		left -= len(kept)
		if slices.ContainsFunc(kept, func(a *Formula) bool { return w.stronger(f.operator, a, b) }) {
			continue
		}
		kept = append(slices.DeleteFunc(kept, func(a *Formula) bool { return w.stronger(f.operator, b, a) }), b)
	}
	if len(kept)+len(rest) == len(f.operands) {
		return f
	}
	return w.formulas.Make(f.operator, append(rest, kept...))
}

// dropRefuted drops from an operand of the other connective the parts that an
// operand refutes: a & (b | !a) is a & b.
func (w *Rewriter) dropRefuted(f *Formula) *Formula {
	inner := opposite[f.operator]
	for j, b := range f.operands {
		if b.operator != inner || len(b.operands) > junctionOperands {
			continue
		}
		for i, a := range f.operands {
			if i == j {
				continue
			}
			for k, part := range b.operands {
				if w.refutes(f.operator, a, part) {
					g := w.formulas.Make(inner, without(b.operands, k))
					return w.formulas.Make(f.operator, append(without(f.operands, j), g))
				}
			}
		}
	}
	return f
}

// without is a copy of list without element i.
func without(list []*Formula, i int) []*Formula {
	return append(append(make([]*Formula, 0, len(list)), list[:i]...), list[i+1:]...)
}

// underInvariant simplifies the operands beside G a, under the assumption that a
// holds at every position; beside F a, that it does at none.
func (w *Rewriter) underInvariant(f *Formula) *Formula {
	root := Globally
	if f.operator == logic.Or {
		root = Finally
	}
	for i, a := range f.operands {
		if a.operator != root {
			continue
		}
		invariant := a.operands[0]
		if root == Finally {
			invariant = w.Negate(invariant)
		}
		for j, b := range f.operands {
			if i == j {
				continue
			}
			if g := w.assume(b, invariant, map[*Formula]*Formula{}); g != b {
				return w.formulas.Make(f.operator, append(without(f.operands, j), g))
			}
		}
	}
	return f
}

// assume replaces subformulas of f that the invariant implies or contradicts by
// constants.
func (w *Rewriter) assume(f, invariant *Formula, done map[*Formula]*Formula) *Formula {
	if g, known := done[f]; known {
		return g
	}
	if w.isOver() {
		return f
	}
	g := f
	switch {
	case f.operator <= logic.True:
	case w.Implies(invariant, f):
		g = w.formulas.True()
	case w.contradicts(invariant, f):
		g = w.formulas.False()
	case len(f.operands) > 0:
		operands := make([]*Formula, len(f.operands))
		for i, o := range f.operands {
			operands[i] = w.assume(o, invariant, done)
		}
		g = w.formulas.Make(f.operator, operands)
	}
	done[f] = g
	return g
}

// unrolled folds one step of a fixpoint back: a & XGa is G a, b & (a | X(a R b))
// is a R b, and dually.
func (w *Rewriter) unrolled(f *Formula) *Formula {
	fixpoint, other := Globally, opposite[f.operator]
	if f.operator == logic.Or {
		fixpoint = Finally
	}
	for i, a := range f.operands {
		if a.operator == Next {
			for k, g := range parts(a.operands[0], f.operator) {
				if g.operator != fixpoint || !contains(f, g.operands[0]) {
					continue
				}
				rest := append(without(parts(a.operands[0], f.operator), k), w.formulas.True())
				if f.operator == logic.Or {
					rest[len(rest)-1] = w.formulas.False()
				}
				x := w.formulas.Next(w.formulas.Make(f.operator, rest))
				return w.formulas.Make(f.operator, append(without(f.operands, i), g, x))
			}
		}
		if a.operator != other || len(a.operands) != 2 {
			continue
		}
		for k, x := range a.operands {
			if x.operator != Next {
				continue
			}
			g, first := x.operands[0], a.operands[1-k]
			if f.operator == logic.And && !isRelease(g) || f.operator == logic.Or && !isUntil(g) {
				continue
			}
			if g.operands[0] == first && contains(f, g.operands[1]) {
				return w.formulas.Make(f.operator, append(without(f.operands, i), g))
			}
		}
	}
	return f
}

// parts are the operands of f if c is its root, else f alone.
func parts(f *Formula, c Operator) []*Formula {
	if f.operator == c {
		return f.operands
	}
	return []*Formula{f}
}

// contains reports whether g, or each of its operands if it has the root of f, is
// an operand of f.
func contains(f, g *Formula) bool {
	for _, part := range parts(g, f.operator) {
		if !containsFormula(f.operands, part) {
			return false
		}
	}
	return true
}

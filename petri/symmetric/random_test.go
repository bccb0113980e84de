package symmetric

import (
	"fmt"

	"pgregory.net/rapid"
)

// randomNet draws a small symmetric net with all kinds of terms and guards, and inhibitor arcs.
func randomNet(t *rapid.T) *Net {
	below := func(n int, what string) int { return rapid.IntRange(0, n-1).Draw(t, what) }
	var classes []*Class
	for i := range 2 {
		classes = append(classes, &Class{
			Name: fmt.Sprint("C", i), Size: int64(1 + below(3, "size")),
			Start: 1, Cyclic: rapid.Bool().Draw(t, "cyclic"),
		})
	}
	net := &Net{}
	ground := func(class *Class) Term {
		if rapid.Bool().Draw(t, "all") {
			return Term{Kind: All}
		}
		return Term{Value: int64(below(int(class.Size), "constant"))}
	}
	for i := range 1 + below(3, "places") {
		p := Place{ID: fmt.Sprint("p", i)}
		for range below(3, "width") {
			p.Domain = append(p.Domain, classes[below(2, "class")])
		}
		for range 1 + below(2, "marking") {
			m := Monomial{Coefficient: int64(1 + below(2, "tokens"))}
			for _, class := range p.Domain {
				m.Terms = append(m.Terms, ground(class))
			}
			p.Initial = append(p.Initial, m)
		}
		net.Places = append(net.Places, p)
	}
	for i := range 1 + below(2, "transitions") {
		tr := Transition{ID: fmt.Sprint("t", i)}
		for v := range below(4, "variables") {
			tr.Variables = append(tr.Variables, VariableDeclaration{fmt.Sprint("x", v), classes[below(2, "class")]})
		}
		// single is a variable or constant of a class.
		single := func(class *Class) Term {
			var fitting []int
			for v, declared := range tr.Variables {
				if declared.Class == class {
					fitting = append(fitting, v)
				}
			}
			if len(fitting) > 0 && below(5, "ground") > 0 {
				v := fitting[below(len(fitting), "variable")]
				steps := int64(0)
				if class.Cyclic {
					steps = int64(below(int(class.Size), "steps"))
				}
				return Term{Variable, v, steps}
			}
			return Term{Value: int64(below(int(class.Size), "constant"))}
		}
		compare := func(g *Guard) {
			class := classes[below(2, "class")]
			g.Left, g.Right = Operand{Term: single(class), Class: class}, Operand{Term: single(class), Class: class}
			if below(4, "partition") == 0 {
				parts := make([]int64, class.Size)
				for c := range parts {
					parts[c] = int64(below(2, "part"))
				}
				g.Left.Element, g.Right.Element = parts, parts
			}
		}
		if rapid.Bool().Draw(t, "guarded") {
			tr.Guard = randomGuard(below, 2, 3, compare)
		}
		arcs := func() []Arc {
			var list []Arc
			for range below(3, "arcs") {
				a := Arc{Place: below(len(net.Places), "place")}
				for range 1 + below(2, "monomials") {
					m := Monomial{Coefficient: int64(1 + below(2, "coefficient"))}
					if below(20, "negative") == 0 {
						m.Coefficient = -1
					}
					for _, class := range net.Places[a.Place].Domain {
						if below(4, "all") == 0 {
							m.Terms = append(m.Terms, Term{Kind: All})
						} else {
							m.Terms = append(m.Terms, single(class))
						}
					}
					a.Expression = append(a.Expression, m)
				}
				list = append(list, a)
			}
			return list
		}
		tr.Pre, tr.Post = arcs(), arcs()
		if below(3, "inhibited") == 0 {
			for range 1 + below(2, "inhibitors") {
				tr.Inhibitors = append(tr.Inhibitors, Inhibitor{below(len(net.Places), "place"), int64(1 + below(4, "weight"))})
			}
		}
		net.Transitions = append(net.Transitions, tr)
	}
	return net
}

// randomGuard draws a guard of operators nested to a depth, each with fewer operands than
// most. below draws a number below n, and compare the operands of a comparison.
func randomGuard(below func(n int, what string) int, depth, most int, compare func(g *Guard)) *Guard {
	g := &Guard{Operator: Operator(below(6, "operator"))}
	if depth == 0 {
		g.Operator = Equal + Operator(below(3, "comparison"))
	}
	switch g.Operator {
	case And, Or:
		for range below(most, "operands") {
			g.Operands = append(g.Operands, randomGuard(below, depth-1, most, compare))
		}
	case Not:
		g.Operands = []*Guard{randomGuard(below, depth-1, most, compare)}
	default:
		compare(g)
	}
	return g
}

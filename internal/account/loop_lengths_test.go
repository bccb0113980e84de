package account_test

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"
)

// scope is what is known within loops: how many of them, one within another, go through something
// of their own, and which variables each has set.
type scope struct {
	loops []loopVariables
	depth int      // of loops that go through something of their own
	much  int      // of those whose heads say that there is much of it
	body  ast.Node // of the innermost loop
}

// loopVariables are those of a loop and what its body makes of them.
type loopVariables struct {
	counters map[string]bool // numbers of rounds
	parts    map[string]bool // what a round is at, and what its body makes of that and of the counters
}

// longLoop finds a loop of f that may be more than one pass over its input, or a call of itself that
// may, and in which no limit is asked.
func (p *aPackage) longLoop(name string, f *function) (at token.Pos, long bool) {
	var visit func(n ast.Node, s scope)
	visit = func(n ast.Node, s scope) {
		ast.Inspect(n, func(m ast.Node) bool {
			if long || m == n {
				return !long
			}
			switch loop := m.(type) {
			case *ast.BranchStmt:
				if goesBack(f, loop) && !p.asksIn(f, f.body) {
					at, long = loop.Pos(), true
				}
			case *ast.AssignStmt:
				if position := p.recursion(f, loop); position.IsValid() {
					at, long = position, true
				}
			case *ast.ForStmt:
				inner := s.within(loop.Body, assigned(loop.Init), nil, bound(loop))
				if p.isEndless(f, loop) || isPower(bound(loop)) || isRepetition(bound(loop)) || inner.isDeep() && !p.asksIn(f, s.body) {
					at, long = loop.Pos(), !p.asksIn(f, loop)
				}
				inner.body = &ast.ForStmt{Cond: loop.Cond, Body: loop.Body} // who asks there asks in each round
				visit(loop.Body, inner)
				return false
			case *ast.RangeStmt:
				inner := s.within(loop.Body, names(loop.Key), names(loop.Value), loop.X)
				countless := isPower(loop.X) || loop.Key == nil && isRepetition(loop.X)
				if countless && !p.asksIn(f, loop.Body) || inner.isDeep() && !p.asksIn(f, s.body) {
					at, long = loop.Pos(), true
				}
				visit(loop.Body, inner)
				return false
			case *ast.CallExpr:
				if s.searchesWithin(loop) && !p.asksIn(f, s.body) {
					at, long = loop.Pos(), true
				}
				if p.callsItself(name, f, loop) && !f.asks {
					at, long = loop.Pos(), true
				}
			}
			return true
		})
	}
	visit(f.body, scope{})
	return at, long
}

// isDeep reports whether loops lie one within another so that they may take long: three, or two over
// what there is much of, each over something of its own.
func (s scope) isDeep() bool { return s.depth > 2 || s.much > 1 }

// within returns the scope of the body of a further loop over x.
func (s scope) within(body *ast.BlockStmt, counters, elements map[string]bool, x ast.Expr) scope {
	v := loopVariables{counters, maps.Clone(elements)}
	if v.parts == nil {
		v.parts = map[string]bool{}
	}
	for changed := true; changed; {
		changed = false
		ast.Inspect(body, func(n ast.Node) bool {
			a, ok := n.(*ast.AssignStmt)
			if !ok {
				return true
			}
			for _, right := range a.Rhs {
				if mentions(right, v.counters) || mentions(right, v.parts) {
					for name := range names(a.Lhs...) {
						if !v.parts[name] {
							v.parts[name], changed = true, true
						}
					}
				}
			}
			return true
		})
	}
	inner := scope{append(slices.Clip(s.loops), v), s.depth, s.much, body}
	if s.isFurther(x) {
		inner.depth++
		if isMuch(x) || s.countsUp(x) {
			inner.much++
		}
	}
	return inner
}

// grown are words for what there is much of.
var grown = []string{"state", "edge", "marking", "transition", "place", "arc", "formula", "node", "cube", "component", "letter", "valuation", "row", "out", "end"}

// isMuch reports whether x names what there is much of.
func isMuch(x ast.Expr) bool {
	much := false
	ast.Inspect(x, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			name := strings.ToLower(id.Name)
			much = much || slices.ContainsFunc(grown, func(w string) bool { return strings.Contains(name, w) })
		}
		return !much
	})
	return much
}

// isFurther reports whether a loop over x goes through something of its own: it is not a part of what
// an outer loop is at, such as the edges of a state, nor of a length that the text says. What is
// counted up to the place of an outer loop is no part of it.
func (s scope) isFurther(x ast.Expr) bool {
	if x == nil {
		return false
	}
	if isConstant(x) {
		return false
	}
	for _, l := range s.loops {
		if mentions(x, l.parts) || mentions(x, l.counters) && !isCount(x) {
			return false
		}
	}
	return true
}

// countsUp reports whether x is where an outer loop is.
func (s scope) countsUp(x ast.Expr) bool {
	return slices.ContainsFunc(s.loops, func(l loopVariables) bool { return mentions(x, l.counters) })
}

// isCount reports whether x is made of variables and numbers only.
func isCount(x ast.Expr) bool {
	count := true
	ast.Inspect(x, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.SelectorExpr, *ast.IndexExpr, *ast.SliceExpr, *ast.CallExpr:
			count = false
		}
		return count
	})
	return count
}

// isConstant reports whether x is a number, or a list, that the text has.
func isConstant(x ast.Expr) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.BasicLit, *ast.CompositeLit:
		return true
	case *ast.BinaryExpr:
		return isConstant(x.X) && isConstant(x.Y)
	}
	return false
}

// bound returns what the counter of a loop is compared with.
func bound(loop *ast.ForStmt) ast.Expr {
	c, ok := loop.Cond.(*ast.BinaryExpr)
	if !ok {
		return loop.Cond
	}
	if counter, ok := c.X.(*ast.Ident); ok && assigned(loop.Init)[counter.Name] {
		return c.Y
	}
	return c
}

// assigned returns the variables that a statement sets.
func assigned(s ast.Stmt) map[string]bool {
	if a, ok := s.(*ast.AssignStmt); ok {
		return names(a.Lhs...)
	}
	return map[string]bool{}
}

// names returns those of the expressions that are variables.
func names(list ...ast.Expr) map[string]bool {
	set := map[string]bool{}
	for _, e := range list {
		if id, ok := e.(*ast.Ident); ok && id.Name != "_" {
			set[id.Name] = true
		}
	}
	return set
}

// mentions reports whether one of the names stands in n.
func mentions(n ast.Node, set map[string]bool) bool {
	found := false
	ast.Inspect(n, func(m ast.Node) bool {
		if id, ok := m.(*ast.Ident); ok && set[id.Name] {
			found = true
		}
		return !found
	})
	return found
}

// callsItself reports whether a call in f is one of f that is given no part of what f was given: an
// element, a field, the rest of a slice. A call for each part, such as for each operand of a formula,
// is one pass over the whole.
func (p *aPackage) callsItself(name string, f *function, c *ast.CallExpr) bool {
	of, method, isMethod := strings.Cut(name, ".")
	args := c.Args
	switch callee := ast.Unparen(c.Fun).(type) {
	case *ast.Ident:
		if isMethod || callee.Name != name {
			return false
		}
	case *ast.SelectorExpr:
		if base := p.typeOf(f, callee.X); !isMethod || callee.Sel.Name != method || base != of {
			return false
		}
		args = append(slices.Clip(args), callee.X)
	default:
		return false
	}
	whole := f.parameters()
	return !slices.ContainsFunc(args, func(a ast.Expr) bool {
		id, ok := ast.Unparen(a).(*ast.Ident)
		return ok && !whole[id.Name] && id.Name != "nil" || !ok && !isCount(a)
	})
}

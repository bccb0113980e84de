package account_test

import (
	"go/ast"
	"go/token"
	"go/types"
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
			case *ast.ForStmt:
				inner := s.within(loop.Body, assigned(loop.Init), nil, bound(loop))
				if p.isEndless(f, loop) || inner.isDeep() && !p.asksIn(f, s.body) {
					at, long = loop.Pos(), !p.asksIn(f, loop)
				}
				visit(loop.Body, inner)
				return false
			case *ast.RangeStmt:
				inner := s.within(loop.Body, names(loop.Key), names(loop.Value), loop.X)
				if inner.isDeep() && !p.asksIn(f, s.body) {
					at, long = loop.Pos(), true
				}
				visit(loop.Body, inner)
				return false
			case *ast.CallExpr:
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
var grown = []string{"state", "edge", "marking", "transition", "place", "node", "cube", "component", "letter", "valuation", "row", "out", "end"}

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

// isEndless reports whether the head of a loop has no bound: none at all, or a condition on what does
// not get less in each round, or one on what grows in it, such as a queue. A list in a field may grow
// in what is called.
func (p *aPackage) isEndless(f *function, loop *ast.ForStmt) bool {
	if loop.Cond == nil {
		return loop.Post == nil
	}
	less, grows := false, false
	ast.Inspect(loop.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IncDecStmt:
			less = less || within(n.X, loop.Cond)
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if !within(left, loop.Cond) {
					continue
				}
				switch right := n.Rhs[min(i, len(n.Rhs)-1)].(type) {
				case *ast.SliceExpr:
					_, local := left.(*ast.Ident)
					less = less || local && types.ExprString(right.X) == types.ExprString(left) && !appendsElsewhere(f, left)
				case *ast.CallExpr:
					grows = grows || types.ExprString(right.Fun) == "append"
				}
				less = less || n.Tok != token.ASSIGN && n.Tok != token.DEFINE
			}
		case *ast.CallExpr:
			if s, ok := n.Fun.(*ast.SelectorExpr); ok && within(s.X, loop.Cond) {
				_, local := s.X.(*ast.Ident)
				less = less || local && s.Sel.Name == "Pop"
				grows = grows || s.Sel.Name == "Push" || s.Sel.Name == "Append"
			}
		}
		return true
	})
	return grows || loop.Init == nil && loop.Post == nil && !less && !p.walksBits(loop)
}

// appendsElsewhere reports whether a function within f appends to x.
func appendsElsewhere(f *function, x ast.Expr) bool {
	appends := false
	ast.Inspect(f.body, func(n ast.Node) bool {
		inner, ok := n.(*ast.FuncLit)
		if !ok {
			return !appends
		}
		ast.Inspect(inner.Body, func(m ast.Node) bool {
			if a, ok := m.(*ast.AssignStmt); ok && len(a.Rhs) == 1 {
				c, isCall := a.Rhs[0].(*ast.CallExpr)
				appends = appends || isCall && types.ExprString(c.Fun) == "append" && types.ExprString(a.Lhs[0]) == types.ExprString(x)
			}
			return !appends
		})
		return false
	})
	return appends
}

// within reports whether x stands in y, or something of it.
func within(x, y ast.Expr) bool {
	found, text := false, types.ExprString(x)
	ast.Inspect(y, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok && types.ExprString(e) == text {
			found = true
		}
		return !found
	})
	return found
}

// walksBits reports whether a loop ends since a word loses a bit each time.
func (p *aPackage) walksBits(loop *ast.ForStmt) bool {
	c, ok := loop.Cond.(*ast.BinaryExpr)
	if !ok {
		return false
	}
	zero, ok := c.Y.(*ast.BasicLit)
	return ok && c.Op == token.NEQ && zero.Value == "0"
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
	whole := map[string]bool{}
	for _, list := range []*ast.FieldList{f.typ.Params, f.recv} {
		if list != nil {
			for _, field := range list.List {
				for _, n := range field.Names {
					whole[n.Name] = true
				}
			}
		}
	}
	return !slices.ContainsFunc(args, func(a ast.Expr) bool {
		id, ok := ast.Unparen(a).(*ast.Ident)
		return ok && !whole[id.Name] && id.Name != "nil" || !ok && !isCount(a)
	})
}

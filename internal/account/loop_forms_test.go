package account_test

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// This file has the forms of single loops that may go on for long, whatever lies around them.

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
	if c, ok := loop.Cond.(*ast.BinaryExpr); ok && c.Op == token.NEQ && loop.Post != nil && follows(loop.Post, loop.Cond) {
		return true
	}
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
	return ok && c.Op == token.NEQ && zero.Value == "0" && !follows(loop.Body, loop.Cond)
}

// follows reports whether a statement sets something in a condition to an element, a field, or what a call returns, as
// i = next[i] does: where that leads, the loop doesn't say.
func follows(n ast.Node, cond ast.Expr) bool {
	found := false
	ast.Inspect(n, func(m ast.Node) bool {
		a, ok := m.(*ast.AssignStmt)
		if !ok || a.Tok != token.ASSIGN {
			return !found
		}
		for i, left := range a.Lhs {
			switch a.Rhs[min(i, len(a.Rhs)-1)].(type) {
			case *ast.IndexExpr, *ast.SelectorExpr, *ast.CallExpr:
				found = found || within(left, cond)
			}
		}
		return !found
	})
	return found
}

// goesBack reports whether a statement jumps to a label of f before it.
func goesBack(f *function, b *ast.BranchStmt) bool {
	back := false
	ast.Inspect(f.body, func(n ast.Node) bool {
		l, ok := n.(*ast.LabeledStmt)
		back = back || ok && b.Tok == token.GOTO && l.Label.Name == b.Label.Name && l.Pos() < b.Pos()
		return !back
	})
	return back
}

// recursion returns where a function that a statement assigns to a variable of f calls itself, as callsItself says, if it asks no
// limit.
func (p *aPackage) recursion(f *function, a *ast.AssignStmt) (at token.Pos) {
	for i, right := range a.Rhs {
		literal, isFunction := right.(*ast.FuncLit)
		if !isFunction || p.asksIn(f, literal.Body) {
			continue
		}
		name, isName := a.Lhs[i].(*ast.Ident)
		inner := &function{typ: literal.Type, body: literal.Body}
		if !isName || inner.parameters()[name.Name] {
			continue
		}
		ast.Inspect(literal.Body, func(n ast.Node) bool {
			if c, ok := n.(*ast.CallExpr); ok && p.callsItself(name.Name, inner, c) {
				at = c.Pos()
			}
			return true
		})
	}
	return at
}

// parameters returns the names of what a function is given, its receiver included.
func (f *function) parameters() map[string]bool {
	all := map[string]bool{}
	for _, list := range []*ast.FieldList{f.typ.Params, f.recv} {
		if list != nil {
			for _, field := range list.List {
				for _, n := range field.Names {
					all[n.Name] = true
				}
			}
		}
	}
	return all
}

// isPower reports whether x is a power of two that the text does not have, such as 1<<n: as many as there are subsets.
func isPower(x ast.Expr) bool {
	shift, ok := x.(*ast.BinaryExpr)
	for ok && shift.Op != token.SHL {
		if shift.Op != token.ADD && shift.Op != token.SUB && shift.Op != token.MUL {
			return false
		}
		if inner, is := ast.Unparen(shift.Y).(*ast.BinaryExpr); is && isPower(inner) {
			return true
		}
		shift, ok = ast.Unparen(shift.X).(*ast.BinaryExpr)
	}
	return ok && !isConstant(shift.Y)
}

// repetitions end the names of numbers that the input has, each of which may be near 2^63.
var repetitions = []string{"weight", "times", "coefficient", "multiplicity"}

// isRepetition reports whether a loop that counts up to x does something as often as the input says.
func isRepetition(x ast.Expr) bool {
	switch x.(type) {
	case *ast.Ident, *ast.SelectorExpr:
		name := strings.ToLower(types.ExprString(x))
		return slices.ContainsFunc(repetitions, func(w string) bool { return strings.HasSuffix(name, w) })
	}
	return false
}

// searches are functions of package slices that go through a list, or move the rest of it.
var searches = []string{"Contains", "ContainsFunc", "Index", "IndexFunc", "Insert", "Delete", "DeleteFunc", "Equal"}

// searchesWithin reports whether a call, in a loop over what there is much of, goes through a list that is no part of what the loop
// is at.
func (s scope) searchesWithin(c *ast.CallExpr) bool {
	callee, ok := c.Fun.(*ast.SelectorExpr)
	if !ok || s.much == 0 || len(c.Args) == 0 || !slices.Contains(searches, callee.Sel.Name) {
		return false
	}
	of, ok := callee.X.(*ast.Ident)
	return ok && of.Name == "slices" && s.isFurther(c.Args[0])
}

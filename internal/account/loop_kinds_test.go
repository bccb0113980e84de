package account_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// aPackage is what is known of one.
type aPackage struct {
	files     *token.FileSet
	functions map[string]*function
	methods   map[string]map[string]*function // by their names, and the types of their receivers
	fields    map[string]map[string]ast.Expr  // types of the fields, by struct
	limited   map[string]bool                 // structs that have a context or an account within
}

// function is one with a name: declared, or the value of a variable of the package.
type function struct {
	recv *ast.FieldList
	typ  *ast.FuncType
	body *ast.BlockStmt
	asks bool // for a limit, by itself or by what it calls

	locals map[string]ast.Expr // the fields that local variables are made of; nil: not yet looked for
}

func newPackage() *aPackage {
	return &aPackage{token.NewFileSet(), map[string]*function{}, map[string]map[string]*function{}, map[string]map[string]ast.Expr{}, map[string]bool{}}
}

// read adds a file, whose text is source unless that is nil.
func (p *aPackage) read(path string, source any) error {
	file, err := parser.ParseFile(p.files, path, source, 0)
	if err != nil {
		return err
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Body != nil {
				f := &function{recv: d.Recv, typ: d.Type, body: d.Body}
				p.functions[nameOf(d)] = f
				if of, method, ok := strings.Cut(nameOf(d), "."); ok {
					if p.methods[method] == nil {
						p.methods[method] = map[string]*function{}
					}
					p.methods[method][of] = f
				}
			}
		case *ast.GenDecl:
			p.readGlobal(d)
		}
	}
	return nil
}

// readGlobal adds the structs and the functions in variables of a declaration.
func (p *aPackage) readGlobal(d *ast.GenDecl) {
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			if s, ok := spec.Type.(*ast.StructType); ok {
				fields := map[string]ast.Expr{}
				for _, f := range s.Fields.List {
					for _, name := range f.Names {
						fields[name.Name] = f.Type
					}
					if f.Names == nil {
						fields[typeName(f.Type)] = f.Type
					}
				}
				p.fields[spec.Name.Name] = fields
			}
		case *ast.ValueSpec:
			n := 0
			for _, value := range spec.Values {
				ast.Inspect(value, func(m ast.Node) bool {
					f, ok := m.(*ast.FuncLit)
					if !ok {
						return true
					}
					name := spec.Names[0].Name
					if n++; n > 1 {
						name = fmt.Sprintf("%s#%d", name, n)
					}
					p.functions[name] = &function{typ: f.Type, body: f.Body}
					return false
				})
			}
		}
	}
}

// nameOf returns a function's name, behind that of its receiver's type.
func nameOf(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	return typeName(f.Recv.List[0].Type) + "." + f.Name.Name
}

// typeName returns the last name in a type, without pointers and parameters.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return typeName(e.X)
	case *ast.IndexExpr:
		return typeName(e.X)
	case *ast.IndexListExpr:
		return typeName(e.X)
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// limits are types of other packages that end work, or whose methods do.
var limits = map[string]bool{"Context": true, "Account": true, "Meter": true, "Limit": true, "Kripke": true, "Functions": true, "Rewriter": true, "Forest": true, "Complementation": true, "Bound": true, "Reducible": true, "Simplifier": true}

// isLimited reports whether something of this type has a limit at hand.
func (p *aPackage) isLimited(e ast.Expr) bool {
	name := typeName(e)
	return limits[name] || p.limited[name]
}

// unlimited returns the functions that loop without limits, and where.
func (p *aPackage) unlimited() map[string]string {
	for changed := true; changed; { // structs within structs
		changed = false
		for name, fields := range p.fields {
			for _, f := range fields {
				if !p.limited[name] && p.isLimited(f) {
					p.limited[name], changed = true, true
				}
			}
		}
	}
	for changed := true; changed; { // functions that call functions
		changed = false
		for _, f := range p.functions {
			if !f.asks && p.asksIn(f, f.body) {
				f.asks, changed = true, true
			}
		}
	}
	found := make(map[string]string)
	for name, f := range p.functions {
		if at, long := p.longLoop(name, f); long {
			position := p.files.Position(at)
			found[name] = fmt.Sprintf("%s:%d", strings.TrimPrefix(position.Filename, "../../"), position.Line)
		}
	}
	return found
}

// asked are methods and functions in variables that ask a limit or count work for it.
var asked = []string{"spend", "Spend", "charge", "Charge", "poll", "Poll", "Reserve", "Look", "Room", "Reason", "Asked", "Due", "check", "limit", "Limit"}

// asksIn reports whether a limit is asked in part of a function: by a method of a limit, by a call
// that is given one, or by a call of a function of the package that asks.
func (p *aPackage) asksIn(f *function, part ast.Node) bool {
	asks := false
	ast.Inspect(part, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			asks = asks || n.Op == token.ARROW // waits for others
		case *ast.CallExpr:
			asks = asks || p.isAsking(f, n)
		}
		return !asks
	})
	return asks
}

// makesLimit reports whether a call makes a context or an account of another one, which asks nothing yet.
func makesLimit(c *ast.CallExpr) bool {
	callee, ok := c.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	of, ok := callee.X.(*ast.Ident)
	return ok && (of.Name == "context" && callee.Sel.Name != "Cause" || of.Name == "account" && slices.Contains([]string{"Within", "Of", "New"}, callee.Sel.Name))
}

// isAsking reports whether a call asks.
func (p *aPackage) isAsking(f *function, c *ast.CallExpr) bool {
	if makesLimit(c) {
		return false
	}
	for _, a := range c.Args {
		if limits[p.typeOf(f, a)] {
			return true
		}
	}
	switch callee := ast.Unparen(c.Fun).(type) {
	case *ast.Ident:
		g := p.functions[callee.Name]
		return g != nil && g.asks || g == nil && slices.Contains(asked, callee.Name)
	case *ast.SelectorExpr:
		base := p.typeOf(f, callee.X)
		if limits[base] {
			return callee.Sel.Name != "Value"
		}
		methods := p.methods[callee.Sel.Name]
		if own := methods[base]; own != nil {
			return own.asks
		}
		for _, g := range methods { // promoted, or of what is not plain to see
			if g.asks {
				return true
			}
		}
		return len(methods) == 0 && slices.Contains(asked, callee.Sel.Name)
	}
	return false
}

// typeOf returns the name of an expression's type, or none if that is not plain to see.
func (p *aPackage) typeOf(f *function, e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		return p.typeOf(f, e.X)
	case *ast.CompositeLit:
		return typeName(e.Type)
	case *ast.Ident:
		if e.Name == "ctx" {
			return "Context"
		}
		lists := []*ast.FieldList{f.typ.Params, f.recv}
		for _, list := range lists {
			if list == nil {
				continue
			}
			for _, field := range list.List {
				for _, name := range field.Names {
					if name.Name == e.Name {
						return typeName(field.Type)
					}
				}
			}
		}
		return p.typeOfLocal(f, e.Name)
	case *ast.SelectorExpr:
		if fields := p.fields[p.typeOf(f, e.X)]; fields != nil {
			return typeName(fields[e.Sel.Name])
		}
		switch e.Sel.Name {
		case "ctx", "Context":
			return "Context"
		case "account", "Account":
			return "Account"
		}
	}
	return ""
}

// typeOfLocal returns the name of the type of a variable that f makes of a field, such as f := x.forest.
func (p *aPackage) typeOfLocal(f *function, name string) string {
	if f.locals == nil {
		f.locals = map[string]ast.Expr{}
		ast.Inspect(f.body, func(n ast.Node) bool {
			a, ok := n.(*ast.AssignStmt)
			if !ok || a.Tok != token.DEFINE || len(a.Lhs) != len(a.Rhs) {
				return true
			}
			for i, left := range a.Lhs {
				id, isName := left.(*ast.Ident)
				field, isField := a.Rhs[i].(*ast.SelectorExpr)
				if isName && isField && !mentions(field, map[string]bool{id.Name: true}) {
					f.locals[id.Name] = field
				}
			}
			return true
		})
	}
	field := f.locals[name]
	if field == nil {
		return ""
	}
	delete(f.locals, name) // while it is looked at, against circles
	defer func() { f.locals[name] = field }()
	return p.typeOf(f, field)
}

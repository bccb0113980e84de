package account_test

import (
	"bufio"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite testdata/unlimited.txt, without reasons for what is new")

// packages are those that work: what they are given may be of any size.
var packages = []string{
	"automata",
	"automata/bdd",
	"automata/complement",
	"automata/degeneralize",
	"automata/emptiness",
	"automata/emptiness/generic",
	"automata/inclusion",
	"automata/internal/effort",
	"automata/internal/marked",
	"automata/internal/reactivity",
	"automata/reduce",
	"automata/statistics",
	"automata/stutter",
	"automata/testingautomata",
	"automata/translate",
	"checker",
	"checker/branching",
	"checker/diagram",
	"checker/inquiry",
	"checker/internal/asking",
	"checker/internal/atoms",
	"checker/internal/bounds",
	"checker/internal/coloured",
	"checker/internal/core",
	"checker/internal/lanes",
	"checker/internal/ledger",
	"checker/internal/linear",
	"checker/internal/liveness",
	"checker/internal/rephrase",
	"checker/internal/runs",
	"checker/internal/sizes",
	"checker/internal/tree",
	"checker/internal/turns",
	"checker/product",
	"checker/product/internal/states",
	"checker/product/internal/stuttering",
	"checker/properties",
	"checker/reachability",
	"checker/stateequation",
	"checker/walk",
	"checker/witness",
	"cmd/pnmc/internal/batches/grading",
	"cmd/pnmc/internal/batches/tasks",
	"cross",
	"dot",
	"exchange",
	"experiment",
	"hoa",
	"internal/components",
	"internal/firstword",
	"internal/longtoken",
	"internal/tables",
	"internal/unpack",
	"logic",
	"logic/ctl",
	"logic/internal/reading",
	"logic/ltl",
	"logic/ltl/rewrite",
	"mcc",
	"mcc/batch",
	"mcc/batch/history",
	"petri",
	"petri/disk",
	"petri/internal/store",
	"petri/invariant",
	"petri/labelling",
	"petri/multicore",
	"petri/reduce",
	"petri/stubborn",
	"petri/symmetric",
	"picture",
	"play",
	"pnml",
	"query",
	"symbolic",
	"symbolic/etf",
	"symbolic/order",
	"view",
}

// golden lists functions that loop beyond one pass and have no limit at hand, each with the
// reason why that is right.
const golden = "testdata/unlimited.txt"

// TestLoopsHaveLimits finds functions with a loop that may go on for long: one without a
// bound in its head (for { … }, for cond { … }, a queue that grows while it is gone through),
// or one within another over states, edges, markings, places or transitions. Each must have a
// context, an account or something that has one at hand: as a parameter, in its receiver, or
// in what it calls in the loop. The others are those of the golden file, no more and no less.
func TestLoopsHaveLimits(t *testing.T) {
	found := make(map[string]string) // position by name
	for _, folder := range packages {
		files, err := filepath.Glob(filepath.Join("..", "..", folder, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", folder, len(files), err)
		}
		p := newPackage()
		for _, path := range files {
			if !strings.HasSuffix(path, "_test.go") {
				if err := p.read(path); err != nil {
					t.Fatal(err)
				}
			}
		}
		for name, at := range p.unlimited() {
			found[folder+" "+name] = at
		}
	}
	accepted := readReasons(t)
	if *update {
		writeReasons(t, found, accepted)
		return
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if accepted[name] == "" {
			t.Errorf("%s: %s loops without a limit: give it a context or an account, or a reason in %s", found[name], name, golden)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(accepted)) {
		if _, there := found[name]; !there {
			t.Errorf("%s: %s has a limit by now, or is gone: take it out", golden, name)
		}
	}
}

// aPackage is what is known of one.
type aPackage struct {
	files     *token.FileSet
	functions map[string]*ast.FuncDecl
	fields    map[string][]ast.Expr // types of the fields, by struct
	limited   map[string]bool       // structs that have a context or an account within
}

func newPackage() *aPackage {
	return &aPackage{token.NewFileSet(), map[string]*ast.FuncDecl{}, map[string][]ast.Expr{}, map[string]bool{}}
}

// read adds a file.
func (p *aPackage) read(path string) error {
	file, err := parser.ParseFile(p.files, path, nil, 0)
	if err != nil {
		return err
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Body != nil {
				p.functions[nameOf(n)] = n
			}
		case *ast.TypeSpec:
			if s, ok := n.Type.(*ast.StructType); ok {
				for _, f := range s.Fields.List {
					p.fields[n.Name.Name] = append(p.fields[n.Name.Name], f.Type)
				}
			}
		}
		return true
	})
	return nil
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
var limits = map[string]bool{"Context": true, "Account": true, "Kripke": true, "Functions": true, "Rewriter": true, "Forest": true, "Complementation": true, "Bound": true, "Reducible": true, "Simplifier": true}

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
			if !p.limited[name] && slices.ContainsFunc(fields, p.isLimited) {
				p.limited[name], changed = true, true
			}
		}
	}
	found := make(map[string]string)
	for name, f := range p.functions {
		if at, long := p.longLoop(f); long && !p.hasLimit(f) {
			position := p.files.Position(at)
			found[name] = fmt.Sprintf("%s:%d", strings.TrimPrefix(position.Filename, "../../"), position.Line)
		}
	}
	return found
}

// hasLimit reports whether a function has a limit as receiver, as parameter, or in a call.
func (p *aPackage) hasLimit(f *ast.FuncDecl) bool {
	fields := slices.Clone(f.Type.Params.List)
	if f.Recv != nil {
		fields = append(fields, f.Recv.List...)
	}
	if slices.ContainsFunc(fields, func(x *ast.Field) bool { return p.isLimited(x.Type) }) {
		return true
	}
	has := false
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			if s, ok := c.Fun.(*ast.SelectorExpr); ok && slices.Contains([]string{"spend", "Spend", "charge", "poll", "Charge", "Err"}, s.Sel.Name) {
				has = true
			}
		}
		return !has
	})
	return has
}

// grown are words for what there is much of.
var grown = []string{"state", "edge", "marking", "transition", "place", "node", "cube", "component", "letter", "valuation", "row", "out", "end"}

// longLoop finds a loop of f that may be more than one pass over its input.
func (p *aPackage) longLoop(f *ast.FuncDecl) (at token.Pos, long bool) {
	var visit func(n ast.Node, depth int)
	visit = func(n ast.Node, depth int) {
		ast.Inspect(n, func(m ast.Node) bool {
			if long || m == n {
				return !long
			}
			switch loop := m.(type) {
			case *ast.ForStmt:
				inner := depth
				if p.speaksOfMuch(loop.Init, loop.Cond) {
					inner++
				}
				if loop.Init == nil && loop.Post == nil && !p.walksBits(loop) || inner > 2 {
					at, long = loop.Pos(), true
				}
				visit(loop.Body, inner)
				return false
			case *ast.RangeStmt:
				inner := depth
				if p.speaksOfMuch(loop.X) {
					inner++
				}
				if inner > 2 {
					at, long = loop.Pos(), true
				}
				visit(loop.Body, inner)
				return false
			}
			return true
		})
	}
	visit(f.Body, 0)
	return at, long
}

// speaksOfMuch reports whether the head of a loop names what there is much of.
func (p *aPackage) speaksOfMuch(parts ...ast.Node) bool {
	much := false
	for _, n := range parts {
		if n == nil {
			continue
		}
		if s, ok := n.(ast.Stmt); ok && s == nil {
			continue
		}
		ast.Inspect(n, func(m ast.Node) bool {
			if id, ok := m.(*ast.Ident); ok {
				name := strings.ToLower(id.Name)
				much = much || slices.ContainsFunc(grown, func(w string) bool { return strings.Contains(name, w) })
			}
			return true
		})
	}
	return much
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

// readReasons reads the golden file: a line for each function, "folder name: reason".
func readReasons(t *testing.T) map[string]string {
	reasons := make(map[string]string)
	file, err := os.Open(golden)
	if os.IsNotExist(err) && *update {
		return reasons
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		line := lines.Text()
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, reason, ok := strings.Cut(line, ": ")
		if !ok || strings.TrimSpace(reason) == "" {
			t.Errorf("%s: %q has no reason", golden, line)
		}
		reasons[name] = reason
	}
	return reasons
}

func writeReasons(t *testing.T, found, reasons map[string]string) {
	var text strings.Builder
	text.WriteString("# Functions that loop without a context or an account at hand, and why that is right.\n")
	for _, name := range slices.Sorted(maps.Keys(found)) {
		fmt.Fprintf(&text, "%s: %s\n", name, reasons[name])
	}
	if err := os.WriteFile(golden, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

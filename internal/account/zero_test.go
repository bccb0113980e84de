package account_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// TestAccountsHaveBudgets: no function makes an account as a variable of its own. Such an account asks for
// time alone, and who leaves garbage then fills the memory while it is collected. Of takes the budget
// that the context carries.
func TestAccountsHaveBudgets(t *testing.T) {
	looked := 0
	for _, folder := range folders(t) {
		files, err := filepath.Glob(filepath.Join("..", "..", folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range files {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			looked++
			fileSet := token.NewFileSet()
			file, err := parser.ParseFile(fileSet, path, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				declared, ok := n.(*ast.ValueSpec)
				if ok && isAccount(declared.Type) {
					t.Errorf("%s: an account without a budget", fileSet.Position(n.Pos()))
				}
				literal, ok := n.(*ast.CompositeLit)
				if ok && isAccount(literal.Type) {
					t.Errorf("%s: an account without a budget", fileSet.Position(n.Pos()))
				}
				return true
			})
		}
	}
	if looked < 500 {
		t.Errorf("%d files", looked)
	}
}

// isAccount reports whether a type is written account.Account.
func isAccount(e ast.Expr) bool {
	s, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	name, ok := s.X.(*ast.Ident)
	return ok && name.Name == "account" && s.Sel.Name == "Account"
}

package main

import (
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"
)

// TestImportArrows: packages do not depend on what they promise to work without, not even by way of
// others. A prefix stands for a package and all below it.
func TestImportArrows(t *testing.T) {
	engines := []string{"symbolic", "petri/reduce", "petri/stubborn", "petri/invariant", "petri/multicore", "petri/disk", "automata/emptiness", "cmd", "mcc", "view"}
	rooms := []string{"checker/internal", "checker/product", "checker/walk", "checker/reachability", "checker/stateequation", "checker/branching", "checker/diagram"}
	imports := importsOfPackages(t)
	for _, c := range []struct {
		of, why string
		without []string
	}{
		{"internal/torture/twin", "it decides anew what the command decides", []string{""}},
		{"symbolic/order", "orders are of supports and groups, not of systems", []string{"petri", "pnml", "automata", "logic", "checker", "cmd", "mcc", "view"}},
		{"automata/emptiness", "it knows automata only", []string{"petri", "pnml", "logic", "symbolic", "checker", "cmd"}},
		{"automata", "it knows nothing of nets and formulas", []string{"petri", "pnml", "hoa", "dot", "logic", "symbolic", "checker", "cmd"}},
		{"logic", "formulas are about names, not about nets", []string{"petri", "automata", "symbolic", "checker", "cmd"}},
		{"petri", "nets know nothing of what is asked about them", []string{"pnml", "automata", "logic", "symbolic", "checker", "cmd"}},
		{"pnml", "readers know what they read into, and no engine", append([]string{"checker"}, engines...)},
		{"hoa", "readers know what they read into, and no engine", append([]string{"petri", "checker"}, engines...)},
		{"symbolic", "the portfolio is above it", []string{"checker", "cmd", "mcc", "view"}},
		{"checker/witness", "an engine must not confirm what it found", append(rooms, engines...)},
		{"checker", "commands and doors are above it", []string{"cmd", "mcc", "view", "query", "experiment", "cross"}},
		{"cross", "translators are compared without nets", []string{"petri", "pnml", "symbolic", "checker", "mcc", "cmd"}},
	} {
		seen := map[string]bool{}
		var visit func(folder string)
		visit = func(folder string) {
			for _, next := range imports[folder] {
				if !seen[next] {
					seen[next] = true
					visit(next)
				}
			}
		}
		visit(c.of)
		if imports[c.of] == nil {
			t.Errorf("%s: no such package", c.of)
		}
		for dependency := range seen {
			for _, prefix := range c.without {
				if prefix == "" || strings.HasPrefix(dependency+"/", prefix+"/") {
					t.Errorf("%s depends on %s: %s", c.of, dependency, c.why)
				}
			}
		}
	}
}

// importsOfPackages returns for each folder which others of the module its files import, those for
// other systems included, without those of tests.
func importsOfPackages(t *testing.T) map[string][]string {
	imports := map[string][]string{}
	eachProductFile(t, func(folder, name string, text []byte) error {
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
		if err != nil {
			return err
		}
		if imports[folder] == nil {
			imports[folder] = []string{}
		}
		for _, each := range file.Imports {
			name, err := strconv.Unquote(each.Path.Value)
			if err != nil {
				return err
			}
			if of, ours := strings.CutPrefix(name, "pnmc/"); ours {
				imports[folder] = append(imports[folder], of)
			}
		}
		return nil
	})
	return imports
}

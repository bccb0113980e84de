package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pnmc/checker"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/query"
)

// TestDoorsAgreeOnFlags asks by the flags that take texts what the contest's command reads in XML,
// and the library by the types of its questions.
func TestDoorsAgreeOnFlags(t *testing.T) {
	for _, net := range []struct{ file, place, transition string }{
		{"../../testdata/philosophers.pnml", "eats0", "takeLeft1"},
		{"testdata/token.pnml", "work", "start"},
		{"testdata/doors.pnml", "guest", "walk"},
	} {
		folder := t.TempDir()
		copyFile(t, net.file, filepath.Join(folder, "model.pnml"))
		for examination, properties := range propertiesAbout(net.place, net.transition) {
			text, err := query.WriteXML(properties)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(folder, examination+".xml"), text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		marked, fires := net.place+" >= 1", "fireable("+net.transition+")"
		for examination, asked := range map[string][][2]string{
			"UpperBounds":             {{"--bound", net.place}},
			"ReachabilityCardinality": {{"--reachable", marked}, {"--invariant", marked}, {"--invariant", "!(" + marked + ")"}},
			"ReachabilityFireability": {{"--reachable", fires + " & " + marked}, {"--invariant", fires + " | deadlock"}},
			"CTLCardinality":          {{"--ctl", "AG EF " + marked}, {"--ctl", "EG !(" + marked + ")"}, {"--ctl", "A(!(" + marked + ") U deadlock)"}},
			"CTLFireability":          {{"--ctl", "AF AX deadlock"}, {"--ctl", "EX AG " + fires}, {"--ctl", "AF " + fires}},
		} {
			byCommand, byLibrary := map[string]string{}, map[string]string{}
			for i, a := range asked {
				id := string(rune('a' + i))
				maps.Copy(byCommand, commandAnswers(t, folder, "--name", id, a[0], a[1]))
				maps.Copy(byLibrary, libraryAnswers(t, folder, []string{id}, func(problem checker.Problem) []checker.Question {
					q, err := questionOf(a[0], a[1], problem.Vocabulary())
					if err != nil {
						t.Fatal(err)
					}
					return []checker.Question{q}
				}))
			}
			compareDoors(t, net.file+" "+examination, len(asked), contestAnswers(t, folder, examination), byCommand, byLibrary)
		}
	}
}

// questionOf returns the library's question for a flag.
func questionOf(flag, text string, v logic.Vocabulary) (checker.Question, error) {
	switch flag {
	case "--bound":
		sum, err := logic.ParseSum(text, v)
		return checker.Bound{Sum: sum}, err
	case "--ctl":
		f, err := ctl.Parser{Vocabulary: v}.Parse(text)
		return checker.Branching{Formula: f}, err
	}
	p, err := logic.ParsePredicate(text, v)
	if flag == "--reachable" {
		return checker.Reachable{Predicate: p}, err
	}
	return checker.Invariant{Predicate: p}, err
}

// TestDoorsHaveNoEngines: the contest's protocol imports of the portfolio its faces only, and no
// room of it reads or writes a file format.
func TestDoorsHaveNoEngines(t *testing.T) {
	formats := []string{"pnml", "hoa", "query", "dot", "exchange", "view", "symbolic/etf", "mcc", "cmd"}
	for folder, forbidden := range map[string][]string{
		"../../checker": formats,
		"../../mcc": {"symbolic", "petri/reduce", "petri/stubborn", "petri/invariant", "automata/emptiness", "automata/translate", "checker/product", "checker/diagram",
			"checker/walk", "checker/reachability", "checker/stateequation", "checker/branching"},
		"internal/asked":     append(formats[1:2:2], "symbolic", "petri/reduce", "checker/walk", "checker/reachability", "checker/stateequation", "checker/branching"),
		"internal/questions": {"petri/reduce", "petri/stubborn", "petri/invariant", "checker/walk", "checker/reachability", "checker/stateequation", "checker/branching"},
	} {
		err := filepath.WalkDir(folder, func(file string, d fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
				return err
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
			if err != nil {
				return err
			}
			for _, i := range parsed.Imports {
				path, err := strconv.Unquote(i.Path.Value)
				if err != nil {
					return err
				}
				for _, f := range forbidden {
					if path == "pnmc/"+f || strings.HasPrefix(path, "pnmc/"+f+"/") {
						t.Errorf("%s imports %s", file, path)
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

package main

import (
	"bytes"
	"context"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"pnmc/checker"
	"pnmc/checker/properties"
	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/questions"
	"pnmc/hoa"
	"pnmc/pnml"
	"pnmc/query"
)

// TestDoorsAgree puts one question of each kind through the contest's command, the main
// command and the library, on nets with and without colours: all three answer, and alike.
func TestDoorsAgree(t *testing.T) {
	for _, net := range []struct {
		file, place, transition string
		endless                 bool
	}{
		{file: "../../testdata/philosophers.pnml", place: "eats0", transition: "takeLeft1"},
		{file: "testdata/token.pnml", place: "work", transition: "start"},
		{file: "testdata/doors.pnml", place: "guest", transition: "walk"},
		{file: "../../testdata/mailbox.pnml", place: "p1", transition: "t2", endless: true},
	} {
		text, err := os.ReadFile(net.file)
		if err != nil {
			t.Fatal(err)
		}
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, "model.pnml"), text, 0o600); err != nil {
			t.Fatal(err)
		}
		for examination, flag := range map[string]string{
			"ReachabilityDeadlock": "--deadlock", "Liveness": "--live", "QuasiLiveness": "--quasi-live",
			"OneSafe": "--safe", "StableMarking": "--stable",
		} {
			byContest := contestAnswers(t, folder, examination)
			byCommand := commandAnswers(t, folder, "--name", examination, flag)
			byLibrary := libraryAnswers(t, folder, []string{examination}, func(checker.Problem) []checker.Question {
				return []checker.Question{map[string]checker.Question{
					"--deadlock": checker.Deadlock{}, "--live": checker.Live{}, "--quasi-live": checker.QuasiLive{},
					"--safe": checker.OneSafe{}, "--stable": checker.StableMarking{},
				}[flag]}
			})
			compareDoors(t, net.file+" "+examination, 1, byContest, byCommand, byLibrary)
		}
		for examination, properties := range propertiesAbout(net.place, net.transition) {
			if net.endless && (strings.HasPrefix(examination, "CTL") || strings.HasPrefix(examination, "LTL")) {
				continue // no engine decides them all
			}
			text, err := query.WriteXML(properties)
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(folder, examination+".xml")
			if err := os.WriteFile(file, text, 0o600); err != nil {
				t.Fatal(err)
			}
			var ids []string
			for _, p := range properties {
				ids = append(ids, p.ID)
			}
			byLibrary := libraryAnswers(t, folder, ids, func(problem checker.Problem) []checker.Question {
				read, err := query.ReadContest(file, text)
				if err != nil {
					t.Fatal(err)
				}
				var list []checker.Question
				for _, p := range read {
					q, _, _, err := questions.OfQuery(p, problem.Vocabulary())
					if err != nil {
						t.Fatal(err)
					}
					list = append(list, q)
				}
				return list
			})
			compareDoors(t, net.file+" "+examination, len(properties),
				contestAnswers(t, folder, examination), commandAnswers(t, folder, "--queries", file), byLibrary)
		}
	}
}

// TestDoorsAgreeOnAutomata asks for properties of linear time: the contest's command by its
// XML, the main command by formulas, by automata of their negations in HOA and by testing
// automata, the library by both.
func TestDoorsAgreeOnAutomata(t *testing.T) {
	formulas := []string{`G F "%s>=1"`, `F G !"%s>=1"`, `!"%s>=1" U "%s>=1"`, `G("%s>=1" -> F !"%s>=1")`}
	for _, net := range []struct{ file, place string }{
		{"../../testdata/philosophers.pnml", "eats0"}, {"testdata/token.pnml", "work"}, {"testdata/doors.pnml", "guest"},
	} {
		folder := t.TempDir()
		model := filepath.Join(folder, "model.pnml")
		copyFile(t, net.file, model)
		marked := &query.Formula{Kind: query.LessOrEqual, Operands: []*query.Formula{
			{Kind: query.Integer, Value: 1}, {Kind: query.Tokens, Names: []string{net.place}}}}
		on := func(kind query.Kind, operands ...*query.Formula) *query.Formula {
			return &query.Formula{Kind: kind, Operands: operands}
		}
		free := on(query.Negation, marked)
		var asked []query.Property
		var ids []string
		for i, f := range []*query.Formula{
			on(query.Globally, on(query.Finally, marked)), on(query.Finally, on(query.Globally, free)),
			on(query.Until, free, marked), on(query.Globally, on(query.Disjunction, free, on(query.Finally, free))),
		} {
			ids = append(ids, string(rune('a'+i)))
			asked = append(asked, query.Property{ID: ids[i], Formula: on(query.AllPaths, f)})
		}
		text, err := query.WriteXML(asked)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "LTLCardinality.xml"), text, 0o600); err != nil {
			t.Fatal(err)
		}
		byContest := contestAnswers(t, folder, "LTLCardinality")
		for _, kind := range []string{"tgba", "tgta", "ta"} {
			byFormula, byAutomaton, byLibrary := map[string]string{}, map[string]string{}, map[string]string{}
			for i, f := range formulas {
				f = strings.ReplaceAll(f, "%s", net.place)
				maps.Copy(byFormula, commandAnswers(t, folder, "--name", ids[i], "--ltl", f))
				var automaton, stderr bytes.Buffer
				if code := run(t.Context(), []string{"pnmc", "translate", "!(" + f + ")", "--to", kind}, nil, &automaton, &stderr); code != exit.Holds {
					t.Fatalf("translate %s: exit code %d, %s", f, code, &stderr)
				}
				file := filepath.Join(folder, ids[i]+".hoa")
				if err := os.WriteFile(file, automaton.Bytes(), 0o600); err != nil {
					t.Fatal(err)
				}
				flag := "--tgta"
				if kind == "tgba" {
					flag = "--hoa"
				}
				maps.Copy(byAutomaton, commandAnswers(t, folder, "--name", ids[i], flag, file))
				maps.Copy(byLibrary, libraryAnswers(t, folder, ids[i:i+1], func(problem checker.Problem) []checker.Question {
					read, err := hoa.NewReader(&automaton, file).Read()
					if err != nil {
						t.Fatal(err)
					}
					property, err := properties.Bind(read, problem.Vocabulary(), nil)
					if err != nil {
						t.Fatal(err)
					}
					return []checker.Question{checker.Automaton{Property: property}}
				}))
			}
			compareDoors(t, net.file+" by formulas", len(formulas), byContest, byFormula, byLibrary)
			compareDoors(t, net.file+" by "+kind, len(formulas), byContest, byAutomaton, byLibrary)
		}
	}
}

// TestDoorsAgreeOnSizes counts the state space by the contest's command, by states, and by
// the library.
func TestDoorsAgreeOnSizes(t *testing.T) {
	line := regexp.MustCompile(`(?m)^STATE_SPACE (\S+) (\S+) TECHNIQUES `)
	ids := []string{"STATES", "TRANSITIONS", "MAX_TOKEN_PER_MARKING", "MAX_TOKEN_IN_PLACE"} // as checker.Sizes
	for _, net := range []string{"../../testdata/philosophers.pnml", "testdata/token.pnml", "testdata/doors.pnml", "../../testdata/mailbox.pnml"} {
		folder := t.TempDir()
		model := filepath.Join(folder, "model.pnml")
		copyFile(t, net, model)
		sizes := func(arguments ...string) map[string]string {
			var stdout, stderr bytes.Buffer
			if code := run(t.Context(), append([]string{"pnmc"}, arguments...), nil, &stdout, &stderr); code > exit.Unknown {
				t.Fatalf("%v: exit code %d, %s", arguments, code, &stderr)
			}
			found := make(map[string]string)
			for _, m := range line.FindAllStringSubmatch(stdout.String(), -1) {
				found[m[1]] = m[2]
			}
			return found
		}
		byContest := sizes("mcc", "--examination", "StateSpace", "--time", "20", "--memory", "1000", folder)
		byLibrary := libraryAnswers(t, folder, ids, func(checker.Problem) []checker.Question { return checker.Sizes() })
		if len(byContest) != len(ids) || !maps.Equal(byContest, byLibrary) {
			t.Errorf("%s: mcc counts %v, the library %v", net, byContest, byLibrary)
		}
		for _, engine := range []string{"explicit", "symbolic"} {
			byCommand := sizes("states", "--pnml", model, "--engine", engine)
			for id, value := range byCommand {
				if value != byContest[id] {
					t.Errorf("%s: states counts %v by the %s engine, mcc %v", net, byCommand, engine, byContest)
				}
			}
			if len(byCommand) != len(ids) && !strings.Contains(net, "mailbox") {
				t.Errorf("%s: states counts only %v by the %s engine", net, byCommand, engine)
			}
		}
	}
}

// copyFile copies a file of a test.
func copyFile(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// propertiesAbout returns properties of each examination with a file.
func propertiesAbout(place, transition string) map[string][]query.Property {
	on := func(kind query.Kind, operands ...*query.Formula) *query.Formula {
		f := &query.Formula{Kind: kind, Operands: operands}
		if kind == query.Next {
			f.Steps = 1
		}
		return f
	}
	marked := on(query.LessOrEqual, &query.Formula{Kind: query.Integer, Value: 1}, &query.Formula{Kind: query.Tokens, Names: []string{place}})
	fires := &query.Formula{Kind: query.Fireable, Names: []string{transition}}
	deadlock := &query.Formula{Kind: query.Deadlock}
	all := func(f *query.Formula) *query.Formula { return on(query.AllPaths, f) }
	some := func(f *query.Formula) *query.Formula { return on(query.ExistsPath, f) }
	list := func(formulas ...*query.Formula) []query.Property {
		var properties []query.Property
		for i, f := range formulas {
			properties = append(properties, query.Property{ID: string(rune('a' + i)), Formula: f})
		}
		return properties
	}
	return map[string][]query.Property{
		"UpperBounds":             list(&query.Formula{Kind: query.Bound, Names: []string{place}}),
		"ReachabilityCardinality": list(some(on(query.Finally, marked)), all(on(query.Globally, marked)), all(on(query.Globally, on(query.Negation, marked)))),
		"ReachabilityFireability": list(some(on(query.Finally, on(query.Conjunction, fires, marked))), all(on(query.Globally, on(query.Disjunction, fires, deadlock)))),
		"CTLCardinality":          list(all(on(query.Globally, some(on(query.Finally, marked)))), some(on(query.Globally, on(query.Negation, marked))), all(on(query.Until, on(query.Negation, marked), deadlock))),
		"CTLFireability":          list(all(on(query.Finally, all(on(query.Next, deadlock)))), some(on(query.Next, all(on(query.Globally, fires)))), all(on(query.Finally, fires))),
		"LTLCardinality":          list(all(on(query.Globally, on(query.Finally, marked))), all(on(query.Finally, on(query.Globally, on(query.Negation, marked))))),
		"LTLFireability":          list(all(on(query.Until, fires, marked)), all(on(query.Globally, on(query.Finally, on(query.Disjunction, fires, deadlock)))), all(on(query.Next, on(query.Finally, fires)))),
	}
}

var answerLine = regexp.MustCompile(`(?m)^FORMULA (\S+) (\S+) TECHNIQUES `)

// answersIn returns the answers by name.
func answersIn(output string) map[string]string {
	found := make(map[string]string)
	for _, m := range answerLine.FindAllStringSubmatch(output, -1) {
		found[m[1]] = m[2]
	}
	return found
}

func contestAnswers(t *testing.T, folder, examination string) map[string]string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := run(context.Background(), []string{"pnmc", "mcc", "--examination", examination, "--time", "20", "--memory", "1000", folder}, nil, &stdout, &stderr); code != exit.Holds {
		t.Fatalf("mcc: exit code %d, %s", code, &stderr)
	}
	return answersIn(stdout.String())
}

func commandAnswers(t *testing.T, folder string, flags ...string) map[string]string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	arguments := append([]string{"pnmc", "--pnml", filepath.Join(folder, "model.pnml"), "--total-timeout", "20s", "--max-memory", "1000MB"}, flags...)
	if code := run(context.Background(), arguments, nil, &stdout, &stderr); code > exit.Violated {
		t.Fatalf("%v: exit code %d, %s", flags, code, &stderr)
	}
	return answersIn(stdout.String())
}

// libraryAnswers returns answers in the words of the other doors.
func libraryAnswers(t *testing.T, folder string, ids []string, ask func(checker.Problem) []checker.Question) map[string]string {
	t.Helper()
	document, err := pnml.Reader{}.ReadDocumentFile(filepath.Join(folder, "model.pnml"))
	if err != nil {
		t.Fatal(err)
	}
	problem := checker.Problem{Net: document.Net, Coloured: document.Symmetric}
	solver, err := checker.New(problem, checker.Options{MemoryBytes: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	defer solver.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	found := make(map[string]string)
	err = solver.Decide(ctx, ask(problem), func(a checker.Answer) {
		words := map[string]string{"true": "TRUE", "false": "FALSE", "infinite": "+inf"}
		if found[ids[a.Question]] = words[a.Value.String()]; found[ids[a.Question]] == "" {
			found[ids[a.Question]] = a.Value.String()
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func compareDoors(t *testing.T, what string, count int, byContest, byCommand, byLibrary map[string]string) {
	t.Helper()
	if len(byContest) != count || !maps.Equal(byContest, byCommand) || !maps.Equal(byContest, byLibrary) {
		t.Errorf("%s: mcc answers %v, the main command %v, the library %v", what, byContest, byCommand, byLibrary)
	}
}

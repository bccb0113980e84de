package mcc

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"pnmc/checker"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// circling is a net of which place p has two tokens at first; one of them goes to q
// and returns.
const circling = `<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">
<place id="p"><initialMarking><text>2</text></initialMarking></place><place id="q"/>
<transition id="t"/><transition id="u"/>
<arc id="a" source="p" target="t"><inscription><text>2</text></inscription></arc><arc id="b" source="t" target="q"/>
<arc id="c" source="q" target="u"/><arc id="d" source="u" target="p"><inscription><text>2</text></inscription></arc>
</page></net></pnml>`

// TestInitialMarkingDecides asks what the initial marking decides: that is told as
// such, with no engine's name beside it, and explained so.
func TestInitialMarkingDecides(t *testing.T) {
	fireable := func(id string) *Formula { return &Formula{Kind: Fireable, Names: []string{id}} }
	on := func(f *Formula, kinds ...Kind) *Formula {
		for _, k := range kinds {
			if f = (&Formula{Kind: k, Operands: []*Formula{f}}); k == Next {
				f.Steps = 1
			}
		}
		return f
	}
	for _, test := range []struct {
		examination string
		formula     *Formula
		want        string
	}{
		{"OneSafe", nil, "FORMULA OneSafe FALSE TECHNIQUES INITIAL_STATE"},
		{"ReachabilityFireability", on(fireable("t"), Finally, ExistsPath), "FORMULA it TRUE TECHNIQUES INITIAL_STATE"},
		{"ReachabilityFireability", on(fireable("u"), Globally, AllPaths), "FORMULA it FALSE TECHNIQUES INITIAL_STATE"},
		{"ReachabilityFireability", on(fireable("u"), Finally, ExistsPath), "FORMULA it TRUE TECHNIQUES "},
		{"LTLFireability", on(fireable("t"), Finally, AllPaths), "FORMULA it TRUE TECHNIQUES INITIAL_STATE"},
		{"LTLFireability", on(fireable("u"), Globally, AllPaths), "FORMULA it FALSE TECHNIQUES INITIAL_STATE"},
		{"CTLFireability", on(fireable("u"), Globally, ExistsPath), "FORMULA it FALSE TECHNIQUES INITIAL_STATE"},
	} {
		folder := t.TempDir()
		write := func(name, text string) {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		write("model.pnml", circling)
		if test.formula != nil {
			source, err := WriteXML([]Property{{ID: "it", Formula: test.formula}})
			if err != nil {
				t.Fatal(err)
			}
			write(test.examination+".xml", string(source))
		}
		var out, explanation bytes.Buffer
		err := Run(context.Background(), folder, test.examination, Options{Time: 10 * time.Second, Explain: &explanation}, &out)
		if err != nil {
			t.Fatal(err)
		}
		initially := strings.Contains(test.want, "INITIAL_STATE")
		if got := strings.TrimSpace(out.String()); got != test.want && (initially || !strings.HasPrefix(got, test.want) || strings.Contains(got, "INITIAL_STATE")) {
			t.Errorf("%s: %q, should be %q", test.examination, got, test.want)
		}
		if strings.Contains(explanation.String(), "initial marking") != initially {
			t.Errorf("%s: explained by %q", test.examination, explanation.String())
		}
	}
}

// contestTechniques are the words that tools of the contest have used.
var contestTechniques = strings.Fields(`EXPLICIT DECISION_DIAGRAMS SAT_SMT STUBBORN_SETS SYMMETRIES STATE_COMPRESSION
	TOPOLOGICAL INITIAL_STATE NET_UNFOLDING UNFOLDING_TO_PT USE_NUPN STATIC_VARIABLE_REORDERING CEGAR ABSTRACTIONS
	SEQUENTIAL_PROCESSING PARALLEL_PROCESSING COLLATERAL_PROCESSING STRUCTURAL_REDUCTION QUERY_REDUCTION LP_APPROX
	CPN_APPROX SIPHON_TRAP TRACE_ABSTRACTION_REFINEMENT RANDOM_WALK K_INDUCTION SKELETON_TEST TAUTOLOGY`)

// TestQuestionsAreTold: who shows the progress gets the names of the questions before they
// are decided, and writes each answer.
func TestQuestionsAreTold(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "model.pnml"), []byte(circling), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	var mutex sync.Mutex
	var open []string
	asked := func(names []string) func(int, func()) {
		open = slices.Clone(names)
		return func(question int, write func()) {
			mutex.Lock()
			defer mutex.Unlock()
			before := out.Len()
			if write(); !strings.Contains(out.String()[before:], names[question]+" ") {
				t.Errorf("%s is answered by %q", names[question], out.String()[before:])
			}
			open = slices.DeleteFunc(open, func(name string) bool { return name == names[question] })
		}
	}
	if err := Run(context.Background(), folder, "StateSpace", Options{Time: 20 * time.Second, Asked: asked}, &out); err != nil {
		t.Fatal(err)
	}
	if len(open) > 0 || strings.Count(out.String(), "\n") != 4 {
		t.Errorf("%q are open\n%s", open, &out)
	}
}

// TestTechniquesAreTheContests: each technique has a word that the contest knows, and
// the page on the contest explains these and no others.
func TestTechniquesAreTheContests(t *testing.T) {
	words := strings.Fields((checker.SolverModuloTheories<<1 - 1).String())
	for _, w := range words {
		if !slices.Contains(contestTechniques, w) {
			t.Errorf("no tool of the contest calls a technique %s", w)
		}
	}
	page, err := os.ReadFile("../docs/contest.md")
	if err != nil {
		t.Fatal(err)
	}
	table := string(page)
	table = table[strings.Index(table, "| word |"):]
	table = table[:strings.Index(table, "\n\n")]
	var explained []string
	for _, match := range regexp.MustCompile("`([A-Z_]+)`").FindAllStringSubmatch(table, -1) {
		explained = append(explained, match[1])
	}
	slices.Sort(words)
	if slices.Sort(explained); !slices.Equal(words, explained) {
		t.Errorf("techniques are %v, explained %v", words, explained)
	}
}

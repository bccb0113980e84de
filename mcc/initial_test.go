package mcc

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pnmc/logic"
	"pnmc/petri/symmetric"
	"pnmc/pnml"
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

// TestBoundReachedInitially: of a bound that the initial marking attains, both sides
// are named, and no walk, though that attains it too.
func TestBoundReachedInitially(t *testing.T) {
	a := &atom{maximum: new(logic.Sum)}
	out := new(bytes.Buffer)
	b := &board{answers: &answers{out: out, given: make(map[string]string)}}
	b.ask(&question{id: "it"}, a)
	b.raise(0, 1, RandomWalk, "")
	b.raise(0, 2, InitialState, "")
	b.limit(0, 3, StateEquation)
	b.raise(0, 2, RandomWalk, "")
	b.limit(0, 2, Topological)
	if want := "FORMULA it 2 TECHNIQUES INITIAL_STATE TOPOLOGICAL\n"; out.String() != want {
		t.Errorf("%q, should be %q", out, want)
	}
}

// TestInitialEvidenceIsOfAllRuns compares what the initial marking shows with the
// truth of random formulas, and wants some of each shown.
func TestInitialEvidenceIsOfAllRuns(t *testing.T) {
	shown := make(map[string]int)
	rapid.Check(t, func(t *rapid.T) {
		net, g := drawNet(t)
		name := rapid.SampledFrom([]string{"CTLCardinality", "CTLFireability", "LTLCardinality", "LTLFireability"}).Draw(t, "examination")
		properties, want := drawQueries(t, net, g, name, 4)
		r := &run{net: net, compiler: &compiler{names: namesOf(net)}}
		for _, p := range properties {
			got := unknown
			if name[0] == 'C' {
				f, err := r.compiler.ctl(p.Formula)
				if err != nil {
					t.Fatal(err)
				}
				got = r.branchingInitially(f, net.Initial())
			} else {
				l, err := r.compiler.ltl(p.Formula)
				if err != nil {
					t.Fatal(err)
				}
				got = r.linearInitially(l, net.Initial())
			}
			if got == unknown {
				continue
			}
			shown[name[:3]+truthWord(got == yes)]++
			if truthWord(got == yes) != want[p.ID] {
				t.Fatalf("%s is %s by the initial marking, should be %s", p.Formula.Text(Nested), truthWord(got == yes), want[p.ID])
			}
		}
	})
	if len(shown) < 4 {
		t.Errorf("shown are %v only", shown)
	}
}

// contestTechniques are the words that tools of the contest have used.
var contestTechniques = strings.Fields(`EXPLICIT DECISION_DIAGRAMS SAT_SMT STUBBORN_SETS SYMMETRIES STATE_COMPRESSION
	TOPOLOGICAL INITIAL_STATE NET_UNFOLDING UNFOLDING_TO_PT USE_NUPN STATIC_VARIABLE_REORDERING CEGAR ABSTRACTIONS
	SEQUENTIAL_PROCESSING PARALLEL_PROCESSING COLLATERAL_PROCESSING STRUCTURAL_REDUCTION QUERY_REDUCTION LP_APPROX
	CPN_APPROX SIPHON_TRAP TRACE_ABSTRACTION_REFINEMENT RANDOM_WALK K_INDUCTION SKELETON_TEST TAUTOLOGY`)

// TestTechniquesAreTheContests: each technique has a word that the contest knows, and
// the page on the contest explains these and no others.
func TestTechniquesAreTheContests(t *testing.T) {
	words := strings.Fields((Skeleton<<1 - 1).String())
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

// TestInitialStateOfColouredNets: what the engines' test says is enabled at first is
// not believed where it is not so by the definitions.
func TestInitialStateOfColouredNets(t *testing.T) {
	document, err := pnml.ReadDocument(strings.NewReader(strings.Replace(largeModel, `end="100000"`, `end="2"`, 1)), "model.pnml", pnml.Options{})
	if err != nil {
		t.Fatal(err)
	}
	net := document.Symmetric
	skeleton, err := net.Skeleton()
	if err != nil {
		t.Fatal(err)
	}
	start, err := colouredStart(net, skeleton, (*symmetric.Walk).Enabled)
	if err != nil {
		t.Fatal(err)
	}
	if m := start.Initial(); !start.Enabled(m, 0) || start.Enabled(m, 1) {
		t.Error("t is enabled at first, and u is not")
	}
	for wrong := range 2 {
		if _, err := colouredStart(net, skeleton, func(w *symmetric.Walk, transition int) (bool, bool) {
			enabled, certain := w.Enabled(transition)
			return enabled != (transition == wrong), certain
		}); err == nil || !strings.Contains(err.Error(), "not confirmed") {
			t.Errorf("a wrong test of transition %d is believed: %v", wrong, err)
		}
	}
}

// TestTokensOfLargeColouredNets: how many tokens places have at first is answered of
// more colours than a walk can begin with.
func TestTokensOfLargeColouredNets(t *testing.T) {
	document, err := pnml.ReadDocument(strings.NewReader(strings.Replace(largeModel, `end="100000"`, `end="1000000000"`, 1)), "model.pnml", pnml.Options{})
	if err != nil {
		t.Fatal(err)
	}
	bound := []Property{{ID: "p", Formula: &Formula{Kind: Bound, Names: []string{"p"}}}}
	var explanation bytes.Buffer
	follow := func(c *coloured, ctx context.Context) { c.follow(ctx, func() {}) }
	if got := answersUncoloured(t, document.Symmetric, "OneSafe", nil, &explanation, follow); got["OneSafe"] != "FALSE" {
		t.Errorf("OneSafe: %v\n%s", got, &explanation)
	}
	if got := answersUncoloured(t, document.Symmetric, "UpperBounds", bound, &explanation, follow); got["p"] != "1000000000" {
		t.Errorf("UpperBounds: %v\n%s", got, &explanation)
	}
}

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pnmc/cmd/pnmc/internal/told"
	"pnmc/internal/browser"
)

// shownFormula is what a page tells of the parts of a formula, and of the automaton.
const shownFormula = `({lines: [...document.querySelectorAll("#formula .line")].map(l => ({text: l.querySelector("code").textContent,
		truth: ["yes", "no", "unknown"].find(c => l.querySelector(".truth").classList.contains(c)), fails: l.classList.contains("fails")})),
	state: document.querySelector("#automaton .state.now text")?.textContent || "", says: document.getElementById("automaton-now").textContent,
	lit: [...document.querySelectorAll("#automaton .edge-label.lit")].map(g => g.querySelector("title").textContent),
	marks: [...document.querySelectorAll("#automaton .edge-label.lit circle.mark")].length})`

type formulaShown struct {
	Lines []struct {
		Text, Truth string
		Fails       bool
	}
	State, Says string
	Lit         []string
	Marks       int
}

// reads reports whether a label of an automaton's edge, a disjunction of conjunctions,
// holds with these truth values of the propositions.
func reads(t *testing.T, label string, values map[string]string) bool {
	t.Helper()
	for _, cube := range strings.Split(label, " | ") {
		holds := true
		for _, literal := range strings.Split(cube, " & ") {
			name, negated := strings.CutPrefix(literal, "!")
			name = strings.Trim(name, `"()`)
			switch value := values[name]; {
			case name == "true":
			case value == "":
				t.Fatalf("the label %q reads %q, which is none of %v", label, name, values)
			case (value == "yes") == negated:
				holds = false
			}
		}
		if holds {
			return true
		}
	}
	return false
}

// TestPageTellsTruth: in each marking of a run the propositions have the truth that its
// tokens give, the lines that fail are marked, the edge that the automaton took reads the
// marking it left, and the cycle sees a mark.
func TestPageTellsTruth(t *testing.T) {
	b := browser.Start(t)
	file := "../../testdata/philosophers.pnml"
	path, answers := makePage(t, "--pnml", file, "--ltl", `G("eats0>=1" -> F "eats1>=1")`)
	page, p := b.Open(t, path), newPlayer(t, file)
	var steps []told.Step
	for _, a := range answers {
		steps = stepsOf(a.Trace.Prefix, a.Trace.Cycle, len(a.Trace.Prefix)+2*len(a.Trace.Cycle))
	}
	states, marks := map[string]bool{}, 0
	var edges map[string]bool // from, to and label of each edge of the automaton
	page.Evaluate(`Object.fromEntries(JSON.parse(document.querySelector("script.answer").textContent).automaton.edges.map(e => [[e.from, e.to, e.label].join(" "), true]))`, &edges)
	var before map[string]string
	last := ""
	for i := 0; ; i++ {
		var shown formulaShown
		page.Evaluate(shownFormula, &shown)
		values, tokens := map[string]string{}, p.shows()
		for _, line := range shown.Lines {
			if atom := regexp.MustCompile(`^"?(\w+) ?>= ?1"?$`).FindStringSubmatch(line.Text); atom != nil {
				values[line.Text] = line.Truth
				if want := map[bool]string{true: "yes", false: "no"}[tokens[atom[1]] >= "1"]; line.Truth != want {
					t.Errorf("step %d: %s is %s with %s tokens", i, line.Text, line.Truth, tokens[atom[1]])
				}
			}
			if line.Fails != (line.Truth == "no") {
				t.Errorf("step %d: %s is %s, marked as failing: %v", i, line.Text, line.Truth, line.Fails)
			}
		}
		if len(values) != 2 || i == 0 && shown.Lines[0].Truth != "no" {
			t.Fatalf("step %d: the formula is told as %+v", i, shown.Lines)
		}
		if !strings.HasPrefix(shown.Says, "State "+shown.State+" of ") || !strings.Contains(shown.Says, "the cycle sees all marks") {
			t.Errorf("step %d: state %q is lit, the page says %q", i, shown.State, shown.Says)
		}
		states[shown.State] = true
		if i > 0 {
			if len(shown.Lit) != 1 || !reads(t, shown.Lit[0], before) {
				t.Errorf("step %d: the automaton took %q with %v", i, shown.Lit, before)
			}
			if step := last + " " + shown.State + " " + shown.Lit[0]; !edges[step] {
				t.Errorf("step %d: the automaton went from %s to %s by %q, which is none of its edges %v", i, last, shown.State, shown.Lit[0], edges)
			}
			if marks += shown.Marks; (shown.Marks > 0) != strings.Contains(shown.Says, "seen just now") {
				t.Errorf("step %d: %d marks on the edge, the page says %q", i, shown.Marks, shown.Says)
			}
		}
		before, last = values, shown.State
		if i == len(steps) {
			break
		}
		p.fire(t, steps[i])
		page.Press("ArrowRight")
	}
	if len(states) < 2 || marks == 0 {
		t.Errorf("the automaton was in states %v and saw %d marks", states, marks)
	}
	// The cycle is drawn as a ring, and a click in a plot goes where it is.
	var drawn struct{ Rings, Plots int }
	page.Evaluate(`({Rings: document.querySelectorAll("#lasso circle, #lasso path, #lasso ellipse").length, Plots: document.querySelectorAll("#places svg.plot").length})`, &drawn)
	if drawn.Rings == 0 || drawn.Plots == 0 {
		t.Errorf("the page draws %+v", drawn)
	}
	page.Press("Home")
	page.Click("#places svg.plot")
	var position int
	if page.Evaluate(`Number(document.getElementById("position").value)`, &position); position == 0 {
		t.Error("a click in the middle of a plot stays at the start")
	}
	silent(t, page)
}

// TestPageTellsBindings: a step of a coloured net is told with the colours of its variables.
func TestPageTellsBindings(t *testing.T) {
	b := browser.Start(t)
	path, answers := makePage(t, "--pnml", "testdata/token.pnml", "--ltl", "G(work <= 2)")
	page := b.Open(t, path)
	for _, a := range answers {
		for i, step := range stepsOf(a.Trace.Prefix, nil, 3) {
			page.Press("ArrowRight")
			var said string
			page.Evaluate(`document.querySelector("#now .fired").textContent`, &said)
			want := ""
			for name, colour := range step.Binding {
				want = fmt.Sprintf("%s=%v", name, colour)
			}
			if _, binding, found := strings.Cut(step.Name, "["); found { // a transition of the unfolded net
				want = strings.TrimSuffix(binding, "]")
			}
			if want == "" || !strings.Contains(said, want) {
				t.Errorf("step %d, %+v: the page says %q, expected %q in it", i+1, step, said, want)
			}
		}
	}
	silent(t, page)
}

// TestPageOfLargeNet: of a net with over 300 nodes the page draws what the run touches, and
// on demand the neighbours of a node, or a node that is looked for; units light up.
func TestPageOfLargeNet(t *testing.T) {
	b := browser.Start(t)
	var net strings.Builder
	net.WriteString(`<pnml><net id="chains" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">`)
	const length = 200
	units := ""
	for i := range 2 {
		places := ""
		for j := range length {
			marking := ""
			if j == 0 {
				marking = "<initialMarking><text>1</text></initialMarking>"
			}
			fmt.Fprintf(&net, `<place id="p%d_%d">%s</place>`, i, j, marking)
			places += fmt.Sprintf("p%d_%d ", i, j)
			if j > 0 {
				fmt.Fprintf(&net, `<transition id="t%d_%d"/><arc id="a%d_%d" source="p%d_%d" target="t%d_%d"/><arc id="b%d_%d" source="t%d_%d" target="p%d_%d"/>`,
					i, j, i, j, i, j-1, i, j, i, j, i, j, i, j)
			}
		}
		units += fmt.Sprintf(`<unit id="u%d"><places>%s</places><subunits/></unit>`, i, places)
	}
	fmt.Fprintf(&net, `</page><toolspecific tool="nupn" version="1.1"><size places="400" transitions="398" arcs="796"/><structure units="3" root="r" safe="true"><unit id="r"><places/><subunits>u0 u1</subunits></unit>%s</structure></toolspecific></net></pnml>`, units)
	file := filepath.Join(t.TempDir(), "chains.pnml")
	if err := os.WriteFile(file, []byte(net.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	path, _ := makePage(t, "--pnml", file, "--reachable", "p0_5 >= 1")
	page := b.Open(t, path)
	names := func() (list []string) {
		page.Evaluate(`[...document.querySelectorAll("#net g.place, #net g.transition")].map(g => g.querySelector("title").textContent.split("\n")[0])`, &list)
		return list
	}
	drawn := names()
	if text := strings.Join(drawn, " ") + " "; len(drawn) > 60 || !strings.Contains(text, "p0_5 ") || !strings.Contains(text, "t0_3 ") || strings.Contains(text, "p1_9 ") {
		t.Errorf("of a run of 5 steps the page draws %q", drawn)
	}
	page.Click("#net g.more")
	if after := names(); len(after) <= len(drawn) {
		t.Errorf("a click on + draws no neighbours: %q", after)
	}
	page.Evaluate(`document.getElementById("search").focus()`, nil)
	page.Press(strings.Split("p1_100", "")...)
	page.Press("Enter", "Escape")
	if text := strings.Join(names(), " ") + " "; !strings.Contains(text, "p1_100 ") {
		t.Error("a place that is looked for is not drawn")
	}
	var lit map[string]int
	page.Evaluate(`(() => { const found = {}; document.getElementById("structure-panel").open = true;
		for (const b of document.querySelectorAll("#structure button")) { b.click(); found[b.textContent] = document.querySelectorAll("#net g.place.member").length; }
		return found; })()`, &lit)
	if text, _ := json.Marshal(lit); lit["u0"] < 6 || lit["u1"] < 1 || lit["r"] != lit["u0"]+lit["u1"] {
		t.Errorf("units light up so many places: %s", text)
	}
	silent(t, page)
}

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/told"
	"pnmc/internal/browser"
	"pnmc/petri"
	"pnmc/petri/symmetric"
	"pnmc/pnml"
)

// shownMarking reads the drawing as one who looks at it does: dots or a number in each
// place. The label for screen readers must say the same.
const shownMarking = `Object.fromEntries([...document.querySelectorAll("#net g.place")].map(g => {
	const text = g.querySelector(".tokens text"), dots = g.querySelectorAll(".tokens circle").length;
	const shown = text ? text.textContent : String(dots);
	const read = g.getAttribute("aria-label").match(/, (\d+) tokens?$/)[1];
	return [g.querySelector("title").textContent.split("\n")[0], read.length > 5 || shown === read ? read : "shown " + shown + ", read " + read];
}))`

// step is what a step of a page shows besides the marking.
const shownStep = `({where: document.querySelector("#now .where").textContent, fired: document.querySelector("#now .fired")?.textContent || "",
	lit: [...document.querySelectorAll("#net g.fired")].map(g => g.querySelector("title").textContent.split("\n")[0]),
	enabled: [...document.querySelectorAll("#net g.enabled")].map(g => g.querySelector("title").textContent.split("\n")[0]),
	row: [...document.querySelectorAll("#steps .step-row.now")].map(r => r.textContent).join(),
	state: document.querySelector("#automaton .state.now text")?.textContent || ""})`

// shownRows reads the table of places: the tokens of each row in sight, and the heights of the
// plot beside them, of which there is one for each marking.
const shownRows = `Object.fromEntries([...document.querySelectorAll("#places .place-row")].map(r => [r.querySelector("bdi").textContent,
	{Tokens: r.querySelector(".count").textContent, Heights: [...(r.querySelector("path.line")?.getAttribute("d") || "").matchAll(/L[\d.]+,([\d.]+)/g)].map(m => Number(m[1]))}]))`

type rowShown struct {
	Tokens  string
	Heights []float64
}

type stepShown struct {
	Where, Fired, State, Row string
	Lit, Enabled             []string
}

// makePage runs the command with --trace into a page, and returns the page's path and the
// answers.
func makePage(t *testing.T, arguments ...string) (string, map[string]toldAnswer) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run.html")
	var stdout, stderr bytes.Buffer
	code := run(context.Background(), append([]string{"pnmc", "--format", "json", "--max-memory", "1000MB", "--trace", path}, arguments...), nil, &stdout, &stderr)
	if code > exit.Unknown {
		t.Fatalf("%q: exit code %d, %s%s", arguments, code, &stderr, &stdout)
	}
	found := make(map[string]toldAnswer)
	for line := range strings.Lines(stdout.String()) {
		var a toldAnswer
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		found[a.Name] = a
	}
	return path, found
}

// player fires a run as JSON tells it on the net as its file has it.
type player struct {
	net      *petri.Net
	marking  petri.Marking
	coloured *symmetric.Unfolding
}

func newPlayer(t *testing.T, file string) *player {
	t.Helper()
	document, err := pnml.Reader{}.ReadDocumentFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p := &player{net: document.Net}
	if document.Symmetric != nil {
		if p.coloured, err = document.Symmetric.Unfold(context.Background(), symmetric.Options{}); err != nil {
			t.Fatal(err)
		}
		p.net = p.coloured.Net
	}
	p.marking = p.net.Initial()
	return p
}

// fire fires a step once.
func (p *player) fire(t *testing.T, step told.Step) {
	t.Helper()
	if step.Deadlock {
		if !p.net.Deadlock(p.marking) {
			t.Fatal("a deadlock is told where something is enabled")
		}
		return
	}
	for transition := range petri.Transition(p.net.Transitions()) {
		label := p.net.TransitionLabel(transition)
		if (label.ID == step.Transition || step.Name != "" && label.Name == step.Name) && p.net.Fire(p.marking, transition) {
			return
		}
	}
	t.Fatalf("%+v does not fire", step)
}

// shows returns the marking as a page shows it: by names, a coloured place with all its tokens.
func (p *player) shows() map[string]string {
	list := map[string]string{}
	if p.coloured == nil {
		for place, tokens := range p.marking {
			label := p.net.PlaceLabel(petri.Place(place))
			name := label.Name
			if name == "" {
				name = label.ID
			}
			list[name] = strconv.FormatInt(tokens, 10)
		}
		return list
	}
	for i, place := range p.coloured.Coloured.Places {
		sum := int64(0)
		for _, cell := range p.coloured.Places[i] {
			sum += p.marking[cell]
		}
		name := place.Name
		if name == "" {
			name = place.ID
		}
		list[name] = strconv.FormatInt(sum, 10)
	}
	return list
}

// enabled returns the names of the transitions that are enabled, sorted.
func (p *player) enabled() []string {
	names := map[string]bool{}
	for t := range petri.Transition(p.net.Transitions()) {
		if p.net.Enabled(p.marking, t) {
			label := p.net.TransitionLabel(t)
			name := label.Name
			if name == "" {
				name = label.ID
			}
			names[strings.Split(name, "[")[0]] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// stepsOf returns the steps of a run, so many of them: those of the cycle again and again.
func stepsOf(prefix, cycle []told.Step, count int) []told.Step {
	var list []told.Step
	add := func(steps []told.Step) {
		for _, s := range steps {
			for range max(s.Times, 1) {
				list = append(list, s)
			}
		}
	}
	add(prefix)
	for len(cycle) > 0 && len(list) < count {
		add(cycle)
	}
	return list[:min(count, len(list))]
}

// compare plays a run in the page, forwards and back again, and compares each marking shown
// with that of the net.
func compare(t *testing.T, page *browser.Page, p *player, steps []told.Step) {
	t.Helper()
	look := func(i int) (shown map[string]string) {
		page.Evaluate(shownMarking, &shown)
		return shown
	}
	var before []map[string]string
	for i := 0; ; i++ {
		want := p.shows()
		if shown := look(i); !maps.Equal(shown, want) {
			t.Fatalf("after %d steps the page shows %v, expected %v", i, shown, want)
		}
		var rows map[string]rowShown
		page.Evaluate(shownRows, &rows)
		for name, row := range rows {
			if row.Tokens != want[name] {
				t.Fatalf("after %d steps the table has %s tokens of %s, expected %s", i, row.Tokens, name, want[name])
			}
		}
		if len(rows) == 0 && i > 0 && !maps.Equal(want, before[0]) {
			t.Fatal("the table of places is empty")
		}
		var step stepShown
		page.Evaluate(shownStep, &step)
		slices.Sort(step.Enabled)
		if want := p.enabled(); !slices.Equal(step.Enabled, want) {
			t.Fatalf("after %d steps the page marks %q as enabled, expected %q", i, step.Enabled, want)
		}
		if i > 0 && !steps[i-1].Deadlock && (len(step.Lit) != 1 || !strings.Contains(step.Fired, step.Lit[0]) || !strings.Contains(step.Row, step.Lit[0])) {
			t.Fatalf("after %d steps %q is lit, the page says %q, and the list of steps marks %q", i, step.Lit, step.Fired, step.Row)
		}
		before = append(before, want)
		if i == len(steps) {
			break
		}
		p.fire(t, steps[i])
		page.Press("ArrowRight")
	}
	comparePlots(t, page, before)
	for i := len(steps) - 1; i >= 0; i-- {
		page.Press("ArrowLeft")
		if shown := look(i); !maps.Equal(shown, before[i]) {
			t.Fatalf("back after %d steps the page shows %v, expected %v", i, shown, before[i])
		}
	}
}

// comparePlots compares the plots of places with markings of the run, from the first on: the
// largest number of tokens reaches from one margin of 3 to the other, in a height of 26.
func comparePlots(t *testing.T, page *browser.Page, markings []map[string]string) {
	t.Helper()
	var rows map[string]rowShown
	page.Evaluate(shownRows, &rows)
	for _, row := range rows {
		if len(row.Heights) < len(markings) {
			markings = markings[:len(row.Heights)] // what follows is the cycle again
		}
	}
	for name, row := range rows {
		if len(row.Heights) > len(markings) {
			continue // the run was not played to its end, which the scale may come from
		}
		most := 1.0
		var values []float64
		for _, m := range markings {
			tokens, err := strconv.ParseFloat(m[name], 64)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			values = append(values, tokens)
			most = max(most, tokens)
		}
		for i, tokens := range values {
			if want := 23 - tokens/most*20; row.Heights[i] < want-0.06 || row.Heights[i] > want+0.06 {
				t.Fatalf("the plot of %s is at %v after %d steps, expected %.1f", name, row.Heights[i], i, want)
			}
		}
	}
}

// silent checks that nothing was printed on the console: no error of the script, nothing
// that the content security policy refused.
func silent(t *testing.T, page *browser.Page) {
	t.Helper()
	for _, message := range page.Console() {
		t.Errorf("on the console: %s", message)
	}
}

// growing is a net with an unbounded place.
const growing = `<pnml><net id="growing" type="ptnet"><page id="g">
<place id="ready"><initialMarking><text>1</text></initialMarking></place><place id="busy"/><place id="store"/>
<transition id="begin"/><transition id="end"/>
<arc id="a" source="ready" target="begin"/><arc id="b" source="begin" target="busy"/>
<arc id="c" source="busy" target="end"/><arc id="d" source="end" target="ready"/>
<arc id="e" source="end" target="store"><inscription><text>3</text></inscription></arc></page></net></pnml>`

// TestPagesPlay: pages of runs of all kinds show in each step the marking that firing gives.
func TestPagesPlay(t *testing.T) {
	b := browser.Start(t)
	unbounded := filepath.Join(t.TempDir(), "growing.pnml")
	if err := os.WriteFile(unbounded, []byte(growing), 0o644); err != nil {
		t.Fatal(err)
	}
	philosophers := "../../testdata/philosophers.pnml"
	for _, c := range []struct {
		what, file string
		question   []string
		steps      int
		says       string // in the panel after the first step
	}{
		{"ltl", philosophers, []string{"--ltl", `G("eats0>=1" -> F "eats1>=1")`}, 20, "Step 1 of"},
		{"ltl by an approach", philosophers, []string{"--ltl", `G("eats0>=1" -> F "eats1>=1")`, "--approach", "tgba"}, 20, "Step 1 of"},
		{"automaton", philosophers, []string{"--hoa", "../../testdata/philosophers.hoa"}, 6, "Step 1 of"},
		{"coloured", "testdata/token.pnml", []string{"--ltl", "G(work <= 2)"}, 12, "Step 1 of"},
		{"coloured, a colour named", "testdata/token.pnml", []string{"--ltl", "G F fireable(stop_b)"}, 12, "Step 1 of"},
		{"coloured, by an approach", "testdata/token.pnml", []string{"--ltl", "G(work <= 2)", "--approach", "tgba"}, 12, "Step 1 of"},
		{"deadlock", philosophers, []string{"--deadlock"}, 10, "Step 1 of"},
		{"deadlock in linear time", "testdata/deadlock.pnml", []string{"--ltl", `F G "sink=0"`}, 4, "Step 1 of"},
		{"reached", philosophers, []string{"--reachable", "eats2>=1"}, 10, "Step 1 of"},
		{"branching", philosophers, []string{"--ctl", "EG (eats0=0)"}, 10, "Step 1 of"},
		{"branching, one within another", philosophers, []string{"--ctl", "EX (EX eats0 = 1 & EX eats0 = 0)", "--threads", "1"}, 10, "Step 1 of"},
		{"bound", unbounded, []string{"--bound", "store"}, 9, "Value: "},
		{"unbounded, ltl", unbounded, []string{"--ltl", "G store <= 7"}, 9, "Step 1 of"},
		{"unbounded, safe", unbounded, []string{"--safe"}, 4, "Step 1 of"},
	} {
		t.Run(c.what, func(t *testing.T) {
			path, answers := makePage(t, append([]string{"--pnml", c.file}, c.question...)...)
			page := b.Open(t, path)
			for name, a := range answers {
				if a.Trace == nil {
					continue
				}
				// The question is chosen as a user does it; a page with one has no list.
				quoted, _ := json.Marshal(name)
				page.Evaluate(fmt.Sprintf(`(() => { const list = document.getElementById("answers");
					list.value = [...list.options].findIndex(o => o.textContent.includes(%s.slice(0, 20)));
					list.dispatchEvent(new Event("change")); })()`, quoted), nil)
				prefix, cycle := a.Trace.Prefix, a.Trace.Cycle
				if len(a.Trace.Branches) > 0 {
					prefix, cycle = a.Trace.Branches[0].Prefix, a.Trace.Branches[0].Cycle
				}
				if n := len(prefix); a.Kind == "deadlock" && n > 0 && prefix[n-1].Deadlock {
					prefix = prefix[:n-1]
				}
				steps := stepsOf(prefix, cycle, c.steps)
				if len(steps) == 0 {
					t.Fatalf("%s: no steps to play", name)
				}
				page.Press("Home", "ArrowRight")
				var said string
				page.Evaluate(`document.getElementById("now").textContent`, &said)
				if !strings.Contains(said, c.says) {
					t.Errorf("the page says %q, expected %q in it", said, c.says)
				}
				page.Press("Home")
				compare(t, page, newPlayer(t, c.file), steps)
				if strings.Contains(c.what, "within") && len(a.Trace.Branches) < 2 {
					t.Errorf("%s has %d runs", name, len(a.Trace.Branches))
				}
				compareBranches(t, page, c.file, a.Trace.Branches)
			}
			silent(t, page)
		})
	}
}

// compareBranches plays the runs behind the first one, which begin in markings of others.
func compareBranches(t *testing.T, page *browser.Page, file string, branches []told.Branch) {
	t.Helper()
	begin := func(i int) *player { return newPlayer(t, file) }
	for i, run := range branches {
		before := begin
		begin = func(k int) *player {
			if k != i {
				return before(k)
			}
			if run.From == nil {
				return newPlayer(t, file)
			}
			p := before(*run.From)
			for _, step := range stepsOf(branches[*run.From].Prefix, branches[*run.From].Cycle, *run.At)[:*run.At] {
				p.fire(t, step)
			}
			return p
		}
		if i == 0 {
			continue
		}
		page.Press("n", "Home")
		compare(t, page, begin(i), stepsOf(run.Prefix, run.Cycle, len(run.Prefix)+2*len(run.Cycle)))
	}
}

// TestPageIsSelfContained: a page loads nothing, and lets nothing run but its own script.
func TestPageIsSelfContained(t *testing.T) {
	path, _ := makePage(t, "--pnml", "../../testdata/philosophers.pnml", "--deadlock")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	policy := regexp.MustCompile(`http-equiv="Content-Security-Policy" content="([^"]*)"`).FindSubmatch(text)
	if policy == nil {
		t.Fatal("no content security policy")
	}
	for _, part := range strings.Split(string(policy[1]), ";") {
		if strings.Contains(part, "unsafe") || strings.Contains(part, "http") {
			t.Errorf("the policy allows %s", part)
		}
	}
	if found := regexp.MustCompile(`<[^>]*\s(src|href)="[^"]*"`).FindAll(text, -1); len(found) != 1 || !bytes.Contains(found[0], []byte(`href="data:,"`)) {
		t.Errorf("the page refers to %q", found)
	}
	// Files can't load modules: browsers refuse them at file://.
	if regexp.MustCompile(`(?m)type="?module|^\s*(import|export)\s`).Match(text) {
		t.Error("the page has a module")
	}
	if strings.Contains(string(text), "sourceMappingURL") {
		t.Error("the page refers to a source map")
	}
}

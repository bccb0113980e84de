package view_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pnmc/internal/browser"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/view"
)

// writePage writes a page into a file of the test.
func writePage(t testing.TB, net *view.Net, answers ...*view.Answer) string {
	t.Helper()
	var text bytes.Buffer
	page := view.NewPage(&text, net)
	for _, a := range answers {
		if err := page.Add(a); err != nil {
			t.Fatal(err)
		}
	}
	if err := page.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(path, text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// chain returns a net whose token goes from the first place to the second, by the names given.
func chain(t testing.TB, from, by, to string) *petri.Net {
	t.Helper()
	b := &petri.Builder{ID: "chain", Name: from}
	p, err := b.AddPlace("p", from, 1)
	if err != nil {
		t.Fatal(err)
	}
	q, err := b.AddPlace("q", to, 0)
	if err != nil {
		t.Fatal(err)
	}
	move, err := b.AddTransition("t", by)
	if err != nil {
		t.Fatal(err)
	}
	b.AddInput(p, move, 1)
	b.AddOutput(move, q, 1)
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// TestNamesAreText: whatever nodes, questions and predicates are called is shown as text.
func TestNamesAreText(t *testing.T) {
	b := browser.Start(t)
	for what, name := range map[string]string{
		"script":        `<script>document.title = "taken"</script>`,
		"end of script": `</script><img src=x onerror="document.title = 'taken'">`,
		"comment":       `<!--<script>`,
		"quotes":        `"'` + "`" + `${1}&quot;&amp;\u003c\`,
		"long":          strings.Repeat("a long name ", 833) + "end",
		"right to left": "מקום ראשון",
		"marks":         "a\u202eb\u2028c\u2066d",
		"combining":     "é" + strings.Repeat("\u0301", 200) + "😀",
	} {
		t.Run(what, func(t *testing.T) {
			net := chain(t, name, name+"1", name+"2")
			sum := logic.Sum{Constant: -1, Terms: []logic.Term{{Place: 0, Coefficient: 1}}}
			answer := &view.Answer{
				Name: name, Kind: "reachable", Verdict: "holds", Ground: name, Reason: name,
				Atoms:   []view.Atom{{Text: name, Predicate: &logic.Predicate{Operator: logic.AtMost, Sum: sum}}},
				Formula: &view.Formula{Operator: "EF", Operands: []*view.Formula{{}}},
				Runs:    []view.Run{{From: -1, Dead: name, Prefix: []view.Step{{Times: 1}}}},
			}
			page := b.Open(t, writePage(t, &view.Net{Title: name, Net: net}, answer, answer))
			page.Press("ArrowRight")
			var shown struct {
				Title, Fired, Place, Label string
				Scripts, Images, Wide      int
			}
			page.Evaluate(`({Title: document.title, Fired: document.querySelector("#now .fired bdi").textContent,
				Place: document.querySelector("#places .place-row[data-place='1'] bdi").textContent,
				Label: document.querySelector("g.place title").textContent.split("\n")[0],
				Scripts: document.scripts.length, Images: document.images.length, Wide: document.documentElement.scrollWidth - innerWidth})`, &shown)
			cut := func(text string, length int) string { // as the page cuts names
				if len([]rune(text)) <= length {
					return text
				}
				return string([]rune(text)[:length-1]) + "…"
			}
			if shown.Title != asciiFields(name) || shown.Fired != cut(name+"1", 200) || shown.Scripts != 4 || shown.Images != 0 || shown.Wide > 0 {
				t.Errorf("the page shows %.300q", fmt.Sprintf("%+v", shown))
			}
			if shown.Place != cut(name+"2", 60) || shown.Label != cut(name, 1000) {
				t.Errorf("places are called %.80q and %.80q", shown.Place, shown.Label)
			}
			for _, message := range page.Console() {
				t.Errorf("on the console: %s", message)
			}
		})
	}
}

// asciiFields returns a text with its white space as the title of a page has it.
func asciiFields(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\n\f\r", r) }), " ")
}

// choice returns a net with a choice and a way back: a token goes left or right.
func choice(t testing.TB) *view.Net {
	t.Helper()
	b := &petri.Builder{ID: "choice"}
	start, _ := b.AddPlace("start", "", 1)
	for _, side := range []string{"left", "right"} {
		at, _ := b.AddPlace(side, "", 0)
		to, _ := b.AddTransition("to-"+side, "")
		from, _ := b.AddTransition("from-"+side, "")
		b.AddInput(start, to, 1)
		b.AddOutput(to, at, 1)
		b.AddInput(at, from, 1)
		b.AddOutput(from, start, 1)
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return &view.Net{Title: "choice", Net: net}
}

// goLeft returns an answer whose run goes left again and again.
func goLeft() *view.Answer {
	sum := logic.Sum{Terms: []logic.Term{{Place: 2, Coefficient: 1}}}
	return &view.Answer{
		Name: "F right", Kind: "ltl", Verdict: "violated",
		Atoms:   []view.Atom{{Text: "right = 0", Predicate: &logic.Predicate{Operator: logic.Equal, Sum: sum}}},
		Formula: &view.Formula{Operator: "F", Operands: []*view.Formula{{Operator: "!", Operands: []*view.Formula{{}}}}},
		Runs:    []view.Run{{From: -1, Cycle: []view.Step{{Transition: 0, Times: 1}, {Transition: 1, Times: 1}}}},
	}
}

// TestKeyboardOnly: everything can be done without a mouse.
func TestKeyboardOnly(t *testing.T) {
	b := browser.Start(t)
	page := b.Open(t, writePage(t, choice(t), goLeft(), &view.Answer{Name: "deadlock", Kind: "deadlock", Verdict: "violated"}))
	text := func(selector string) (text string) {
		t.Helper()
		quoted, _ := json.Marshal(selector)
		page.Evaluate(fmt.Sprintf("document.querySelector(%s)?.textContent || ''", quoted), &text)
		return text
	}
	is := func(what, selector, want string) {
		t.Helper()
		if got := text(selector); !strings.Contains(got, want) {
			t.Errorf("%s: %s says %q, expected %q in it", what, selector, got, want)
		}
	}
	active := func() (id string) {
		page.Evaluate(`(e => e.id || e.dataset.mode && "fire " + e.textContent || (e.parentElement?.id || "") + "/" + e.tagName + e.textContent.slice(0, 20))(document.activeElement)`, &id)
		return id
	}

	page.Press("ArrowRight")
	is("step", "#now", "Step 1 of 2, in the cycle")
	page.Press("ArrowRight", "ArrowRight", "ArrowRight")
	is("cycle", "#now", "round 3")
	page.Press("c")
	is("to the cycle", "#now .where", "Step 0 of 2, in the cycle")
	page.Press("End")
	is("end", "#now .where", "Step 1 of 2")
	page.Press("Home")
	page.Press(" ")
	is("play", "#play", "Pause")
	page.Press(" ")
	is("pause", "#play", "Play")
	page.Press("Home", "n")
	is("next question", "#question", "deadlock")
	page.Press("p")
	is("question before", "#question", "F right")
	page.Press("?")
	var open bool
	if page.Evaluate(`document.getElementById("help").open`, &open); !open {
		t.Error("? does not open the help")
	}
	page.Press("Escape")
	if page.Evaluate(`document.getElementById("help").open`, &open); open {
		t.Error("Escape does not close the help")
	}
	page.Press("/")
	if got := active(); got != "search" {
		t.Errorf("/ leads to %s", got)
	}
	page.Press("r", "i", "g", "h", "t", "Enter", "Escape")
	is("found", "g.found title", "right")

	// Tab reaches all controls; what is enabled can be fired by hand, and undone.
	var reached []string
	tried := false
	for range 80 {
		page.Press("Tab")
		id := active()
		if len(reached) > 0 && id == reached[0] {
			break
		}
		reached = append(reached, id)
		if strings.HasPrefix(id, "fire to-right") && !tried {
			tried = true
			page.Press("Enter")
			is("by hand", "#now", "to-right fired")
			is("by hand", "#by-hand", "Undo")
			page.Press("u")
			is("undone", "#now .where", "Step 0 of 2")
			page.Press("Escape")
		}
	}
	for _, id := range []string{"answers", "theme", "help-button", "search", "fit", "places", "steps", "places-filter", "play", "forward", "to-cycle", "position", "fire to-left", "fire to-right"} {
		if !slices.Contains(reached, id) {
			t.Errorf("Tab does not reach %s, only %q", id, reached)
		}
	}
	for _, message := range page.Console() {
		t.Errorf("on the console: %s", message)
	}
}

// TestPageIsAccessible: controls have names, what happens is announced, and colours have
// enough contrast in the light and in the dark; nothing is told by a colour alone.
func TestPageIsAccessible(t *testing.T) {
	b := browser.Start(t)
	page := b.Open(t, writePage(t, choice(t), goLeft()))
	page.Press("ArrowRight")
	if unnamed := page.Unnamed(); len(unnamed) > 0 {
		t.Errorf("without a name: %q", unnamed)
	}
	var live string
	page.Evaluate(`document.getElementById("now").getAttribute("aria-live")`, &live)
	if live != "polite" {
		t.Error("steps are not announced")
	}
	for _, theme := range []string{"light", "dark"} {
		page.Prefer("prefers-color-scheme", theme)
		var dark bool
		page.Evaluate(`(c => c[0] + c[1] + c[2] < 200)(getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number))`, &dark)
		if dark != (theme == "dark") {
			t.Errorf("%s: the background is dark: %v", theme, dark)
		}
		for _, pair := range [][2]string{{"ink", "paper"}, {"ink", "panel"}, {"faint", "panel"}, {"faint", "paper"}, {"next", "panel"}, {"next", "paper"},
			{"yes", "panel"}, {"no", "panel"}, {"changed", "paper"}, {"mark", "panel"}, {"mark", "paper"}, {"ink", "enabled-soft"}, {"ink", "fired-soft"}, {"ink", "soft"}, {"ink", "node"}} {
			if ratio := page.Contrast(pair[0], pair[1]); ratio < 4.5 {
				t.Errorf("%s: text of %s on %s has a contrast of %.1f, expected 4.5", theme, pair[0], pair[1], ratio)
			}
		}
		for _, pair := range [][2]string{{"fired", "panel"}, {"enabled", "paper"}, {"stroke", "paper"}, {"fired", "paper"}, {"arc", "paper"}} {
			if ratio := page.Contrast(pair[0], pair[1]); ratio < 3 {
				t.Errorf("%s: %s beside %s has a contrast of %.1f, expected 3", theme, pair[0], pair[1], ratio)
			}
		}
	}
	// The button turns the theme round, whatever is preferred.
	page.Prefer("prefers-color-scheme", "dark")
	var before, after string
	page.Evaluate(`getComputedStyle(document.body).backgroundColor`, &before)
	page.Press("t")
	page.Evaluate(`getComputedStyle(document.body).backgroundColor`, &after)
	if before == after {
		t.Errorf("t leaves the background %s", after)
	}
}

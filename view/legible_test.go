package view_test

import (
	"fmt"
	"testing"

	"pnmc/automata"
	"pnmc/internal/browser"
	"pnmc/petri"
	"pnmc/view"
)

// TestTextContrast: each text that is shown stands out from what lies behind it, in lists whose
// rows are tinted, too.
func TestTextContrast(t *testing.T) {
	b := browser.Start(t)
	page := b.Open(t, writePage(t, choice(t), goLeft(), &view.Answer{Name: "deadlock", Kind: "deadlock", Verdict: "violated"}))
	for _, theme := range []string{"light", "dark"} {
		page.Prefer("prefers-color-scheme", theme)
		for _, keys := range [][]string{{"Home"}, {"ArrowRight"}, {"ArrowRight"}, {"n"}, {"n"}, {"p"}, {"p"}} {
			page.Press(keys...)
			if low := page.LowContrast(); len(low) > 0 {
				t.Errorf("%s, after %q: %q", theme, keys, low)
			}
		}
	}
}

// TestTabThroughRows: Tab goes through all rows of a list that scrolls, one after the other,
// and on: the focus is never lost to a row that is made anew.
func TestTabThroughRows(t *testing.T) {
	b := browser.Start(t)
	builder := &petri.Builder{ID: "many"}
	const places = 40
	for i := range places {
		if _, err := builder.AddPlace(fmt.Sprintf("p%02d", i), "", 1); err != nil {
			t.Fatal(err)
		}
	}
	net, err := builder.Build()
	if err != nil {
		t.Fatal(err)
	}
	page := b.Open(t, writePage(t, &view.Net{Title: "many", Net: net}))
	page.Evaluate(`document.getElementById("places").focus()`, nil)
	for i := range places {
		page.Press("Tab")
		// Scrolling is told to the page with the next frame.
		page.Evaluate(`new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))`, nil)
		var focused string
		page.Evaluate(`document.activeElement.textContent`, &focused)
		if want := fmt.Sprintf("p%02d", i); focused != want {
			t.Fatalf("Tab leads to %.40q, expected %q", focused, want)
		}
	}
}

// TestVerdictWords: whether there is a deadlock, or a marking can be reached, is no property
// that holds or is violated.
func TestVerdictWords(t *testing.T) {
	b := browser.Start(t)
	run := []view.Run{{From: -1, Prefix: []view.Step{{Transition: 0, Times: 1}}}}
	page := b.Open(t, writePage(t, choice(t),
		&view.Answer{Name: "a", Kind: "deadlock", Verdict: "violated"}, &view.Answer{Name: "b", Kind: "reachable", Verdict: "holds", Runs: run},
		&view.Answer{Name: "c", Kind: "reachable", Verdict: "violated"}, &view.Answer{Name: "d", Kind: "invariant", Verdict: "violated", Runs: run},
		&view.Answer{Name: "e", Kind: "deadlock", Verdict: "unknown"}, &view.Answer{Name: "f", Kind: "bound", Verdict: "value", Value: "7"}))
	page.Press("p")
	for _, want := range []string{"✗ there is none", "✓ can be reached", "✗ cannot be reached", "✗ violated", "? not known", "= 7"} {
		var said string
		page.Evaluate(`document.getElementById("verdict").textContent`, &said)
		if said != want {
			t.Errorf("the verdict is told as %q, expected %q", said, want)
		}
		page.Press("n")
	}
}

// TestAnswersByHand: a page that begins with the net tells what was answered, and a button plays
// the run.
func TestAnswersByHand(t *testing.T) {
	b := browser.Start(t)
	net := choice(t)
	net.ByHand = true
	page := b.Open(t, writePage(t, net, &view.Answer{Name: "left", Kind: "reachable", Verdict: "holds", Runs: []view.Run{{From: -1, Prefix: []view.Step{{Transition: 0, Times: 1}}}}},
		&view.Answer{Name: "deadlock", Kind: "deadlock", Verdict: "violated"}))
	var said, where string
	page.Evaluate(`document.getElementById("question").textContent`, &said)
	if want := "left: ✓ can be reached ▶ play the run deadlock: ✗ there is none "; said != want {
		t.Errorf("the page says %q, expected %q", said, want)
	}
	page.Click("#question button")
	page.Evaluate(`document.querySelector("#now .where").textContent`, &where)
	if where != "Step 0 of 1" {
		t.Errorf("the button leads to %q", where)
	}
}

// TestNothingCoversTheNet: neither the tools nor the legend lie on the drawing, in narrow windows
// either, where they need more lines; "deadlock" stands within the drawing of the run.
func TestNothingCoversTheNet(t *testing.T) {
	b := browser.Start(t)
	answer := &view.Answer{Name: "left", Kind: "reachable", Verdict: "holds", Atoms: goLeft().Atoms, Runs: []view.Run{{From: -1, Ends: true}}}
	for range 40 {
		answer.Runs[0].Prefix = append(answer.Runs[0].Prefix, view.Step{Transition: 0, Times: 1}, view.Step{Transition: 1, Times: 1})
	}
	page := b.Open(t, writePage(t, choice(t), answer))
	for _, width := range []int{400, 700, 1280} {
		page.Resize(width, 800)
		page.Evaluate(`new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))`, nil)
		page.Press("f")
		var covered []string
		page.Evaluate(`(() => { const list = [], rect = (e) => e.getBoundingClientRect();
			const covers = [...document.querySelectorAll("#tools > *, #legend .sample")].map(rect).filter((r) => r.width);
			for (const g of document.querySelectorAll("#net g.place, #net g.transition")) {
				const r = rect(g.querySelector(".body")), l = rect(g.querySelector(".label"));
				for (const c of covers) for (const x of [r, l]) if (x.left < c.right && c.left < x.right && x.top < c.bottom && c.top < x.bottom) list.push(g.dataset.node);
			}
			const lasso = rect(document.getElementById("lasso"));
			for (const e of document.querySelectorAll("#lasso text")) if (rect(e).right > lasso.right) list.push(e.textContent);
			return list; })()`, &covered)
		if len(covered) > 0 {
			t.Errorf("%d pixels wide: covered %q", width, covered)
		}
	}
}

// TestAutomatonIsLegible: the labels of a wide automaton keep a size that can be read, its
// present state is in sight, and a small one is not blown up.
func TestAutomatonIsLegible(t *testing.T) {
	b := browser.Start(t)
	for _, states := range []int{1, 9} {
		builder := automata.NewBuilder([]string{"a"}, automata.GeneralizedBuchi(0))
		builder.AddStates(states)
		builder.AddInitial(0)
		for s := range states {
			builder.AddEdge(automata.State(s), automata.Label{automata.NewCube(1).With(0, true)}, automata.NewMarks(0), automata.State(min(s+1, states-1)))
		}
		a, err := builder.Build()
		if err != nil {
			t.Fatal(err)
		}
		answer := goLeft()
		answer.Atoms[0].Text = "no token is on the right"
		answer.Automaton, answer.Propositions = a, []int{0}
		answer.Runs[0].Prefix = nil
		for range 10 {
			answer.Runs[0].Prefix = append(answer.Runs[0].Prefix, answer.Runs[0].Cycle...)
		}
		page := b.Open(t, writePage(t, choice(t), answer))
		for range states + 1 {
			var scale float64
			var inSight bool
			page.Evaluate(`document.querySelector("#automaton .state circle").getBoundingClientRect().width / 32`, &scale)
			page.Evaluate(`(() => { const s = document.querySelector("#automaton .state.now").getBoundingClientRect(), b = document.getElementById("automaton-box").getBoundingClientRect(); return s.left >= b.left - 1 && s.right <= b.right + 1; })()`, &inSight)
			if scale < 0.7 || scale > 1.5 || !inSight {
				t.Fatalf("%d states: a state is drawn at a scale of %.2f, the present one in sight: %v", states, scale, inSight)
			}
			page.Press("ArrowRight")
		}
	}
}

// TestPartsFillTheWindow: a net of many parts that are not connected is drawn in rows, not in one
// column that nobody can read.
func TestPartsFillTheWindow(t *testing.T) {
	b := browser.Start(t)
	builder := &petri.Builder{ID: "parts"}
	for i := range 30 {
		from, _ := builder.AddPlace(fmt.Sprint("p", i), "", 1)
		by, _ := builder.AddTransition(fmt.Sprint("t", i), "")
		to, _ := builder.AddPlace(fmt.Sprint("q", i), "", 0)
		builder.AddInput(from, by, 1)
		builder.AddOutput(by, to, 1)
	}
	net, err := builder.Build()
	if err != nil {
		t.Fatal(err)
	}
	page := b.Open(t, writePage(t, &view.Net{Title: "parts", Net: net}))
	page.Resize(1280, 800)
	page.Press("f")
	var scale float64
	var overlaps []string
	page.Evaluate(`document.querySelector("#net g.place .body").getBoundingClientRect().width / 40`, &scale)
	page.Evaluate(`(() => { const list = [...document.querySelectorAll("#net .body")].map((e) => [e.parentElement.dataset.node, e.getBoundingClientRect()]), hits = [];
		list.forEach(([n, a], i) => list.slice(i + 1).forEach(([m, b]) => { if (a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom) hits.push(n + " " + m); }));
		return hits; })()`, &overlaps)
	if scale < 0.7 || len(overlaps) > 0 {
		t.Errorf("nodes are drawn at a scale of %.2f, expected 0.7; %q lie on each other", scale, overlaps)
	}
}

// TestInscriptionsAreLegible: what arcs are inscribed with lies on no node, on no name and on no
// other inscription, though all arcs go to one place and back.
func TestInscriptionsAreLegible(t *testing.T) {
	b := browser.Start(t)
	builder := &petri.Builder{ID: "star"}
	middle, _ := builder.AddPlace("the place in the middle", "", 1)
	for i := range 5 {
		by, _ := builder.AddTransition(fmt.Sprint("by", i), "")
		builder.AddInput(middle, by, int64(1000+i))
		builder.AddOutput(by, middle, int64(2000+i))
	}
	net, err := builder.Build()
	if err != nil {
		t.Fatal(err)
	}
	page := b.Open(t, writePage(t, &view.Net{Title: "star", Net: net}))
	var hits []string
	page.Evaluate(`(() => { const list = [...document.querySelectorAll("#net .weight, #net .body, #net .label")].map((e) => [e, e.getBoundingClientRect()]), hits = [];
		const depth = (a, b) => Math.min(Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));
		list.forEach(([e, a], i) => list.slice(i + 1).forEach(([f, b]) => { if ((e.matches(".weight") || f.matches(".weight")) && depth(a, b) > 3) hits.push((e.textContent || "node") + " " + (f.textContent || "node")); }));
		return list.length < 20 ? ["too few"] : hits; })()`, &hits)
	if len(hits) > 0 {
		t.Errorf("on each other lie %q", hits)
	}
}

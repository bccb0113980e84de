package view_test

import (
	"strings"
	"testing"

	"pnmc/internal/browser"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/symmetric"
	"pnmc/pnml"
	"pnmc/view"
)

// TestPartialUnfolding: a coloured net that is not unfolded is played with the bindings of
// the run; what the page can't know it calls unknown.
func TestPartialUnfolding(t *testing.T) {
	b := browser.Start(t)
	document, err := pnml.Reader{}.ReadDocumentFile("../cmd/pnmc/testdata/token.pnml")
	if err != nil {
		t.Fatal(err)
	}
	firings := []symmetric.Firing{{Transition: 0, Binding: []int64{2}}, {Transition: 0, Binding: []int64{0}}, {Transition: 1, Binding: []int64{2}}}
	unfolding, err := document.Symmetric.UnfoldRun(t.Context(), firings, 0)
	if err != nil {
		t.Fatal(err)
	}
	run := view.Run{From: -1}
	for _, name := range []string{"start[x=c]", "start[x=a]", "stop[x=c]"} {
		for transition := range petri.Transition(unfolding.Net.Transitions()) {
			if unfolding.Net.TransitionLabel(transition).Name == name {
				run.Prefix = append(run.Prefix, view.Step{Transition: transition, Times: 1})
			}
		}
	}
	two := logic.Sum{Constant: -2, Terms: []logic.Term{{Place: 1, Coefficient: 1}}}
	answer := &view.Answer{
		Name: "two work", Kind: "reachable", Verdict: "holds", Runs: []view.Run{run},
		Atoms: []view.Atom{
			{Text: "work = 2", Predicate: &logic.Predicate{Operator: logic.Equal, Sum: two}},
			{Text: "deadlock", Predicate: &logic.Predicate{Operator: logic.Deadlocked}},
		},
		Formula: &view.Formula{Operator: "EF", Operands: []*view.Formula{{Operator: "&", Operands: []*view.Formula{{Atom: 0}, {Atom: 1}}}}},
	}
	page := b.Open(t, writePage(t, &view.Net{Title: "token", Net: unfolding.Net, Unfolding: unfolding, Partial: true}, answer))
	for i, want := range []string{
		"sleep: 3 a b c; work: 0 | deadlock ?, work = 2 ✗", "sleep: 2 a b; work: 1 c | deadlock ?, work = 2 ✗",
		"sleep: 1 b; work: 2 a c | deadlock ?, work = 2 ✓", "sleep: 2 b c; work: 1 a | deadlock ?, work = 2 ✗",
	} {
		var shown, enabled string
		page.Evaluate(`[...document.querySelectorAll("#net g.place")].map(g => { const t = g.querySelector("title").textContent.split("\n");
			return t[0] + ": " + g.dataset.tokens + (t[2] ? " " + t[2].replace(/ +/g, " ").split(" ").sort().join(" ") : ""); }).sort().join("; ") + " | " +
			[...document.querySelectorAll("#formula .line")].filter(l => /^(deadlock|work = 2)$/.test(l.querySelector("code").textContent))
				.map(l => l.querySelector("code").textContent + " " + l.querySelector(".truth").textContent[0]).sort().join(", ")`, &shown)
		if shown != want {
			t.Errorf("after %d steps the page shows %q, expected %q", i, shown, want)
		}
		page.Evaluate(`document.getElementById("enabled").textContent + [...document.querySelectorAll("#net g.transition:not(.enabled) title")].map(e => e.textContent).join()`, &enabled)
		if !strings.Contains(enabled, "Only bindings that the run fires are known") || i == 0 && !strings.Contains(enabled, "whether it is enabled is not known") {
			t.Errorf("after %d steps the page says %q", i, enabled)
		}
		page.Press("ArrowRight")
	}
	for _, message := range page.Console() {
		t.Errorf("on the console: %s", message)
	}
}

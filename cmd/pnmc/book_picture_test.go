package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pnmc/internal/browser"
)

// TestBookRun: the page of the tutorial's run shows what the tutorial says of it. With -update
// its picture in the tutorial is taken anew.
func TestBookRun(t *testing.T) {
	b := browser.Start(t)
	path, _ := makePage(t, "--pnml", filepath.Join(book, "tutorial", "locks.pnml"), "--ltl", `G F "A_works + B_works >= 1"`)
	page := b.Open(t, path)
	page.Resize(1280, 760)
	page.Press("f", "ArrowRight", "ArrowRight")
	var shown struct {
		Enabled, Automaton string
		Fails              []string
	}
	page.Evaluate(`({Enabled: document.getElementById("enabled").textContent, Automaton: document.getElementById("automaton-now").textContent,
		Fails: [...document.querySelectorAll("#formula .fails code")].map(e => e.textContent)})`, &shown)
	if !strings.Contains(shown.Enabled, "Nothing is enabled: a deadlock.") || len(shown.Fails) == 0 || !strings.HasPrefix(shown.Automaton, "State ") {
		t.Errorf("the page shows %+v", shown)
	}
	if *update {
		if err := os.WriteFile(filepath.Join(book, "pictures", "run.png"), page.Picture(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	silent(t, page)
}

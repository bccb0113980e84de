package view_test

import (
	"fmt"
	"strings"

	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/view"
)

// A page that shows how three philosophers get into a deadlock.
func ExamplePage() {
	net := petritest.Philosophers(3)
	run := view.Run{From: -1, Ends: true}
	for t := range petri.Transition(net.Transitions()) {
		if strings.HasPrefix(net.TransitionLabel(t).ID, "takeLeft") {
			run.Prefix = append(run.Prefix, view.Step{Transition: t, Times: 1})
		}
	}
	var text strings.Builder
	page := view.NewPage(&text, &view.Net{Title: "dinner", Net: net})
	if err := page.Add(&view.Answer{Name: "no deadlock", Kind: "deadlock", Verdict: "violated", Runs: []view.Run{run}}); err != nil {
		fmt.Println(err)
		return
	}
	if err := page.Close(); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(strings.HasPrefix(text.String(), "<!DOCTYPE html>"), strings.Contains(text.String(), "no deadlock"))
	// Output: true true
}

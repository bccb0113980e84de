package petri_test

import (
	"errors"
	"fmt"
	"testing"

	"pnmc/internal/account"
	"pnmc/petri"
)

// TestWideResets: a transition that resets as many places as it gives to, a hundred thousand, is
// compiled, fired and asked in time that hardly grows by more than its arcs. It grew by their square.
func TestWideResets(t *testing.T) {
	const places = 100_000
	b := &petri.Builder{}
	for i := range places {
		if _, err := b.AddPlace(fmt.Sprint("p", i), "", 1); err != nil {
			t.Fatal(err)
		}
	}
	u, err := b.AddTransition("t", "")
	for p := range petri.Place(places) {
		if p%2 == 0 {
			err = errors.Join(err, b.AddReset(p, u))
		}
		err = errors.Join(err, b.AddOutput(u, p, 2))
	}
	if err != nil {
		t.Fatal(err)
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	layout, _ := net.InitialLayout(new(account.Account), petri.Facts{})
	if _, err := layout.Game(new(account.Account)); err != nil {
		t.Fatal(err)
	}
	m := net.Initial()
	if !net.Fire(m, u) {
		t.Fatal("not fired")
	}
	for p := range petri.Place(places) {
		if net.Empties(u, p) != (p%2 == 0) || m[p] != 3-int64(1-p%2) {
			t.Fatalf("place %d has %d tokens, emptied: %t", p, m[p], net.Empties(u, p))
		}
	}
}

package petri

import (
	"fmt"
	"runtime"
	"testing"

	"pnmc/internal/account"
)

// TestCompilingTakesLittle: the token game of a net with many arcs is compiled in memory that
// is not much more than the net's: each rule's tests used to be made several times, and grown.
func TestCompilingTakesLittle(t *testing.T) {
	const nodes = 400
	b := &Builder{}
	for p := range nodes {
		if _, err := b.AddPlace(fmt.Sprint("p", p), "", 1); err != nil {
			t.Fatal(err)
		}
	}
	for u := range Transition(nodes) {
		if _, err := b.AddTransition(fmt.Sprint("t", u), ""); err != nil {
			t.Fatal(err)
		}
		for p := range Place(nodes) {
			arc := b.AddInput(p, u, 1)
			if (int(p)+int(u))%2 == 0 {
				arc = b.AddOutput(u, p, 1)
			}
			if arc != nil {
				t.Fatal(arc)
			}
		}
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	layout := newLayout(new(account.Account), net, Facts{})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f, err := compileFiring(new(account.Account), layout)
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	const most = 120 // bytes an arc; it was 260
	if bytes := after.TotalAlloc - before.TotalAlloc; bytes > most*uint64(net.Arcs()) {
		t.Errorf("%d rules of a net with %d arcs took %d bytes, expected at most %d an arc", len(f.rules), net.Arcs(), bytes, most)
	}
}

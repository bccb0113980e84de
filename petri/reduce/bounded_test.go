package reduce

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pnmc/internal/account"
	"pnmc/petri"
)

// watched is a context that notes the most work of a draft between two looks at it.
type watched struct {
	context.Context
	draft *draft
	most  int
	looks int
}

func (w *watched) Err() error {
	if w.draft != nil {
		w.most = max(w.most, w.draft.work)
		w.looks++
	}
	return nil
}

// TestRulesLookOften: whatever the net is like, there is not much more work between two looks than
// workPerLook and what goes through the net once. Each of these nets has one place or transition at
// which a rule goes through the arcs of many others for each of its own.
func TestRulesLookOften(t *testing.T) {
	for name, test := range map[string]struct {
		net    *petri.Net
		wanted Preserves
	}{
		"a thousand producers before a consumer of many arcs": {parseNet(t, fanned(1000, 1500)), Deadlock},
		"inhibited by a place that many give to":              {parseNet(t, inhibited(1500, 1500)), Deadlock},
		"idle beside many that need one place more":           {parseNet(t, rivals(250, 60)), Deadlock},
		"producers that look at places where tokens last":     {parseNet(t, lasting(250, 60)), Reachability},
	} {
		t.Run(name, func(t *testing.T) {
			w := &watched{Context: t.Context()}
			w.draft = newDraft(w, test.net, nil)
			w.draft.reduce(test.wanted)
			w.Err()
			arcs := 0
			for u := range petri.Transition(test.net.Transitions()) {
				arcs += len(test.net.Pre(u)) + len(test.net.Post(u))
			}
			if most := 4 * (workPerLook + arcs); w.most > most {
				t.Errorf("%d of work between two looks, at most %d were expected for %d arcs", w.most, most, arcs)
			}
			if made := len(w.draft.transitions); made > 2*test.net.Transitions() {
				t.Errorf("%d transitions of %d", made, test.net.Transitions())
			}
		})
	}
}

// TestAgglomerationBoundsArcs: a place goes whose agglomeration makes few arcs, and stays where it
// would make a million.
func TestAgglomerationBoundsArcs(t *testing.T) {
	for _, test := range []struct {
		producers, arcs int
		goes            bool
	}{{3, 200, true}, {1000, 1500, false}} {
		d := newDraft(t.Context(), parseNet(t, fanned(test.producers, test.arcs)), nil)
		for i, r := range rules {
			if r.name == "agglomeration after" {
				r.apply(d, i)
			}
		}
		if d.placeGone[0] != test.goes {
			t.Errorf("%d producers, %d arcs: agglomerated: %t", test.producers, test.arcs, d.placeGone[0])
		}
	}
}

// TestCyclesLookOften: one cycle of all places is fused with looks in between, and not at all if
// the context ends before the net changes.
func TestCyclesLookOften(t *testing.T) {
	const places = 40_000
	net := parseNet(t, meshed(places))
	rule := slices.IndexFunc(rules, func(r rule) bool { return r.name == "cycles of places" })
	w := &watched{Context: t.Context()}
	d := newDraft(w, net, nil)
	w.draft = d
	if n := rules[rule].apply(d, rule); n != 1 {
		t.Fatalf("%d cycles were fused", n)
	}
	w.Err()
	if w.most > 2*workPerLook || w.looks < 10*2*places/workPerLook {
		t.Errorf("%d looks, and at most %d of work between two", w.looks, w.most)
	}

	ctx := account.EndsAfter(1 << 30)
	d = newDraft(ctx, net, nil)
	all := d.cyclesOfMoves()
	for looks := range 12 {
		d.ctx, d.ended, d.work = account.EndsAfter(looks), false, 0
		if d.fuse(all[0]) || !d.ended || len(d.transitions) != net.Transitions() || slices.Contains(d.placeGone, true) {
			t.Fatalf("the context ended at look %d, and the cycle is fused", looks)
		}
	}
}

// meshed returns a net of one cycle with a way back from each place to another one.
func meshed(places int) string {
	return lines(places, func(i int) string { return fmt.Sprintf("p%d=%d ", i, i%2) }) +
		lines(places, func(i int) string {
			return fmt.Sprintf("; t%d: p%d -> p%d; u%d: p%d -> p%d", i, i, (i+1)%places, i, i, (i+places-7)%places)
		})
}

// lines joins what line tells of the numbers below n.
func lines(n int, line func(i int) string) string {
	var text strings.Builder
	for i := range n {
		text.WriteString(line(i))
	}
	return text.String()
}

// fanned returns a net in which one of many transitions gives to a place, and one with many arcs takes.
func fanned(producers, arcs int) string {
	many := lines(arcs, func(i int) string { return fmt.Sprintf(" %d*q%d", i+1, i) })
	return "p=0 r=0" + lines(producers, func(i int) string { return fmt.Sprintf(" a%d=1", i) }) +
		lines(arcs, func(i int) string { return fmt.Sprintf(" q%d=0", i) }) +
		lines(producers, func(i int) string { return fmt.Sprintf("; h%d: a%d -> p; b%d: r -> a%d", i, i, i, i) }) +
		"; f: p ->" + many + "; j:" + many + " -> r"
}

// inhibited returns a net in which many transitions are inhibited by a place that many give to, and one
// takes from.
func inhibited(producers, transitions int) string {
	return "h=1 s=1 d=0 x=1" +
		lines(producers, func(i int) string { return fmt.Sprintf("; g%d: x -> x %d*h", i, i+1) }) +
		"; z: h s -> s d" +
		lines(transitions, func(i int) string { return fmt.Sprintf("; u%d: !h d -> %d*x", i, i+1) })
}

// rivals returns a net with a transition that changes nothing, and others that need as much and one place
// more.
func rivals(places, others int) string {
	idle := lines(places, func(i int) string { return fmt.Sprintf(" 1000*p%d", i) })
	return lines(places, func(i int) string { return fmt.Sprintf("p%d=2000 ", i) }) + "z=5 y=0" +
		"; u:" + idle + " ->" + idle +
		lines(others, func(j int) string {
			return fmt.Sprintf("; r%d:", j) + lines(places, func(i int) string { return fmt.Sprintf(" %d*p%d", 1+(i*(j+3)+j*j)%17, i) }) + " z -> y"
		}) + "; k: y -> 2*z; l: y -> 3*z"
}

// lasting returns a net in which many transitions give to a place, and need many places that nothing takes
// from.
func lasting(producers, places int) string {
	all := lines(places, func(i int) string { return fmt.Sprintf(" q%d", i) })
	return "p=0 s=1 o=0" + lines(producers, func(i int) string { return fmt.Sprintf(" a%d=1", i) }) +
		lines(places, func(i int) string { return fmt.Sprintf(" q%d=0", i) }) +
		lines(producers, func(i int) string { return fmt.Sprintf("; h%d: a%d%s -> p%s; b%d: o -> a%d", i, i, all, all, i, i) }) +
		"; f: p s -> o; k: o -> s; m: o -> s" +
		lines(places, func(i int) string { return fmt.Sprintf(" %d*q%d", 1+i*i%13, i) })
}

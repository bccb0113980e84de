package reduce

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/petritest"
	"pnmc/petri"
)

// reached is a marking with a shortest run to it.
type reached struct {
	marking petri.Marking
	run     []petri.Transition
}

// nearest returns the markings of at most so many steps from m, in the order of their distance;
// all tells whether they are all of at most so many steps, and not more than limit.
func nearest(net *petri.Net, m petri.Marking, steps, limit int) (list []reached, all bool) {
	seen := map[string]bool{petritest.Key(m): true}
	next := make(petri.Marking, net.Places())
	list = []reached{{slices.Clone(m), nil}}
	for i := 0; i < len(list) && len(list[i].run) < steps; i++ {
		for t := range petri.Transition(net.Transitions()) {
			copy(next, list[i].marking)
			if !net.Fire(next, t) {
				continue
			}
			key := petritest.Key(next)
			if seen[key] {
				continue
			}
			if len(list) == limit {
				return list, false
			}
			seen[key] = true
			list = append(list, reached{slices.Clone(next), append(slices.Clone(list[i].run), t)})
		}
	}
	return list, true
}

// on returns the tokens of places.
func on(m petri.Marking, places []petri.Place) string {
	var tokens []int64
	for _, p := range places {
		tokens = append(tokens, m[p])
	}
	return fmt.Sprint(tokens)
}

// TestRulesAloneWithoutBounds: rules keep what they claim about reachability and deadlocks
// where there is no end of markings, too, as far as those near the initial one tell.
func TestRulesAloneWithoutBounds(t *testing.T) {
	wanted := 1000
	if testing.Short() {
		wanted = 100
	}
	for rule := range rules {
		if rules[rule].preserves&(Reachability|Deadlock) == 0 {
			continue
		}
		t.Run(rules[rule].name, func(t *testing.T) {
			draws, applied := 0, 0
			for applied < wanted && draws < 40*wanted && !t.Failed() {
				rapid.Check(t, func(t *rapid.T) {
					draws++
					if holdsWithoutBounds(t, drawPlot(t, withPump(plants[rules[rule].name])).build(t), rule) {
						applied++
					}
				})
			}
			t.Logf("applied in %d of %d draws", applied, draws)
			if applied < draws/100 && rules[rule].name != "sources" { // which give nothing here, mostly
				t.Errorf("applied in %d of %d draws only", applied, draws)
			}
		})
	}
}

// withPump plants a transition, too, that takes less than it gives.
func withPump(plant func(*rapid.T, *plot)) func(*rapid.T, *plot) {
	return func(t *rapid.T, n *plot) {
		plant(t, n)
		u, p := n.transition(), n.oldPlace(t)
		n.pre[u][p], n.post[u][p] = 1, 1
		n.post[u][n.anyPlace(t)]++
	}
}

// holdsWithoutBounds reports whether a rule applies to a net of more than some markings, and
// checks what it claims then.
func holdsWithoutBounds(t *rapid.T, net *petri.Net, rule int) bool {
	protected := drawProtected(t, net)
	r, n := alone(t, net, protected, rule)
	if n == 0 {
		return false
	}
	original, all := nearest(net, net.Initial(), 1<<30, 60)
	if all {
		return false
	}
	var old, kept []petri.Place
	for p, is := range protected {
		if is {
			old, kept = append(old, petri.Place(p)), append(kept, petri.Place(r.PlaceOf[p]))
		}
	}
	steps := len(original[len(original)-1].run)
	if rules[rule].name == "composed transitions" { // each makes two firings of one
		steps <<= min(n, 10)
	}
	checkForth(t, net, r, original, steps, old, kept, rules[rule].preserves)
	checkBack(t, net, r, old, kept, rules[rule].preserves)
	return true
}

// checkForth looks in the reduced net for what is near in the original one.
func checkForth(t *rapid.T, net *petri.Net, r *Reduction, original []reached, steps int, old, kept []petri.Place, preserves Preserves) {
	reduced, all := nearest(r.Net, r.Net.Initial(), steps, 1500)
	near, dead := map[string]bool{}, false
	for _, m := range reduced {
		near[on(m.marking, kept)] = true
		dead = dead || r.Net.Deadlock(m.marking)
	}
	for _, m := range original {
		if preserves&Reachability != 0 && all && !near[on(m.marking, old)] {
			t.Fatalf("marking %s of places %v is lost", on(m.marking, old), old)
		}
		if preserves&Deadlock != 0 && all && !dead && net.Deadlock(m.marking) {
			t.Fatalf("the deadlock %v is lost", m.marking)
		}
	}
}

// checkBack replays what is near in the reduced net in the original one, and looks for a
// deadlock there where there is one.
func checkBack(t *rapid.T, net *petri.Net, r *Reduction, old, kept []petri.Place, preserves Preserves) {
	reduced, _ := nearest(r.Net, r.Net.Initial(), 1<<30, 60)
	for _, m := range reduced {
		replayed := net.Initial()
		for _, u := range r.Run(m.run, 1_000_000) {
			if !net.Fire(replayed, u) {
				t.Fatalf("run %v of the reduced net is %v, not fireable", m.run, r.Run(m.run, 1_000_000))
			}
		}
		if got, want := on(replayed, old), on(m.marking, kept); got != want {
			t.Fatalf("run %v: places %v have %s tokens, in the reduced net %s", m.run, old, got, want)
		}
		if preserves&Deadlock != 0 && r.Net.Deadlock(m.marking) {
			near, all := nearest(net, replayed, 1<<30, 3000)
			if !slices.ContainsFunc(near, func(m reached) bool { return net.Deadlock(m.marking) }) && all {
				t.Fatalf("the deadlock after %v is new", m.run)
			}
		}
	}
}

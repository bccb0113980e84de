package reduce

import (
	"context"
	"math"
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestNothingIsForgotten: when nothing is due any more, no rule applies to a net in which
// all is due, and the lists of what is around places are those made anew.
func TestNothingIsForgotten(t *testing.T) {
	kinds := []Preserves{Reachability, Deadlock, Stuttering, BranchingStuttering, Branching, Firings, Reachability | Deadlock}
	rapid.Check(t, func(t *rapid.T) {
		net := randomNet(t, 40)
		protected := drawProtected(t, net)
		wanted := rapid.SampledFrom(kinds).Draw(t, "wanted")
		d := newDraft(context.Background(), net, protected)
		d.reduce(wanted)
		checkLinks(t, d)
		for p := range d.due.places {
			d.due.places[p] = everyRule
		}
		for u := range d.due.transitions {
			d.due.transitions[u] = everyRule
		}
		d.due.net = everyRule
		for i, r := range rules {
			if r.preserves&wanted == wanted {
				if n := r.apply(d, i); n > 0 {
					t.Fatalf("%q applies %d times to what should be reduced", r.name, n)
				}
			}
		}
	})
}

// checkLinks compares the links of each place with those that its transitions tell.
func checkLinks(t *rapid.T, d *draft) {
	links := make([][]link, len(d.links))
	for u := range d.transitions {
		if !d.transitions[u].removed {
			for _, e := range d.effects(int32(u)) {
				links[e.place] = append(links[e.place], link{int32(u), e.consumed, e.produced})
			}
		}
	}
	for p := range d.links {
		if d.placeGone[p] {
			continue
		}
		if got := d.liveLinks(int32(p)); !slices.Equal(got, links[p]) {
			t.Fatalf("links of place %d are %v, of its transitions %v", p, got, links[p])
		}
		producers, consumers := d.sides(int32(p))
		if int(d.producers[p]) != len(producers) || int(d.consumers[p]) != len(consumers) {
			t.Fatalf("place %d has %d producers and %d consumers, counted as %d and %d",
				p, len(producers), len(consumers), d.producers[p], d.consumers[p])
		}
	}
}

// TestWorkFollowsWhatChanges: a chain of places is agglomerated in work that grows as the
// chain does.
func TestWorkFollowsWhatChanges(t *testing.T) {
	work := func(places int) int {
		net := chain(t, places)
		d := newDraft(t.Context(), net, nil)
		d.perLook, d.work = math.MaxInt/2, 0
		r, err := d.finish(d.reduce(Deadlock))
		if err != nil || r.Net.Places() > 2 {
			t.Fatalf("%d places of %d are left, %v", r.Net.Places(), places, err)
		}
		return d.work
	}
	if short, long := work(1000), work(8000); long > 10*short {
		t.Errorf("%d of work for 1,000 places, %d for 8,000", short, long)
	}
}

// TestRulesHaveRoom: a rule that the set has no bit for would never be due.
func TestRulesHaveRoom(t *testing.T) {
	if room := bits.OnesCount64(uint64(everyRule)); len(rules) > room {
		t.Errorf("%d rules, and room for %d: make ruleSet wider", len(rules), room)
	}
}

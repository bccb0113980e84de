package reduce

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/petritest"
	"pnmc/petri"
)

// plot is a net while it is drawn: what is planted can name what is there.
type plot struct {
	tokens      []int64
	pre, post   []map[int]int64 // by transition: places with weights
	inhibitors  []map[int]int64
	resets      [][]int
	capacity    map[int]int64
	kinds       map[string]bool // of arcs that are special
	transitions int
	// places and others are how many places and transitions there were before planting.
	places, others int
}

func (n *plot) place(tokens int64) int {
	n.tokens = append(n.tokens, tokens)
	return len(n.tokens) - 1
}

func (n *plot) transition() int {
	n.pre, n.post = append(n.pre, map[int]int64{}), append(n.post, map[int]int64{})
	n.inhibitors, n.resets = append(n.inhibitors, map[int]int64{}), append(n.resets, nil)
	n.transitions++
	return n.transitions - 1
}

func (n *plot) anyPlace(t *rapid.T) int { return rapid.IntRange(0, len(n.tokens)-1).Draw(t, "place") }
func (n *plot) anyTransition(t *rapid.T) int {
	return rapid.IntRange(0, n.transitions-1).Draw(t, "transition")
}

// oldPlace and oldTransition are some that were there before planting.
func (n *plot) oldPlace(t *rapid.T) int { return rapid.IntRange(0, n.places-1).Draw(t, "place") }
func (n *plot) oldTransition(t *rapid.T) int {
	return rapid.IntRange(0, n.others-1).Draw(t, "transition")
}

func drawWeight(t *rapid.T) int64 { return rapid.SampledFrom([]int64{1, 1, 1, 2}).Draw(t, "weight") }

// drawPlot draws a small net, plants in it what a rule looks for, and adds arcs of other kinds
// to half of them.
func drawPlot(t *rapid.T, plant func(*rapid.T, *plot)) *plot {
	n := &plot{capacity: map[int]int64{}, kinds: map[string]bool{}}
	for range rapid.IntRange(1, 4).Draw(t, "places") {
		n.place(rapid.SampledFrom([]int64{0, 0, 1, 2}).Draw(t, "tokens"))
	}
	for range rapid.IntRange(1, 4).Draw(t, "transitions") {
		u := n.transition()
		for range rapid.IntRange(0, 2).Draw(t, "inputs") {
			n.pre[u][n.anyPlace(t)] += drawWeight(t)
		}
		for range rapid.IntRange(0, min(2, len(n.pre[u]))).Draw(t, "outputs") {
			n.post[u][n.anyPlace(t)] += drawWeight(t)
		}
	}
	n.places, n.others = len(n.tokens), n.transitions
	if rapid.IntRange(0, 3).Draw(t, "planted") > 0 {
		plant(t, n)
	}
	if rapid.Bool().Draw(t, "special") {
		for range rapid.IntRange(1, 3).Draw(t, "special arcs") {
			n.special(t)
		}
	}
	return n
}

// special adds an inhibitor, reset or read arc, or a capacity.
func (n *plot) special(t *rapid.T) {
	p, u := n.oldPlace(t), n.oldTransition(t)
	if rapid.IntRange(0, 3).Draw(t, "at what is planted") == 0 {
		p, u = n.anyPlace(t), n.anyTransition(t)
	}
	kind := rapid.SampledFrom([]string{"inhibitor", "inhibitor", "reset", "read", "capacity"}).Draw(t, "kind")
	n.kinds[kind] = true
	switch kind {
	case "inhibitor":
		n.inhibitors[u][p] = rapid.Int64Range(1, 3).Draw(t, "below")
	case "reset":
		if !slices.Contains(n.resets[u], p) {
			n.resets[u] = append(n.resets[u], p)
		}
	case "read":
		weight := drawWeight(t)
		n.pre[u][p] += weight
		n.post[u][p] += weight
	default:
		n.capacity[p] = n.tokens[p] + rapid.Int64Range(1, 3).Draw(t, "room")
	}
}

func (n *plot) build(t *rapid.T) *petri.Net {
	b := &petri.Builder{ID: "plot"}
	check := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	for p, tokens := range n.tokens {
		_, err := b.AddPlace(fmt.Sprintf("p%d", p), "", tokens)
		check(err)
	}
	for u := range n.transitions {
		id, err := b.AddTransition(fmt.Sprintf("t%d", u), "")
		check(err)
		for _, p := range slices.Sorted(maps.Keys(n.pre[u])) {
			check(b.AddInput(petri.Place(p), id, n.pre[u][p]))
		}
		for _, p := range slices.Sorted(maps.Keys(n.post[u])) {
			check(b.AddOutput(id, petri.Place(p), n.post[u][p]))
		}
		for _, p := range slices.Sorted(maps.Keys(n.inhibitors[u])) {
			check(b.AddInhibitor(petri.Place(p), id, n.inhibitors[u][p]))
		}
		for _, p := range n.resets[u] {
			check(b.AddReset(petri.Place(p), id))
		}
	}
	for _, p := range slices.Sorted(maps.Keys(n.capacity)) {
		check(b.SetCapacity(petri.Place(p), n.capacity[p]))
	}
	net, err := b.Build()
	check(err)
	return net
}

// claims compares, for each class of questions, the state graphs of a net and of what it is
// reduced to, from the definitions.
var claims = []struct {
	class Preserves
	name  string
	holds func(before, after labelled) bool
}{
	{Reachability, "reachability", func(before, after labelled) bool {
		return maps.Equal(labels(before), labels(after))
	}},
	{Deadlock, "deadlock", func(before, after labelled) bool { return before.stuck() == after.stuck() }},
	{Stuttering, "runs", stutterEqual},
	{BranchingStuttering, "stuttering bisimulation", stutteringBisimilar},
	{Branching, "bisimulation", func(before, after labelled) bool { return bisimilar(before, after, false) }},
	{Firings, "bisimulation with transitions", func(before, after labelled) bool { return bisimilar(before, after, true) }},
}

func labels(l labelled) map[string]bool {
	set := map[string]bool{}
	for _, label := range l.label {
		set[label] = true
	}
	return set
}

// stuck reports whether there is a deadlock.
func (l labelled) stuck() bool {
	return slices.ContainsFunc(l.graph.Edges, func(edges []petritest.Firing) bool { return len(edges) == 0 })
}

// alone applies one rule only, until it applies no more or a context ends, and returns how
// often it did.
func alone(t *rapid.T, net *petri.Net, protected []bool, rule int) (*Reduction, int) {
	left := rapid.OneOf(rapid.Just(1<<30), rapid.IntRange(0, 200)).Draw(t, "looks")
	d := newDraft(&looks{t.Context(), left}, net, protected)
	if rules[rule].preserves&Counting != 0 && net.Plain() {
		d.keepCounts()
	}
	d.perLook = 1
	applied := make([]int, len(rules))
	for n := -1; n != 0; applied[rule] += n {
		n = rules[rule].apply(d, rule)
	}
	r, err := d.finish(applied)
	if err != nil {
		t.Fatal(err)
	}
	return r, applied[rule]
}

// TestRulesAlone: each rule by itself keeps what it claims to, in nets with arcs of all kinds. It
// does apply in a good share of the draws, and beside each kind of arc.
func TestRulesAlone(t *testing.T) {
	wanted := 3000
	if testing.Short() {
		wanted = 300
	}
	for rule := range rules {
		t.Run(rules[rule].name, func(t *testing.T) {
			draws, applied, beside := 0, 0, map[string]int{} // of special arcs, by kind
			for applied < wanted && draws < 20*wanted && !t.Failed() {
				rapid.Check(t, func(t *rapid.T) {
					drawn := drawPlot(t, plants[rules[rule].name])
					draws++
					if !ruleHolds(t, drawn.build(t), rule) {
						return
					}
					applied++
					for kind := range drawn.kinds {
						beside[kind]++
					}
				})
			}
			t.Logf("applied in %d of %d draws, beside %v", applied, draws, beside)
			if applied < draws/10 {
				t.Errorf("applied in %d of %d draws only", applied, draws)
			}
			for _, kind := range []string{"inhibitor", "reset", "read", "capacity"} {
				if rules[rule].preserves == Counting && kind != "read" {
					continue // nets with such arcs stay as they are
				}
				if beside[kind] < applied/100 {
					t.Errorf("applied beside %d arcs of kind %q, in %d draws", beside[kind], kind, applied)
				}
			}
		})
	}
}

// ruleHolds reports whether a rule applies to a net that is not too large, and checks what it
// claims then.
func ruleHolds(t *rapid.T, net *petri.Net, rule int) bool {
	protected := drawProtected(t, net)
	r, n := alone(t, net, protected, rule)
	if n == 0 {
		return false
	}
	graph, complete := petritest.Explore(net, 100)
	if !complete {
		return false
	}
	var old, kept []petri.Place
	for p, is := range protected {
		if is {
			if r.PlaceOf[p] < 0 {
				t.Fatalf("protected place %d is gone", p)
			}
			old, kept = append(old, petri.Place(p)), append(kept, petri.Place(r.PlaceOf[p]))
		}
	}
	before, after := labelledBy(graph, old), seen(t, r.Net, kept)
	for _, c := range claims {
		if rules[rule].preserves&c.class != 0 && !c.holds(before, after) {
			t.Fatalf("%s is not kept", c.name)
		}
	}
	reduced, runs, _ := explore(r.Net, 5000)
	if r.Counts() != nil {
		edges := 0
		for _, from := range graph.Edges {
			edges += len(from)
		}
		states, firings := counted(t, r, reduced, net.Transitions())
		if states.Cmp(big.NewInt(int64(len(graph.Markings)))) != 0 || firings.Cmp(big.NewInt(int64(edges))) != 0 {
			t.Fatalf("%s markings and %s firings, expected %d and %d", states, firings, len(graph.Markings), edges)
		}
	}
	checkRuns(t, net, r, runs, reduced, protected)
	return true
}

// TestEachRuleHasPlants: the table of what is planted is that of rules.
func TestEachRuleHasPlants(t *testing.T) {
	rest := maps.Clone(plants)
	for _, r := range rules {
		if rest[r.name] == nil {
			t.Errorf("nothing is planted for %q", r.name)
		}
		delete(rest, r.name)
	}
	if len(rest) > 0 {
		t.Errorf("planted for no rule: %s", strings.Join(slices.Sorted(maps.Keys(rest)), ", "))
	}
}

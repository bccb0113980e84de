package reduce

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/petritest"
	"pnmc/petri"
)

// labelled is a state graph whose states carry what a property sees.
type labelled struct {
	graph *petritest.Graph
	label []string
}

// seen explores net; the label of a marking has the tokens of places.
func seen(t *rapid.T, net *petri.Net, places []petri.Place) labelled {
	g, complete := petritest.Explore(net, 5000)
	if !complete {
		t.Fatalf("the reduced net has more markings than the original")
	}
	return labelledBy(g, places)
}

// labelledBy labels each marking with the tokens of places.
func labelledBy(g *petritest.Graph, places []petri.Place) labelled {
	l := labelled{graph: g}
	for _, m := range g.Markings {
		var tokens []int64
		for _, p := range places {
			tokens = append(tokens, m[p])
		}
		l.label = append(l.label, fmt.Sprint(tokens))
	}
	return l
}

// pair returns a net and what it is reduced to, with the protected places of both.
func pair(t *rapid.T, wanted Preserves) (before, after labelled, r *Reduction) {
	net, _, protected := draw(t)
	r = apply(t, net, protected, wanted)
	var old, kept []petri.Place
	for p, is := range protected {
		if is {
			old, kept = append(old, petri.Place(p)), append(kept, petri.Place(r.PlaceOf[p]))
		}
	}
	return seen(t, net, old), seen(t, r.Net, kept), r
}

// bisimilar refines, by repeated sweeps, a partition of the states of both graphs
// until equivalent states have equivalent successors, by the same transition if
// that is looked at. A deadlock has no successor.
func bisimilar(a, b labelled, transitions bool) bool {
	return alike(a, b, func(class []string, i int) string {
		g, offset := a.graph, 0
		if i >= len(a.label) {
			g, offset = b.graph, len(a.label)
		}
		var edges []string
		for _, e := range g.Edges[i-offset] {
			edge := class[e.To+offset]
			if transitions {
				edge = fmt.Sprint(e.Transition, " ", edge)
			}
			edges = append(edges, edge)
		}
		slices.Sort(edges)
		return fmt.Sprintf("%q", slices.Compact(edges))
	})
}

// alike reports whether the first states of two graphs stay in one class of the partition by
// labels when it is refined, again and again, by what tells states of a class apart: a text
// that follows from the classes of all states, those of a first.
func alike(a, b labelled, apart func(class []string, i int) string) bool {
	class := append(slices.Clone(a.label), b.label...)
	for count := 0; ; {
		number := map[string]string{}
		next := make([]string, len(class))
		for i := range class {
			key := class[i] + " " + apart(class, i)
			if number[key] == "" {
				number[key] = fmt.Sprint("class ", len(number))
			}
			next[i] = number[key]
		}
		class = next
		if len(number) == count {
			return class[0] == class[len(a.label)]
		}
		count = len(number)
	}
}

func TestBranchingIsPreserved(t *testing.T) {
	petritest.CheckMany(t, 2000, func(t *rapid.T) {
		before, after, r := pair(t, Branching)
		if !bisimilar(before, after, false) {
			t.Fatalf("not bisimilar after %v", r.Applied)
		}
	})
	if !some(func(t *rapid.T) bool {
		before, after, _ := pair(t, Branching)
		return len(after.label) < len(before.label)
	}) {
		t.Error("no state graph got smaller")
	}
}

func TestFiringsArePreserved(t *testing.T) {
	petritest.CheckMany(t, 2000, func(t *rapid.T) {
		before, after, r := pair(t, Firings)
		if !bisimilar(before, after, true) {
			t.Fatalf("not bisimilar after %v", r.Applied)
		}
	})
}

// stutterEqual reports whether two graphs have the same infinite words of labels up
// to repetition, a deadlock repeating its label for ever. It follows both at once
// from set to set of states that runs can be in after the same changes of label.
// Since graphs are finite, words are the same if all that can come next is, and
// whether a run can stay for ever.
func stutterEqual(a, b labelled) bool {
	type sets struct{ a, b string }
	met := map[sets]bool{}
	type both struct{ a, b []int }
	queue := []both{{a.closed([]int{0}), b.closed([]int{0})}}
	if a.label[0] != b.label[0] {
		return false
	}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		key := sets{fmt.Sprint(s.a), fmt.Sprint(s.b)}
		if met[key] {
			continue
		}
		met[key] = true
		if a.stays(s.a) != b.stays(s.b) {
			return false
		}
		next, other := a.changes(s.a), b.changes(s.b)
		if len(next) != len(other) {
			return false
		}
		for label, states := range next {
			if other[label] == nil {
				return false
			}
			queue = append(queue, both{a.closed(states), b.closed(other[label])})
		}
	}
	return true
}

// closed adds what is reached without a change of label.
func (l labelled) closed(states []int) []int {
	states = slices.Clone(states)
	for i := 0; i < len(states); i++ {
		for _, e := range l.graph.Edges[states[i]] {
			if l.label[e.To] == l.label[states[i]] && !slices.Contains(states, e.To) {
				states = append(states, e.To)
			}
		}
	}
	slices.Sort(states)
	return slices.Compact(states)
}

// stays reports whether some run never leaves the label of states, which are closed:
// it does if leaving out, again and again, states without a successor among the
// rest leaves some. A deadlock stays.
func (l labelled) stays(states []int) bool {
	for {
		kept := slices.DeleteFunc(slices.Clone(states), func(i int) bool {
			edges := l.graph.Edges[i]
			return len(edges) > 0 && !slices.ContainsFunc(edges, func(e petritest.Firing) bool { return slices.Contains(states, e.To) })
		})
		if len(kept) == len(states) {
			return len(states) > 0
		}
		states = kept
	}
}

// changes returns the states that one firing leads to with another label, by label.
func (l labelled) changes(states []int) map[string][]int {
	next := map[string][]int{}
	for _, i := range states {
		for _, e := range l.graph.Edges[i] {
			if label := l.label[e.To]; label != l.label[i] && !slices.Contains(next[label], e.To) {
				next[label] = append(next[label], e.To)
			}
		}
	}
	return next
}

func TestStutteringIsPreserved(t *testing.T) {
	petritest.CheckMany(t, 2000, func(t *rapid.T) {
		before, after, r := pair(t, Stuttering)
		if !stutterEqual(before, after) {
			t.Fatalf("other words after %v", r.Applied)
		}
	})
	if !some(func(t *rapid.T) bool {
		before, after, _ := pair(t, Stuttering)
		return len(after.label) < len(before.label)
	}) {
		t.Error("no state graph got smaller")
	}
}

// some reports whether one of many examples, the same in each run, is as wanted.
func some(wanted func(*rapid.T) bool) bool {
	examples := rapid.Custom(wanted)
	for seed := range 5000 {
		if examples.Example(seed) {
			return true
		}
	}
	return false
}

// stutteringBisimilar refines a partition of the states of both graphs by what can be done
// next: to leave the class, after any number of steps within it, for another, and to stay in
// it for ever, in a cycle or a deadlock.
func stutteringBisimilar(a, b labelled) bool {
	successors := func(i int) []int {
		g, offset := a.graph, 0
		if i >= len(a.label) {
			g, offset = b.graph, len(a.label)
		}
		var next []int
		for _, e := range g.Edges[i-offset] {
			next = append(next, e.To+offset)
		}
		return next
	}
	return alike(a, b, func(class []string, i int) string {
		// What is reached within the class, and where that can be left for.
		inside, leaves := []int{i}, []string{}
		for k := 0; k < len(inside); k++ {
			for _, u := range successors(inside[k]) {
				if class[u] != class[i] {
					leaves = append(leaves, class[u])
				} else if !slices.Contains(inside, u) {
					inside = append(inside, u)
				}
			}
		}
		slices.Sort(leaves)
		// Where states without a successor among the rest are left out, again and
		// again, what is left can stay.
		stay := slices.Clone(inside)
		for n := -1; n != len(stay); {
			n = len(stay)
			stay = slices.DeleteFunc(stay, func(s int) bool {
				to := successors(s)
				return len(to) > 0 && !slices.ContainsFunc(to, func(u int) bool { return slices.Contains(stay, u) })
			})
		}
		return fmt.Sprintf("%q %t", slices.Compact(leaves), len(stay) > 0)
	})
}

func TestBranchingStutteringIsPreserved(t *testing.T) {
	petritest.CheckMany(t, 2000, func(t *rapid.T) {
		before, after, r := pair(t, BranchingStuttering)
		if !stutteringBisimilar(before, after) {
			t.Fatalf("not stuttering bisimilar after %v", r.Applied)
		}
	})
	if !some(func(t *rapid.T) bool {
		before, after, _ := pair(t, BranchingStuttering)
		return !bisimilar(before, after, false)
	}) {
		t.Error("no state graph got smaller than bisimulation allows")
	}
}

// TestComparisonsNoticeDifferences: rules that preserve less are caught by the
// comparisons of those that preserve more, so that the tests above can fail.
func TestComparisonsNoticeDifferences(t *testing.T) {
	if !some(func(t *rapid.T) bool {
		before, after, _ := pair(t, Reachability)
		return !stutterEqual(before, after)
	}) {
		t.Error("words: no difference")
	}
	if !some(func(t *rapid.T) bool {
		before, after, _ := pair(t, Stuttering)
		return !bisimilar(before, after, false)
	}) {
		t.Error("branching: no difference")
	}
}

// TestChoicesAreNoStuttering: which of two consumers fires is decided earlier in a net
// reduced for runs, which stuttering bisimulation tells, and the rule for branching leaves.
func TestChoicesAreNoStuttering(t *testing.T) {
	var b petri.Builder
	for _, p := range []struct {
		name   string
		tokens int64
	}{{"start", 1}, {"choice", 0}, {"left", 0}, {"right", 0}, {"end left", 0}, {"end right", 0}} {
		if _, err := b.AddPlace(p.name, "", p.tokens); err != nil {
			t.Fatal(err)
		}
	}
	for _, arc := range [][2]petri.Place{{0, 1}, {1, 2}, {1, 3}, {2, 4}, {3, 5}} {
		u, err := b.AddTransition(fmt.Sprint(arc), "")
		if err := errors.Join(err, b.AddInput(arc[0], u, 1), b.AddOutput(u, arc[1], 1)); err != nil {
			t.Fatal(err)
		}
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	looked := []petri.Place{0, 4, 5}
	protected := []bool{true, false, false, false, true, true}
	for _, wanted := range []Preserves{Stuttering, BranchingStuttering} {
		r, err := Apply(t.Context(), net, protected, wanted)
		if err != nil {
			t.Fatal(err)
		}
		var kept []petri.Place
		for _, p := range looked {
			kept = append(kept, petri.Place(r.PlaceOf[p]))
		}
		before, _ := petritest.Explore(net, 100)
		after, _ := petritest.Explore(r.Net, 100)
		same := stutteringBisimilar(labelledBy(before, looked), labelledBy(after, kept))
		if same != (wanted == BranchingStuttering) {
			t.Errorf("reduced to %d places for %d: stuttering bisimilar %t", r.Net.Places(), wanted, same)
		}
	}
}

package coloured

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/checker/internal/checkertest"
	"pnmc/internal/arithmetic"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/symmetric"
	"pnmc/petri/symmetric/colourless"
)

// meetings returns a net in which two of the four tokens in a, of two colours, go to b, and where one
// meets another of its colour both are gone: "meet" is enabled in more markings of the skeleton
// than coloured ones, among them deadlocks, and "go" in as many.
func meetings() *symmetric.Net {
	class := &symmetric.Class{Name: "C", Size: 2, Start: 1}
	variables := []symmetric.VariableDeclaration{{Name: "x", Class: class}}
	of := func(place int) []symmetric.Arc {
		x := symmetric.Monomial{Coefficient: 1, Terms: []symmetric.Term{{Kind: symmetric.Variable}}}
		return []symmetric.Arc{{Place: place, Expression: symmetric.Expression{x}}}
	}
	all := symmetric.Expression{{Coefficient: 2, Terms: []symmetric.Term{{Kind: symmetric.All}}}}
	return &symmetric.Net{
		Places: []symmetric.Place{
			{ID: "a", Domain: symmetric.Domain{class}, Initial: all},
			{ID: "b", Domain: symmetric.Domain{class}},
			{ID: "met", Domain: symmetric.Domain{class}},
			{ID: "left", Initial: symmetric.Expression{{Coefficient: 2}}},
		},
		Transitions: []symmetric.Transition{
			{ID: "go", Variables: variables, Pre: append(of(0), symmetric.Arc{Place: 3, Expression: symmetric.Expression{{Coefficient: 1}}}), Post: of(1)},
			{ID: "meet", Variables: variables, Pre: append(of(0), of(1)...), Post: of(2)},
		},
	}
}

// seen is a coloured marking, by the definitions: its counts, and what it enables.
type seen struct {
	counts  []int64
	enabled []bool
}

// markingsOf returns all markings of a net, by way of the unfolded one.
func markingsOf(t *testing.T, net *symmetric.Net) []seen {
	u, err := net.Unfold(context.Background(), symmetric.Options{})
	if err != nil {
		t.Fatal(err)
	}
	g, whole := petritest.Explore(u.Net, 1000)
	if !whole {
		t.Fatal("too many markings")
	}
	var all []seen
	for _, m := range g.Markings {
		s := seen{make([]int64, len(net.Places)), make([]bool, len(net.Transitions))}
		for p, cells := range u.Places {
			for _, cell := range cells {
				s.counts[p] += m[cell]
			}
		}
		for c, modes := range u.Transitions {
			for _, mode := range modes {
				s.enabled[c] = s.enabled[c] || u.Net.Enabled(m, mode)
			}
		}
		all = append(all, s)
	}
	return all
}

// TestApproximations compares what predicates say of coloured markings with what their
// approximations say of the skeleton's.
func TestApproximations(t *testing.T) {
	net := meetings()
	skeleton, err := colourless.Skeleton(net)
	if err != nil {
		t.Fatal(err)
	}
	markings, a := markingsOf(t, net), newApproximation(net)
	if len(a.exact) != 1 || len(a.transitions) != 2 {
		t.Fatalf("exact are %v of %v", a.exact, a.transitions)
	}
	strict, exact := 0, 0
	petritest.CheckMany(t, 3000, func(t *rapid.T) {
		p := checkertest.Goal(t, skeleton, 3)
		for _, negated := range []bool{false, true} {
			over, under := a.over(p, negated), a.under(p, negated)
			for _, m := range markings {
				really := p.Holds(m.counts, 2, func(t uint32) bool { return m.enabled[t] }) != negated
				inSkeleton := func(q *logic.Predicate) bool {
					return q.Holds(m.counts, 2, func(t uint32) bool { return skeleton.Enabled(m.counts, petri.Transition(t)) })
				}
				most, least := inSkeleton(over), inSkeleton(under)
				if really && !most || least && !really {
					t.Fatalf("%+v in %+v: %t, over %t, under %t", p, m, really, most, least)
				}
				if most != least {
					strict++
				} else {
					exact++
				}
			}
		}
	})
	if strict == 0 || exact == 0 {
		t.Errorf("%d approximations are strict, %d are not", strict, exact)
	}
}

// TestApproximationsAreBounded: equivalences in equivalences are approximated by no more than a
// bound, and by themselves if they look at places only. They took twice as much for each level.
func TestApproximationsAreBounded(t *testing.T) {
	a := newApproximation(meetings())
	nested := func(leaf *logic.Predicate, depth int) *logic.Predicate {
		p := leaf
		for i := range uint32(depth) {
			q := &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: -1, Terms: []logic.Term{{Place: i % 3, Coefficient: 1}}}}
			p = &logic.Predicate{Operator: logic.Equivalent, Operands: []*logic.Predicate{p, q}}
		}
		return p
	}
	var size func(p *logic.Predicate) int
	size = func(p *logic.Predicate) int {
		n := 1
		for _, q := range p.Operands {
			n += size(q)
		}
		return n
	}
	exact := nested(&logic.Predicate{Operator: logic.True}, 60)
	if over := a.over(exact, false); over != exact {
		t.Errorf("%d nodes stand for what looks at places only", size(over))
	}
	for _, leaf := range []*logic.Predicate{{Operator: logic.Fireable, Transitions: []uint32{1}}, {Operator: logic.Deadlocked}} {
		for _, negated := range []bool{false, true} {
			if n := size(a.over(nested(leaf, 60), negated)) + size(a.under(nested(leaf, 60), negated)); n > 16*mostTranslated {
				t.Errorf("%d nodes", n)
			}
		}
	}
}

// TestStoppable walks along coloured markings and sees that the skeleton with a stop does
// the same, and that it ends falsely only where it has stopped.
func TestStoppable(t *testing.T) {
	net := meetings()
	skeleton, err := colourless.Skeleton(net)
	if err != nil {
		t.Fatal(err)
	}
	a := newApproximation(net)
	stoppable, falseEnd, err := a.stoppable(skeleton)
	if err != nil {
		t.Fatal(err)
	}
	if stoppable.Places() != skeleton.Places()+1 || stoppable.Transitions() != skeleton.Transitions()+1 {
		t.Fatalf("%d places, %d transitions", stoppable.Places(), stoppable.Transitions())
	}
	stop := petri.Transition(skeleton.Transitions())
	holds := func(m petri.Marking, p *logic.Predicate) bool {
		return p.Holds(m, stoppable.Transitions(), func(t uint32) bool { return stoppable.Enabled(m, petri.Transition(t)) })
	}
	for _, s := range markingsOf(t, net) {
		running, stopped := append(petri.Marking(nil), s.counts...), append(petri.Marking(nil), s.counts...)
		running, stopped = append(running, 1), append(stopped, 0)
		ends := true
		for transition, enabled := range s.enabled {
			ends = ends && !enabled
			if enabled && !stoppable.Enabled(running, petri.Transition(transition)) {
				t.Errorf("%v: %d is not enabled", s.counts, transition)
			}
			if stoppable.Enabled(stopped, petri.Transition(transition)) {
				t.Errorf("%v: %d is enabled after the stop", s.counts, transition)
			}
		}
		if !stoppable.Enabled(running, stop) || stoppable.Enabled(stopped, stop) {
			t.Errorf("%v: the stop", s.counts)
		}
		if after := append(petri.Marking(nil), running...); !stoppable.Fire(after, stop) || !slices.Equal(after, stopped) {
			t.Errorf("%v: the stop leads to %v", s.counts, after)
		}
		if holds(running, falseEnd) || ends && holds(stopped, falseEnd) {
			t.Errorf("%v: a true end is called false", s.counts)
		}
		if s.enabled[0] && !holds(stopped, falseEnd) {
			t.Errorf("%v: a false end is called true", s.counts)
		}
	}
}

// TestStart compares what the first marking enables, and refuses a test that is wrong.
func TestStart(t *testing.T) {
	net := meetings()
	skeleton, err := colourless.Skeleton(net)
	if err != nil {
		t.Fatal(err)
	}
	right := (*symmetric.Walk).Enabled
	start, err := Start(context.Background(), net, skeleton, right)
	if err != nil {
		t.Fatal(err)
	}
	for transition, enabled := range markingsOf(t, net)[0].enabled {
		if start.Enabled(start.Initial(), petri.Transition(transition)) != enabled {
			t.Errorf("transition %d is enabled: %t", transition, !enabled)
		}
	}
	for name, wrong := range map[string]BindingTest{
		"the contrary": func(*symmetric.Walk, int) (enabled, certain bool) { return false, true },
		"not certain":  func(*symmetric.Walk, int) (enabled, certain bool) { return true, false },
	} {
		if _, err := Start(context.Background(), net, skeleton, wrong); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestSmallValue gives up what 64 bits don't hold.
func TestSmallValue(t *testing.T) {
	sum := &logic.Sum{Constant: 3, Terms: []logic.Term{{Place: 1, Coefficient: -2}}}
	if value, ok := smallValue(logic.Polynomial{Sum: *sum}, []int64{9, 5}); !ok || value != -7 {
		t.Errorf("%d, %t", value, ok)
	}
	if _, ok := smallValue(logic.Polynomial{Sum: logic.Sum{Terms: []logic.Term{{Coefficient: arithmetic.Small + 1}}}}, []int64{1}); ok {
		t.Error("a large coefficient is small")
	}
}

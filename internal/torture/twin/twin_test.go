package twin_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/petritest"
	"pnmc/internal/torture/draw"
	"pnmc/internal/torture/twin"
	"pnmc/petri"
	"pnmc/pnml"
)

// written returns a net of package petri as the twin reads it.
func written(t *rapid.T, net *petri.Net) *twin.Net {
	var text bytes.Buffer
	if err := pnml.Write(&text, net); err != nil {
		t.Fatal(err)
	}
	n, err := twin.ReadNet(text.Bytes())
	if err != nil {
		t.Fatalf("%v in\n%s", err, &text)
	}
	return n
}

func TestExploreAgainstDefinitions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := petritest.Net().Draw(t, "net")
		expected, whole := petritest.Explore(net, 300)
		g := written(t, net).Explore(300)
		if g.Whole != whole {
			t.Fatalf("whole: %v, expected %v", g.Whole, whole)
		}
		if !whole {
			return
		}
		if len(g.Markings) != len(expected.Markings) {
			t.Fatalf("%d markings, expected %d", len(g.Markings), len(expected.Markings))
		}
		for i, edges := range g.Edges {
			if len(edges) != len(expected.Edges[i]) {
				t.Fatalf("marking %d has %d edges, expected %d", i, len(edges), len(expected.Edges[i]))
			}
		}
	})
}

// TestCoverAgainstExplore: the bounds of a bounded net are those of its markings, and
// an unbounded one, which goes on for ever, has an omega.
func TestCoverAgainstExplore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := written(t, petritest.Net().Draw(t, "net"))
		nodes, ok := n.Cover(500)
		g := n.Explore(2000)
		if !ok {
			return
		}
		for p := range n.Initial {
			most, omega := int64(0), false
			for _, m := range nodes {
				most, omega = max(most, m[p]), omega || m[p] == twin.Omega
			}
			found := int64(0)
			for _, m := range g.Markings {
				found = max(found, m[p])
			}
			if g.Whole && (omega || most != found) || !omega && found > most {
				t.Fatalf("place %d: bound %d (omega: %v), and %d tokens were found", p, most, omega, found)
			}
		}
	})
}

// holds returns the truth of f at the first position of a lasso: by the definition, position
// by position, and round the cycle as often as there are positions.
func holds(f *twin.Formula, w twin.Word, at map[*twin.Atom]int, i int) bool {
	letters := append(append([]uint64(nil), w.Prefix...), w.Cycle...)
	next := func(i int) int {
		if i+1 == len(letters) {
			return len(w.Prefix)
		}
		return i + 1
	}
	sub := func(g *twin.Formula, i int) bool { return holds(g, w, at, i) }
	until := func(a, b func(int) bool, i int) bool {
		for range 2 * len(letters) {
			if b(i) {
				return true
			}
			if !a(i) {
				return false
			}
			i = next(i)
		}
		return false
	}
	left := func(i int) bool { return sub(f.Left, i) }
	right := func(i int) bool { return sub(f.Right, i) }
	not := func(a func(int) bool) func(int) bool { return func(i int) bool { return !a(i) } }
	always := func(int) bool { return true }
	switch f.Op {
	case twin.Atomic:
		return letters[i]>>at[f.Atom]&1 == 1
	case twin.Not:
		return !left(i)
	case twin.And:
		return left(i) && right(i)
	case twin.Or:
		return left(i) || right(i)
	case twin.Implies:
		return !left(i) || right(i)
	case twin.Equivalent:
		return left(i) == right(i)
	case twin.Next:
		return left(next(i))
	case twin.Finally:
		return until(always, left, i)
	case twin.Globally:
		return !until(always, not(left), i)
	case twin.Until:
		return until(left, right, i)
	case twin.WeakUntil:
		return until(left, right, i) || !until(always, not(left), i)
	case twin.Release:
		return !until(not(left), not(right), i)
	case twin.StrongRelease:
		return until(right, func(i int) bool { return left(i) && right(i) }, i)
	}
	panic("another operator")
}

func randomWord(s draw.Source, propositions int) twin.Word {
	w := twin.Word{}
	for range s.IntN(4) {
		w.Prefix = append(w.Prefix, s.Uint64N(1<<propositions))
	}
	for range s.Between(1, 4) {
		w.Cycle = append(w.Cycle, s.Uint64N(1<<propositions))
	}
	return w
}

func TestSomeAgainstDefinition(t *testing.T) {
	s := draw.New(1, 2)
	atoms := draw.Letters(3)
	at := map[*twin.Atom]int{}
	for i, a := range atoms {
		at[a] = i
	}
	outcomes := map[bool]int{}
	for range 2000 {
		f := draw.LTL(s, atoms, s.Between(1, 8))
		w := randomWord(s, len(atoms))
		found, known := w.System().Some(f, atoms)
		if !known {
			continue
		}
		expected := holds(f, w, at, 0)
		outcomes[expected]++
		if found != expected {
			t.Fatalf("%s on %v: %v, expected %v", f.LTL(), w, found, expected)
		}
	}
	if outcomes[true] < 100 || outcomes[false] < 100 {
		t.Errorf("outcomes %v", outcomes)
	}
}

// accepts reports whether a small automaton accepts a word.
func accepts(t *testing.T, w *twin.System, a *twin.Automaton) bool {
	t.Helper()
	accepted, known := w.Accepted(a)
	if !known {
		t.Fatal("a small automaton is too large")
	}
	return accepted
}

// TestTwinsGiveUp: what takes too much memory is not decided.
func TestTwinsGiveUp(t *testing.T) {
	edges := make([]twin.Transition, 2000)
	for i := range edges {
		edges[i].Label = &twin.Label{Op: twin.True}
	}
	wide := func(acceptance *twin.Acceptance, testing string) *twin.Automaton {
		return &twin.Automaton{Initial: []int{0}, Edges: [][]twin.Transition{edges}, Acceptance: acceptance, Testing: testing,
			Propositions: []string{"a", "b", "c", "d", "e", "f", "g", "h"}}
	}
	all := &twin.Acceptance{Op: twin.Always}
	long := all
	for i := range 40 {
		either := &twin.Acceptance{Op: twin.Either, Left: &twin.Acceptance{Op: twin.Inf, Set: i}, Right: &twin.Acceptance{Op: twin.Fin, Set: i}}
		long = &twin.Acceptance{Op: twin.Both, Left: long, Right: either}
	}
	word := twin.Word{Cycle: []uint64{0}}
	if _, known := wide(all, "").Meets(wide(all, "")); known {
		t.Error("a product of 4 million edges was built")
	}
	if _, known := word.System().Accepted(wide(all, "tgta")); known {
		t.Error("a testing automaton with 2000 edges and 256 letters was expanded")
	}
	if _, known := word.System().Accepted(wide(long, "")); known {
		t.Error("a disjunctive form of 2^40 was built")
	}
	n := &twin.Net{}
	for i := range 3000 {
		n.Initial = append(n.Initial, 1)
		arc := []twin.Arc{{Place: i, Weight: 1}}
		n.Inputs, n.Outputs = append(n.Inputs, arc), append(n.Outputs, nil)
	}
	if g := n.Explore(100); g.Whole || len(g.Markings) > 101 {
		t.Errorf("%d markings were found, whole: %v", len(g.Markings), g.Whole)
	}
}

// TestMeetsAgainstWords: automata that do not meet accept no word together.
func TestMeetsAgainstWords(t *testing.T) {
	s := draw.New(3, 4)
	atoms := draw.Letters(2)
	meet, refuted := 0, 0
	for range 300 {
		a, b := draw.NewAutomaton(s, atoms), draw.NewAutomaton(s, atoms)
		meets, known := a.Meets(b)
		if !known {
			t.Fatal("two small automata are too large")
		}
		if meets {
			meet++
		}
		for range 50 {
			w := randomWord(s, len(atoms)).System()
			if accepts(t, w, a) && accepts(t, w, b) {
				if !meets {
					t.Fatalf("a word is accepted by both\n%s%s", draw.HOA(a), draw.HOA(b))
				}
				refuted++
				break
			}
		}
	}
	if meet < 50 || refuted < meet/2 {
		t.Errorf("%d pairs meet, %d by a random word", meet, refuted)
	}
}

// TestReadAutomata: what is written is read, and accepts the same words.
func TestReadAutomata(t *testing.T) {
	s := draw.New(5, 6)
	atoms := draw.Letters(3)
	accepted := 0
	for range 200 {
		a := draw.NewAutomaton(s, atoms)
		a.Name = "a name"
		list, err := twin.ReadAutomata(draw.HOA(a, `tool: "x" "1"`, "properties: trans-labels explicit-labels"))
		if err != nil || len(list) != 1 || list[0].Name != a.Name {
			t.Fatalf("%v, %v", list, err)
		}
		for range 20 {
			w := randomWord(s, len(atoms)).System()
			if accepts(t, w, a) != accepts(t, w, list[0]) {
				t.Fatalf("different words:\n%s", draw.HOA(a))
			}
			if accepts(t, w, a) {
				accepted++
			}
		}
	}
	if accepted < 100 {
		t.Errorf("%d words accepted", accepted)
	}
	for _, text := range []string{"HOA: v1", "HOA: v1 States: 1 --BODY-- State: 0 [0] 3 --END--", "nonsense"} {
		if _, err := twin.ReadAutomata(text); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}

// TestTestingAutomaton: GF a as a testing automaton, written by hand, against the plain
// one.
func TestTestingAutomaton(t *testing.T) {
	list, err := twin.ReadAutomata(`HOA: v1 States: 3 Start: 0 AP: 1 "a" Acceptance: 1 Inf(0) Testing: tgta
		--BODY-- State: 0 [!0] 1 [0] 2 State: 1 [!0] 1 [0] 2 {0} State: 2 [!0] 2 {0} [0] 1 {0} --END--
		HOA: v1 States: 1 Start: 0 AP: 1 "a" Acceptance: 1 Inf(0) --BODY-- State: 0 [0] 0 {0} [!0] 0 --END--`)
	if err != nil {
		t.Fatal(err)
	}
	s := draw.Source{Rand: rand.New(rand.NewPCG(7, 8))}
	for range 200 {
		w := randomWord(s, 1)
		if x, y := accepts(t, w.System(), list[0]), accepts(t, w.System(), list[1]); x != y {
			t.Fatalf("%v: the testing automaton accepts it: %v, the plain one: %v", w, x, y)
		}
	}
}

package twin_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/torture/draw"
	"pnmc/internal/torture/twin"
	"pnmc/petri"
	"pnmc/petri/petritest"
	"pnmc/pnml"
)

// written is a net of package petri as the twin reads it.
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

// holds is the truth of f at the first position of a lasso: by the definition, position
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
		if w.System().Work(f) > 1<<18 {
			continue
		}
		expected := holds(f, w, at, 0)
		outcomes[expected]++
		if found := w.System().Some(f, atoms); found != expected {
			t.Fatalf("%s on %v: %v, expected %v", f.LTL(), w, found, expected)
		}
	}
	if outcomes[true] < 100 || outcomes[false] < 100 {
		t.Errorf("outcomes %v", outcomes)
	}
}

// TestMeetsAgainstWords: automata that do not meet accept no word together.
func TestMeetsAgainstWords(t *testing.T) {
	s := draw.New(3, 4)
	atoms := draw.Letters(2)
	meet, refuted := 0, 0
	for range 300 {
		a, b := draw.NewAutomaton(s, atoms), draw.NewAutomaton(s, atoms)
		meets := a.Meets(b)
		if meets {
			meet++
		}
		for range 50 {
			w := randomWord(s, len(atoms)).System()
			if w.Accepted(a) && w.Accepted(b) {
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
			if w.Accepted(a) != w.Accepted(list[0]) {
				t.Fatalf("different words:\n%s", draw.HOA(a))
			}
			if w.Accepted(a) {
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
		if x, y := w.System().Accepted(list[0]), w.System().Accepted(list[1]); x != y {
			t.Fatalf("%v: the testing automaton accepts it: %v, the plain one: %v", w, x, y)
		}
	}
}

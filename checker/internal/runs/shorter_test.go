package runs

import (
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/account"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/logic/ltl"
	"pnmc/logic/ltl/rewrite"
	"pnmc/petri"
)

// TestShorter: of random runs that violate a formula, in a cycle, a deadlock or anyhow, what is
// left violates it too, is not longer, and replays.
func TestShorter(t *testing.T) {
	shorter := make(map[string]int)
	seen := func() bool { return shorter["anyhow"] > 0 && shorter["deadlock"] > 0 && shorter["cycle"] > 5 }
	petritest.CheckUntil(t, seen, func(t *rapid.T) {
		net := petritest.Net().Draw(t, "net")
		if net.Places() == 0 {
			return
		}
		if rapid.Bool().Draw(t, "ends") {
			net = withEnd(t, net)
		}
		s := ltl.NewFormulas()
		f, err := ltl.Parser{Formulas: s}.Parse(rapid.SampledFrom([]string{"G a", "F a", "G F a", "F G a", "a U b", "G(a -> F b)", "X X a", "G F a | F G b", "G(a -> X b)"}).Draw(t, "formula"))
		if err != nil {
			t.Fatal(err)
		}
		q := &Question{Formulas: s, Formula: f, Negated: rewrite.New(s).NegationNormal(f, true)}
		for range s.Propositions() {
			place, tokens := rapid.IntRange(0, net.Places()-1).Draw(t, "place"), rapid.Int64Range(0, 2).Draw(t, "tokens")
			q.Predicates = append(q.Predicates, &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: -tokens, Terms: []logic.Term{{Place: uint32(place), Coefficient: 1}}}})
		}
		p := randomPath(t, net)
		var work account.Account
		work.Begin(t.Context())
		judged, violated, err := p.Violates(&work, net, q)
		if err != nil || !violated {
			return
		}
		short := judged.Shorter(&work, net, q)
		if len(short.Fired) > len(judged.Fired) || (short.Loop < 0) != (judged.Loop < 0) {
			t.Fatalf("%d steps and loop %d became %d and %d", len(judged.Fired), judged.Loop, len(short.Fired), short.Loop)
		}
		if _, err := short.Replay(&work, net, q); err != nil {
			t.Fatalf("of %v is left %v: %v", judged.Fired, short.Fired, err)
		}
		if len(short.Fired) < len(judged.Fired) {
			switch {
			case judged.Loop < 0:
				shorter["anyhow"]++
			case judged.Loop == len(judged.Fired):
				shorter["deadlock"]++
			default:
				shorter["cycle"]++
			}
		}
	})
	if !seen() {
		t.Errorf("became shorter: %v", shorter)
	}
}

// withEnd returns net with a transition after which none can fire: a deadlock at any time.
func withEnd(t *rapid.T, net *petri.Net) *petri.Net {
	b := &petri.Builder{}
	for p := range petri.Place(net.Places()) {
		if _, err := b.AddPlace(fmt.Sprint("p", p), "", net.InitialTokens(p)); err != nil {
			t.Fatal(err)
		}
	}
	on, err := b.AddPlace("on", "", 1)
	end, endErr := b.AddTransition("end", "")
	if err := errors.Join(err, endErr, b.AddInput(on, end, 1)); err != nil {
		t.Fatal(err)
	}
	for u := range petri.Transition(net.Transitions()) {
		v, err := b.AddTransition(fmt.Sprint("t", u), "")
		err = errors.Join(err, b.CopyArcs(v, net, u, func(p petri.Place) petri.Place { return p }), b.AddInput(on, v, 1), b.AddOutput(v, on, 1))
		if err != nil {
			t.Fatal(err)
		}
	}
	ending, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return ending
}

// randomPath goes on at random until a marking comes again, maybe more often, or a deadlock, or
// just ends.
func randomPath(t *rapid.T, net *petri.Net) *Path {
	p := &Path{Loop: -1}
	m := net.Initial()
	patience := rapid.SampledFrom([]int{0, 1, 3, 60}).Draw(t, "patience")
	longest := rapid.SampledFrom([]int{5, 15, 60}).Draw(t, "longest")
	met := make(map[string]int)
	key := func(m petri.Marking) string {
		var text []byte
		for _, n := range m {
			text = append(text, byte(n), byte(n>>8), ',')
		}
		return string(text)
	}
	for len(p.Markings) < longest {
		if at, ok := met[key(m)]; ok {
			if patience--; patience < 0 {
				p.Loop = at
				return p
			}
		}
		met[key(m)] = len(p.Markings)
		p.Markings = append(p.Markings, append(petri.Marking(nil), m...))
		var enabled []petri.Transition
		for tr := range petri.Transition(net.Transitions()) {
			if net.Enabled(m, tr) {
				enabled = append(enabled, tr)
			}
		}
		if len(enabled) == 0 {
			p.Loop = len(p.Markings) - 1
			return p
		}
		tr := rapid.SampledFrom(enabled).Draw(t, "fired")
		if !net.Fire(m, tr) {
			break
		}
		p.Fired = append(p.Fired, tr)
	}
	p.Fired = p.Fired[:len(p.Markings)-1]
	return p
}

// TestLongRunsStayAsTheyAre: a run of very many steps is not made shorter, which would take a letter for each of them again and again.
func TestLongRunsStayAsTheyAre(t *testing.T) {
	net := petritest.Counter()
	s := ltl.NewFormulas()
	f := s.Globally(s.Atom("few"))
	q := &Question{Formulas: s, Formula: f, Negated: rewrite.New(s).NegationNormal(f, true), Predicates: []*logic.Predicate{
		{Operator: logic.AtMost, Sum: logic.Sum{Constant: -longestShorter, Terms: []logic.Term{{Place: 0, Coefficient: 1}}}}}}
	p := &Path{Loop: -1, Markings: []petri.Marking{net.Initial()}, Fired: make([]petri.Transition, 1<<20)}
	var work account.Account
	work.Begin(t.Context())
	before := work.Spent()
	if short := p.Shorter(&work, net, q); short != p || work.Spent() > before {
		t.Errorf("%d steps became %d, for %d units of work", len(p.Fired), len(short.Fired), work.Spent()-before)
	}
}

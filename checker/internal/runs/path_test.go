package runs

import (
	"errors"
	"fmt"
	"runtime"
	"testing"

	"pgregory.net/rapid"

	"pnmc/automata/translate"
	"pnmc/internal/account"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/logic/ltl"
	"pnmc/logic/ltl/rewrite"
	"pnmc/petri"
)

// TestBeginningsAreSure: after what is said to violate a formula however it goes on, each way
// to go on violates it, and one letter earlier that was not said. The formula and an automaton
// of its negation are judged apart.
func TestBeginningsAreSure(t *testing.T) {
	sure := make(map[string]int)
	formulas := []string{"G a", "a W b", "a U b", "X X a", "G (a -> X b)", "F a", "G F a", "(a W b) & F a", "b R a", "a M b", "G(a -> F b) & X b", "!a | X(a U b)"}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom(formulas).Draw(t, "formula")
		s := ltl.NewFormulas()
		f, err := ltl.Parser{Formulas: s}.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		byFormula := &Question{Formulas: s, Formula: f, Negated: rewrite.New(s).NegationNormal(f, true)}
		for range s.Propositions() {
			byFormula.Predicates = append(byFormula.Predicates, &logic.Predicate{Operator: logic.True})
		}
		automaton, err := translate.ToAutomaton(t.Context(), s, f, translate.Options{Negate: true})
		if err != nil {
			t.Fatal(err)
		}
		byAutomaton := &Question{Automaton: automaton}
		var order []int // of the automaton's propositions in the formula
		for _, name := range automaton.Propositions {
			for i, own := range s.Propositions() {
				if own == name {
					order = append(order, i)
				}
			}
		}
		letter := rapid.SliceOfN(rapid.Bool(), len(s.Propositions()), len(s.Propositions()))
		letters := rapid.SliceOfN(letter, 0, 6).Draw(t, "letters")
		read := func(letters [][]bool) [][]bool {
			read := make([][]bool, len(letters))
			for i, l := range letters {
				for _, p := range order {
					read[i] = append(read[i], l[p])
				}
			}
			return read
		}
		doomed := func(l *Question, letters [][]bool) int {
			length, err := (&Word{Question: l, Letters: letters, Loop: -1}).doomed(&account.Account{})
			if err != nil {
				t.Fatal(err)
			}
			return length
		}
		ofFormula, ofAutomaton := doomed(byFormula, letters), doomed(byAutomaton, read(letters))
		after := rapid.SliceOfN(letter, 1, 4).Draw(t, "after")
		for _, length := range []int{ofFormula, ofAutomaton} {
			if length == 0 {
				continue
			}
			w := &Word{Question: byFormula, Letters: append(letters[:length:length], after...), Loop: length + rapid.IntRange(0, len(after)-1).Draw(t, "loop")}
			if violated, err := w.Violates(new(account.Account)); err != nil || !violated {
				t.Fatalf("%s: %v is no violation if %v follows: %v", text, letters[:length], after, err)
			}
		}
		if ofFormula > 0 {
			sure["formula"]++
			if before := doomed(byFormula, letters[:ofFormula-1]); before > 0 {
				t.Fatalf("%s: %v is longer than need be", text, letters[:ofFormula])
			}
		}
		if ofAutomaton > 0 {
			sure["automaton"]++
		}
	})
	if sure["formula"] == 0 || sure["automaton"] == 0 {
		t.Errorf("beginnings that are sure: %v", sure)
	}
}

// TestRandomRunsJudgeBeginnings: in a net whose markings never come again, a run that has begun
// so refutes a formula and an automaton, and replays.
func TestRandomRunsJudgeBeginnings(t *testing.T) {
	net := petritest.Counter()
	s := ltl.NewFormulas()
	f, err := ltl.Parser{Formulas: s}.Parse("a W b")
	if err != nil {
		t.Fatal(err)
	}
	few := &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: -3, Terms: []logic.Term{{Place: 0, Coefficient: 1}}}}
	l := &Question{Formulas: s, Formula: f, Negated: rewrite.New(s).NegationNormal(f, true), Predicates: []*logic.Predicate{few, {Operator: logic.False}}}
	p := &Path{Markings: []petri.Marking{net.Initial()}, Loop: -1}
	m := net.Initial()
	for range 10 {
		if !net.Fire(m, 0) {
			t.Fatal("the net does not count")
		}
		p.Markings, p.Fired = append(p.Markings, append(petri.Marking(nil), m...)), append(p.Fired, 0)
	}
	var work account.Account
	judged, violated, err := p.Violates(&work, net, l)
	if err != nil || !violated || fmt.Sprint(judged.Markings[len(judged.Markings)-1]) != "[4]" {
		t.Fatalf("%+v, %v, %v: four tokens violate it", judged, violated, err)
	}
	shown, err := judged.Replay(&work, net, l)
	if err != nil || len(shown.Run) != 4 || len(shown.Cycle) > 0 || shown.Ends {
		t.Errorf("%+v, %v", shown, err)
	}
	judged.Fired = judged.Fired[:3]
	judged.Markings = judged.Markings[:4]
	if _, err := judged.Replay(&work, net, l); err == nil {
		t.Error("three tokens are said to violate it")
	}
}

// TestMarkingsAreNotKept: a run that is replayed takes some markings of memory
// at a time and not one for each of its steps.
func TestMarkingsAreNotKept(t *testing.T) {
	const steps, mostKept = 300, 30
	b := &petri.Builder{ID: "wide"}
	for p := range 5000 {
		if _, err := b.AddPlace(fmt.Sprint("p", p), "", 0); err != nil {
			t.Fatal(err)
		}
	}
	u, err := b.AddTransition("u", "")
	if err = errors.Join(err, b.AddOutput(u, 0, 1)); err != nil {
		t.Fatal(err)
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	s := ltl.NewFormulas()
	f := s.Globally(s.Atom("few"))
	l := &Question{Formulas: s, Formula: f, Negated: rewrite.New(s).NegationNormal(f, true), Predicates: []*logic.Predicate{
		{Operator: logic.AtMost, Sum: logic.Sum{Constant: 1 - steps, Terms: []logic.Term{{Place: 0, Coefficient: 1}}}}}}
	p := &Path{Fired: make([]petri.Transition, steps), Loop: -1}
	var work account.Account
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = p.Replay(&work, net, l)
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	if kept := (after.TotalAlloc - before.TotalAlloc) / uint64(TokenBytes*net.Places()); kept > mostKept {
		t.Errorf("%d steps took the memory of %d markings", steps, kept)
	}
}

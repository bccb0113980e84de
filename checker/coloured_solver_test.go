package checker_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pnmc/checker"
	"pnmc/checker/internal/checkertest"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/logic/ltl"
	"pnmc/petri/symmetric"
	"pnmc/petri/symmetric/colourless"
)

// drawSymmetric draws a small symmetric net, with deadlocks more often than not:
// transitions need tokens of the same colour, or of certain ones, or any.
func drawSymmetric(t *rapid.T) *symmetric.Net {
	below := func(n int, what string) int { return rapid.IntRange(0, n-1).Draw(t, what) }
	classes := []*symmetric.Class{
		{Name: "A", Size: int64(2 + below(2, "size")), Start: 1, Cyclic: true},
		{Name: "B", Size: int64(1 + below(2, "size")), Start: 1},
	}
	net := &symmetric.Net{}
	for i := range 2 + below(3, "places") {
		p := symmetric.Place{ID: fmt.Sprint("p", i)}
		if below(4, "dots") > 0 {
			p.Domain = append(p.Domain, classes[below(5, "class")/4])
		}
		for range below(3, "marking") {
			m := symmetric.Monomial{Coefficient: 1}
			for _, class := range p.Domain {
				if below(3, "all") == 0 {
					m.Terms = append(m.Terms, symmetric.Term{Kind: symmetric.All})
				} else {
					m.Terms = append(m.Terms, symmetric.Term{Value: int64(below(int(class.Size), "constant"))})
				}
			}
			p.Initial = append(p.Initial, m)
		}
		net.Places = append(net.Places, p)
	}
	for i := range 1 + below(4, "transitions") {
		tr := symmetric.Transition{ID: fmt.Sprint("t", i), Variables: []symmetric.VariableDeclaration{
			{Name: "x", Class: classes[0]}, {Name: "y", Class: classes[0]}, {Name: "z", Class: classes[1]}}}
		term := func(class *symmetric.Class) symmetric.Term {
			switch below(8, "term") {
			case 0:
				return symmetric.Term{Value: int64(below(int(class.Size), "constant"))}
			case 1:
				return symmetric.Term{Kind: symmetric.All}
			}
			if class == classes[1] {
				return symmetric.Term{Kind: symmetric.Variable, Variable: 2}
			}
			steps := int64(max(0, below(4, "steps")-2))
			return symmetric.Term{Kind: symmetric.Variable, Variable: below(2, "variable"), Value: steps}
		}
		arcs := func() []symmetric.Arc {
			var list []symmetric.Arc
			for range 1 + below(2, "arcs") {
				a := symmetric.Arc{Place: below(len(net.Places), "place")}
				m := symmetric.Monomial{Coefficient: 1}
				for _, class := range net.Places[a.Place].Domain {
					m.Terms = append(m.Terms, term(class))
				}
				a.Expression = symmetric.Expression{m}
				list = append(list, a)
			}
			return list
		}
		tr.Pre, tr.Post = arcs(), arcs()
		if below(3, "guarded") == 0 {
			x := symmetric.Operand{Term: symmetric.Term{Kind: symmetric.Variable}, Class: classes[0]}
			y := symmetric.Operand{Term: symmetric.Term{Kind: symmetric.Variable, Variable: 1}, Class: classes[0]}
			tr.Guard = &symmetric.Guard{Operator: symmetric.Equal + symmetric.Operator(below(2, "comparison")), Left: x, Right: y}
			if below(2, "negated") == 0 {
				tr.Guard = &symmetric.Guard{Operator: symmetric.Not, Operands: []*symmetric.Guard{tr.Guard}}
			}
		}
		for range max(0, below(4, "inhibitors")-2) {
			tr.Inhibitors = append(tr.Inhibitors, symmetric.Inhibitor{Place: below(len(net.Places), "inhibited by"), Weight: int64(1 + below(3, "below"))})
		}
		net.Transitions = append(net.Transitions, tr)
	}
	return net
}

// smallColoured draws a symmetric net with few markings, and its twin.
func smallColoured(t *rapid.T) (*symmetric.Net, *checkertest.Twin) {
	net := drawSymmetric(t)
	u, err := net.Unfold(context.Background(), symmetric.Options{})
	if err != nil {
		t.Fatal(err)
	}
	g, complete := petritest.Explore(u.Net, checkertest.MostMarkings)
	if !complete {
		t.Skip("too many markings")
	}
	return net, checkertest.NewColouredTwin(u, g)
}

// drawColoured draws a question about a coloured net: over its skeleton, which has the same
// nodes.
func drawColoured(t *rapid.T, net *symmetric.Net, kind string) (q, same checker.Question) {
	skeleton, err := colourless.Skeleton(net)
	if err != nil {
		t.Fatal(err)
	}
	return drawQuestion(t, skeleton, kind)
}

// TestColouredAgreesWithNaiveTwin asks all kinds of questions about coloured nets.
func TestColouredAgreesWithNaiveTwin(t *testing.T) {
	answered := map[string]int{}
	missing := func() bool { return slices.ContainsFunc(kinds, func(k string) bool { return answered[k] == 0 }) }
	if !petritest.CheckUntil(t, func() bool { return !missing() }, func(t *rapid.T) {
		net, w := smallColoured(t)
		var e explained
		options := checker.Options{Explain: e.say, MemoryBytes: testMemory, KeepBindings: rapid.Bool().Draw(t, "bindings"), Threads: rapid.SampledFrom([]int{0, 1, 2, 8, 64}).Draw(t, "threads")}
		s, err := checker.New(checker.Problem{Coloured: net}, options)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		var names []string
		var questions, twins []checker.Question
		for range rapid.IntRange(1, 4).Draw(t, "questions") {
			kind := rapid.SampledFrom(kinds).Draw(t, "kind")
			q, same := drawColoured(t, net, kind)
			names, questions, twins = append(names, kind), append(questions, q), append(twins, same)
		}
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		for i, a := range decideAll(t, ctx, s, questions) {
			if want, ok := w.Answer(twins[i]); ok && !a.Value.Equal(want) {
				t.Fatalf("%s %v is %v, should be %v (%v; %v)\n%s", names[i], questions[i], a.Value, want, a.Reason, a.By, e.text.String())
			} else if ok {
				answered[names[i]]++
			}
		}
		if d := e.defect(); d != "" {
			t.Fatal(d)
		}
	}) {
		t.Errorf("too few answers: %v", answered)
	}
}

// uncoloured returns the answers that need no unfolding, of a short run of one lane.
func uncoloured(t interface{ Fatal(...any) }, limit time.Duration, net *symmetric.Net, questions []checker.Question, lane checker.ColouredLane, test checker.BindingTest, e *explained) map[int]checker.Answer {
	s, err := checker.New(checker.Problem{Coloured: net}, checker.Options{Explain: e.say, MemoryBytes: testMemory})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	got := map[int]checker.Answer{}
	if err := s.DecideUncoloured(ctx, questions, lane, test, func(a checker.Answer) { got[a.Question] = a }); err != nil {
		t.Fatal(err)
	}
	return got
}

// TestColouredLanesAlone holds what is answered without unfolding against the definitions,
// on the unfolded net: nothing of it may be wrong, and the skeleton and runs must each be of
// use, for what holds and for what does not.
func TestColouredLanesAlone(t *testing.T) {
	decided := map[string]int{}
	asked := 0
	lanes := map[string]checker.ColouredLane{"all": checker.ColouredAll, "proofs": checker.ColouredProofs,
		"temporal": checker.ColouredTemporal, "walk": checker.ColouredWalk, "runs": checker.ColouredRuns}
	wanted := []string{"temporal: branching true", "temporal: branching false", "temporal: linear true", "temporal: automaton true",
		"runs: branching true", "runs: branching false", "runs: linear false", "runs: automaton false",
		"walk: reachable true", "walk: invariant false", "proofs: reachable false", "proofs: invariant true"}
	undecided := func(key string) bool { return decided[key] == 0 }
	if !petritest.CheckUntil(t, func() bool { return !slices.ContainsFunc(wanted, undecided) }, func(t *rapid.T) {
		net, w := smallColoured(t)
		name := rapid.SampledFrom([]string{"all", "proofs", "temporal", "runs", "temporal", "runs", "walk"}).Draw(t, "lane")
		kinds := []string{"branching", "linear", "automaton"}
		if name != "temporal" && name != "runs" {
			kinds = []string{"reachable", "invariant", "bound", "deadlock", "quasi-live", "one-safe", "stable"}
		}
		kind := rapid.SampledFrom(kinds).Draw(t, "kind")
		var questions, twins []checker.Question
		for range 4 {
			q, same := drawColoured(t, net, kind)
			questions, twins = append(questions, q), append(twins, same)
		}
		asked += len(questions)
		var e explained
		for i, a := range uncoloured(t, 10*time.Millisecond, net, questions, lanes[name], nil, &e) {
			want, ok := w.Answer(twins[i])
			if ok && !a.Value.Equal(want) {
				t.Fatalf("%s, %s without unfolding: %v, should be %v\n%s", name, kind, a.Value, want, e.text.String())
			}
			if a.Witness.Ground != checker.InitialMarking {
				decided[name+": "+kind+" "+a.Value.String()]++
			}
		}
		if d := e.defect(); d != "" {
			t.Fatal(d)
		}
	}) {
		t.Errorf("of %q some are never decided: %d asked, decided %v", wanted, asked, decided)
	}
}

// pairing returns a net of so many colours: t takes two different ones from p to q as a pair, and
// u takes pairs of one colour, of which there are none.
func pairing(colours int64, withU bool) *symmetric.Net {
	class := &symmetric.Class{Name: "C", Size: colours, Start: 1}
	variables := []symmetric.VariableDeclaration{{Name: "x", Class: class}, {Name: "y", Class: class}}
	x, y := symmetric.Term{Kind: symmetric.Variable}, symmetric.Term{Kind: symmetric.Variable, Variable: 1}
	one := func(terms ...symmetric.Term) symmetric.Monomial {
		return symmetric.Monomial{Coefficient: 1, Terms: terms}
	}
	operand := func(term symmetric.Term) symmetric.Operand { return symmetric.Operand{Term: term, Class: class} }
	net := &symmetric.Net{
		Places: []symmetric.Place{
			{ID: "p", Domain: symmetric.Domain{class}, Initial: symmetric.Expression{one(symmetric.Term{Kind: symmetric.All})}},
			{ID: "q", Domain: symmetric.Domain{class, class}},
		},
		Transitions: []symmetric.Transition{{ID: "t", Variables: variables,
			Guard: &symmetric.Guard{Operator: symmetric.Not, Operands: []*symmetric.Guard{{Operator: symmetric.Equal, Left: operand(x), Right: operand(y)}}},
			Pre:   []symmetric.Arc{{Place: 0, Expression: symmetric.Expression{one(x), one(y)}}},
			Post:  []symmetric.Arc{{Place: 1, Expression: symmetric.Expression{one(x, y)}}}}},
	}
	if withU {
		net.Transitions = append(net.Transitions, symmetric.Transition{ID: "u", Variables: variables[:1],
			Pre: []symmetric.Arc{{Place: 1, Expression: symmetric.Expression{one(x, x)}}}})
	}
	return net
}

// fireable returns a predicate, negated or not.
func fireable(transition uint32, negated bool) *logic.Predicate {
	p := &logic.Predicate{Operator: logic.Fireable, Transitions: []uint32{transition}}
	if negated {
		p = &logic.Predicate{Operator: logic.Not, Operands: []*logic.Predicate{p}}
	}
	return p
}

// nextLinear asks whether p holds after the first step, of all runs.
func nextLinear(p *logic.Predicate) checker.Linear {
	s := ltl.NewFormulas()
	return checker.Linear{Formulas: s, Formula: s.Next(s.Atom("p")), Predicates: []*logic.Predicate{p}}
}

// TestReplaysOfColouredRunsEvaluateTheQuestion: where the test which bindings are enabled
// is wrong in the engines, nothing they find is told.
func TestReplaysOfColouredRunsEvaluateTheQuestion(t *testing.T) {
	next := func(p *logic.Predicate) checker.Question {
		return checker.Branching{Formula: ctl.New(ctl.ExistsNext, ctl.Of(p))}
	}
	told := map[bool]int{}
	for i, test := range []struct {
		net      *symmetric.Net
		question checker.Question
		want     string // without the defect, by runs alone
	}{
		{pairing(2, true), checker.Reachable{Predicate: fireable(1, false)}, ""},
		{pairing(2, true), checker.Invariant{Predicate: fireable(0, false)}, "false"},
		{pairing(2, false), checker.Deadlock{}, "true"},
		{pairing(2, true), checker.QuasiLive{}, ""},
		{pairing(2, true), next(fireable(0, false)), ""},
		{pairing(2, true), next(fireable(0, true)), "true"},
		{pairing(2, true), nextLinear(fireable(0, false)), "false"},
		{pairing(2, true), nextLinear(fireable(0, true)), ""},
	} {
		for _, lane := range []checker.ColouredLane{checker.ColouredWalk, checker.ColouredRuns} {
			for _, wrong := range []bool{false, true} {
				var defect checker.BindingTest
				if wrong {
					defect = func(w *symmetric.Walk, transition int) (bool, bool) {
						enabled, certain := w.Enabled(transition)
						return !enabled, certain
					}
				}
				var e explained
				got := uncoloured(t, 100*time.Millisecond, test.net, []checker.Question{test.question}, lane, defect, &e)
				for _, a := range got {
					if wrong || a.Value.String() != test.want {
						t.Errorf("question %d is %v, with a wrong test: %t", i, a.Value, wrong)
					}
				}
				told[wrong] += len(got)
			}
		}
	}
	if told[false] < 4 {
		t.Errorf("%d answers without the defect", told[false])
	}
}

// TestInitialStateOfColouredNets: what the engines' test says is enabled at first is
// not believed where it is not so by the definitions.
func TestInitialStateOfColouredNets(t *testing.T) {
	net := pairing(2, true)
	enabled, err := checker.ColouredStart(net, (*symmetric.Walk).Enabled)
	if err != nil {
		t.Fatal(err)
	}
	if !enabled[0] || enabled[1] {
		t.Error("t is enabled at first, and u is not")
	}
	for wrong := range 2 {
		if _, err := checker.ColouredStart(net, func(w *symmetric.Walk, transition int) (bool, bool) {
			enabled, certain := w.Enabled(transition)
			return enabled != (transition == wrong), certain
		}); err == nil || !strings.Contains(err.Error(), "not confirmed") {
			t.Errorf("a wrong test of transition %d is believed: %v", wrong, err)
		}
	}
}

// TestTokensOfLargeColouredNets: how many tokens places have at first is answered of
// more colours than a walk can begin with.
func TestTokensOfLargeColouredNets(t *testing.T) {
	net := pairing(1_000_000_000, true)
	bound := checker.Bound{Sum: logic.Sum{Terms: []logic.Term{{Place: 0, Coefficient: 1}}}}
	var e explained
	got := uncoloured(t, time.Minute, net, []checker.Question{checker.OneSafe{}, bound}, checker.ColouredAll, nil, &e)
	if !got[0].Value.IsFalse() || !got[1].Value.Equal(checker.Number(1_000_000_000)) {
		t.Errorf("answers %v and %v\n%s", got[0].Value, got[1].Value, e.text.String())
	}
}

// TestBesideLargeNet unfolds a net that is large, and merges nothing: what is asked
// is answered of the coloured net, though the unfolded one is there long before.
func TestBesideLargeNet(t *testing.T) {
	class := &symmetric.Class{Name: "C", Size: 6000, Cyclic: true}
	domain := symmetric.Domain{class}
	tokens := func(terms ...symmetric.Term) symmetric.Expression {
		var e symmetric.Expression
		for _, term := range terms {
			e = append(e, symmetric.Monomial{Coefficient: 1, Terms: []symmetric.Term{term}})
		}
		return e
	}
	x, next := symmetric.Term{Kind: symmetric.Variable}, symmetric.Term{Kind: symmetric.Variable, Value: 1}
	variables := []symmetric.VariableDeclaration{{Name: "x", Class: class}}
	net := &symmetric.Net{
		Places: []symmetric.Place{
			{ID: "p", Domain: domain, Initial: tokens(symmetric.Term{Kind: symmetric.All})}, {ID: "q", Domain: domain}},
		Transitions: []symmetric.Transition{
			{ID: "t", Variables: variables, Pre: []symmetric.Arc{{Place: 0, Expression: tokens(x, next)}}, Post: []symmetric.Arc{{Place: 1, Expression: tokens(x)}}},
			{ID: "u", Variables: variables, Pre: []symmetric.Arc{{Place: 1, Expression: tokens(x)}}, Post: []symmetric.Arc{{Place: 0, Expression: tokens(x, next)}}},
		},
	}
	atMost := func(count int64) *logic.Predicate {
		return &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: -count, Terms: []logic.Term{{Place: 1, Coefficient: 1}}}}
	}
	f := ltl.NewFormulas()
	empty, few := f.Atom("empty"), f.Atom("few")
	predicates := []*logic.Predicate{atMost(0), atMost(2000)}
	// What waits for a share of the time does so whatever the limit is; where other processes leave little of the
	// processor, a longer one does.
	for _, limit := range []time.Duration{time.Minute, 10 * time.Minute} {
		begin, answered := time.Now(), 0
		s, err := checker.New(checker.Problem{Coloured: net}, checker.Options{MemoryBytes: testMemory})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		err = s.Decide(ctx, []checker.Question{
			checker.Linear{Formulas: f, Formula: f.Finally(f.Globally(empty)), Predicates: predicates},
			checker.Linear{Formulas: f, Formula: f.Globally(f.Finally(few)), Predicates: predicates},
		}, func(a checker.Answer) {
			if a.Value.IsKnown() && !a.Value.IsFalse() {
				t.Errorf("question %d is %v, should be false", a.Question, a.Value)
			}
			if a.Value.IsFalse() {
				answered++
			}
		})
		cancel()
		s.Close()
		took := time.Since(begin)
		if err == nil && answered == 2 && took <= limit/2 {
			return
		}
		t.Logf("%d are answered after %s of %s, %v", answered, took, limit, err)
	}
	t.Error("it goes on as long as it may")
}

// TestTooLargeToUnfold answers for a net that is too large to be unfolded.
func TestTooLargeToUnfold(t *testing.T) {
	s, err := checker.New(checker.Problem{Coloured: pairing(100_000, true)}, checker.Options{MemoryBytes: testMemory})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	few := logic.Sum{Constant: -50_000, Terms: []logic.Term{{Place: 1, Coefficient: 1}}}
	none := logic.Sum{Terms: []logic.Term{{Place: 1, Coefficient: 1}}}
	if err := s.Decide(ctx, []checker.Question{
		checker.Invariant{Predicate: &logic.Predicate{Operator: logic.AtMost, Sum: few}},
		checker.Invariant{Predicate: &logic.Predicate{Operator: logic.AtMost, Sum: none}},
	}, func(a checker.Answer) {
		if a.Value.String() != fmt.Sprint(a.Question == 0) || a.Question == 1 && len(a.Witness.Bindings) == 0 {
			t.Errorf("question %d is %v, %v", a.Question, a.Value, a.Reason)
		}
	}); err != nil {
		t.Fatal(err)
	}
}

// TestSmallUnfoldingAtOnce: what the skeleton can't prove, and walks never meet, is decided on
// an unfolded net that is small, however long the coloured net may be examined.
func TestSmallUnfoldingAtOnce(t *testing.T) {
	s, err := checker.New(checker.Problem{Coloured: pairing(4, true)}, checker.Options{MemoryBytes: testMemory})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 10_000*time.Hour)
	defer cancel()
	if err := s.Decide(ctx, []checker.Question{checker.Invariant{Predicate: fireable(1, true)}}, func(a checker.Answer) {
		if !a.Value.IsTrue() {
			t.Errorf("%v, %v", a.Value, a.Reason)
		}
	}); err != nil {
		t.Fatal(err)
	}
}

// TestEndlessWalksOfColouredNets: where there is no deadline, and the net is too large to be
// unfolded, walks of the coloured net are given up once nothing else can decide what is left.
func TestEndlessWalksOfColouredNets(t *testing.T) {
	for _, threads := range []int{0, 1} {
		s, err := checker.New(checker.Problem{Coloured: pairing(100_000, true)}, checker.Options{MemoryBytes: testMemory, Patience: 1, Threads: threads})
		if err != nil {
			t.Fatal(err)
		}
		answers := 0
		if err := s.Decide(context.Background(), []checker.Question{
			checker.Invariant{Predicate: fireable(1, true)},
		}, func(a checker.Answer) {
			if answers++; a.Value.IsFalse() {
				t.Errorf("question %d is %v", a.Question, a.Value)
			}
		}); err != nil || answers != 1 {
			t.Errorf("%d answers, error %v", answers, err)
		}
		s.Close()
	}
}

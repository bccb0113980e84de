package ledger_test

import (
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/ledger"
	"pnmc/checker/witness"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/petri"
)

// book returns a ledger of the philosophers that keeps the answers it gives.
func book(questions int) (*ledger.Ledger, *[]inquiry.Answer) {
	var given []inquiry.Answer
	answers := ledger.NewAnswers(questions, func(a inquiry.Answer) { given = append(given, a) })
	return &ledger.Ledger{Net: petritest.Philosophers(2), Answers: answers}, &given
}

// TestMaximaAreGivenWhenBoundsMeet reports values that are reached and bounds in any order: the
// answer comes with the report that has them meet, once, and is that value.
func TestMaximaAreGivenWhenBoundsMeet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		maximum := rapid.Int64Range(0, 5).Draw(t, "maximum")
		b, given := book(1)
		b.Ask(&ledger.Question{}, &ledger.Atom{Maximum: &logic.Sum{}})
		low, high := int64(-1), int64(1<<62)
		for range rapid.IntRange(1, 12).Draw(t, "reports") {
			if rapid.Bool().Draw(t, "reached") {
				value := rapid.Int64Range(0, maximum).Draw(t, "value")
				low = max(low, value)
				b.Raise(0, value, inquiry.RandomWalk, inquiry.Witness{})
			} else {
				bound := rapid.Int64Range(maximum, 8).Draw(t, "bound")
				high = min(high, bound)
				b.Limit(0, bound, inquiry.LinearProgram)
			}
			switch settled := low == high; {
			case settled && len(*given) != 1, !settled && len(*given) != 0:
				t.Fatalf("between %d and %d: answers %v", low, high, *given)
			case settled:
				value, ok := (*given)[0].Value.Number()
				if !ok || value.Int64() != maximum || (*given)[0].By != inquiry.RandomWalk|inquiry.LinearProgram {
					t.Fatalf("the maximum %d is told as %v by %v", maximum, (*given)[0].Value, (*given)[0].By)
				}
			}
			if b.IsOpen(0) == (low == high) {
				t.Fatalf("between %d and %d the atom is open: %t", low, high, b.IsOpen(0))
			}
		}
	})
}

// TestQuestionsOfSeveralAtoms decides atoms one by one: a question is answered by the first that
// suffices, or by the last.
func TestQuestionsOfSeveralAtoms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5).Draw(t, "atoms")
		b, given := book(2)
		atoms := make([]*ledger.Atom, n)
		for i := range atoms {
			atoms[i] = &ledger.Atom{Goal: &logic.Predicate{Operator: logic.True}}
		}
		// Some atom is reached, and all are: of the same atoms, twice.
		b.Ask(&ledger.Question{Number: 0, OnReached: inquiry.Truth(true), Finally: inquiry.Truth(false)}, atoms...)
		twice := make([]*ledger.Atom, n)
		for i := range twice {
			twice[i] = &ledger.Atom{Goal: &logic.Predicate{Operator: logic.True}}
		}
		b.Ask(&ledger.Question{Number: 1, OnUnreachable: inquiry.Truth(false), Finally: inquiry.Truth(true)}, twice...)
		some, all := false, true
		order := rapid.Permutation([]int{0, 1, 2, 3, 4}).Draw(t, "order")
		for _, i := range order {
			if i >= n {
				continue
			}
			state := ledger.Unreachable
			if rapid.Bool().Draw(t, "reached") {
				state = ledger.Reached
			}
			some, all = some || state == ledger.Reached, all && state == ledger.Reached
			b.Decide(i, state, inquiry.ExplicitSearch, inquiry.Witness{})
			b.Decide(n+i, state, inquiry.ExplicitSearch, inquiry.Witness{})
			b.Decide(i, ledger.Reached, inquiry.RandomWalk, inquiry.Witness{}) // too late
		}
		want := map[int]bool{0: some, 1: all}
		if len(*given) != 2 {
			t.Fatalf("answers %v", *given)
		}
		for _, a := range *given {
			if a.Value.IsTrue() != want[a.Question] || !a.Value.IsKnown() || a.By != inquiry.ExplicitSearch {
				t.Fatalf("question %d is %v by %v, should be %t", a.Question, a.Value, a.By, want[a.Question])
			}
		}
		if questions, open := b.Counts(); questions != 2 || open != 0 || len(b.OpenAtoms()) != 0 || len(b.OpenQuestions()) != 0 {
			t.Fatalf("%d of %d questions are open", open, questions)
		}
	})
}

// TestRunsAreReplayedBeforeTheyAreTold drops runs that are none, and those that do not reach what
// they should.
func TestRunsAreReplayedBeforeTheyAreTold(t *testing.T) {
	b, given := book(1)
	both := logic.Sum{Constant: 2} // 2 minus the tokens on two places that have one each in the deadlock only
	for _, t := range []petri.Transition{0, 5} {
		both.Terms = append(both.Terms, logic.Term{Place: uint32(b.Net.Post(t)[0].Place), Coefficient: -1})
	}
	b.Ask(&ledger.Question{OnReached: inquiry.Truth(true)}, &ledger.Atom{Goal: &logic.Predicate{Operator: logic.AtMost, Sum: both}})
	for name, run := range map[string][]petri.Transition{"no step": nil, "a step": {0}, "not enabled": {0, 0}} {
		if b.Witnessed(0, witness.Bursts(run), inquiry.RandomWalk) || len(*given) != 0 {
			t.Fatalf("%s: told %v", name, *given)
		}
	}
	if !b.Witnessed(0, witness.Bursts([]petri.Transition{0, 5}), inquiry.RandomWalk) || len(*given) != 1 {
		t.Fatalf("the run to the goal: told %v", *given)
	}
	b, given = book(1)
	b.Ask(&ledger.Question{OnReached: inquiry.Truth(true)}, &ledger.Atom{Goal: &logic.Predicate{Operator: logic.Deadlocked}})
	if !b.Witnessed(0, witness.Bursts([]petri.Transition{0, 5}), inquiry.RandomWalk) || len(*given) != 1 || !(*given)[0].Witness.Ends {
		t.Fatalf("the run to the deadlock: told %v", *given)
	}
}

// TestManyReportAtOnce reports runs and values to several questions from several goroutines: each is
// answered once, with a run that reaches what is asked.
func TestManyReportAtOnce(t *testing.T) {
	const questions = 8
	var given []inquiry.Answer
	b := &ledger.Ledger{Net: petritest.Philosophers(2), Answers: ledger.NewAnswers(questions, func(a inquiry.Answer) { given = append(given, a) })}
	dead := &logic.Predicate{Operator: logic.Deadlocked}
	most := &logic.Sum{Terms: []logic.Term{{Place: 0, Coefficient: 1}}}
	for i := range questions {
		if i%2 == 0 {
			b.Ask(&ledger.Question{Number: i, OnReached: inquiry.Truth(true)}, &ledger.Atom{Goal: dead})
		} else {
			b.Ask(&ledger.Question{Number: i}, &ledger.Atom{Maximum: most})
		}
	}
	high, ok := witness.ValueOf(most, b.Net.Initial())
	if !ok {
		t.Fatal("no value")
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for i := range questions {
				run := []petri.Transition{0, 5}
				if i%2 == 1 {
					b.Limit(i, high, inquiry.LinearProgram)
					run = nil
				}
				if !b.Witnessed(i, witness.Bursts(run), inquiry.RandomWalk) {
					t.Errorf("the run to %d is dropped", i)
				}
			}
		})
	}
	group.Wait()
	if len(given) != questions || len(b.OpenQuestions()) != 0 {
		t.Fatalf("%d answers to %d questions", len(given), questions)
	}
	for _, a := range given {
		m, err := witness.ReplayRun(b.Net, a.Witness.Run)
		if err != nil || a.Question%2 == 0 && !witness.Satisfies(b.Net, m, dead) {
			t.Errorf("question %d: %v: %v", a.Question, a.Witness.Run, err)
		}
	}
}

// TestSinksHearProofsOnly passes on what is proven of the net without colours, with what that rests
// on, and not what is reached there.
func TestSinksHearProofsOnly(t *testing.T) {
	b, given := book(3)
	for range 2 {
		b.Ask(&ledger.Question{Number: len(b.Atoms), OnReached: inquiry.Truth(true), OnUnreachable: inquiry.Truth(false)},
			&ledger.Atom{Goal: &logic.Predicate{Operator: logic.Deadlocked}})
	}
	b.Ask(&ledger.Question{Number: 2}, &ledger.Atom{Maximum: &logic.Sum{}})
	skeleton := &ledger.Ledger{Net: b.Net, Sink: b, Always: inquiry.Topological}
	for _, a := range b.Atoms {
		skeleton.Add(&ledger.Atom{Goal: a.Goal, Maximum: a.Maximum})
	}
	skeleton.Witnessed(0, nil, inquiry.RandomWalk)
	if skeleton.IsOpen(0) || !b.IsOpen(0) || len(*given) != 0 {
		t.Fatalf("what is reached in the skeleton is told: %v", *given)
	}
	skeleton.Impossible(1, inquiry.LinearProgram, inquiry.Witness{})
	if len(*given) != 1 || (*given)[0].By != inquiry.LinearProgram|inquiry.Topological || !(*given)[0].Witness.Skeleton {
		t.Fatalf("what is proven of the skeleton is told as %v", *given)
	}
	b.Raise(2, 3, inquiry.RandomWalk, inquiry.Witness{})
	skeleton.Limit(2, 3, inquiry.LinearProgram)
	if len(*given) != 2 || (*given)[1].By != inquiry.RandomWalk|inquiry.LinearProgram|inquiry.Topological {
		t.Fatalf("the bound of the skeleton is told as %v", *given)
	}
}

// TestSizes reports markings and bounds of places and markings: what lies between is told, and what
// is settled.
func TestSizes(t *testing.T) {
	net := petritest.Philosophers(2)
	var given []inquiry.Answer
	s := ledger.NewSizes(net, ledger.NewAnswers(2, func(a inquiry.Answer) { given = append(given, a) }), inquiry.Topological)
	s.Ask(0, inquiry.TokensInPlace)
	s.Ask(1, inquiry.TokensPerMarking)
	m := make(petri.Marking, net.Places())
	m[0], m[1] = 2, 3
	s.Reach(m, inquiry.RandomWalk)
	m[0], m[1] = 9, -1 // more than 64 bits hold
	s.Reach(m, inquiry.RandomWalk)
	if low, high := s.Between(inquiry.TokensInPlace); low != 3 || high != ledger.Unbounded {
		t.Fatalf("a place holds between %d and %d", low, high)
	}
	if low, high := s.Between(inquiry.TokensPerMarking); low != 5 || high != ledger.Unbounded {
		t.Fatalf("a marking holds between %d and %d", low, high)
	}
	bounds := slices.Repeat([]int64{1}, net.Places())
	bounds[0], bounds[1] = 4, ledger.Unbounded
	s.LimitPlaces(bounds, inquiry.LinearProgram)
	if above, marking := s.Above(); !slices.Equal(above, []petri.Place{0, 1}) || !marking || len(given) != 0 {
		t.Fatalf("more are possible in %v, and in a marking %t; told %v", above, marking, given)
	}
	bounds[0], bounds[1] = ledger.Unbounded, 3
	s.LimitPlaces(bounds, inquiry.LinearProgram)
	if got := s.PlaceBounds(); got[0] != 4 || got[1] != 3 || len(given) != 0 {
		t.Fatalf("bounds %v, told %v", got, given)
	}
	bounds[0] = 3
	s.LimitPlaces(bounds, inquiry.LinearProgram)
	if len(given) != 1 || given[0].Question != 0 || given[0].By != inquiry.RandomWalk|inquiry.LinearProgram|inquiry.Topological || !s.Done(false) || s.Done(true) {
		t.Fatalf("told %v", given)
	}
	s.LimitMarking(5, inquiry.LinearProgram)
	if value, ok := given[len(given)-1].Value.Number(); len(given) != 2 || !ok || value.Int64() != 5 || !s.Done(true) {
		t.Fatalf("told %v", given)
	}
}

// TestEachOperatorHasItsRun: what shows a combination of reachability is a run for each part that
// one shows, in the order of the parts; one that shows several is told once.
func TestEachOperatorHasItsRun(t *testing.T) {
	dead := &logic.Predicate{Operator: logic.Deadlocked}
	some := ctl.New(ctl.ExistsFinally, ctl.Of(dead))
	never := ctl.New(ctl.AllGlobally, ctl.Of(&logic.Predicate{Operator: logic.Not, Operands: []*logic.Predicate{dead}}))
	runs := [][]witness.Burst{{{Transition: 0, Times: 1}}, {{Transition: 1, Times: 1}}, {{Transition: 0, Times: 1}}}
	for _, c := range []struct {
		formula *ctl.Formula
		reached []bool // and the others are not
		want    []petri.Transition
	}{
		{ctl.New(logic.And, some, some), []bool{true, true}, []petri.Transition{0, 1}},
		{ctl.New(logic.And, some, ctl.New(logic.Not, some)), []bool{true, false}, []petri.Transition{0}},
		{ctl.New(logic.Or, ctl.New(logic.And, some, some), some), []bool{true, false, true}, []petri.Transition{0}},
		{ctl.New(logic.Or, never, never, never), []bool{true, true, true}, []petri.Transition{0, 1}},
	} {
		b, given := book(1)
		var atoms []*ledger.Atom
		q := &ledger.Question{Combination: ledger.NewBoolean(c.formula, &atoms)}
		q.Evaluate = func() (inquiry.Value, inquiry.Techniques) {
			value, by := q.Combination.Value()
			if value == 0 {
				return inquiry.Value{}, 0
			}
			return inquiry.Truth(value > 0), by
		}
		b.Ask(q, atoms...)
		for i := len(atoms) - 1; i >= 0; i-- {
			if c.reached[i] {
				b.Decide(i, ledger.Reached, inquiry.RandomWalk, inquiry.Witness{Ground: inquiry.ReachedMarking, Net: b.Net, Run: runs[i]})
			} else {
				b.Impossible(i, inquiry.LinearProgram, inquiry.Witness{Ground: inquiry.Equation})
			}
		}
		if len(*given) != 1 {
			t.Fatalf("%v: answers %v", c.reached, *given)
		}
		var got []petri.Transition
		for _, run := range (*given)[0].Witness.Branches {
			got = append(got, run.Prefix...)
		}
		if w := (*given)[0].Witness; w.Ground == inquiry.ReachedMarking {
			got = []petri.Transition{w.Run[0].Transition}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v: runs %v, should be %v", c.reached, got, c.want)
		}
	}
}

// TestWitnessedAlong: of goals along a run those are decided that hold where they are said to, each by
// the run up to there; a run that can't be fired decides only what it reaches before.
func TestWitnessedAlong(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, _ := book(1)
		var run []witness.Burst
		m := b.Net.Initial()
		good := 0 // bursts that can be fired
		for range rapid.IntRange(0, 8).Draw(t, "firings") {
			u := petri.Transition(rapid.IntRange(0, b.Net.Transitions()-1).Draw(t, "transition"))
			if fires := b.Net.Enabled(m, u); !fires && rapid.IntRange(0, 9).Draw(t, "skipped") > 0 {
				continue
			}
			if len(run) == good && b.Net.Fire(m, u) {
				good++
			}
			run = append(run, witness.Burst{Transition: u, Times: 1})
		}
		var atoms []*ledger.Atom
		var numbers, lengths []int
		for length := range len(run) + 1 {
			if p := rapid.IntRange(-1, b.Net.Places()-1).Draw(t, "place"); p >= 0 {
				goal := &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: 1, Terms: []logic.Term{{Place: uint32(p), Coefficient: -1}}}}
				numbers, lengths = append(numbers, len(atoms)), append(lengths, length)
				atoms = append(atoms, &ledger.Atom{Goal: goal})
			}
		}
		b.Ask(&ledger.Question{OnUnreachable: inquiry.Truth(false)}, atoms...)
		all := b.WitnessedAlong(numbers, lengths, run, inquiry.RandomWalk)
		want := true
		for i, a := range atoms {
			m, err := witness.ReplayRun(b.Net, run[:lengths[i]])
			holds := err == nil && witness.Satisfies(b.Net, m, a.Goal)
			if want = want && holds; b.IsOpen(i) == holds {
				t.Fatalf("atom %d, which holds after %d firings of %v: %v, is open: %v", i, lengths[i], run, holds, b.IsOpen(i))
			}
		}
		if all != want {
			t.Fatalf("all goals are reached: %v, want %v", all, want)
		}
	})
}

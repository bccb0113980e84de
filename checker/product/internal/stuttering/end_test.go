package stuttering

import (
	"context"
	"errors"
	"testing"

	"pnmc/automata"
	"pnmc/automata/stutter"
	"pnmc/automata/testingautomata"
	"pnmc/automata/translate"
	"pnmc/checker/product/internal/states"
	"pnmc/checker/properties"
	"pnmc/internal/account"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/logic/ltl"
	"pnmc/petri"
)

// ending is a reader under which the question ends when steps are asked for the nth time: that row
// has no room, and the account is not looked at again soon.
type ending struct {
	Reader
	account *account.Account
	end     context.CancelCauseFunc
	asked   int
	last    int // 0: the question does not end
}

const philosophers = 3

var errOver = errors.New("over")

// Steps ends the question before the row is made.
func (e *ending) Steps(n, from, to uint32) []testingautomata.Step {
	if e.asked++; e.asked == e.last {
		e.end(errOver)
		e.account.Add(1 << 20)
	}
	return e.Reader.Steps(n, from, to)
}

// TestNothingIsSaidWithoutARow ends the room for rows at each of them in turn, in the first pass, in
// the second and in the search for a run. Then neither is said that nothing is accepted, nor is a run
// told that the lack of a row has left longer: the reason is.
func TestNothingIsSaidWithoutARow(t *testing.T) {
	kinds := map[string]func(context.Context, *automata.Automaton, stutter.Invariance) (*automata.Automaton, error){
		"TGTA": testingautomata.NewTGTA, "TA": testingautomata.NewTA,
	}
	meaning := map[string]*logic.Predicate{"dead": {Operator: logic.Deadlocked}, "never": {Operator: logic.False}}
	for place := range uint32(5 * philosophers) { // some token is there
		name := petritest.Philosophers(philosophers).PlaceLabel(petri.Place(place)).ID
		meaning[name] = &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: 1, Terms: []logic.Term{{Place: place, Coefficient: -1}}}}
	}
	for _, test := range []struct {
		formula  string
		accepted bool
	}{{"F dead", true}, {"F G dead", true}, {"F G !dead", true}, {"G F dead", true}, {"F (dead & F !dead)", false}, {"F (dead & F never)", false}, {"G F !dead & G F dead", false}, {"F G never", false},
		{"F G eats0", false}, {"G F eats0 & G F (eats1 & thinks2) & G F left2", true}} {
		for kind, with := range kinds {
			for last, rows := 0, 0; last <= rows; last++ {
				f, x, err := search(t, test.formula, with, meaning, last)
				var run Lasso
				if err == nil && f != nil {
					run, err = x.Lasso(f)
				}
				asked := x.automaton.(*ending).asked
				switch {
				case last == 0:
					if rows = asked; err != nil || (f != nil) != test.accepted || rows == 0 {
						t.Fatalf("%s of %s: found %v, error %v, %d rows", kind, test.formula, f, err, rows)
					}
				case asked < last || err != errOver:
					t.Errorf("%s of %s: without row %d of %d: found %v, run %v, error %v", kind, test.formula, last, rows, f, run, err)
				}
			}
		}
	}
}

// livelocking is a reader of one proposition that stutters where it holds, and accepts that; it
// follows its end.
type livelocking struct{ telling }

func (livelocking) Letter(v automata.Valuation) uint32 { return uint32(v[0]) }
func (livelocking) Steps(n, from, to uint32) []testingautomata.Step {
	if from != to {
		return []testingautomata.Step{{To: n, Marks: testingautomata.ChangeMark}}
	}
	return []testingautomata.Step{{To: n, Marks: testingautomata.LivelockMark}}
}

// TestSecondPassSaysNothingWithoutARow: the last row that the first pass asks for has no room, and
// the second pass, which runs since there is a state that accepts livelocks, finds none.
func TestSecondPassSaysNothingWithoutARow(t *testing.T) {
	var b petri.Builder
	p, err := b.AddPlace("p", "", 1)
	if err != nil {
		t.Fatal(err)
	}
	transition, err := b.AddTransition("t", "")
	if err := errors.Join(err, b.AddInput(p, transition, 1)); err != nil {
		t.Fatal(err)
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	marked := &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: 1, Terms: []logic.Term{{Place: uint32(p), Coefficient: -1}}}}
	for last, expected := range []error{nil, errOver, errOver} {
		k := petri.NewKripke(net, petri.Facts{}, petri.Budget{})
		ctx, end := context.WithCancelCause(t.Context())
		k.Begin(ctx)
		reader := &ending{Reader: livelocking{}, account: k.Account(), end: end, last: last}
		x := &Search{most: states.Most, livelocks: true, buchi: testingautomata.BuchiMark,
			Product: newProduct(k, properties.CompileAll(net, []*logic.Predicate{marked}), reader, acceptsLivelock(testingautomata.BuchiMark))}
		if f, err := x.Find(); (f != nil) != (last == 0) || err != expected {
			t.Errorf("without row %d of %d: found %v, error %v, expected error %v", last, reader.asked, f, err, expected)
		}
		if last == 2 && x.seen.Length == 0 {
			t.Error("there was no second pass")
		}
	}
}

// search searches a small net for a run that the formula's automaton accepts.
func search(t *testing.T, formula string, with func(context.Context, *automata.Automaton, stutter.Invariance) (*automata.Automaton, error),
	meaning map[string]*logic.Predicate, last int) (*Finding, *Search, error) {
	t.Helper()
	s := ltl.NewFormulas()
	parsed, err := ltl.Parse(formula, s)
	if err != nil {
		t.Fatal(err)
	}
	a, err := translate.ToAutomaton(t.Context(), s, parsed, translate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	testing, err := with(t.Context(), a, stutter.ClaimedInvariance(a))
	if err != nil {
		t.Fatal(err)
	}
	built, err := NewBuilt(t.Context(), testing)
	if err != nil {
		t.Fatal(err)
	}
	var predicates []*logic.Predicate
	for _, name := range testing.Propositions {
		predicates = append(predicates, meaning[name])
	}
	k := petri.NewKripke(petritest.Philosophers(philosophers), petri.Facts{}, petri.Budget{})
	ctx, end := context.WithCancelCause(t.Context())
	k.Begin(ctx)
	x, err := New(k, properties.Property{Automaton: testing, Predicates: predicates}, built)
	if err != nil {
		t.Fatal(err)
	}
	x.automaton = &ending{Reader: built, account: k.Account(), end: end, last: last}
	f, err := x.Find()
	return f, x, err
}

// TestSecondPassEndsWithoutRoomForColours: where there is no room to note that a state was entered, the second
// pass gives the reason. It would else take the state for one that it has left, or that is on its way.
func TestSecondPassEndsWithoutRoomForColours(t *testing.T) {
	k := petri.NewKripke(petritest.Switches(3, false), petri.Facts{}, petri.Budget{})
	k.Begin(t.Context())
	if _, err := k.Successors(k.Initial()); err != nil { // which are kept from now on
		t.Fatal(err)
	}
	ended, end := context.WithCancelCause(t.Context())
	end(errOver)
	k.Begin(ended)
	x := &Search{Product: newProduct(k, nil, stuck{}, func(uint64) bool { return false })}
	x.seen.Push(states.Pair{S: k.Initial()})
	if f, err := x.secondPass(); f != nil || err != errOver {
		t.Errorf("found %v, error %v", f, err)
	}
}

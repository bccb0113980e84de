package stuttering

import (
	"context"
	"slices"
	"testing"

	"pnmc/automata"
	"pnmc/automata/stutter"
	"pnmc/automata/testingautomata"
	"pnmc/checker/product/internal/states"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/multicore"
)

// searchTogether has one thread search as several do, with room for so many steps, after one alone has
// searched with room for all. It returns the search, the thread, and the error.
func searchTogether(t *testing.T, formula string, with func(context.Context, *automata.Automaton, stutter.Invariance) (*automata.Automaton, error),
	meaning map[string]*logic.Predicate, steps int) (*Together, *searcher, error) {
	t.Helper()
	all := mostSteps
	defer func() { mostSteps = all }()
	_, alone, err := search(t, formula, with, meaning, 0)
	if err != nil {
		t.Fatal(err)
	}
	mostSteps = steps
	k := multicore.NewKripke(petritest.Philosophers(philosophers), petri.Facts{}, petri.Budget{}, 1)
	x := NewTogether(k, alone, nil)
	err = k.Run(t.Context(), t.Context(), x.Search)
	return x, x.threads[0], err
}

// TestTogetherEndsWithoutRows gives a thread room for fewer steps than it asks for, for each smaller number
// in turn. It must say so, and not that nothing is accepted; and what it calls dead, on which the
// other threads rely, must be so.
func TestTogetherEndsWithoutRows(t *testing.T) {
	all := mostSteps
	defer func() { mostSteps = all }()
	meaning := map[string]*logic.Predicate{"dead": {Operator: logic.Deadlocked}, "eats0": marked("eats0"), "eats1": marked("eats1")}
	ended, dead, livelocks := 0, 0, 0
	for kind, with := range map[string]func(context.Context, *automata.Automaton, stutter.Invariance) (*automata.Automaton, error){
		"TGTA": testingautomata.NewTGTA, "TA": testingautomata.NewTA,
	} {
		for _, formula := range []string{"G F eats0 & G F dead", "F (dead & F !dead)", "F G !eats0", "G !eats0", "G F eats0 & G F eats1", "F (eats0 & F G !eats1)"} {
			x, thread, err := searchTogether(t, formula, with, meaning, all)
			if err != nil && !x.Found() {
				t.Fatal(err)
			}
			found, enough := x.Found(), len(thread.Steps)
			for steps := range enough + 1 {
				x, _, err := searchTogether(t, formula, with, meaning, steps)
				switch {
				case steps == enough && x.Found() != found:
					t.Errorf("%s, %s, %d steps: found %v, expected %v", kind, formula, steps, x.Found(), found)
				case steps < enough && (x.Found() || err != states.ErrTooManySteps):
					t.Errorf("%s, %s, %d of %d steps: found %v, error %v", kind, formula, steps, enough, x.Found(), err)
				case steps < enough:
					ended++
				}
				if x.calm == nil {
					continue
				}
				mostSteps = all
				met, _ := x.kripke.Explored()
				if err := x.kripke.Run(t.Context(), t.Context(), func(w *multicore.Walker) error {
					naive := naiveLivelocks{x.newSearcher(w), map[states.Pair]int{}}
					for s := range petri.StateID(met) {
						for q := range uint32(x.reader.States()) {
							p := states.Pair{S: s, Q: q}
							if n := x.calm.Find(p); n == 0 || !x.calm.IsDead(n) {
								continue
							}
							dead++
							if is, err := naive.from(p); is || err != nil {
								t.Errorf("%s, %s, %d of %d steps: %v is dead, and a livelock is there: %v; %v", kind, formula, steps, enough, p, is, err)
							}
						}
					}
					return nil
				}); err != nil {
					t.Fatal(err)
				}
				if found && x.found != nil && x.found.livelock {
					livelocks++
				}
			}
		}
	}
	if ended < 20 || dead < 10 || livelocks == 0 {
		t.Errorf("%d searches ended, %d states were dead, %d livelocks: that means little", ended, dead, livelocks)
	}
}

// naiveLivelocks looks for cycles that only stutter, with room for all rows.
type naiveLivelocks struct {
	*searcher
	colours map[states.Pair]int // 1: on the way; 2: there is none from there
}

// from reports whether such a cycle can be reached from p by stuttering.
func (x *naiveLivelocks) from(p states.Pair) (bool, error) {
	if c := x.colours[p]; c > 0 {
		return c == 1, nil
	}
	x.colours[p] = 1
	successors, err := x.walker.Successors(p.S)
	if err != nil {
		return false, err
	}
	for _, s := range slices.Clone(successors) {
		if !x.stutters(p.Q, x.letter(p.S), x.letter(s)) {
			continue
		}
		if is, err := x.from(states.Pair{S: s, Q: p.Q}); is || err != nil {
			return is, err
		}
	}
	x.colours[p] = 2
	return false, nil
}

// TestLassoTogetherEndsWithoutRows has the run of what was found looked for with room for fewer steps than that
// takes: that is the reason why there is none.
func TestLassoTogetherEndsWithoutRows(t *testing.T) {
	all := mostSteps
	defer func() { mostSteps = all }()
	meaning := map[string]*logic.Predicate{"dead": {Operator: logic.Deadlocked}, "eats0": marked("eats0"), "eats1": marked("eats1")}
	ended := 0
	for kind, with := range map[string]func(context.Context, *automata.Automaton, stutter.Invariance) (*automata.Automaton, error){
		"TGTA": testingautomata.NewTGTA, "TA": testingautomata.NewTA,
	} {
		for _, formula := range []string{"F dead", "F G !eats0", "G F eats0 & G F eats1", "F (eats0 & F G !eats1)", "F G dead"} {
			x, _, _ := searchTogether(t, formula, with, meaning, all)
			if !x.Found() {
				t.Fatalf("%s, %s: nothing is found", kind, formula)
			}
			for steps := 0; ; steps++ {
				mostSteps = steps
				var l Lasso
				err := x.kripke.Run(t.Context(), t.Context(), func(w *multicore.Walker) (err error) {
					l, _, err = x.Lasso(w)
					return err
				})
				mostSteps = all
				if err == nil {
					if len(l.Cycle) == 0 {
						t.Errorf("%s, %s, %d steps: a run without a cycle", kind, formula, steps)
					}
					break
				}
				if ended++; err != states.ErrTooManySteps {
					t.Errorf("%s, %s, %d steps: %v", kind, formula, steps, err)
				}
				if steps > 10_000 {
					t.Fatalf("%s, %s: %v", kind, formula, err)
				}
			}
		}
	}
	if ended < 20 {
		t.Errorf("only %d ended", ended)
	}
}

package walk

import (
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/checker/internal/checkertest"
	"pnmc/checker/witness"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
)

// drawSum draws a sum, with coefficients among others that don't fit into 32 bits, or not together into 64.
func drawSum(t *rapid.T, net *petri.Net) *logic.Sum {
	coefficient := rapid.SampledFrom([]int64{1, 1, 1, -1, 2, -3, math.MaxInt32, math.MinInt32, 1 << 31, math.MaxInt64, math.MinInt64, 1 << 62})
	s := &logic.Sum{Constant: rapid.Int64Range(-3, 3).Draw(t, "constant")}
	for p := range net.Places() {
		if rapid.Bool().Draw(t, "term") {
			s.Terms = append(s.Terms, logic.Term{Place: uint32(p), Coefficient: coefficient.Draw(t, "coefficient")})
		}
	}
	return s
}

// TestTruths: along firings, repeated and taken back ones among them, each condition has the
// truth that its marking says, and each sum its value, as was supposed before.
func TestTruths(t *testing.T) {
	petritest.CheckMany(t, 2000, func(t *rapid.T) {
		net := petritest.AnyNet().Draw(t, "net")
		b := newBoard(gameWith(net, rapid.SampledFrom([]int{0, consumersOfCrowded}).Draw(t, "consumers of a place with crowds")))
		goals := make([]walkGoal, rapid.IntRange(1, 4).Draw(t, "goals"))
		predicates := make([]*logic.Predicate, len(goals))
		for i := range goals {
			switch rapid.IntRange(0, 3).Draw(t, "kind") {
			case 0:
				goals[i].maximum = drawSum(t, net)
				continue
			case 1:
				predicates[i] = &logic.Predicate{Operator: rapid.SampledFrom([]logic.Operator{logic.AtMost, logic.Equal}).Draw(t, "operator"), Sum: *drawSum(t, net)}
			default:
				predicates[i] = checkertest.Goal(t, net, 3)
			}
			goals[i].condition = NewCondition(predicates[i])
		}
		w := newTruths(b, goals)
		checkTruths(t, w, goals, predicates)
		var run []burst // from the initial marking on, without those that were taken back
		for range rapid.IntRange(0, 20).Draw(t, "firings") {
			if len(b.enabled) == 0 || rapid.IntRange(0, 9).Draw(t, "restart") == 0 {
				b.restart()
				w.restart()
				run = run[:0]
				checkTruths(t, w, goals, predicates)
				continue
			}
			u := rapid.SampledFrom(b.enabled).Draw(t, "transition")
			times := rapid.Int64Range(1, b.most(u, rapid.SampledFrom([]int64{1, 5, 1 << 40}).Draw(t, "most"))).Draw(t, "times")
			w.supposing(u)
			supposed := values(w, goals)
			w.supposed()
			if !b.fire(u, times) {
				t.Fatalf("transition %d can't fire %d times", u, times)
			}
			w.fired(u, times)
			checkTruths(t, w, goals, predicates)
			if _, fit := w.shiftsOf(u); fit && times == 1 && !slices.Equal(supposed, values(w, goals)) {
				t.Fatalf("%v was supposed after %d, and is %v", supposed, u, values(w, goals))
			}
			run = append(run, burst{Transition: petri.Transition(u), Times: times})
			switch back := rapid.IntRange(0, 2).Draw(t, "back"); {
			case back == 1 && !b.game.empties(u):
				b.fire(u, -times)
				w.fired(u, -times)
				run = run[:len(run)-1]
				checkTruths(t, w, goals, predicates)
			case back == 2 && !b.game.resets:
				left := rapid.IntRange(0, len(run)-1).Draw(t, "firings left")
				b.takeBack(run[left:], left == 0)
				w.takenBack(run[left:])
				run = run[:left]
				checkTruths(t, w, goals, predicates)
			}
		}
	})
}

// values returns those of the sums of which a maximum is asked for.
func values(w *truths, goals []walkGoal) (list []int64) {
	for i := range goals {
		if g := &goals[i]; g.condition == nil {
			list = append(list, w.value(g.sum, g.maximum.Constant))
		}
	}
	return list
}

// checkTruths compares with truths and values found anew; what holds now must have been noted
// when it began to.
func checkTruths(t *rapid.T, w *truths, goals []walkGoal, predicates []*logic.Predicate) {
	m, net := w.board.marking, w.board.game.net
	for i := range goals {
		g := &goals[i]
		if g.condition == nil {
			want, fits := witness.ValueOf(g.maximum, m)
			if got, ok := w.sums[g.sum].exact(g.maximum.Constant); fits && (!ok || got != want) {
				t.Fatalf("sum %v in %v is %d, want %d", g.maximum, m, got, want)
			}
			continue
		}
		if got, want := g.condition.holdsNow(), witness.Satisfies(net, m, predicates[i]); got != want {
			t.Fatalf("%v in %v is %v, want %v", predicates[i], m, got, want)
		}
	}
}

// TestTruthsAreNoted: a goal is looked at when it begins to hold.
func TestTruthsAreNoted(t *testing.T) {
	net := petritest.Counter()
	b := newBoard(game(net))
	marked := &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: b.marking[0] + 2, Terms: []logic.Term{{Place: 0, Coefficient: -1}}}}
	goals := []walkGoal{{condition: NewCondition(marked)}}
	w := newTruths(b, goals)
	for step, want := range []int{0, 1, 1} {
		for _, u := range b.enabled {
			if b.game.effect(u)[0].delta > 0 {
				b.fire(u, 1)
				w.fired(u, 1)
				break
			}
		}
		if len(w.changed) != want {
			t.Errorf("step %d, marking %v: %d goals are noted, want %d", step, b.marking, len(w.changed), want)
		}
	}
}

// TestCalmOfWideSums: a shift by 2^64 is seen, although the lower half of the sum stays as it was; and a sum
// of which the maximum is asked for is always looked at.
func TestCalmOfWideSums(t *testing.T) {
	b := &petri.Builder{ID: "source"}
	p, placeErr := b.AddPlace("p", "", 0)
	u, transitionErr := b.AddTransition("t", "")
	err := errors.Join(placeErr, transitionErr, b.AddOutput(u, p, 1))
	net, buildErr := b.Build()
	if err := errors.Join(err, buildErr); err != nil {
		t.Fatal(err)
	}
	atMost := &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: 1, Terms: []logic.Term{{Place: uint32(p), Coefficient: math.MinInt32}}}}
	goals := []walkGoal{{condition: NewCondition(atMost)}}
	on := newBoard(game(net))
	w := newTruths(on, goals)
	on.fire(uint32(u), 1<<33)
	w.fired(uint32(u), 1<<33)
	if !goals[0].condition.holdsNow() {
		t.Error("1 - 2^33 * 2^31 is not seen to be at most 0")
	}

	goals = []walkGoal{{maximum: &logic.Sum{Terms: []logic.Term{{Place: uint32(p), Coefficient: 1}}}}}
	w = newTruths(on, goals)
	for range 2 {
		w.forget()
		on.fire(uint32(u), 1)
		if w.fired(uint32(u), 1); len(w.changed) != 1 {
			t.Error("a larger maximum is not noted")
		}
	}
}

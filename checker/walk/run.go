package walk

import (
	"context"
	"math/rand/v2"
	"slices"

	"pnmc/checker/witness"
	"pnmc/internal/account"
	"pnmc/logic"
	"pnmc/petri"
)

// RandomRun walks from the initial marking of a net, one firing at a time. It serves questions that
// ask for whole runs: its user keeps the markings. It can also go toward a marking that it was in
// before, to close a cycle.
type RandomRun struct {
	board *board
	rng   *rand.Rand
	plan  *relaxedPlan
	aim   walkGoal
	to    petri.Marking // where it aims at
	next  []uint32
	last  petri.Transition // that was fired
}

// NewRandomRun returns a run that is in the initial marking. Random choices are drawn from rng. An error is the context's, or
// that of the budget it carries.
func NewRandomRun(ctx context.Context, net *petri.Net, rng *rand.Rand) (*RandomRun, error) {
	game, err := newTokenGame(account.Of(ctx), net)
	if err != nil {
		return nil, err
	}
	return &RandomRun{board: newBoard(game), rng: rng}, nil
}

// Marking returns the marking where the run is. It must not be modified, and is valid until the
// next step.
func (r *RandomRun) Marking() petri.Marking { return r.board.marking }

// Step fires an enabled transition. It reports false in a deadlock, or where
// token counts would get too large.
func (r *RandomRun) Step() bool {
	if len(r.board.enabled) == 0 {
		return false
	}
	return r.fire(r.board.enabled[r.rng.IntN(len(r.board.enabled))])
}

// fire fires a transition once, as Step does, and notes it as the last one.
func (r *RandomRun) fire(t uint32) bool {
	r.last = petri.Transition(t)
	return r.board.fire(t, 1)
}

// Last returns the transition that was fired last.
func (r *RandomRun) Last() petri.Transition { return r.last }

// Deadlock reports whether nothing is enabled.
func (r *RandomRun) Deadlock() bool { return len(r.board.enabled) == 0 }

// Restart goes back to the initial marking.
func (r *RandomRun) Restart() { r.board.restart() }

// Aim sets the marking that StepToward goes to.
func (r *RandomRun) Aim(m petri.Marking) {
	if r.plan == nil {
		r.plan = newRelaxedPlan(r.board, r.rng)
	}
	there := &logic.Predicate{Operator: logic.And}
	for p, tokens := range m {
		there.Operands = append(there.Operands, &logic.Predicate{Operator: logic.Equal, Sum: logic.Sum{
			Constant: -tokens, Terms: []logic.Term{{Place: uint32(p), Coefficient: 1}}}})
	}
	r.aim = walkGoal{condition: NewCondition(there)}
	r.to, r.next = slices.Clone(m), r.next[:0]
}

// StepToward fires a step of a relaxed plan toward the marking that Aim set: of the plan's enabled
// transitions the one that brings the most places nearer to their tokens there. One step in
// stepAside, and where there is no plan, it fires anything. It reports false as Step does.
func (r *RandomRun) StepToward() bool {
	r.next = slices.DeleteFunc(r.next, func(t uint32) bool { return !r.board.isEnabled(t) })
	if len(r.next) == 0 {
		r.next = r.plan.steps(&r.aim, r.next, false)
	}
	if len(r.next) == 0 || r.rng.IntN(stepAside) == 0 {
		return r.Step()
	}
	best := 0
	for i, t := range r.next {
		if r.farther(t) < r.farther(r.next[best]) {
			best = i
		}
	}
	t := r.next[best]
	r.next = slices.Delete(r.next, best, best+1)
	return r.fire(t)
}

// stepAside: one step in so many toward a marking goes anywhere.
const stepAside = 16

// farther returns by how many tokens the firing of t leads away from the aim; negative if it leads
// nearer.
func (r *RandomRun) farther(t uint32) int64 {
	distance := func(d int64) int64 { return max(d, -d) }
	total := int64(0)
	for _, c := range r.board.game.effect(t) {
		d := r.board.marking[c.place] - r.to[c.place]
		total += distance(d+c.delta) - distance(d)
	}
	return total
}

// Realize fires the transitions of bursts, each as often as its burst says, in a random order, and
// calls visit after each firing. It reports false if none of what is left is enabled. Then the run
// stays where it is.
func (r *RandomRun) Realize(bursts []witness.Burst, visit func()) bool {
	left := slices.Clone(bursts)
	for len(left) > 0 {
		enabled := -1
		for i, seen := 0, 0; i < len(left); i++ {
			if r.board.isEnabled(uint32(left[i].Transition)) {
				if seen++; r.rng.IntN(seen) == 0 {
					enabled = i
				}
			}
		}
		if enabled < 0 || !r.fire(uint32(left[enabled].Transition)) {
			return false
		}
		visit()
		if left[enabled].Times--; left[enabled].Times == 0 {
			left = slices.Delete(left, enabled, enabled+1)
		}
	}
	return true
}

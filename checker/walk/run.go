package walk

import (
	"math/rand/v2"
	"slices"

	"pnmc/checker/witness"
	"pnmc/logic"
	"pnmc/petri"
)

// RandomRun walks from the initial marking of a net, one firing at a time.
type RandomRun struct {
	board *board
	rng   *rand.Rand
	plan  *relaxedPlan
	aim   walkGoal
	to    petri.Marking // where it aims at
	next  []uint32
	last  petri.Transition // that was fired
}

// NewRandomRun starts in the initial marking.
func NewRandomRun(net *petri.Net, rng *rand.Rand) *RandomRun {
	return &RandomRun{board: newBoard(newTokenGame(net)), rng: rng}
}

// Marking is where the run is; not to be modified, and valid until Step.
func (r *RandomRun) Marking() petri.Marking { return r.board.marking }

// Step fires an enabled transition. It reports false in a deadlock, or where
// token counts would get too large.
func (r *RandomRun) Step() bool {
	if len(r.board.enabled) == 0 {
		return false
	}
	return r.fire(r.board.enabled[r.rng.IntN(len(r.board.enabled))])
}

func (r *RandomRun) fire(t uint32) bool {
	r.last = petri.Transition(t)
	return r.board.fire(t, 1)
}

// Last is the transition that was fired last.
func (r *RandomRun) Last() petri.Transition { return r.last }

// Deadlock reports whether nothing is enabled.
func (r *RandomRun) Deadlock() bool { return len(r.board.enabled) == 0 }

// Restart goes back to the initial marking.
func (r *RandomRun) Restart() { r.board.restart() }

// Aim chooses a marking to go to by StepToward.
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

// StepToward fires what brings the run nearer to where it aims at, if a plan says
// so, or anything. It reports false as Step does.
func (r *RandomRun) StepToward() bool {
	r.next = slices.DeleteFunc(r.next, func(t uint32) bool { return !r.board.isEnabled(t) })
	if len(r.next) == 0 {
		r.next = r.plan.steps(&r.aim, r.next)
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

// farther is how many tokens farther from the aim the firing of t leads.
func (r *RandomRun) farther(t uint32) int64 {
	distance := func(d int64) int64 { return max(d, -d) }
	total := int64(0)
	for _, c := range r.board.game.effect(t) {
		d := r.board.marking[c.place] - r.to[c.place]
		total += distance(d+c.delta) - distance(d)
	}
	return total
}

// Realize fires transitions as often as each of bursts says, in an order that is
// found at random, and calls visit after each. It reports false where none of what
// is left is enabled; then the run goes on from there.
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

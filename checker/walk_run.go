package checker

import (
	"math/rand/v2"

	"pnmc/petri"
)

// RandomRun walks from the initial marking of a net, one firing at a time.
type RandomRun struct {
	board *board
	rng   *rand.Rand
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
	return r.board.fire(r.board.enabled[r.rng.IntN(len(r.board.enabled))], 1)
}

// Deadlock tells whether nothing is enabled.
func (r *RandomRun) Deadlock() bool { return len(r.board.enabled) == 0 }

// Restart goes back to the initial marking.
func (r *RandomRun) Restart() { r.board.set(r.board.game.net.Initial()) }

package walk

import (
	"context"
	"math/rand/v2"
	"slices"

	"pnmc/internal/account"
	"pnmc/petri"
)

// DeadEnds looks by random walks for a marking beyond which transitions are dead: they can
// never fire again. A net with such a marking is not live, however many markings it has.
//
// Dead transitions are found by ignoring that firing takes tokens away, and ignoring inhibitor
// arcs. A transition that cannot fire even then is dead, since the relaxed net has at least the
// tokens of each marking that is truly reached. For example, let t take from p and give to p and
// q. Let nothing else give to them, and let both be empty. Then t is dead, and so is what needs q.
// {p} is an empty siphon: what would fill it takes from it. The converse fails: two transitions
// that need the same token may both be needed for a third, which is dead then, and the relaxed net
// fires it. So a walk that finds nothing proves nothing. A look takes time linear in the net.
type DeadEnds struct {
	// Groups are sets of transitions that are dead if all of their transitions are.
	Groups [][]uint32
	// Steps counts the firings.
	Steps int64

	board *board
	rng   *rand.Rand
	plan  *relaxedPlan
	run   []petri.Transition
	// length bounds the firings of the next walk.
	length int
}

// Lengths of walks, and how often they look at what is dead.
const (
	shortestDeadEnd = 20
	longestDeadEnd  = 50_000
	// lookGrowth: the next look comes when the walk is longer by one part in so many, so that a
	// long walk spends most of its time on firing.
	lookGrowth = 4
)

// NewDeadEnds prepares walks on net. Random choices follow from seed. An error is the context's, or that of the budget it
// carries.
func NewDeadEnds(ctx context.Context, net *petri.Net, groups [][]uint32, seed uint64) (*DeadEnds, error) {
	game, err := newPlannedGame(ctx, net)
	if err != nil {
		return nil, err
	}
	d := &DeadEnds{Groups: groups, board: newBoard(game), rng: rand.New(rand.NewPCG(seed, 17)), length: shortestDeadEnd}
	d.plan = newRelaxedPlan(d.board, d.rng)
	return d, nil
}

// Search walks until it finds a run after which a group is dead, and returns both. The error is
// that of the account, to which the work is charged. After an error Search may be called again; it
// goes on with walks as long as the last ones.
func (d *DeadEnds) Search(a *account.Account) (run []petri.Transition, group int, err error) {
	for {
		if run, group, err = d.walk(a); run != nil || err != nil {
			return run, group, err
		}
		d.length = min(longestDeadEnd, d.length+d.length/2)
	}
}

// walk makes one walk. The run is nil if it found nothing.
func (d *DeadEnds) walk(a *account.Account) (run []petri.Transition, group int, err error) {
	size := d.board.game.net.Arcs() + d.board.game.net.Places() + d.board.game.net.Transitions()
	if err := a.Charge(size); err != nil {
		return nil, 0, err
	}
	d.board.restart()
	d.run = d.run[:0]
	for next := 0; ; {
		enabled := d.board.enabled
		ends := len(enabled) == 0 || len(d.run) >= d.length
		if ends || len(d.run) >= next {
			if err := a.Charge(relaxedWork * size); err != nil {
				return nil, 0, err
			}
			if g := d.dead(); g >= 0 {
				return append([]petri.Transition{}, d.run...), g, nil
			}
			next = len(d.run) + 1 + len(d.run)/lookGrowth
		}
		if ends {
			return nil, 0, nil
		}
		t := enabled[d.rng.IntN(len(enabled))]
		if err := a.Charge(firingWork + 4*len(d.board.game.effect(t))); err != nil {
			return nil, 0, err
		}
		if !d.board.fire(t, 1) {
			return nil, 0, nil // counts get too large
		}
		d.Steps++
		d.run = append(d.run, petri.Transition(t))
	}
}

// relaxedWork is about the cost of looking at an arc for what is dead, in nanoseconds.
const relaxedWork = 8

// dead returns a group that is dead in the present marking, or -1 if none is known to be.
func (d *DeadEnds) dead() int {
	d.plan.supply()
	return slices.IndexFunc(d.Groups, func(group []uint32) bool {
		return !slices.ContainsFunc(group, func(t uint32) bool { return d.plan.cost[t] != unplanned })
	})
}

// firingWork is about the cost of choosing and firing a transition, in nanoseconds.
const firingWork = 64

package symbolic

import (
	"context"
	"math/big"

	"pnmc/automata"
	"pnmc/logic"
)

// ProductOptions say how to check a product.
type ProductOptions struct {
	// Memory is the budget of the product's diagrams in bytes; 0 stands for
	// DefaultMemory.
	Memory int64
	// NoSaturation computes fixpoints by chaining, for comparison.
	NoSaturation bool
	// Testing, if not nil, treats a plain automaton as the testing automaton for
	// its language, of whose stutter-invariance it tells. Every state must be
	// visited by some accepted run (automata.Prune).
	Testing *automata.Invariance
	// StateVariable says where the automaton's state lies.
	StateVariable StateVariable
	// Witness asks for an accepted run.
	Witness bool

	eager bool // collect dead nodes at every new one, for tests
}

// Emptiness is what a check of a product found.
type Emptiness struct {
	// Empty: no run of the system is accepted by the automaton.
	Empty bool
	// States is the number of reachable states of the product, Rounds that of
	// the images it took, PeakNodes that of the diagram's nodes, Memory that of
	// the bytes of all tables.
	States    *big.Int
	Rounds    int
	PeakNodes int
	Memory    int64
	// Run is an accepted run, if one was asked for and there is one.
	Run *Run
}

// CheckEmptiness decides whether some run of s, whose reachable states are known,
// is accepted by a: a TGBA, or a TGTA as automata.NewTGTA makes them. A run that
// ends in a state without successors repeats it for ever. Propositions give each
// proposition of a its meaning over the variables and events of s.
//
// For a TGBA the check is the forward variant of "one way catch them young" of
// Fig. 2 of the paper of 2014: states are dropped that no cycle of the set
// reaches, then those that no accepting edge of the set reaches, until nothing
// changes. What is left is reachable from accepting cycles.
//
// For a testing automaton T∅ is used twice more than there. First, runs that
// stutter for ever are looked for by T∅ alone. If there are none, each cycle in
// question has a step of T*, so that states are dropped that no T* reaches,
// however many steps of T∅ lie between: one image of T*, closed under T∅ by
// saturation, does for a round what takes one image of T for each step there.
func CheckEmptiness(ctx context.Context, s *StateSpace, a *automata.Automaton, propositions []*logic.Predicate, o ProductOptions) (*Emptiness, error) {
	p, err := newProduct(ctx, s, a, propositions, o)
	if err != nil {
		return nil, err
	}
	defer p.forest.within(ctx)()
	e := &emptinessCheck{product: p, ctx: ctx, saturate: !o.NoSaturation}
	result := &Emptiness{States: new(big.Int)}
	reached, left, err := e.check()
	result.States, result.Rounds = p.forest.Count(reached), e.rounds
	if err == nil {
		result.Empty = left == Empty
		if o.Witness && !result.Empty {
			result.Run, err = p.witness(reached, left)
		}
	}
	result.PeakNodes, result.Memory = p.forest.PeakNodes(), p.forest.Memory()
	return result, err
}

// An emptinessCheck is one under way.
type emptinessCheck struct {
	*product
	ctx      context.Context
	saturate bool
	rounds   int
}

// close is the set of states that r reaches from n.
func (e *emptinessCheck) close(r *Relation, n Node) (Node, error) {
	if e.saturate {
		return r.Saturate(e.ctx, n)
	}
	return r.chain(e.ctx, n)
}

// check computes the reachable states, and those of them that are left, none if
// the product is empty. Both are kept.
func (e *emptinessCheck) check() (reached, left Node, err error) {
	f := e.forest
	if reached, err = e.close(e.reach, e.start); err != nil {
		return Empty, Empty, err
	}
	f.Keep(reached)
	if e.stutter != nil {
		left, err = e.stutteringForEver(reached)
		if err != nil || left != Empty {
			return reached, left, err
		}
	}
	left = f.Keep(reached)
	for before := Empty; left != before; {
		before = left
		if left, err = e.untilStable(left, e.reachedByChange); err != nil {
			return reached, Empty, err
		}
		for set := range e.sets {
			last := left
			left, err = e.marked(last, set)
			if err == nil {
				left, err = e.close(e.reach, left)
			}
			f.Keep(left)
			f.Release(last)
			if err != nil {
				return reached, Empty, err
			}
		}
	}
	return reached, left, nil
}

// untilStable applies the operation, which takes states away, until it takes none
// away any more. It releases n and keeps the result.
func (e *emptinessCheck) untilStable(n Node, operation func(Node) (Node, error)) (Node, error) {
	for {
		next, err := operation(n)
		e.rounds++
		e.forest.Keep(next)
		e.forest.Release(n)
		if next == n || err != nil {
			return next, err
		}
		n = next
	}
}

// stutteringForEver is the set of states, within one that is closed under T∅,
// where runs that only stutter may end that have done so for ever before and are
// accepted; kept. It is not empty if and only if there are such runs.
func (e *emptinessCheck) stutteringForEver(within Node) (Node, error) {
	n, err := e.lasting[e.sets].Image(within)
	if err != nil {
		return Empty, err
	}
	return e.untilStable(e.forest.Keep(n), e.stutter.Image)
}

// reachedByChange is the set of states that a step of T* within n reaches, in a
// set that is closed under T; without T∅, all of T.
func (e *emptinessCheck) reachedByChange(n Node) (Node, error) {
	n, err := e.changing.Image(n)
	if err != nil || e.closure == nil {
		return n, err
	}
	return e.close(e.closure, n)
}

// marked is the set of states that a step in the acceptance set leads to from n:
// PostImage(P, f). States that stutter accepted are closed under T∅.
func (e *emptinessCheck) marked(n Node, set int) (Node, error) {
	f := e.forest
	if e.stutter == nil {
		return e.accepted[set].Image(n)
	}
	return f.guarded([]Node{n}, func() Node {
		changed := f.image(e.accepted[set], n)
		f.push(changed)
		lasting := f.image(e.lasting[set], n)
		f.push(lasting)
		stuttered := f.image(e.stutter, lasting)
		f.push(stuttered)
		result := f.union(changed, stuttered)
		for range 3 {
			f.pop()
		}
		return result
	})
}

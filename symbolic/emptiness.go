package symbolic

import (
	"context"
	"math/big"

	"pnmc/automata"
	"pnmc/automata/stutter"
	"pnmc/logic"
)

// ProductOptions say how to check a product.
type ProductOptions struct {
	// Memory is the budget of the product's diagrams in bytes; 0 stands for
	// DefaultMemory.
	Memory int64
	// NoSaturation computes fixpoints by chaining, for comparison.
	NoSaturation bool
	// Testing, if not nil, treats a plain automaton as the testing automaton for its
	// language. It says how far that is stutter-invariant.
	Testing *stutter.Invariance
	// Aggregate keeps a plain automaton explicit: self-loop aggregation. Testing and
	// StateVariable then say nothing.
	Aggregate bool
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
	// States is the number of reachable states of those parts of the product that were looked at,
	// and Rounds the number of images that this took. PeakNodes is the most nodes that the diagram
	// had, and Memory the bytes of all tables.
	States    *big.Int
	Rounds    int
	PeakNodes int
	Memory    int64
	// Run is an accepted run, if one was asked for and there is one.
	Run *Run
}

// CheckEmptiness decides whether some run of s, whose reachable states are known,
// is accepted by a: a TGBA, or a TGTA as testingautomata.NewTGTA makes them. A run that
// ends in a state without successors repeats it for ever. Propositions give each
// proposition of a its meaning over the variables and events of s.
//
// For a TGBA the check is the forward variant of "one way catch them young" of Fig. 2 of the paper
// of 2014. It drops states that no cycle of the set reaches, then states that no accepting edge of
// the set reaches, until nothing changes. The rest is reachable from accepting cycles.
//
// For example, with one acceptance set, let the edges be 1→2, 2→3, 3→2 and 3→4, and let only 1→2 be
// in the set. State 1 has no predecessor, and is dropped: the image of {1, 2, 3, 4} is {2, 3, 4}.
// No edge of what is left is in the set, so the next image is empty: no run is accepted. If 3→2
// were in the set, too, 2, 3 and 4 would stay: they are reached from the cycle of 2 and 3.
//
// For a testing automaton T∅ is used twice more than there. First, runs that stutter
// for ever are looked for by T∅ alone. If there are none, each cycle in question has a
// step of T*. So states that no T* reaches are dropped, however many steps of T∅ lie
// between. One image of T*, closed under T∅ by saturation, replaces one image of T for
// each such step.
func CheckEmptiness(ctx context.Context, s *StateSpace, a *automata.Automaton, propositions []*logic.Predicate, o ProductOptions) (*Emptiness, error) {
	if o.Aggregate {
		return checkAggregation(ctx, s, a, propositions, o)
	}
	p, err := newProduct(ctx, s, a, propositions, o)
	if err != nil {
		return nil, err
	}
	defer p.forest.within(ctx)()
	defer s.Forest.within(ctx)() // conditions made on the way poll it
	e := &emptinessCheck{product: p, ctx: ctx, saturate: !o.NoSaturation}
	result := &Emptiness{States: new(big.Int)}
	found, err := e.check()
	result.Rounds = e.rounds
	n, late := p.forest.CountWithin(ctx, e.reached)
	if late != nil {
		n, late = p.forest.countInTelling(e.reached)
	}
	if late == nil {
		result.States = n
	}
	if err == nil {
		result.Empty = found == nil
		if o.Witness && found != nil {
			result.Run, err = p.witness(e.reached, found)
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
	reached  Node // kept
	rounds   int
}

// A finding is a set of states of a phase, kept and not empty. Each of them can be reached from an
// accepted cycle in the set.
type finding struct {
	phase *phase
	set   Node
	// stutters: the cycles are of T∅ alone.
	stutters bool
}

// close returns the set of states that r reaches from n.
func (e *emptinessCheck) close(r *Relation, n Node) (Node, error) {
	if e.saturate {
		return r.Saturate(e.ctx, n)
	}
	return r.chain(e.ctx, n)
}

// check goes through the phases, and returns what it finds in the first one that
// has an accepted cycle; nil if the product is empty.
func (e *emptinessCheck) check() (*finding, error) {
	f := e.forest
	for i, x := range e.phases {
		n, err := f.guarded([]Node{e.reached, x.start}, func() Node {
			if i == 0 {
				return x.start
			}
			entered := f.image(e.relation(e.crossing, nil), e.reached)
			f.push(entered)
			entered = f.union(entered, x.start)
			f.pop()
			return entered
		})
		if err != nil {
			return nil, err
		}
		reach, err := e.make(x.reach) // of rules, not nodes: n needs no root yet
		if err != nil {
			return nil, err
		}
		if n, err = e.close(reach, f.Keep(n)); err != nil {
			return nil, err
		}
		f.Keep(n)
		all, err := f.Union(e.reached, n)
		if err != nil {
			return nil, err
		}
		f.Release(e.reached)
		e.reached = f.Keep(all)
		if found, err := e.checkPhase(x, n); found != nil || err != nil {
			return found, err
		}
	}
	return nil, nil
}

// make makes a relation, which may stop.
func (e *emptinessCheck) make(relation func() *Relation) (r *Relation, err error) {
	_, err = e.forest.guarded(nil, func() Node {
		r = relation()
		return Empty
	})
	return r, err
}

// checkPhase looks for accepted cycles in the reachable states of a phase, which
// are kept.
func (e *emptinessCheck) checkPhase(x *phase, reached Node) (*finding, error) {
	f := e.forest
	if x.stuttering != nil {
		left, err := e.stutteringForEver(x, reached)
		if err != nil || left != Empty {
			return &finding{x, left, true}, err
		}
	}
	left := f.Keep(reached)
	for stable := false; !stable; {
		before := f.Keep(left) // or another set could get its number
		var err error
		if left, err = e.untilStable(left, func(n Node) (Node, error) { return e.reachedByChange(x, n) }); err != nil {
			return nil, err
		}
		for set := range e.sets {
			if left == Empty {
				f.Release(before) // or it would be kept through the next phase
				return nil, nil
			}
			last := left
			left, err = e.marked(x, last, set)
			if err == nil {
				left, err = e.close(x.reach(), left)
			}
			f.Keep(left)
			f.Release(last)
			if err != nil {
				return nil, err
			}
		}
		stable = left == before
		f.Release(before)
	}
	if left == Empty {
		return nil, nil
	}
	return &finding{x, left, false}, nil
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

// stutteringForEver looks in a set that is closed under T∅ for runs that only stutter, for ever,
// and are accepted. It returns the states that a cycle of such a run leads to by stuttering. The
// result is kept. It is empty if and only if there is no such run.
//
// It begins with all states in which stuttering for ever is accepted. Stuttering changes neither
// propositions nor the automaton's state, so that it does not lead out of them. Their images under
// T∅ get smaller until they are stable. Then each state has a predecessor among them, so that there
// is a cycle. A deadlocked state is its own predecessor. Events that can be on no cycle are left out.
func (e *emptinessCheck) stutteringForEver(x *phase, within Node) (Node, error) {
	recurring := x.recurring()
	if len(recurring.events) == 0 && e.dead == never || within == Empty {
		return Empty, nil
	}
	ending, err := e.make(x.ending)
	if err != nil {
		return Empty, err
	}
	stutter, err := e.make(func() *Relation { return x.stutterBy(e.withDeadlocks(recurring)) })
	if err != nil {
		return Empty, err
	}
	n, err := ending.Image(within)
	if err != nil {
		return Empty, err
	}
	return e.untilStable(e.forest.Keep(n), stutter.Image)
}

// reachedByChange returns the set of states that a step of T* within n reaches, in a
// set that is closed under T; without T∅, all of T.
func (e *emptinessCheck) reachedByChange(x *phase, n Node) (Node, error) {
	changing, err := e.make(x.changing)
	if err != nil {
		return Empty, err
	}
	if n, err = changing.Image(n); err != nil || x.stuttering == nil {
		return n, err
	}
	e.forest.Keep(n)
	defer e.forest.Release(n)
	closure, err := e.make(x.closure)
	if err != nil {
		return Empty, err
	}
	return e.close(closure, n)
}

// marked returns the set of states that a step in the acceptance set leads to from n:
// PostImage(P, f).
func (e *emptinessCheck) marked(x *phase, n Node, set int) (Node, error) {
	f := e.forest
	return f.guarded([]Node{n}, func() Node {
		changed := f.image(x.accepted(set), n)
		if x.stuttering == nil || !x.lasts(set) {
			return changed
		}
		f.push(changed)
		lasting := f.image(x.lasting(set), n)
		f.push(lasting)
		stuttered := f.image(x.stutterBy(e.withDeadlocks(x.stuttering)), lasting)
		f.push(stuttered)
		result := f.union(changed, stuttered)
		for range 3 {
			f.pop()
		}
		return result
	})
}

package reduce

import (
	"context"
	"iter"
	"math"

	"pnmc/internal/account"
	"pnmc/petri"
)

// Preserves is a set of properties that a rule keeps as they are, over
// predicates that look at protected places only.
type Preserves uint8

// These can be asked to be preserved.
const (
	// Reachability of any predicate.
	Reachability Preserves = 1 << iota
	// Deadlock: whether a deadlock is reachable.
	Deadlock
	// Stuttering: the runs up to repetition of markings, a deadlock repeating
	// its last one: linear temporal logic without X.
	Stuttering
	// BranchingStuttering: the state graph up to stuttering bisimulation, and where a
	// run can stay for ever, in a cycle or a deadlock. So it preserves CTL* without X
	// over protected places, if no part of the formula asks whether a marking is a
	// deadlock.
	BranchingStuttering
	// Branching: the state graph up to bisimulation, deadlocks included: all of
	// CTL* over protected places.
	Branching
	// Firings: the state graph up to bisimulation with transitions as labels;
	// no transition is removed.
	Firings
	// Counting: how many markings are reachable, and how many firings, once each marking of the
	// reduced net is counted as often as it stands for markings of the original (Counts). It is
	// asked for alone, and a net with special arcs stays as it is.
	Counting
	// Everything: the net itself. No rule applies.
	Everything Preserves = math.MaxUint8
)

// rule is one reduction. Its function gets the number of the rule, and finds by it what
// is due. It changes the draft, and returns how often it applied.
type rule struct {
	name      string
	preserves Preserves
	apply     func(d *draft, rule int) int
}

const (
	everything = Reachability | Deadlock | Stuttering | BranchingStuttering | Branching
	// withoutNext is what a transition preserves that is taken at once or put off, and
	// that hinders nobody meanwhile.
	withoutNext     = Reachability | Deadlock | Stuttering | BranchingStuttering
	everythingFires = everything | Firings
	// sameMarkings is what a transition preserves without which the same markings are reached.
	sameMarkings = Reachability | Counting
)

// rules in the order in which they are tried. After one that applied, all before it, which are
// cheaper, are tried again. Each is argued for where it is written; what becomes of
// inhibitor and reset arcs and capacities, at fix.
//
// Agglomeration after choices comes last of the four agglomerations. It may add transitions, and where
// free agglomeration could have taken the place, or one beside it, that leaves fewer.
var rules = []rule{
	{"dead transitions", everything | Counting, removeDead},
	{"ample places", everythingFires, removeAmplePlaces},
	{"sink places", everythingFires, removeSinkPlaces},
	{"idle transitions", sameMarkings, removeIdleTransitions},
	{"draining transitions", Reachability, removeDrainingTransitions},
	{"irrelevant part", Reachability, removeIrrelevant},
	{"sources", Deadlock, keepSource},
	{"idle transitions beside others", Reachability | Deadlock, removeIdleBesideOthers},
	{"dominated transitions", everything | Counting, removeDominatedTransitions},
	{"parallel places", everythingFires, removeParallelPlaces},
	{"agglomeration after", withoutNext, agglomerateAfter},
	{"agglomeration before", withoutNext, agglomerateBefore},
	{"free agglomeration", Reachability, agglomerateFreely},
	{"agglomeration after choices", Reachability | Deadlock | Stuttering, agglomerateAfterChoice},
	{"cycles of places", withoutNext | Counting, fuseCycles},
	{"composed transitions", sameMarkings | Deadlock, removeComposed},
	{"implied places", everythingFires, removeImpliedPlaces},
	{"ending part", Deadlock, removeEnding},
	{"partial agglomeration", Reachability, agglomerateSomeFreely},
	{"equal places", Counting, removeEqualPlaces},
	{"fed places", Counting, mergeFedPlaces},
}

// Reduction is a reduced net with the way back.
type Reduction struct {
	Net *petri.Net
	// Places gives each place of Net its place in the original.
	Places []petri.Place
	// PlaceOf gives each place of the original its place in Net, or -1.
	PlaceOf []int32
	// Applied counts the applications of each rule, in the order of their table.
	Applied []int
	// Stopped says that rules were left to apply when as much work was done as was allowed.
	Stopped bool

	prefix    *recipe
	sequences []*recipe
	counts    *Counts // nil unless Counting was wanted
}

// Counts returns how the markings of the original net are counted, or nil unless Counting was wanted
// and the original has no special arcs.
func (r *Reduction) Counts() *Counts { return r.counts }

// Prefix returns what the original net fires from its initial marking to get to the
// marking that Net starts with, over the places that are left.
func (r *Reduction) Prefix() []petri.Transition { return r.prefix.expand(nil) }

// EachOfPrefix goes through the Prefix without holding it.
func (r *Reduction) EachOfPrefix() iter.Seq[petri.Transition] { return r.prefix.each }

// EachOf goes through the Sequence of t without holding it.
func (r *Reduction) EachOf(t petri.Transition) iter.Seq[petri.Transition] { return r.sequences[t].each }

// PrefixWithin returns the Prefix, unless that has more than limit transitions; it may be
// too long for memory. It reports false then.
func (r *Reduction) PrefixWithin(limit int) (_ []petri.Transition, ok bool) {
	if r.prefix.length() > limit {
		return nil, false
	}
	return r.Prefix(), true
}

// PrefixLength returns the number of transitions of Prefix.
func (r *Reduction) PrefixLength() int { return r.prefix.length() }

// SequenceLength returns the number of transitions that t of Net stands for.
func (r *Reduction) SequenceLength(t petri.Transition) int { return r.sequences[t].length() }

// Sequence appends to run the original transitions that t of Net stands for.
func (r *Reduction) Sequence(run []petri.Transition, t petri.Transition) []petri.Transition {
	return r.sequences[t].expand(run)
}

// SequenceWithin appends as Sequence does, unless t stands for more than limit
// transitions. It reports false then, and appends nothing.
func (r *Reduction) SequenceWithin(run []petri.Transition, t petri.Transition, limit int) (_ []petri.Transition, ok bool) {
	if r.SequenceLength(t) > limit {
		return run, false
	}
	return r.Sequence(run, t), true
}

// Run returns the run of the original net that a run of Net stands for. It is nil if
// it were longer than limit transitions.
func (r *Reduction) Run(run []petri.Transition, limit int) []petri.Transition {
	length := r.prefix.length()
	for _, t := range run {
		if length += r.sequences[t].length(); length > limit {
			return nil
		}
	}
	original := make([]petri.Transition, 0, length)
	original = r.prefix.expand(original)
	for _, t := range run {
		original = r.sequences[t].expand(original)
	}
	return original
}

// Permuted returns r with the transitions of Net in another order: transition t of
// the result is order[t] of r.
func (r *Reduction) Permuted(order []int) (*Reduction, error) {
	b := &petri.Builder{ID: r.Net.ID, Name: r.Net.Name}
	for p := range petri.Place(r.Net.Places()) {
		label := r.Net.PlaceLabel(p)
		if _, err := b.AddPlace(label.ID, label.Name, r.Net.InitialTokens(p)); err != nil {
			return nil, err
		}
	}
	permuted := *r
	permuted.sequences = make([]*recipe, len(order))
	for i, old := range order {
		label := r.Net.TransitionLabel(petri.Transition(old))
		t, err := b.AddTransition(label.ID, label.Name)
		if err != nil {
			return nil, err
		}
		permuted.sequences[i] = r.sequences[old]
		if err := b.CopyArcs(t, r.Net, petri.Transition(old), func(p petri.Place) petri.Place { return p }); err != nil {
			return nil, err
		}
	}
	var err error
	permuted.Net, err = b.Build()
	return &permuted, err
}

// maxRounds bounds how often the table is gone through again, as a guard: nothing proves that rules
// which make transitions come to an end.
const maxRounds = 10_000

// Apply reduces net by every rule that preserves all that is wanted, until no rule
// applies. Protected says of each place whether the property looks at it: such a place
// is never removed. An error is why ctx ended first, or the memory that it carries was
// spent.
func Apply(ctx context.Context, net *petri.Net, protected []bool, wanted Preserves) (*Reduction, error) {
	return ApplyWithin(ctx, net, protected, wanted, 0)
}

// ApplyWithin does what Apply does, but stops after so much work, in arcs that rules look at; 0 stands for no bound. The net is used as far as it
// was reduced then: it preserves what is wanted at any time.
func ApplyWithin(ctx context.Context, net *petri.Net, protected []bool, wanted Preserves, work int) (*Reduction, error) {
	if err := account.Of(ctx).Reserve(draftBytes(net)); err != nil {
		return nil, err
	}
	d := newDraft(ctx, net, protected)
	switch {
	case wanted == Counting && net.Plain():
		d.keepCounts()
	case wanted == Counting:
		wanted = Everything
	}
	return d.reduced(wanted, work)
}

// reduced applies the rules, until so much work is done unless it is 0, and makes the reduced net.
func (d *draft) reduced(wanted Preserves, work int) (*Reduction, error) {
	d.most, d.done = work, 0
	applied := d.reduce(wanted)
	stopped := d.stopped
	d.most, d.stopped = 0, false
	if err := d.ctx.Err(); err != nil {
		return nil, context.Cause(d.ctx)
	}
	r, err := d.finishUnless(applied, d.over)
	if err != nil {
		return nil, err
	}
	r.Stopped = stopped
	return r, nil
}

// reduce applies the rules, and counts how often each did. The draft is sound wherever ctx
// ends.
func (d *draft) reduce(wanted Preserves) []int {
	applied := make([]int, len(rules))
	for round, i := 0, 0; i < len(rules) && round < maxRounds && !d.isOver() && d.ctx.Err() == nil; {
		n := 0
		if rules[i].preserves&wanted == wanted {
			n = rules[i].apply(d, i)
		}
		if n == 0 {
			i++
			continue
		}
		applied[i] += n
		round++
		i = 0
	}
	return applied
}

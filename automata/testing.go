package automata

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// similarStates is the number of states up to which testing automata are reduced
// by simulation after bisimulation.
const similarStates = 200

// What a construction says that needs a stutter-invariant language.
var (
	// ErrNotStutterInvariant: the language of the automaton is not stutter-invariant.
	ErrNotStutterInvariant = errors.New("the property is not stutter-invariant")
	// ErrStutterUnknown: finding that out exceeds limits.
	ErrStutterUnknown = errors.New("the property is not known to be stutter-invariant: to find out takes too long")
)

// NewTGTA makes a transition-based generalized testing automaton for the language
// of a, which has generalized Büchi acceptance. State 0 is its only initial one,
// has no edge into it, and its labels are valuations; all other labels are
// changesets. Each other state where the language does not depend on stuttering
// has a loop for changesets that change nothing, or nothing that matters from
// there on, and no other edge for them.
//
// Construction: "Model Checking using Generalized Testing Automata" (Ben Salem,
// Duret-Lutz, Kordon, 2012), Properties 4 and 5, then merging of bisimilar and,
// in small automata, of similar states. Where the language is not
// stutter-invariant, "Extending Testing Automata to All LTL" (Ben Salem, 2015),
// Property 3, with one correction: once a run has been in a state whose language
// is stutter-invariant, the states it visits later are simplified too, and apart
// from the same states visited before. Property 3 as printed simplifies each
// state by its own language, and loses words where a state with a
// stutter-invariant language leads to one without.
//
// Of a, every state that no accepted run visits must have been left out (Prune):
// stuttering in one would otherwise count as accepted where nothing has to be
// visited. The valuations of all propositions that labels mention are enumerated, so that
// ErrTestingTooLarge is to be expected beyond a dozen.
func NewTGTA(ctx context.Context, a *Automaton, v Invariance) (*Automaton, error) {
	return overMentioned(a, func(a *Automaton) (*Automaton, error) { return newTGTA(ctx, a, v) })
}

func newTGTA(ctx context.Context, a *Automaton, v Invariance) (*Automaton, error) {
	x, err := newExpansion(ctx, a, v)
	if err != nil {
		return nil, err
	}
	t, err := x.testing()
	if err != nil {
		return nil, err
	}
	err = t.mergeRootedStates(ctx, func() {
		t.prune()
		t.normalizeMarks()
		for s := range t.out {
			t.disjointMarks(State(s))
		}
	})
	if err != nil {
		return nil, err
	}
	t.prune()
	return t.testingAutomaton(a.Name, TGTA)
}

// NewTA makes a testing automaton with Büchi and livelock acceptance in the same
// form as NewTGTA, with the acceptance condition Inf(0) | (Fin(2) & Inf(1)): set
// 0 has the edges that change something and leave a Büchi-accepting state, set 1
// the stuttering loops of livelock-accepting states, set 2 all edges that change
// something that matters. a has generalized Büchi acceptance and is degeneralized
// first; its language must be stutter-invariant, which ErrNotStutterInvariant
// denies and ErrStutterUnknown leaves open.
//
// Construction: the paper of 2012, Properties 2 and 3, after Geldenhuys and
// Hansen, "Larger automata and less work for LTL model checking" (2006).
func NewTA(ctx context.Context, a *Automaton, v Invariance) (*Automaton, error) {
	return overMentioned(a, func(a *Automaton) (*Automaton, error) { return newTA(ctx, a, v) })
}

func newTA(ctx context.Context, a *Automaton, v Invariance) (*Automaton, error) {
	b, known, err := degeneralizeInvariant(ctx, a, v)
	if err != nil {
		return nil, err
	}
	return withLivelocks(ctx, b, known)
}

// NewGTA makes a generalized testing automaton: as NewTA does, but without
// degeneralization, so that acceptance sets 0 to n-1 are those of a, of edges that
// change something, and sets n and n+1 those of livelocks and of changes (see
// LivelockSets). It is what NewTA makes if a has no set or one; more than ten are
// ErrTooManySets.
//
// Construction: that of Spot's tgba_to_ta without degeneralization. A word that
// changes for ever and is accepted is also accepted without its repetitions, by a run
// whose edges are all there with their sets.
func NewGTA(ctx context.Context, a *Automaton, v Invariance) (*Automaton, error) {
	switch {
	case a.Acceptance.Sets <= 1:
		return NewTA(ctx, a, v)
	case a.Acceptance.Sets > maximalLivelockSets:
		return nil, fmt.Errorf("%w: %d, of %d that a GTA may have", ErrTooManySets, a.Acceptance.Sets, maximalLivelockSets)
	case v.Refuted:
		return nil, ErrNotStutterInvariant
	case !v.Whole:
		return nil, ErrStutterUnknown
	}
	return overMentioned(a, func(a *Automaton) (*Automaton, error) { return withLivelocks(ctx, a, v) })
}

// withLivelocks makes a testing automaton with livelock acceptance and the sets of a,
// whose language is stutter-invariant.
func withLivelocks(ctx context.Context, a *Automaton, v Invariance) (*Automaton, error) {
	x, err := newExpansion(ctx, a, v)
	if err != nil {
		return nil, err
	}
	t, err := x.livelock()
	if err != nil {
		return nil, err
	}
	err = t.mergeRootedStates(ctx, func() {
		t.pruneLivelock()
		t.borrowLivelockMarks()
	})
	if err != nil {
		return nil, err
	}
	t.pruneLivelock()
	return t.testingAutomaton(a.Name, TA)
}

// degeneralizeInvariant makes a Büchi automaton for a stutter-invariant language,
// and tells what is known of stuttering in it.
func degeneralizeInvariant(ctx context.Context, a *Automaton, v Invariance) (*Automaton, Invariance, error) {
	switch {
	case v.Refuted:
		return nil, Invariance{}, ErrNotStutterInvariant
	case !v.Whole:
		return nil, Invariance{}, ErrStutterUnknown
	}
	b, err := Degeneralize(ctx, a)
	if err != nil {
		return nil, Invariance{}, err
	}
	// The language of a state of b is a union of those of states of a.
	return b, Invariance{Whole: true, States: slices.Repeat([]bool{v.all()}, b.States())}, nil
}

// mergeRootedStates merges bisimilar states until nothing changes, then similar
// ones in small automata; the root stays apart. Before each round it tidies up.
func (r *reducible) mergeRootedStates(ctx context.Context, tidy func()) error {
	for by := range similar + 1 {
		for {
			states, edges := len(r.out), r.edges()
			if by == similar && states > similarStates {
				return nil
			}
			tidy()
			if err := r.quotient(by, true); err != nil {
				return err
			}
			r.keep(r.reachable())
			if err := ctx.Err(); err != nil {
				return err
			}
			if len(r.out) == states && r.edges() >= edges {
				break
			}
		}
	}
	return nil
}

// newExpansion expands a as far as stutter-invariance is known.
func newExpansion(ctx context.Context, a *Automaton, v Invariance) (*expansion, error) {
	r, err := newReducible(ctx, a)
	if err != nil {
		return nil, err
	}
	support, err := r.supports()
	if err != nil {
		return nil, err
	}
	if !v.all() { // what changes nothing is then the same for all states
		whole := uint64(0)
		for _, s := range r.initial {
			whole |= support[s]
		}
		for s := range support {
			support[s] = whole
		}
	}
	x := &expansion{reducible: r, support: support, numbers: map[expandedState]uint32{}, codes: map[[2]uint64]Function{}}
	exact := func(s State, before bool) bool { return before && !v.Whole && !v.States[s] }
	if err := x.expand(exact); err != nil {
		return nil, err
	}
	return x, ctx.Err()
}

// testingAutomaton makes an immutable automaton of r, whose states are numbered
// with the root first.
func (r *reducible) testingAutomaton(name string, kind Kind) (*Automaton, error) {
	root := State(0)
	acceptance := GeneralizedBuchi(r.sets)
	if kind == TA {
		acceptance = livelockAcceptance(r.sets - 1)
	}
	b := NewBuilder(r.propositions, acceptance)
	b.Within(r.functions.ctx)
	b.Name, b.Kind = name, kind
	b.AddStates(max(1, len(r.out)))
	b.AddInitial(0)
	if len(r.initial) > 0 {
		root = r.initial[0]
	}
	number := func(s State) State { // exchanges the root and state 0
		switch s {
		case root:
			return 0
		case 0:
			return root
		}
		return s
	}
	for s, out := range r.out {
		for _, e := range out {
			label, err := r.functions.LabelOver(e.label, len(r.propositions))
			if err != nil {
				return nil, err
			}
			marks := e.marks
			if kind == TA && State(s) != root && !r.isLoop(State(s), e) {
				marks |= r.changeMark()
			}
			b.AddEdge(number(State(s)), label, Marks{marks}, number(e.to))
		}
	}
	if err := r.functions.Err(); err != nil {
		return nil, err
	}
	return b.Build()
}

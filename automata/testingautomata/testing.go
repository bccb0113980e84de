package testingautomata

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"pnmc/automata"
	"pnmc/automata/bdd"
	"pnmc/automata/degeneralize"
	"pnmc/automata/internal/marked"
	"pnmc/automata/stutter"
	"pnmc/internal/account"
)

// similarStates is the number of states up to which testing automata are reduced
// by simulation after bisimulation.
const similarStates = 200

// These are the errors of constructions that need a stutter-invariant language.
var (
	// ErrNotStutterInvariant: the language of the automaton is not stutter-invariant.
	ErrNotStutterInvariant = errors.New("the property is not stutter-invariant")
	// ErrStutterUnknown: finding that out exceeds limits.
	ErrStutterUnknown = errors.New("the property is not known to be stutter-invariant: to find out takes too long")
)

// NewTGTA makes a transition-based generalized testing automaton for the language of a,
// which has generalized Büchi acceptance. State 0 is its only initial one, has no edge
// into it, and its labels are valuations; all other labels are changesets. Each other
// state where the language does not depend on stuttering has a loop for some
// changesets: those that change nothing, or nothing that matters from there on. It has
// no other edge for these.
//
// Construction: "Model Checking using Generalized Testing Automata" (Ben Salem,
// Duret-Lutz, Kordon, 2012), Properties 4 and 5, then merging of bisimilar and, in
// small automata, of similar states. Where the language is not stutter-invariant, the
// construction is that of "Extending Testing Automata to All LTL" (Ben Salem, 2015),
// Property 3, with one correction. Once a run has been in a state whose language is
// stutter-invariant, the states that it visits later are simplified, too. They are
// other states than those visited before. Property 3 as printed simplifies each state
// by its own language, and loses words where a state with a stutter-invariant language
// leads to one without.
//
// Of a, every state that no accepted run visits must have been left out (Prune):
// stuttering in one would otherwise count as accepted where nothing has to be
// visited. The valuations of all propositions that labels mention are enumerated, so that
// ErrTooLarge is to be expected beyond a dozen.
func NewTGTA(ctx context.Context, a *automata.Automaton, v stutter.Invariance) (*automata.Automaton, error) {
	return overMentioned(a, func(a *automata.Automaton) (*automata.Automaton, error) { return newTGTA(ctx, a, v) })
}

// newTGTA makes the intermediate testing automaton, merges its states, and turns it into a TGTA.
// Before each round of merging it prunes what is useless, and takes sets away that do not matter:
// more states are then alike.
func newTGTA(ctx context.Context, a *automata.Automaton, v stutter.Invariance) (*automata.Automaton, error) {
	t, err := expanded(ctx, a, v, (*expansion).testing, func(t *marked.Reducible) error {
		t.Prune()
		if _, _, err := t.NormalizeMarks(ctx); err != nil {
			return err
		}
		for s := range t.Out {
			t.DisjointMarks(automata.State(s))
		}
		return t.Functions.Err()
	})
	if err != nil {
		return nil, err
	}
	t.Prune()
	return testingAutomaton(t, a.Name, automata.TGTA)
}

// expanded makes a testing automaton of the expansion of a, and merges its states. Before each round
// of merging, tidy makes more of them alike.
func expanded(ctx context.Context, a *automata.Automaton, v stutter.Invariance, testing func(*expansion) (*marked.Reducible, error), tidy func(*marked.Reducible) error) (*marked.Reducible, error) {
	x, err := newExpansion(ctx, a, v)
	if err != nil {
		return nil, err
	}
	t, err := testing(x)
	if err != nil {
		return nil, err
	}
	return t, mergeRootedStates(t, ctx, func() error { return tidy(t) })
}

// NewTA makes a testing automaton with Büchi and livelock acceptance in the same form as NewTGTA.
// Its acceptance condition is Inf(0) | (Fin(2) & Inf(1)). Set 0 has the edges that change
// something and leave a Büchi-accepting state. Set 1 has the stuttering loops of
// livelock-accepting states. Set 2 has all edges that change something that matters. a has
// generalized Büchi acceptance and is degeneralized first; its language must be
// stutter-invariant, which ErrNotStutterInvariant denies and ErrStutterUnknown leaves open.
//
// Construction: the paper of 2012, Properties 2 and 3, after Geldenhuys and
// Hansen, "Larger automata and less work for LTL model checking" (2006).
func NewTA(ctx context.Context, a *automata.Automaton, v stutter.Invariance) (*automata.Automaton, error) {
	return overMentioned(a, func(a *automata.Automaton) (*automata.Automaton, error) { return newTA(ctx, a, v) })
}

// newTA degeneralizes a to at most one acceptance set, and makes a TA of it. A GTA is made
// without the first step.
func newTA(ctx context.Context, a *automata.Automaton, v stutter.Invariance) (*automata.Automaton, error) {
	b, known, err := degeneralizeInvariant(ctx, a, v)
	if err != nil {
		return nil, err
	}
	return withLivelocks(ctx, b, known)
}

// NewGTA makes a generalized testing automaton, as NewTA does, but without degeneralization.
// Acceptance sets 0 to n-1 are those of a, and have edges that change something. Sets n and n+1
// are those of livelocks and of changes (see LivelockSets). It is what NewTA makes if a has no
// set or one; more than ten are ErrTooManySets.
//
// Construction: that of Spot's tgba_to_ta without degeneralization. A word that
// changes for ever and is accepted is also accepted without its repetitions, by a run
// whose edges are all there with their sets.
func NewGTA(ctx context.Context, a *automata.Automaton, v stutter.Invariance) (*automata.Automaton, error) {
	switch {
	case a.Acceptance.Sets <= 1:
		return NewTA(ctx, a, v)
	case a.Acceptance.Sets > automata.MaxLivelockSets:
		return nil, &setsError{a.Acceptance.Sets}
	case v.Refuted:
		return nil, ErrNotStutterInvariant
	case !v.Whole:
		return nil, ErrStutterUnknown
	}
	return overMentioned(a, func(a *automata.Automaton) (*automata.Automaton, error) { return withLivelocks(ctx, a, v) })
}

// setsError is ErrTooManySets, of an automaton that a GTA can't be made of.
type setsError struct{ sets int }

// Error names the limit on acceptance sets.
func (e *setsError) Error() string {
	return fmt.Sprintf("%d acceptance sets, of which a GTA has at most %d", e.sets, automata.MaxLivelockSets)
}

// Is has errors.Is find marked.ErrTooManySets, the error of the same fault elsewhere.
func (e *setsError) Is(err error) bool { return err == marked.ErrTooManySets }

// withLivelocks makes a testing automaton with livelock acceptance and the sets of a,
// whose language is stutter-invariant.
func withLivelocks(ctx context.Context, a *automata.Automaton, v stutter.Invariance) (*automata.Automaton, error) {
	t, err := expanded(ctx, a, v, (*expansion).livelock, func(t *marked.Reducible) error {
		if err := pruneLivelock(ctx, t); err != nil {
			return err
		}
		return borrowLivelockMarks(ctx, t)
	})
	if err != nil {
		return nil, err
	}
	if err := pruneLivelock(ctx, t); err != nil {
		return nil, err
	}
	return testingAutomaton(t, a.Name, automata.TA)
}

// degeneralizeInvariant makes a Büchi automaton for a stutter-invariant language, and
// returns what is known of stuttering in it.
func degeneralizeInvariant(ctx context.Context, a *automata.Automaton, v stutter.Invariance) (*automata.Automaton, stutter.Invariance, error) {
	switch {
	case v.Refuted:
		return nil, stutter.Invariance{}, ErrNotStutterInvariant
	case !v.Whole:
		return nil, stutter.Invariance{}, ErrStutterUnknown
	}
	b, err := degeneralize.Degeneralize(ctx, a)
	if err != nil {
		return nil, stutter.Invariance{}, err
	}
	// The language of a state of b is a union of those of states of a.
	return b, stutter.Invariance{Whole: true, States: slices.Repeat([]bool{v.All()}, b.States())}, nil
}

// mergeRootedStates merges bisimilar states until nothing changes, then similar
// ones in small automata; the root stays apart. Before each round it tidies up.
func mergeRootedStates(r *marked.Reducible, ctx context.Context, tidy func() error) error {
	for by := range marked.Similar + 1 {
		for {
			states, edges := len(r.Out), r.Edges()
			if by == marked.Similar && states > similarStates {
				return nil
			}
			if err := tidy(); err != nil {
				return err
			}
			if err := r.Quotient(by, true); err != nil {
				return err
			}
			r.Keep(r.Reachable())
			if err := ctx.Err(); err != nil {
				return err
			}
			if len(r.Out) == states && r.Edges() >= edges {
				break
			}
		}
	}
	return nil
}

// newExpansion expands a as far as stutter-invariance is known.
func newExpansion(ctx context.Context, a *automata.Automaton, v stutter.Invariance) (*expansion, error) {
	r, err := marked.NewReducible(ctx, a)
	if err != nil {
		return nil, err
	}
	support, err := supports(r)
	if err != nil {
		return nil, err
	}
	if !v.All() { // what changes nothing is then the same for all states
		whole := uint64(0)
		for _, s := range r.Initial {
			whole |= support[s]
		}
		for s := range support {
			support[s] = whole
		}
	}
	x := &expansion{Reducible: r, account: account.Of(ctx), support: support, numbers: map[expandedState]uint32{}, codes: map[[2]uint64]bdd.Function{}}
	exact := func(s automata.State, before bool) bool { return before && !v.Whole && !v.States[s] }
	if err := x.expand(exact); err != nil {
		return nil, err
	}
	return x, ctx.Err()
}

// testingAutomaton makes an immutable automaton of r, whose states are numbered
// with the root first.
func testingAutomaton(r *marked.Reducible, name string, kind automata.Kind) (*automata.Automaton, error) {
	root := automata.State(0)
	acceptance := automata.GeneralizedBuchi(r.Sets)
	if kind == automata.TA {
		acceptance = automata.LivelockAcceptance(r.Sets - 1)
	}
	b := automata.NewBuilder(r.Propositions, acceptance)
	b.Within(r.Functions.Ctx)
	b.Name, b.Kind = name, kind
	b.AddStates(max(1, len(r.Out)))
	b.AddInitial(0)
	if len(r.Initial) > 0 {
		root = r.Initial[0]
	}
	number := func(s automata.State) automata.State { // exchanges the root and state 0
		switch s {
		case root:
			return 0
		case 0:
			return root
		}
		return s
	}
	for s, out := range r.Out {
		for _, e := range out {
			label, err := r.Functions.LabelOver(e.Label, len(r.Propositions))
			if err != nil {
				return nil, err
			}
			marks := e.Marks
			if kind == automata.TA && automata.State(s) != root && !isLoop(r, automata.State(s), e) {
				marks |= changeMarkOf(r)
			}
			b.AddEdge(number(automata.State(s)), label, automata.Marks{marks}, number(e.To))
		}
	}
	if err := r.Functions.Err(); err != nil {
		return nil, err
	}
	return b.Build()
}

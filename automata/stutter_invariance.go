package automata

import (
	"context"
	"errors"
)

// Limits of the decision on stutter-invariance. Beyond them it is not known.
const (
	stutterLetters    = 1 << 10
	stutterStates     = 64
	stutterPairs      = 1 << 17
	stutterWork       = 1 << 19 // edges of products, and as many steps of a complement
	stutterClaimWork  = 1 << 16 // the same, where there is a claim to fall back on
	stutterComplement = 1 << 13
)

// Invariance is what is known of the languages of an automaton's states: that
// they do not change when letters are repeated, or repetitions left out.
type Invariance struct {
	// Whole: the language of the automaton is stutter-invariant.
	Whole bool
	// Refuted: it is not. Where neither is true, it is not known.
	Refuted bool
	// States tells of which states the language is known to be so.
	States []bool
}

// all tells whether every state's language is known to be stutter-invariant.
func (v Invariance) all() bool {
	for _, known := range v.States {
		if !known {
			return false
		}
	}
	return true
}

// ClaimedInvariance believes the automaton's claim. Nothing is said of single
// states.
func ClaimedInvariance(a *Automaton) Invariance {
	return Invariance{Whole: a.Claims&ClaimStutterInvariant != 0, States: make([]bool, a.States())}
}

// DecideInvariance finds out which languages of a, which is plain, are
// stutter-invariant, by exact methods that do not look at claims: words that differ
// from accepted ones by repetitions must be accepted. The automaton of such words,
// with loops and shortcuts ("Practical stutter-invariance checks for ω-regular
// languages", Michaud and Duret-Lutz, 2015), is compared with a itself: if a
// simulates it, the language is invariant. Otherwise it is run side by side with
// the complement, for deterministic automata directly and else by slices. Where a
// limit is exceeded, a language is not known to be invariant. Nothing is said of
// single states where the acceptance condition is not generalized Büchi.
func DecideInvariance(ctx context.Context, a *Automaton) (Invariance, error) {
	return decideLanguages(ctx, a, Invariance{States: make([]bool, a.States())}, stutterWork)
}

// DecideStatesInvariance is DecideInvariance where the whole is claimed to be
// stutter-invariant. With little effort it looks whether that is Refuted.
func DecideStatesInvariance(ctx context.Context, a *Automaton) (Invariance, error) {
	return decideLanguages(ctx, a, Invariance{Whole: true, States: make([]bool, a.States())}, stutterClaimWork)
}

// DecideWholeInvariance is DecideInvariance for the initial states only.
func DecideWholeInvariance(ctx context.Context, a *Automaton) (bool, error) {
	decision, err := newStutterDecision(ctx, a)
	if err != nil || decision == nil {
		return false, err
	}
	answer, err := decision.of(ctx, decision.automaton.Initial())
	return answer == stutterInvariant, err
}

// RefutesInvariance tells whether little effort shows that the language of a is not
// stutter-invariant, which it claims.
func RefutesInvariance(ctx context.Context, a *Automaton) (bool, error) {
	decision, err := newStutterDecision(ctx, a)
	if err != nil || decision == nil {
		return false, err
	}
	decision.work = stutterClaimWork
	answer, err := decision.of(ctx, decision.automaton.Initial())
	return answer == stutterSensitive, err
}

// decideLanguages completes what is known of the whole, with so much effort for it,
// and of the states.
func decideLanguages(ctx context.Context, a *Automaton, v Invariance, effort int) (Invariance, error) {
	decision, err := newStutterDecision(ctx, a)
	if err != nil || decision == nil {
		return v, err
	}
	decision.work = effort
	answer, err := decision.of(ctx, decision.automaton.Initial())
	if err != nil {
		return v, err
	}
	decision.work += stutterWork - effort
	v.Refuted = answer == stutterSensitive
	v.Whole = !v.Refuted && (v.Whole || answer == stutterInvariant)
	if decision.automaton != a {
		return v, nil
	}
	if v.Whole && IsDeterministic(a) {
		// What follows a prefix of a word is invariant if words are.
		copy(v.States, Reachable(a))
	}
	for s, done := range v.States {
		if done {
			continue
		}
		answer, err := decision.of(ctx, []State{State(s)})
		if err != nil {
			return v, err
		}
		v.States[s] = answer == stutterInvariant
	}
	return v, nil
}

// stutterAnswer is what a decision came to.
type stutterAnswer uint8

const (
	stutterUnknown stutterAnswer = iota // a limit was exceeded
	stutterInvariant
	stutterSensitive
)

// stutterDecision decides on languages of an automaton with generalized Büchi
// acceptance. Its work is shared by all of them.
type stutterDecision struct {
	automaton  *Automaton
	simulation *stutterSimulation // or nil
	work       int
}

// newStutterDecision prepares the decision on a, or on an automaton for the same
// language; nil where a limit is exceeded.
func newStutterDecision(ctx context.Context, a *Automaton) (*stutterDecision, error) {
	b, err := WithGeneralizedBuchi(a)
	if errors.Is(err, ErrConditionTooLarge) || errors.Is(err, ErrBuchiTooLarge) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	r, err := newReducible(b)
	if errors.Is(err, ErrTooManySets) || errors.Is(err, ErrFunctionTooLarge) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	r.functions.Watch(ctx)
	d := &stutterDecision{automaton: b, simulation: newStutterSimulation(ctx, r), work: stutterWork}
	return d, ctx.Err()
}

// of decides on the language of these states together.
func (d *stutterDecision) of(ctx context.Context, from []State) (stutterAnswer, error) {
	if d.simulation != nil && d.simulation.invariant(from) {
		return stutterInvariant, nil
	}
	if d.work <= 0 {
		return stutterUnknown, nil
	}
	r, err := newReducible(d.automaton)
	switch {
	case errors.Is(err, ErrFunctionTooLarge):
		return stutterUnknown, nil
	case err != nil:
		return stutterUnknown, err
	}
	r.functions.Watch(ctx)
	r.initial = append([]State(nil), from...)
	r.prune()
	r.joinInitial()
	if err := r.degeneralize(ctx, levels{}); err != nil {
		return stutterUnknown, err
	}
	if err := r.mergeStateBased(ctx); errors.Is(err, ErrFunctionTooLarge) {
		return stutterUnknown, nil
	} else if err != nil {
		return stutterUnknown, err
	}
	letters := r.letters(stutterLetters)
	if letters == nil || len(r.out) > stutterStates {
		return stutterUnknown, nil
	}
	words := r.over(letters)
	search := &stutterSearch{ctx: ctx, words: words.withShortcuts(), work: &d.work, numbers: map[stutterPair]State{}}
	if words.deterministic() {
		search.deterministic = words
	} else {
		buchi, err := r.automaton()
		if err != nil {
			return stutterUnknown, err
		}
		if search.complement, err = newLetteredComplement(buchi, r.functions, letters, &d.work); err != nil {
			return stutterUnknown, nil // too large
		}
	}
	found, complete := search.run(r.initial[0])
	switch err := ctx.Err(); {
	case err != nil:
		return stutterUnknown, err
	case !complete:
		return stutterUnknown, nil
	case found:
		return stutterSensitive, nil
	}
	return stutterInvariant, nil
}

// joinInitial makes one initial state of several: a new one with the edges of all.
func (r *reducible) joinInitial() {
	if len(r.initial) < 2 {
		return
	}
	var joined []link
	for _, s := range r.initial {
		for _, e := range r.out[s] {
			joined = append(joined, link{e.to, 0, e.label})
		}
	}
	s := State(len(r.out))
	r.out = append(r.out, joined)
	r.merge(s)
	r.initial = []State{s}
	r.keep(r.reachable())
}

// stutterSearch looks for a word that is like an accepted one up to stuttering
// and is not accepted itself.
type stutterSearch struct {
	ctx           context.Context
	words         *lettered           // with shortcuts
	deterministic *lettered           // either this is set,
	complement    *letteredComplement // or this
	work          *int                // left
	numbers       map[stutterPair]State
	pairs         []stutterPair
}

// stutterPair is a state of the words with the letter that it may read again, and
// a state of the complement.
type stutterPair struct {
	state  State
	letter int32 // or -1
	other  uint32
}

// rejected is the state of the complement of a deterministic automaton where no
// word is accepted any more.
const rejected = ^uint32(0)

func (s *stutterSearch) number(p stutterPair) State {
	n, known := s.numbers[p]
	if !known {
		n = State(len(s.pairs))
		s.numbers[p] = n
		s.pairs = append(s.pairs, p)
	}
	return n
}

// run explores the product; complete is false where a limit was exceeded.
func (s *stutterSearch) run(initial State) (found, complete bool) {
	first := uint32(0) // the complement's initial state
	if s.deterministic != nil {
		first = uint32(initial)
	}
	s.number(stutterPair{initial, -1, first})
	var out [][]link
	for n := 0; n < len(s.pairs); n++ {
		if len(s.pairs) > stutterPairs || *s.work <= 0 || s.ctx.Err() != nil {
			return false, false
		}
		p := s.pairs[n]
		var edges []link
		for l := range s.words.letters {
			moves := s.words.of(p.state, l)
			stay := p.letter == int32(l)
			if len(moves) == 0 && !stay {
				continue
			}
			*s.work -= 1 + len(moves)
			others, ok := s.others(p.other, l)
			if !ok {
				return false, false
			}
			for _, o := range others {
				if stay {
					edges = append(edges, link{s.number(stutterPair{p.state, p.letter, o.to}), o.marks(), TrueFunction})
				}
				for _, m := range moves {
					edges = append(edges, link{s.number(stutterPair{m.to, int32(l), o.to}), m.marks | o.marks(), TrueFunction})
				}
			}
		}
		out = append(out, edges)
	}
	return s.accepted(out), true
}

// marks is set 1 where the complement's edge counts.
func (o complementStep) marks() uint64 {
	if o.breaks {
		return 2
	}
	return 0
}

// others are the successors in the complement. That of a deterministic automaton
// accepts where from some time on no edge is accepting: such edges do not count,
// and no cycle may have one.
func (s *stutterSearch) others(n uint32, l int) ([]complementStep, bool) {
	if s.complement != nil {
		return s.complement.next(n, l)
	}
	if n == rejected {
		return []complementStep{{rejected, true}}, true
	}
	moves := s.deterministic.of(State(n), l)
	if len(moves) == 0 {
		return []complementStep{{rejected, true}}, true
	}
	return []complementStep{{uint32(moves[0].to), moves[0].marks == 0}}, true
}

// complementStep is a successor in the complement; breaks tells that the edge
// counts for acceptance: infinitely many are needed.
type complementStep struct {
	to     uint32
	breaks bool
}

// letteredComplement is the complement of a nondeterministic automaton, by
// letters.
type letteredComplement struct {
	of        *SliceComplement
	functions *Functions
	letters   []Function
	steps     map[uint32][][]complementStep
	work      *int
}

// stepWork is what a step of the complement costs, compared with an edge of the
// product.
const stepWork = 16

func newLetteredComplement(a *Automaton, f *Functions, letters []Function, work *int) (*letteredComplement, error) {
	c, err := NewSliceComplement(a, stutterComplement)
	return &letteredComplement{of: c, functions: f, letters: letters, work: work, steps: map[uint32][][]complementStep{}}, err
}

// next are the successors for letter l; ok is false where a limit was exceeded.
func (c *letteredComplement) next(s uint32, l int) (steps []complementStep, ok bool) {
	list, known := c.steps[s]
	if !known {
		*c.work -= len(c.letters) * stepWork
		list = make([][]complementStep, len(c.letters))
		err := c.of.Out(s, func(label Label, accepting bool, to uint32) {
			g := c.functions.Of(label)
			for i, letter := range c.letters {
				if c.functions.Implies(letter, g) {
					list[i] = append(list[i], complementStep{to, accepting})
				}
			}
		})
		if err != nil || c.functions.Err() != nil {
			return nil, false
		}
		c.steps[s] = list
	}
	return list[l], true
}

// accepted tells whether the product has an accepting cycle.
func (s *stutterSearch) accepted(out [][]link) bool {
	if s.deterministic != nil {
		for n := range out {
			kept := out[n][:0]
			for _, e := range out[n] {
				if e.marks&2 != 0 {
					kept = append(kept, e)
				}
			}
			out[n] = kept
		}
	}
	graph := &reducible{sets: 2, out: out}
	for _, accepting := range graph.acceptingComponents(graph.components()) {
		if accepting {
			return true
		}
	}
	return false
}

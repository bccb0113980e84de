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
	stutterComplement = 1 << 13
)

// Invariance is what is known of the languages of an automaton's states: that
// they do not change when letters are repeated, or repetitions left out.
type Invariance struct {
	// Whole: the language of the automaton is stutter-invariant.
	Whole bool
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

// DecideInvariance finds out which languages of a, which has generalized Büchi
// acceptance, are stutter-invariant, by an exact method that does not look at
// claims: words that differ from accepted ones by repetitions must be accepted.
// The automaton of such words, with loops and shortcuts ("Practical
// stutter-invariance checks for ω-regular languages", Michaud and Duret-Lutz,
// 2015), is run side by side with the complement, for deterministic automata
// directly and otherwise by slices. Where a limit is exceeded, a language counts
// as not invariant.
func DecideInvariance(ctx context.Context, a *Automaton) (Invariance, error) {
	v := Invariance{States: make([]bool, a.States())}
	work := stutterWork
	whole, err := decideInvariance(ctx, a, a.Initial(), &work)
	if err != nil {
		return v, err
	}
	v.Whole = whole
	return decideStates(ctx, a, v, work)
}

// DecideStatesInvariance is DecideInvariance where that of the whole is known.
func DecideStatesInvariance(ctx context.Context, a *Automaton) (Invariance, error) {
	return decideStates(ctx, a, Invariance{Whole: true, States: make([]bool, a.States())}, stutterWork)
}

// decideStates completes what is known of the whole by what is true of states.
func decideStates(ctx context.Context, a *Automaton, v Invariance, work int) (Invariance, error) {
	if v.Whole && IsDeterministic(a) {
		// What follows a prefix of a word is invariant if words are.
		copy(v.States, Reachable(a))
	}
	for s, done := range v.States {
		if done {
			continue
		}
		known, err := decideInvariance(ctx, a, []State{State(s)}, &work)
		if err != nil {
			return v, err
		}
		v.States[s] = known
	}
	return v, nil
}

// DecideWholeInvariance is DecideInvariance for the initial states only.
func DecideWholeInvariance(ctx context.Context, a *Automaton) (bool, error) {
	work := stutterWork
	return decideInvariance(ctx, a, a.Initial(), &work)
}

// decideInvariance tells whether the language of these states together is known
// to be stutter-invariant. It takes its effort from work.
func decideInvariance(ctx context.Context, a *Automaton, from []State, work *int) (bool, error) {
	if *work <= 0 {
		return false, nil
	}
	r, err := newReducible(a)
	switch {
	case errors.Is(err, ErrTooManySets) || errors.Is(err, ErrFunctionTooLarge):
		return false, nil
	case err != nil:
		return false, err
	}
	r.functions.Watch(ctx)
	r.initial = append([]State(nil), from...)
	r.prune()
	if err := r.degeneralize(ctx, levels{}); err != nil {
		return false, err
	}
	if err := r.mergeStateBased(ctx); errors.Is(err, ErrFunctionTooLarge) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	letters := r.letters(stutterLetters)
	if letters == nil || len(r.out) > stutterStates || len(r.initial) > 1 {
		return false, nil
	}
	words := r.over(letters)
	search := &stutterSearch{ctx: ctx, words: words.shortcuts(), work: work, numbers: map[stutterPair]State{}}
	if words.deterministic() {
		search.deterministic = words
	} else {
		buchi, err := r.automaton()
		if err != nil {
			return false, err
		}
		if search.complement, err = newLetteredComplement(buchi, r.functions, letters, work); err != nil {
			return false, nil // too large
		}
	}
	found, complete := search.run(r.initial[0])
	if err := ctx.Err(); err != nil {
		return false, err
	}
	return complete && !found, nil
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

package complement

import (
	"context"
	"encoding/binary"
	"slices"

	"pnmc/automata"
	"pnmc/automata/internal/effort"
	"pnmc/automata/internal/marked"
	"pnmc/internal/account"
	"pnmc/internal/bitset"
)

// Complementation is the complement of a nondeterministic automaton, computed as its
// states are asked for, and numbered as they are met; state 0 is the only initial
// one. It is a generalized Büchi automaton with acceptance on edges.
//
// A word is rejected if no run over it stays in an accepting component and is accepted
// there. Each kind of component has a construction and an acceptance set of its own.
// All of them share the set of states that the word reaches, as in "Modular
// mix-and-match complementation of Büchi automata" (Havlena, Lengál, Li, Šmahlíková,
// Turrini, TACAS 2023):
//
//   - weak components, all together: breakpoints ("Alternating finite automata on
//     ω-words", Miyano and Hayashi, 1984), deterministic, at most 3^n states;
//   - components in which no run branches, all together: the construction guesses when
//     runs are safe from accepting edges, for all runs of one breakpoint at the same
//     time, with at most 4^n states ("Complementing semi-deterministic Büchi automata",
//     Blahoudek, Heizmann, Schewe, Strejček, Tsai, TACAS 2016; "Advanced automata-based
//     algorithms for program termination checking", Chen et al., PLDI 2018);
//   - each other component: slices, see slicedLevel, at most 4·(3n)^n states.
//
// A word that reaches a state from which all words are accepted is not followed.
//
// The problem is that a word has many runs, and all of them must be rejected. The set of states
// reached says where the runs are, but not whether one of them is accepted. For that we must know
// which state continues which run.
//
// An example of a weak component: F G p as a state q with a loop for every letter, not accepting,
// and an edge labelled p to a state r, which has an accepting loop labelled p. A run is accepted
// if it stays in r. The complement keeps the states reached, and those that are obliged to leave
// {r}:
//
//	{q}, obliged {}         p: to {q, r}, obliged {r}, accepting    !p: to itself, accepting
//	{q, r}, obliged {r}     p: to itself                            !p: to the first, accepting
//
// On p the run that is obliged in r stays there, and the state waits. On !p it has no edge: all
// obligations are met, which is a breakpoint, and accepting. The complement accepts the words with
// !p again and again, as it should.
//
// Why a breakpoint is right: runs that enter r after a breakpoint wait until the next, and then
// all are obliged. If there are breakpoints for ever, every run that enters leaves again. If there
// are none from some point on, there are obliged runs of every length, and by König's lemma an
// infinite one among them. It is accepted, since no cycle of a weak component lacks an accepting
// edge. The two other constructions are explained at forEachGuessOfRuns and slicedLevel.
type Complementation struct {
	ctx        context.Context
	buchi      *automata.Automaton
	limit      int
	components *automata.Components
	kind       []partKind // of each state of buchi
	universal  []bool     // of each state: every word is accepted from there
	general    []automata.Component
	weakSet    int // the acceptance set of the weak components; -1: there are none
	runSet     int // likewise of those in which no run branches
	Sets       int

	number map[string]uint32
	states []macrostate
	seen   []uint64 // of each state of buchi: the step in which it was last met
	step   uint64
	looks  int

	letters *effort.Bound // on the letters of all states, or nil: none but the context
}

// partKind is the construction that a state of the automaton takes part in.
type partKind uint8

const (
	rejectingPart   partKind = iota // in no accepting component
	weakPart                        // no cycle lacks an accepting edge
	unbranchingPart                 // no two edges within the component for one letter
	generalPart                     // neither
)

// macrostate is a state of the complement. Sets of states are ascending.
type macrostate struct {
	reached []automata.State
	// obliged are states of weak components whose runs must leave these.
	obliged []automata.State
	// safe are states of unbranching components whose runs must not take an accepting
	// edge there; pending are others whose runs must end, leave, or become safe.
	safe, pending []automata.State
	levels        []slicedLevel // of each general component
}

// NewComplementation returns the complement of a. At most limit states of it may be asked for,
// while ctx has not ended. It makes a Büchi automaton of a first, and reduces that by
// simulation: each state less there may save a factor in the complement. An error is that the
// acceptance condition of a has too many disjuncts, that the Büchi automaton has more than limit
// states, or that of the context.
func NewComplementation(ctx context.Context, a *automata.Automaton, limit int) (*Complementation, error) {
	buchi, err := transitionBuchi(ctx, a, limit)
	if err != nil {
		return nil, err
	}
	switch reduced, err := marked.ReduceBySimulation(ctx, buchi); {
	case err == nil:
		if buchi, err = usefulPart(ctx, reduced); err != nil {
			return nil, err
		}
	case ctx.Err() != nil:
		return nil, err
	}
	return newComplementation(ctx, buchi, limit)
}

// newComplementation prepares the complement of an automaton that usefulPart made.
func newComplementation(ctx context.Context, buchi *automata.Automaton, limit int) (*Complementation, error) {
	c := &Complementation{
		ctx: ctx, buchi: buchi, limit: limit, components: automata.FindComponents(buchi), kind: make([]partKind, buchi.States()),
		universal: make([]bool, buchi.States()), weakSet: -1, runSet: -1,
		number: map[string]uint32{}, seen: make([]uint64, buchi.States()),
	}
	c.classify()
	if err := account.Reason(ctx); err != nil {
		return nil, err
	}
	first := macrostate{reached: slices.Clone(buchi.Initial()), levels: make([]slicedLevel, len(c.general))}
	slices.Sort(first.reached)
	for i, n := range c.general {
		first.levels[i].rest = c.inside(first.reached, n)
	}
	_, err := c.intern(first)
	return c, err
}

// Propositions returns those of the automaton and its complement.
func (c *Complementation) Propositions() []string { return c.buchi.Propositions }

// Acceptance returns the condition of the complement.
func (c *Complementation) Acceptance() automata.Acceptance { return automata.GeneralizedBuchi(c.Sets) }

// Known returns how many states have a number: 0 to Known()-1.
func (c *Complementation) Known() int { return len(c.states) }

// Buchi returns the automaton that is complemented, in the form that Reached speaks of: one
// acceptance set on edges, each state with an accepting run.
func (c *Complementation) Buchi() *automata.Automaton { return c.buchi }

// Reached returns the states of Buchi that the words which lead to s may lead to, ascending.
func (c *Complementation) Reached(s uint32) []automata.State { return c.states[s].reached }

// classify finds out the kind of each component, and gives acceptance sets to their
// constructions.
func (c *Complementation) classify() {
	a := c.buchi
	strengths := automata.Strengths(c.ctx, a, c.components)
	weak, unbranching := false, false
	outgoing := automata.NewOutgoing(c.ctx, a)
	for n := range strengths {
		kind := rejectingPart
		switch states := c.components.States(automata.Component(n)); {
		case strengths[n] == automata.Rejecting:
		case strengths[n] <= automata.Weak:
			kind, weak = weakPart, true
			for _, s := range states {
				c.universal[s] = strengths[n] == automata.Terminal
			}
		case !c.branches(automata.Component(n), outgoing):
			kind, unbranching = unbranchingPart, true
		default:
			kind = generalPart
			c.general = append(c.general, automata.Component(n))
		}
		for _, s := range c.components.States(automata.Component(n)) {
			c.kind[s] = kind
		}
	}
	c.Sets = len(c.general)
	if weak {
		c.weakSet = c.Sets
		c.Sets++
	}
	if unbranching {
		c.runSet = c.Sets
		c.Sets++
	}
}

// branches reports whether two edges within component n may leave one of its states for the
// same letter. Where that is too hard to find out it reports true: the general construction is
// right for all components.
func (c *Complementation) branches(n automata.Component, outgoing *automata.Outgoing) bool {
	inside := func(e automata.Edge) bool { return c.components.Inside(c.buchi, e) }
	for _, s := range c.components.States(n) {
		if single, _ := outgoing.Deterministic(s, inside); !single {
			return true
		}
	}
	return false
}

// inside returns those of the states that are in component n.
func (c *Complementation) inside(states []automata.State, n automata.Component) []automata.State {
	var in []automata.State
	for _, s := range states {
		if c.components.Of(s) == n {
			in = append(in, s)
		}
	}
	return in
}

// ofKind returns those of the states that are of kind k.
func (c *Complementation) ofKind(states []automata.State, k partKind) []automata.State {
	var of []automata.State
	for _, s := range states {
		if c.kind[s] == k {
			of = append(of, s)
		}
	}
	return of
}

// Out calls add for each edge that leaves s by a letter within the cube. Letters with the same
// successor and the same marks share an edge. Edges for one letter differ in what is guessed. An
// error is ErrTooLarge, that of the effort, or that of the context.
func (c *Complementation) Out(s uint32, within automata.Cube, add func(l automata.Label, marks automata.Marks, to uint32)) error {
	from := c.states[s]
	type target struct {
		to   uint32
		sets string
	}
	var targets []target
	labels, marks := map[target]automata.Label{}, map[target]automata.Marks{}
	err := c.forEachLetter(from.reached, within, func(taken []automata.Edge, path automata.Cube) error {
		return c.successors(&from, taken, func(next macrostate, m automata.Marks) error {
			to, err := c.intern(next)
			var sets []byte
			for _, w := range m {
				sets = binary.AppendUvarint(sets, w)
			}
			x := target{to, string(sets)}
			if _, known := labels[x]; !known {
				targets = append(targets, x)
				marks[x] = slices.Clone(m)
			}
			labels[x] = append(labels[x], path)
			return err
		})
	})
	for _, x := range targets {
		add(labels[x], marks[x], x.to)
	}
	return err
}

// Read calls add for each edge that leaves s for one letter. The letter is given by the edges that
// the states in Reached(s) have for it, in ascending order.
func (c *Complementation) Read(s uint32, taken []automata.Edge, add func(marks automata.Marks, to uint32)) error {
	from := c.states[s]
	return c.successors(&from, taken, func(next macrostate, m automata.Marks) error {
		to, err := c.intern(next)
		if err == nil {
			add(m, to)
		}
		return err
	})
}

// successorsBetweenLooks is the number of letters and successors after which the context
// is looked at: a few milliseconds.
const successorsBetweenLooks = 1 << 10

// look counts a letter or successor, of which a state may have exponentially many.
func (c *Complementation) look() error {
	if c.looks++; c.looks%successorsBetweenLooks != 0 {
		return nil
	}
	return account.Reason(c.ctx)
}

// successors calls visit for each successor by the edges taken, those of a letter.
func (c *Complementation) successors(from *macrostate, taken []automata.Edge, visit func(macrostate, automata.Marks) error) error {
	if err := c.look(); err != nil {
		return err
	}
	next := macrostate{levels: make([]slicedLevel, len(c.general))}
	c.step++
	for _, e := range taken {
		d := c.buchi.Destination(e)
		if c.universal[d] {
			return nil
		}
		next.reached = c.put(next.reached, d)
	}
	slices.Sort(next.reached)
	marks := automata.NewMarks(c.Sets)
	if c.weakSet >= 0 && c.breakpoint(from, taken, &next) {
		bitset.Add(marks, c.weakSet)
	}
	return c.forEachGuessOfRuns(from, taken, &next, marks, func() error {
		return c.forEachGuessOfLevels(from, taken, &next, marks, 0, func() error {
			if err := c.look(); err != nil {
				return err
			}
			copied := next
			copied.levels = slices.Clone(next.levels)
			return visit(copied, marks)
		})
	})
}

// put appends d to states unless it was put somewhere in this step. Whoever comes first gets it:
// the order of calls in one step says which run to a state is kept.
func (c *Complementation) put(states []automata.State, d automata.State) []automata.State {
	if c.seen[d] == c.step {
		return states
	}
	c.seen[d] = c.step
	return append(states, d)
}

// intern returns the number of a macrostate, a new one where it was not met before. It writes the
// macrostate as bytes and looks these up, so that equal macrostates are one state.
func (c *Complementation) intern(m macrostate) (uint32, error) {
	var key []byte
	set := func(states []automata.State) {
		key = binary.AppendUvarint(key, uint64(len(states)))
		for _, s := range states {
			key = binary.AppendUvarint(key, uint64(s))
		}
	}
	set(m.reached)
	set(m.obliged)
	set(m.safe)
	set(m.pending)
	for _, l := range m.levels {
		key = append(key, 0)
		if l.decided {
			key[len(key)-1] = 1
		}
		key = binary.AppendUvarint(key, uint64(len(l.slices)))
		for _, x := range l.slices {
			key = append(key, byte(x.role))
			set(x.states)
		}
		set(l.rest)
	}
	n, known := c.number[string(key)]
	if !known {
		if len(c.states) >= c.limit {
			return 0, ErrTooLarge
		}
		n = uint32(len(c.states))
		c.number[string(key)] = n
		c.states = append(c.states, m)
	}
	return n, nil
}

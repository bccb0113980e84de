package complement

import (
	"context"
	"errors"
	"math"

	"pnmc/automata"
	"pnmc/automata/internal/effort"
)

// transitionBuchi returns an automaton with one acceptance set on edges for the words of a, which
// may have any acceptance condition. It has at most limit states; states without a word are left
// out.
//
// The idea: a run is accepted if one disjunct of the condition, in disjunctive form, is true of
// it. A disjunct is a conjunction of Fin and Inf. So there is a copy of a for each disjunct, in
// which a run must stay, and there the two kinds are looked after apart:
//
//   - Inf: levels, as for generalized Büchi conditions. A run on level i waits for an edge in its
//     i-th set. When it has seen the last set, the edge is accepting and the run waits for the
//     first again.
//   - Fin: the copy lacks the edges that the run may take finitely often only. A run takes them in
//     the whole copy, which has all edges and accepts nothing, and goes over to the copy of the
//     disjunct when it has taken its last. When that is can't be known, so it is guessed: the run
//     may go over on any edge, or at the start.
//
// For example, one state with two loops, a in set 0 and !a in no set, and the condition Fin(0):
// a holds finitely often. The result has two states. The whole copy has both loops, and both
// edges to the second state. That has the loop !a only, which is accepting.
//
// It is right in both directions. An accepted run makes some disjunct true; after its last Fin edge
// it goes over, and then visits each set of the disjunct again and again. Conversely a run that
// is accepted stays in one copy from some point on, without Fin edges, and each of its rounds visits
// all sets. There are states × (1 + sum over the disjuncts of their numbers of Inf, 1 at least)
// states at most; the disjuncts may be exponentially many, see disjunctiveForm.
func transitionBuchi(ctx context.Context, a *automata.Automaton, limit int) (*automata.Automaton, error) {
	t := &buchiCopies{Bound: effort.New(ctx, math.MaxInt), a: a, number: map[buchiState]automata.State{}}
	t.b = automata.NewBuilder(a.Propositions, automata.GeneralizedBuchi(1))
	t.b.Within(ctx)
	var err error
	if t.disjuncts, err = disjunctiveForm(ctx, a); err != nil {
		return nil, err
	}
	for _, s := range a.Initial() {
		for i, d := range t.disjuncts {
			if len(d.fin) == 0 {
				t.b.AddInitial(t.state(buchiState{s, i, 0}))
			} else {
				t.b.AddInitial(t.state(buchiState{s, wholeCopy, 0}))
				t.b.AddInitial(t.state(buchiState{s, i, 0}))
			}
		}
	}
	for i := 0; i < len(t.states); i++ {
		if len(t.states) > limit {
			return nil, ErrTooLarge
		}
		if !t.expand(t.states[i]) {
			return nil, t.Err
		}
	}
	t.b.AddStates(len(t.states))
	b, err := t.b.Build()
	if err != nil {
		return nil, err
	}
	return usefulPart(ctx, b)
}

// maxBuchiStates bounds the states of a Büchi automaton for another condition.
const maxBuchiStates = 1 << 16

// ErrBuchiTooLarge means that a Büchi automaton for another condition has more states
// than its limit.
var ErrBuchiTooLarge = error(&tooLarge{"acceptance condition that takes a Büchi automaton with more than %d states", maxBuchiStates})

// WithGeneralizedBuchi returns an automaton that accepts the words of a, which is plain, and
// whose condition is generalized Büchi of at most 64 sets. That is a itself, or an automaton with
// one acceptance set, see transitionBuchi. Of the claims of a only stutter invariance is kept, as
// it is of the language. An error is ErrConditionTooLarge, ErrBuchiTooLarge, or that of the context.
func WithGeneralizedBuchi(ctx context.Context, a *automata.Automaton) (*automata.Automaton, error) {
	if a.Acceptance.IsGeneralizedBuchi() && a.Acceptance.Sets <= 64 {
		return a, nil
	}
	b, err := transitionBuchi(ctx, a, maxBuchiStates)
	if errors.Is(err, ErrTooLarge) {
		return nil, ErrBuchiTooLarge
	}
	if err == nil {
		// The language is the same, and the states are not.
		b.Claims = a.Claims & automata.ClaimStutterInvariant
	}
	return b, err
}

type buchiDisjunct struct{ inf, fin []*automata.Condition }

// wholeCopy is the copy without acceptance, which a run leaves in the end.
const wholeCopy = -1

// buchiState is a state of a in the copy of a disjunct, waiting for its level-th
// Inf.
type buchiState struct {
	state           automata.State
	disjunct, level int
}

// buchiCopies makes the automaton of copies, whose states are numbered as they are met.
type buchiCopies struct {
	*effort.Bound
	a         *automata.Automaton
	b         *automata.Builder
	disjuncts []buchiDisjunct
	number    map[buchiState]automata.State
	states    []buchiState
}

// state returns the number of a state, which is new if it was not met before.
func (t *buchiCopies) state(s buchiState) automata.State {
	n, known := t.number[s]
	if !known {
		n = automata.State(len(t.states))
		t.number[s] = n
		t.states = append(t.states, s)
	}
	return n
}

// expand adds the edges that leave s. It reports false if the context ended.
func (t *buchiCopies) expand(s buchiState) bool {
	from := t.number[s]
	for e, end := t.a.Out(s.state); e < end; e++ {
		to := t.a.Destination(e)
		if s.disjunct == wholeCopy {
			if !t.Spend(64 * (1 + len(t.disjuncts))) {
				return false
			}
			t.b.AddEdge(from, t.a.Label(e), automata.NewMarks(1), t.state(buchiState{to, wholeCopy, 0}))
			for i, d := range t.disjuncts {
				if len(d.fin) > 0 {
					t.b.AddEdge(from, t.a.Label(e), automata.NewMarks(1), t.state(buchiState{to, i, 0}))
				}
			}
			continue
		}
		d := t.disjuncts[s.disjunct]
		if !t.Spend(64 + len(d.fin) + len(d.inf)) {
			return false
		}
		if d.forbids(t.a.Marks(e)) {
			continue
		}
		level, marks := s.level, automata.NewMarks(1)
		for level < len(d.inf) && t.a.Marks(e).Has(d.inf[level].Set) != d.inf[level].Negated {
			level++
		}
		if level == len(d.inf) {
			// All were visited; the edge may count for the next round too.
			marks, level = automata.NewMarks(1, 0), 0
			for level < len(d.inf)-1 && t.a.Marks(e).Has(d.inf[level].Set) != d.inf[level].Negated {
				level++
			}
		}
		t.b.AddEdge(from, t.a.Label(e), marks, t.state(buchiState{to, s.disjunct, level}))
	}
	return true
}

// forbids reports whether an edge with these marks may not recur in the copy of d: some literal
// Fin is of a set that it is in.
func (d *buchiDisjunct) forbids(marks automata.Marks) bool {
	for _, l := range d.fin {
		if marks.Has(l.Set) != l.Negated {
			return true
		}
	}
	return false
}

// usefulPart returns an automaton with one acceptance set on edges without the states
// that are not reachable or have no word. A state has a word if it reaches a component with an
// accepting edge inside. Components are numbered so that edges lead to lower numbers, and one pass
// finds them all. Edges between components lose their marks: a run takes them finitely often.
func usefulPart(ctx context.Context, a *automata.Automaton) (*automata.Automaton, error) {
	c := automata.FindComponents(a)
	reached := automata.Reachable(a)
	useful := make([]bool, c.Count()) // no edge leads to a later component
	for n := range useful {
		for _, s := range c.States(automata.Component(n)) {
			for e, end := a.Out(s); e < end; e++ {
				d := c.Of(a.Destination(e))
				useful[n] = useful[n] || a.Cubes(e) > 0 && (useful[d] || int(d) == n && a.Marks(e).Has(0))
			}
		}
	}
	b := automata.NewBuilder(a.Propositions, a.Acceptance)
	b.Within(ctx)
	number := make([]automata.State, a.States())
	for s := range automata.State(a.States()) {
		if reached[s] && useful[c.Of(s)] {
			number[s] = b.AddState("")
		}
	}
	for s := range automata.State(a.States()) {
		if !reached[s] || !useful[c.Of(s)] {
			continue
		}
		for e, end := a.Out(s); e < end; e++ {
			d := a.Destination(e)
			if !useful[c.Of(d)] || a.Cubes(e) == 0 {
				continue
			}
			marks := automata.NewMarks(1)
			if c.Inside(a, e) {
				marks = a.Marks(e)
			}
			b.AddEdge(number[s], a.Label(e), marks, number[d])
		}
	}
	for _, s := range a.Initial() {
		if useful[c.Of(s)] {
			b.AddInitial(number[s])
		}
	}
	return b.Build()
}

package testingautomata

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"

	"pnmc/automata"
	"pnmc/automata/bdd"
	"pnmc/automata/internal/marked"
	"pnmc/internal/account"
)

// Limits of the constructions that enumerate valuations.
const (
	maximalTestingNodes = 1 << 18
	maximalTestingArcs  = 1 << 24
)

// ErrTooLarge means that an automaton has too many states to be built as a whole. It
// can still be built on the fly.
var ErrTooLarge = errors.New("testing automaton too large to be built as a whole")

// expansion pairs the states of an automaton with the valuation that comes next
// (2012, Properties 2 and 4; 2015, Property 2). A node's valuation is one of the
// propositions in its support only.
//
// The problem: the labels of a testing automaton say what changes, and an automaton's labels say
// what holds. Changes are known only if the last valuation is known. So a state is split by the
// valuation that it reads next. The moves of a node are the edges of its state that this valuation
// allows. From a node with valuation v a move leads to the nodes of its destination with any
// valuation w, and is labelled with the changeset v ^ w.
//
// For example, F a: state 0 loops on !a and goes to 1 on a; state 1 loops on every letter. Nothing
// matters from 1 on, so its support is empty, and there are three nodes:
//
//	(0, !a)    its move leads back to 0: to itself for no change, to (0, a) for a change of a
//	(0, a)     its move leads to 1, for any change
//	(1, -)     its move leads to itself, for any change
//
// There are at most states × 2^n nodes for n propositions in a support, and each move has up to 2^n
// destinations. tooLarge estimates them before the work is done.
type expansion struct {
	account           *account.Account // of the context
	*marked.Reducible                  // what is expanded
	support           []uint64         // of each state: the propositions that matter from there
	numbers           map[expandedState]uint32
	nodes             []expandedState
	starts            []uint32 // nodes where a run starts
	moves             [][]marked.Move
	arcs              int
	codes             map[[2]uint64]bdd.Function
}

// expandedState is a state with the valuation that it reads next.
type expandedState struct {
	state     automata.State
	valuation uint64
	// exact: the language from here depends on stuttering, which therefore is
	// kept step by step.
	exact bool
}

// supports returns the propositions that labels mention from each state on. Later propositions
// can't be seen from there, so valuations that differ in other propositions are one node.
func supports(r *marked.Reducible) ([]uint64, error) {
	if n := len(r.Propositions); n > 64 {
		return nil, fmt.Errorf("%w: %d propositions", ErrTooLarge, n)
	}
	known := map[bdd.Function]uint64{bdd.FalseFunction: 0, bdd.TrueFunction: 0}
	var of func(bdd.Function) uint64
	of = func(g bdd.Function) uint64 {
		if m, ok := known[g]; ok {
			return m
		}
		p, low, high := r.Functions.Split(g)
		m := of(low) | of(high) | 1<<p
		known[g] = m
		return m
	}
	components := r.Components()
	support := make([]uint64, len(r.Out))
	for n := range components.Count() { // successors have lower numbers
		whole := uint64(0)
		for _, s := range components.States(automata.Component(n)) {
			for _, e := range r.Out[s] {
				whole |= of(e.Label) | support[e.To]
			}
		}
		for _, s := range components.States(automata.Component(n)) {
			support[s] = whole
		}
	}
	return support, nil
}

// These are the bytes that a node takes, and each edge that is looked at for it.
const (
	nodeBytes = 128
	moveBytes = 32
)

// node numbers an expanded state; ok is false where it has no move.
func (x *expansion) node(s expandedState) (number uint32, ok bool, err error) {
	if err := x.account.Charge(valuationWork); err != nil {
		return 0, false, err
	}
	n, known := x.numbers[s]
	if known {
		return n, n != noNode, nil
	}
	if err := x.account.Charge(nodeBytes + moveBytes*len(x.Out[s.state])); err != nil {
		return 0, false, err
	}
	var moves []marked.Move
	for _, e := range x.Out[s.state] {
		if x.Functions.Holds(e.Label, s.valuation) {
			moves = append(moves, marked.Move{To: e.To, Marks: e.Marks})
		}
	}
	if len(moves) == 0 {
		x.numbers[s] = noNode
		return noNode, false, nil
	}
	if len(x.nodes) >= maximalTestingNodes {
		return 0, false, fmt.Errorf("%w: more than %d states", ErrTooLarge, maximalTestingNodes)
	}
	n = uint32(len(x.nodes))
	x.numbers[s] = n
	x.nodes = append(x.nodes, s)
	x.moves = append(x.moves, moves)
	return n, true, nil
}

const noNode = ^uint32(0)

// eachValuation calls f with every valuation of the propositions of a support.
func eachValuation(support uint64, f func(v uint64) error) error {
	if bits.OnesCount64(support) > 24 {
		return fmt.Errorf("%w: %d propositions", ErrTooLarge, bits.OnesCount64(support))
	}
	for v := uint64(0); ; {
		if err := f(v); err != nil {
			return err
		}
		v = (v - support) & support // the next subset
		if v == 0 {
			return nil
		}
	}
}

// TooLarge returns ErrTooLarge if a TGTA of a, a plain automaton with generalized Büchi
// acceptance, is too large to be built even if the languages of all its states are
// stutter-invariant. So it need not be found out whether they are, which takes long. It returns
// nil if that is to be tried. Linear in the edges and the diagrams of their labels.
func TooLarge(ctx context.Context, a *automata.Automaton) error {
	a, _, err := mentioned(a)
	if err != nil {
		return err
	}
	r, err := marked.NewReducible(ctx, a)
	if err != nil {
		return err
	}
	support, err := supports(r)
	if err != nil {
		return err
	}
	return (&expansion{Reducible: r, support: support}).tooLarge()
}

// tooLarge returns ErrTooLarge, before the work is done, if the expansion has too many steps. A step is
// counted for each pair of valuations that an edge allows: the share of valuations that match its
// label, of all pairs.
func (x *expansion) tooLarge() error {
	steps := 0.0
	for s, out := range x.Out {
		for _, e := range out {
			n := bits.OnesCount64(x.support[s]) + bits.OnesCount64(x.support[e.To])
			steps += x.Functions.Share(e.Label) * math.Pow(2, float64(n))
		}
	}
	if steps > maximalTestingArcs {
		return fmt.Errorf("%w: about %.0f transitions", ErrTooLarge, steps)
	}
	return nil
}

// expand finds the nodes.
func (x *expansion) expand(exact func(s automata.State, before bool) bool) error {
	if err := x.tooLarge(); err != nil {
		return err
	}
	for _, s := range x.Initial {
		err := eachValuation(x.support[s], func(v uint64) error {
			n, ok, err := x.node(expandedState{s, v, exact(s, true)})
			if ok {
				x.starts = append(x.starts, n)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	for n := 0; n < len(x.nodes); n++ {
		s := x.nodes[n]
		for _, m := range x.moves[n] {
			err := eachValuation(x.support[m.To], func(v uint64) error {
				if x.arcs++; x.arcs > maximalTestingArcs {
					return fmt.Errorf("%w: more than %d transitions", ErrTooLarge, maximalTestingArcs)
				}
				_, _, err := x.node(expandedState{m.To, v, exact(m.To, s.exact)})
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// changes returns the label for changesets whose part in support is value.
func (x *expansion) changes(support, value uint64) bdd.Function {
	key := [2]uint64{support, value}
	if g, ok := x.codes[key]; ok {
		return g
	}
	words := len(automata.NewCube(len(x.Propositions)))
	c := make(automata.Cube, words)
	c[0], c[words/2] = support, value
	g := x.Functions.Cube(c)
	x.codes[key] = g
	return g
}

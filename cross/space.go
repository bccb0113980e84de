package cross

import (
	"context"
	"fmt"
	"math/rand/v2"

	"pnmc/automata"
	"pnmc/automata/emptiness"
	"pnmc/internal/account"
	"pnmc/internal/bitset"
)

// space is a random state space as an automaton that accepts all its runs, from
// any state.
//
// It finds mistakes of translators without knowing what a formula means. Each state has a
// successor, so that some run begins in it, and that run satisfies the formula or its negation.
// Hence from each state the automaton of the formula or that of the negation accepts some run: if
// neither does, one of them lacks a word. And two automata of one formula accept runs from the
// same states: if they differ in one, they accept different words.
//
// Only words of the space are tried, but these are many. For example, take a space of 200 states
// in which each pair is an edge with the probability 0.1: a state has about 20 successors. What
// takes exponential time for the automata themselves, which is complementing one to compare it
// with another, is here a product, and a search for accepting cycles in it. A difference comes
// with a word, which can be judged by hand.
type space struct {
	automaton *automata.Automaton
	labels    []automata.Valuation
	out       [][]int
}

// newSpace makes a state space over the propositions, in which each state has a
// successor. An error is why ctx ended before, or the memory that it carries.
func newSpace(ctx context.Context, propositions []string, settings Settings, number uint64) (*space, error) {
	r := rand.New(rand.NewPCG(settings.Seed, number))
	work := account.Of(ctx)
	x := &space{labels: make([]automata.Valuation, settings.States), out: make([][]int, settings.States)}
	for s := range x.labels {
		if err := work.Charge(drawWork * settings.States); err != nil {
			return nil, err
		}
		v := make(automata.Valuation, automata.WordsFor(len(propositions)))
		for p := range propositions {
			bitset.Put(v, p, r.Uint64()&1)
		}
		x.labels[s] = v
		for t := range settings.States {
			if r.Float64() < settings.Density {
				x.out[s] = append(x.out[s], t)
			}
		}
		if len(x.out[s]) == 0 {
			x.out[s] = append(x.out[s], r.IntN(settings.States))
		}
	}
	b := automata.NewBuilder(propositions, automata.GeneralizedBuchi(0))
	b.Within(ctx)
	b.AddStates(settings.States)
	for s, v := range x.labels {
		if err := work.Charge(edgeBytes * len(x.out[s])); err != nil {
			return nil, err
		}
		b.AddInitial(automata.State(s))
		for _, t := range x.out[s] {
			b.AddEdge(automata.State(s), automata.Label{automata.CompleteCube(len(propositions), v)}, automata.NewMarks(0), automata.State(t))
		}
	}
	a, err := b.Build()
	x.automaton = a
	return x, err
}

// What it costs to draw whether a pair of states is an edge, in about nanoseconds, and what an edge
// takes until the automaton is built, in about bytes.
const (
	drawWork  = 8
	edgeBytes = 128
)

// from returns the space with a single initial state.
func (x *space) from(s int) *automata.Automaton {
	a := x.automaton
	b := automata.NewBuilder(a.Propositions, a.Acceptance)
	b.AddStates(a.States())
	b.AddInitial(automata.State(s))
	for e := range automata.Edge(a.Edges()) {
		b.AddEdge(a.Source(e), a.Label(e), a.Marks(e), a.Destination(e))
	}
	one, err := b.Build()
	if err != nil {
		panic(err)
	}
	return one
}

// someWord returns a word that the space has from state s.
func (x *space) someWord(s int) *automata.Lasso {
	l := &automata.Lasso{Propositions: x.automaton.Propositions}
	at := map[int]int{}
	var run []automata.Valuation
	for {
		if first, again := at[s]; again {
			l.Prefix, l.Cycle = run[:first], run[first:]
			return l
		}
		at[s] = len(run)
		run = append(run, x.labels[s])
		s = x.out[s][0]
	}
}

// accepted returns for each state of the space whether some run from there is accepted
// by a, and the size of the product.
func (x *space) accepted(ctx context.Context, a *automata.Automaton) (states []bool, product *automata.Automaton, err error) {
	p, err := automata.Product(ctx, x.automaton, a)
	if err != nil {
		return nil, nil, err
	}
	nonempty, err := emptiness.NonemptyStates(ctx, p)
	if err != nil {
		return nil, nil, err
	}
	states = make([]bool, x.automaton.States())
	for i, n := range p.Initial() {
		s := i / len(a.Initial()) // pairs of initial states come in order
		states[s] = states[s] || nonempty[n]
	}
	return states, p, nil
}

// space makes the checks on one state space.
func (k *comparison) space(x *space) {
	positive := k.onSpace(x, k.positive, false)
	negative := k.onSpace(x, k.negative, true)
	for i := range k.translators {
		for s := range x.out {
			if positive[i] != nil && negative[i] != nil && !positive[i][s] && !negative[i][s] {
				k.differ(CheckStateSpace, i, i, x.someWord(s),
					fmt.Sprintf("from state %d of a random state space no run is accepted, by the automaton of the formula or that of the negation", s))
				break
			}
		}
		for j := range i {
			k.consistent(x, "formula", k.positive, positive, j, i)
			k.consistent(x, "negation", k.negative, negative, j, i)
		}
	}
}

// onSpace returns for each automaton from which states some run is accepted.
func (k *comparison) onSpace(x *space, list []*automata.Automaton, negated bool) [][]bool {
	found := make([][]bool, len(list))
	for i, a := range list {
		if a == nil {
			continue
		}
		ctx, cancel := k.settings.within(k.ctx)
		states, product, err := x.accepted(ctx, a)
		cancel()
		k.report.Checks++
		if k.skip(err) {
			continue
		}
		found[i] = states
		for _, row := range k.rows {
			if row.Translator == k.translators[i].Name() && row.Negated == negated {
				row.ProductStates += product.States()
				row.ProductEdges += product.Edges()
			}
		}
	}
	return found
}

// consistent compares two automata of one formula on a state space.
func (k *comparison) consistent(x *space, of string, list []*automata.Automaton, found [][]bool, left, right int) {
	if found[left] == nil || found[right] == nil {
		return
	}
	for s := range found[left] {
		if found[left][s] == found[right][s] {
			continue
		}
		accepting := list[left]
		if found[right][s] {
			accepting = list[right]
		}
		ctx, cancel := k.settings.within(k.ctx)
		r, err := emptiness.Intersect(emptiness.Explicit(x.from(s)), emptiness.Explicit(accepting),
			emptiness.Options{Context: ctx, Word: true})
		cancel()
		if k.skip(err) {
			return
		}
		k.differ(CheckStateSpace, left, right, r.Word,
			fmt.Sprintf("from state %d of a random state space a run is accepted by only one of the automata of the %s", s, of))
		return
	}
}

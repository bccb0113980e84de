package marked

import (
	"context"
	"slices"

	"pnmc/automata"
	"pnmc/automata/bdd"
	"pnmc/internal/bitset"
)

// Subsets is the subset construction under way.
//
// The construction of finite automata does not determinize Büchi automata: a subset says where the
// runs are, not which of them is accepted. But for an obligation property it gives enough states.
// A subset determines which words may follow, and these sets of words are the states of the
// minimal deterministic weak automaton. So a component of subsets lies in one component there, of
// which all cycles are accepted or none. One cycle per component decides for all: Accept takes the
// word of a cycle, and asks whether the automaton accepts it for ever (Dax, Eisinger, Klaedtke,
// 2007).
//
// For example, F a with a state 0 that loops on every letter and goes to 1 on a, and an accepting
// state 1 that loops on every letter. From {0}, !a leads back and a leads to {0, 1}, which loops. The
// cycle of {0} reads !a for ever, which is not accepted; the cycle of {0, 1} is accepted from 1. The
// result is right. For G F a there is one subset with a loop on a and one on !a. Either one decides,
// and the result is wrong, as no deterministic weak automaton has this language. The caller compares
// the languages to tell the two cases apart.
//
// There may be 2^n subsets of n states; a limit ends that.
type Subsets struct {
	of            *Reducible
	Deterministic *Reducible         // one acceptance set
	sets          [][]automata.State // ascending, of each state of deterministic
}

// subsetNodes bounds the decision diagrams that a subset construction adds: of a
// state that many propositions, each by itself, let take an edge, the step's diagram
// is exponential.
const subsetNodes = 1 << 17

// NewSubsets determinizes of without regard to acceptance. Letters that no state
// of a subset reads lead nowhere. All letters of a subset are done at once: one diagram holds the
// edges of its states, a variable for each destination, and its classes are the letters with the
// same successors. The error is ErrTooManyStates for more than limit subsets, or that of the
// functions or of the context.
func NewSubsets(ctx context.Context, of *Reducible, limit int) (*Subsets, error) {
	f, n := of.Functions, len(of.Propositions)
	defer f.Lower(subsetNodes)() // f is shared, as the result takes the place of of, or of a part of one
	p := &Subsets{of: of, Deterministic: &Reducible{Propositions: of.Propositions, Functions: f, Graph: Graph{Sets: 1}}}
	number := map[string]automata.State{}
	visit := func(set []automata.State) automata.State {
		key := make([]byte, 0, 4*len(set))
		for _, s := range set {
			key = append(key, byte(s), byte(s>>8), byte(s>>16), byte(s>>24))
		}
		s, known := number[string(key)]
		if !known {
			s = automata.State(len(p.sets))
			number[string(key)] = s
			p.sets = append(p.sets, set)
		}
		return s
	}
	start := slices.Clone(of.Initial)
	slices.Sort(start)
	p.Deterministic.Initial = []automata.State{visit(start)}
	for s := 0; s < len(p.sets); s++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var parts []bdd.Function
		for _, from := range p.sets[s] {
			for _, e := range of.Out[from] {
				parts = append(parts, f.And(e.Label, f.Proposition(n+int(e.To))))
			}
		}
		steps := f.Any(parts...)
		var out []Link
		for _, class := range f.Classes(steps, n, limit) {
			var set []automata.State
			for rest := class.Rest; rest != bdd.TrueFunction; {
				v, low, _ := f.Split(rest)
				set = append(set, automata.State(v-n))
				if low == bdd.FalseFunction {
					break
				}
				rest = low
			}
			out = append(out, Link{To: visit(set), Label: class.Condition})
		}
		if err := f.Err(); err != nil {
			return nil, err
		}
		if len(p.sets) > limit || steps != bdd.FalseFunction && len(out) == 0 {
			return nil, ErrTooManyStates
		}
		p.Deterministic.Out = append(p.Deterministic.Out, out)
	}
	return p, nil
}

// Accept marks the edges within each component that has a cycle for whose word
// some state of the subset where it starts has an accepting run.
func (p *Subsets) Accept() {
	d := p.Deterministic
	c := d.Components()
	for n := range c.Count() {
		start, word := d.cycle(c, automata.Component(n))
		if word == nil || !p.of.acceptsPeriod(p.sets[start], word) {
			continue
		}
		for _, s := range c.States(automata.Component(n)) {
			for i, e := range d.Out[s] {
				if c.Of(e.To) == automata.Component(n) {
					d.Out[s][i].Marks = 1
				}
			}
		}
	}
}

// cycle returns a shortest cycle through one state of component n: that state, and a valuation for
// each step. It returns no valuations if there is no cycle.
func (r *Reducible) cycle(c *automata.Components, n automata.Component) (automata.State, []automata.Valuation) {
	start := c.States(n)[0]
	type visit struct {
		state  automata.State
		before int // index of the visit before
		label  bdd.Function
	}
	queue := []visit{{state: start, before: -1}}
	seen := map[automata.State]bool{}
	for i := 0; i < len(queue); i++ {
		for _, e := range r.Out[queue[i].state] {
			if c.Of(e.To) != n || seen[e.To] {
				continue
			}
			seen[e.To] = true
			queue = append(queue, visit{e.To, i, e.Label})
			if e.To != start {
				continue
			}
			var word []automata.Valuation
			for j := len(queue) - 1; j > 0; j = queue[j].before {
				word = append(word, r.SomeValuation(queue[j].label))
			}
			slices.Reverse(word)
			return start, word
		}
	}
	return start, nil
}

// SomeValuation returns a valuation that makes label, which is not false, true.
func (r *Reducible) SomeValuation(label bdd.Function) automata.Valuation {
	v := make(automata.Valuation, automata.WordsFor(len(r.Propositions)))
	for label != bdd.TrueFunction {
		p, low, high := r.Functions.Split(label)
		if label = low; low == bdd.FalseFunction {
			label = high
			bitset.Add(v, p)
		}
	}
	return v
}

// acceptsPeriod reports whether r has an accepting run for the endless repetition
// of word from one of those states.
func (r *Reducible) acceptsPeriod(from []automata.State, word []automata.Valuation) bool {
	n := len(word)
	runs := Graph{Sets: r.Sets, Out: make([][]Link, len(r.Out)*n)}
	var starts []automata.State
	for _, s := range from {
		starts = append(starts, automata.State(int(s)*n))
	}
	for s, out := range r.Out {
		for _, e := range out {
			for i, v := range word {
				if r.Functions.HoldsFor(e.Label, v) {
					at := s*n + i
					runs.Out[at] = append(runs.Out[at], Link{automata.State(int(e.To)*n + (i+1)%n), e.Marks, bdd.TrueFunction})
				}
			}
		}
	}
	c := runs.Components()
	accepting := runs.AcceptingComponents(c)
	for s, reached := range runs.ReachableFrom(starts) {
		if reached && accepting[c.Of(automata.State(s))] {
			return true
		}
	}
	return false
}

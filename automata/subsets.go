package automata

import (
	"context"
	"slices"
)

// subsets is the subset construction under way.
type subsets struct {
	of            *reducible
	deterministic *reducible // one acceptance set
	sets          [][]State  // ascending, of each state of deterministic
}

// subsetNodes bounds the decision diagrams that a subset construction adds: of a
// state that many propositions, each by itself, let take an edge, the step's diagram
// is exponential.
const subsetNodes = 1 << 17

// newSubsets determinizes of without regard to acceptance. Letters that no state
// of a subset reads lead nowhere.
func newSubsets(ctx context.Context, of *reducible, limit int) (*subsets, error) {
	f, n := of.functions, len(of.propositions)
	defer f.Lower(subsetNodes)()
	p := &subsets{of: of, deterministic: &reducible{propositions: of.propositions, functions: f, sets: 1}}
	number := map[string]State{}
	visit := func(set []State) State {
		key := make([]byte, 0, 4*len(set))
		for _, s := range set {
			key = append(key, byte(s), byte(s>>8), byte(s>>16), byte(s>>24))
		}
		s, known := number[string(key)]
		if !known {
			s = State(len(p.sets))
			number[string(key)] = s
			p.sets = append(p.sets, set)
		}
		return s
	}
	start := slices.Clone(of.initial)
	slices.Sort(start)
	p.deterministic.initial = []State{visit(start)}
	for s := 0; s < len(p.sets); s++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var parts []Function
		for _, from := range p.sets[s] {
			for _, e := range of.out[from] {
				parts = append(parts, f.And(e.label, f.Proposition(n+int(e.to))))
			}
		}
		steps := f.Any(parts...)
		var out []link
		for _, class := range f.Classes(steps, n, limit) {
			var set []State
			for rest := class.Rest; rest != TrueFunction; {
				v, low, _ := f.Split(rest)
				set = append(set, State(v-n))
				if low == FalseFunction {
					break
				}
				rest = low
			}
			out = append(out, link{to: visit(set), label: class.Condition})
		}
		if err := f.Err(); err != nil {
			return nil, err
		}
		if len(p.sets) > limit || steps != FalseFunction && len(out) == 0 {
			return nil, ErrTooManyStates
		}
		p.deterministic.out = append(p.deterministic.out, out)
	}
	return p, nil
}

// accept marks the edges within each component that has a cycle for whose word
// some state of the subset where it starts has an accepting run.
func (p *subsets) accept() {
	d := p.deterministic
	c := d.components()
	for n := range c.Count() {
		start, word := d.cycle(c, Component(n))
		if word == nil || !p.of.acceptsPeriod(p.sets[start], word) {
			continue
		}
		for _, s := range c.States(Component(n)) {
			for i, e := range d.out[s] {
				if c.Of(e.to) == Component(n) {
					d.out[s][i].marks = 1
				}
			}
		}
	}
}

// cycle is a shortest cycle through one state of component n and a valuation for
// each of its steps, or none.
func (r *reducible) cycle(c *Components, n Component) (State, []Valuation) {
	start := c.States(n)[0]
	type visit struct {
		state  State
		before int // index of the visit before
		label  Function
	}
	queue := []visit{{state: start, before: -1}}
	seen := map[State]bool{}
	for i := 0; i < len(queue); i++ {
		for _, e := range r.out[queue[i].state] {
			if c.Of(e.to) != n || seen[e.to] {
				continue
			}
			seen[e.to] = true
			queue = append(queue, visit{e.to, i, e.label})
			if e.to != start {
				continue
			}
			var word []Valuation
			for j := len(queue) - 1; j > 0; j = queue[j].before {
				word = append(word, r.someValuation(queue[j].label))
			}
			slices.Reverse(word)
			return start, word
		}
	}
	return start, nil
}

// someValuation makes label, which is not false, true.
func (r *reducible) someValuation(label Function) Valuation {
	v := make(Valuation, WordsFor(len(r.propositions)))
	for label != TrueFunction {
		p, low, high := r.functions.Split(label)
		if label = low; low == FalseFunction {
			label = high
			v[p/64] |= 1 << (p % 64)
		}
	}
	return v
}

// acceptsPeriod tells whether r has an accepting run for the endless repetition
// of word from one of those states.
func (r *reducible) acceptsPeriod(from []State, word []Valuation) bool {
	n := len(word)
	runs := &reducible{functions: r.functions, sets: r.sets, out: make([][]link, len(r.out)*n)}
	for _, s := range from {
		runs.initial = append(runs.initial, State(int(s)*n))
	}
	for s, out := range r.out {
		for _, e := range out {
			for i, v := range word {
				if r.functions.HoldsFor(e.label, v) {
					at := s*n + i
					runs.out[at] = append(runs.out[at], link{State(int(e.to)*n + (i+1)%n), e.marks, TrueFunction})
				}
			}
		}
	}
	c := runs.components()
	accepting := runs.acceptingComponents(c)
	for s, reached := range runs.reachable() {
		if reached && accepting[c.Of(State(s))] {
			return true
		}
	}
	return false
}

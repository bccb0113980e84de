package automata

import (
	"context"
	"errors"
	"slices"
)

// ErrTooManyStates tells that a construction reached the limit on states that it
// was given.
var ErrTooManyStates = errors.New("too many states")

// MinimizeObligation is the minimal deterministic weak automaton for the language
// of a, if that language is an obligation property. Otherwise the result is for
// another language, which IsObligation finds out.
//
// A subset construction without regard to acceptance gives the structure; a
// component accepts if a does so for the word of one of its cycles ("Mechanizing
// the powerset construction for restricted classes of ω-automata", Dax, Eisinger,
// Klaedtke, 2007); then states are merged as in finite automata, after colouring
// components as in "Efficient minimization of deterministic weak ω-automata"
// (Löding, 2001). ErrTooManyStates tells of more than limit subsets.
func MinimizeObligation(ctx context.Context, a *Automaton, limit int) (*Automaton, error) {
	return transform(ctx, a, func(ctx context.Context, r *reducible) error {
		r.prune()
		p, err := newSubsets(ctx, r, limit)
		if err != nil {
			return err
		}
		p.accept()
		p.deterministic.prune()
		*r = *p.deterministic
		r.mergeWeak()
		return r.functions.Err()
	})
}

// subsets is the subset construction under way.
type subsets struct {
	of            *reducible
	deterministic *reducible // one acceptance set
	sets          [][]State  // ascending, of each state of deterministic
}

// newSubsets determinizes of without regard to acceptance. Letters that no state
// of a subset reads lead nowhere.
func newSubsets(ctx context.Context, of *reducible, limit int) (*subsets, error) {
	f, n := of.functions, len(of.propositions)
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
		steps := FalseFunction
		for _, from := range p.sets[s] {
			for _, e := range of.out[from] {
				steps = f.Or(steps, f.And(e.label, f.Proposition(n+int(e.to))))
			}
		}
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

// holds tells whether v makes label true.
func (r *reducible) holds(label Function, v Valuation) bool {
	for label > TrueFunction {
		p, low, high := r.functions.Split(label)
		if label = low; v[p/64]>>(p%64)&1 == 1 {
			label = high
		}
	}
	return label == TrueFunction
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
				if r.holds(e.label, v) {
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

// mergeWeak minimizes a deterministic weak automaton with one acceptance set of
// which every state has an accepting run.
func (r *reducible) mergeWeak() {
	f, n := r.functions, len(r.propositions)
	class, classes := r.weakColours()
	for {
		type signature struct {
			class State
			steps Function
		}
		number := map[signature]State{}
		next := make([]State, len(class))
		for s, out := range r.out {
			steps := FalseFunction
			for _, e := range out {
				steps = f.Or(steps, f.And(e.label, f.Proposition(n+int(class[e.to]))))
			}
			key := signature{class[s], steps}
			if _, known := number[key]; !known {
				number[key] = State(len(number))
			}
			next[s] = number[key]
		}
		class = next
		if len(number) == classes || f.Err() != nil {
			break
		}
		classes = len(number)
	}
	colours, _ := r.weakColours()
	kept, leader := make([]bool, len(class)), make([]State, len(class)) // the first state of each class
	for s := len(class) - 1; s >= 0; s-- {
		leader[class[s]] = State(s)
	}
	for s := range r.out {
		for i := range r.out[s] {
			r.out[s][i].marks = uint64(1 - colours[s])
			r.out[s][i].to = leader[class[r.out[s][i].to]]
		}
		kept[s] = leader[class[s]] == State(s)
	}
	for i, s := range r.initial {
		r.initial[i] = leader[class[s]]
	}
	r.keep(kept)
	r.prune()
}

// weakColours gives each state 0 if it is to count as accepting, 1 if not, and
// the number of colours in use. Components on no cycle may be either and get what
// merges most: components are numbered against the edges with the least number
// of their successors, or one less where parity, even for accepting, asks.
func (r *reducible) weakColours() ([]State, int) {
	c := r.components()
	accepting := r.acceptingComponents(c)
	level := make([]int, c.Count())
	for n := range level {
		least, cyclic := 2*c.Count()+2, false
		for _, s := range c.States(Component(n)) {
			for _, e := range r.out[s] {
				if to := c.Of(e.to); to != Component(n) {
					least = min(least, level[to])
				} else {
					cyclic = true
				}
			}
		}
		if cyclic && (least%2 == 0) != accepting[n] {
			least--
		}
		level[n] = least
	}
	colours := make([]State, len(r.out))
	used := map[State]bool{}
	for s := range colours {
		colours[s] = State(level[c.Of(State(s))] % 2)
		used[colours[s]] = true
	}
	return colours, len(used)
}

// ComplementWeak accepts the words that a does not, where a is deterministic and
// weak with at most one acceptance set: one state is added for the letters that a
// does not read, and acceptance is swapped.
func ComplementWeak(ctx context.Context, a *Automaton) (*Automaton, error) {
	return transform(ctx, a, func(_ context.Context, r *reducible) error {
		if r.sets > 1 {
			return ErrTooManySets
		}
		f := r.functions
		sink := State(len(r.out))
		r.out = append(r.out, []link{{sink, 1, TrueFunction}})
		c := r.components()
		accepting := r.acceptingComponents(c)
		for s := range sink {
			read := FalseFunction
			for i, e := range r.out[s] {
				read = f.Or(read, e.label)
				r.out[s][i].marks = 0
				if !accepting[c.Of(s)] {
					r.out[s][i].marks = 1
				}
			}
			r.out[s] = append(r.out[s], link{sink, 1, f.Not(read)})
			r.merge(s)
		}
		r.sets = 1
		return f.Err()
	})
}

package automata

import (
	"context"
	"slices"
)

// stutterGame is a game on pairs of states of two automata of generalized Büchi
// acceptance: spoiler moves in the first along a run over a word that differs from
// accepted ones by repetitions, and duplicator answers letter by letter in the second.
// Duplicator wins if its run is accepted or spoiler's is not; then the second automaton
// accepts the word. That is a fair simulation ("Fair simulation relations, parity games,
// and state space reduction for Büchi automata", Etessami, Wilke, Schuller, 2005).
//
// Where repetitions are added, a position is a pair of states with the letter just read,
// which spoiler may read again. For each pair a Boolean function holds the letters with
// which duplicator wins, so that letters are not enumerated. Where repetitions are left
// out, spoiler's moves are shortcuts, and the functions are constant.
//
// Spoiler's sets infinitely often imply duplicator's: three nested fixpoints tell who
// wins ("Synthesis of reactive(1) designs", Piterman, Pnueli, Sa'ar, 2006).
type stutterGame struct {
	spoiler, duplicator *reducible // with the same functions
	moves               [][]link   // spoiler's
	repeats             bool       // spoiler may read a letter again, which is in no set
	work                int        // left, in pairs of moves
	wins                []Function // of each pair: the letters with which duplicator wins
}

// at is the number of a pair.
func (g *stutterGame) at(p, q State) int { return int(p)*len(g.duplicator.out) + int(q) }

// solve computes wins; those are none where that is more work than this.
func (g *stutterGame) solve(ctx context.Context, work int) {
	pairs := len(g.spoiler.out) * len(g.duplicator.out)
	g.work = work
	g.wins = slices.Repeat([]Function{TrueFunction}, pairs)
	// In turn for each of duplicator's sets: it gets there, to go on from there.
	for unchanged, j := 0, 0; unchanged < g.duplicator.sets; j = (j + 1) % g.duplicator.sets {
		next := g.reach(ctx, j)
		if next == nil {
			g.wins = slices.Repeat([]Function{FalseFunction}, pairs)
			return
		}
		unchanged++
		if !slices.Equal(next, g.wins) {
			unchanged, g.wins = 0, next
		}
	}
}

// reach are those of wins from which duplicator forces a move in its set j to one of
// wins, unless spoiler takes edges of one of its sets finitely often; nil where a limit
// is exceeded.
func (g *stutterGame) reach(ctx context.Context, j int) []Function {
	closer := slices.Repeat([]Function{FalseFunction}, len(g.wins))
	for grows := true; grows; {
		grows = false
		for i := range g.spoiler.sets {
			stay := slices.Clone(g.wins)
			for shrinks := true; shrinks; {
				shrinks = false
				for p := range g.spoiler.out {
					for q := range g.duplicator.out {
						at := g.at(State(p), State(q))
						if stay[at] == closer[at] {
							continue
						}
						before := stay[at]
						stay[at] = g.spoiler.functions.And(before, g.answered(State(p), State(q), i, j, stay, closer))
						shrinks = shrinks || stay[at] != before
					}
					if g.work < 0 || g.spoiler.functions.Err() != nil || ctx.Err() != nil {
						return nil
					}
				}
			}
			if !slices.Equal(stay, closer) {
				closer, grows = stay, true
			}
		}
	}
	return closer
}

// answered are the letters with which, at p and q, duplicator can answer each move: in
// its set j to wins, or to closer, or, where the move is not in spoiler's set i, to stay.
// Both of these are within wins, and closer is within stay.
func (g *stutterGame) answered(p, q State, i, j int, stay, closer []Function) Function {
	f := g.spoiler.functions
	answer := func(to State, marks uint64, e link) Function {
		goal := closer
		switch {
		case e.marks>>j&1 == 1:
			goal = g.wins
		case marks>>i&1 == 0:
			goal = stay
		}
		return f.And(e.label, goal[g.at(to, e.to)])
	}
	for _, m := range g.moves[p] {
		open := m.label
		for _, e := range g.duplicator.out[q] {
			if open == FalseFunction {
				break
			}
			g.work--
			open = f.Minus(open, answer(m.to, m.marks, e))
		}
		if open != FalseFunction {
			return FalseFunction
		}
	}
	if !g.repeats {
		return TrueFunction
	}
	again := FalseFunction
	for _, e := range g.duplicator.out[q] {
		g.work--
		again = f.Or(again, answer(p, 0, e))
	}
	return again
}

// wonFrom tells, if it is true, that duplicator wins where spoiler starts in one of
// these states and duplicator, once it knows the first letter, in one of those.
func (g *stutterGame) wonFrom(these, those []State) bool {
	f := g.spoiler.functions
	for _, p := range these {
		for _, m := range g.moves[p] {
			open := m.label
			for _, q := range those {
				for _, e := range g.duplicator.out[q] {
					open = f.Minus(open, f.And(e.label, g.wins[g.at(m.to, e.to)]))
				}
			}
			if open != FalseFunction {
				return false
			}
		}
	}
	return f.Err() == nil
}

// fair drops edges to states without an accepting run and marks that do not matter, for
// a game; an automaton without acceptance sets gets one with all edges.
func (r *reducible) fair() {
	if r.sets == 0 {
		r.sets = 1
		for _, out := range r.out {
			for i := range out {
				out[i].marks = 1
			}
		}
	}
	c := r.components()
	accepting := r.acceptingComponents(c)
	useful := slices.Clone(accepting)
	for n := range c.Count() { // successors have lower numbers
		for _, s := range c.States(Component(n)) {
			for _, e := range r.out[s] {
				useful[n] = useful[n] || useful[c.Of(e.to)]
			}
		}
	}
	for s, out := range r.out {
		kept := out[:0]
		for _, e := range out {
			if from := c.Of(State(s)); from != c.Of(e.to) || !accepting[from] {
				e.marks = 0
			}
			if useful[c.Of(e.to)] {
				kept = append(kept, e)
			}
		}
		r.out[s] = kept
		r.merge(State(s))
	}
}

// shortcuts are the steps out of each state, and what several steps for the same letters
// do; nil if there are more than limit. What leaves a component has no marks.
func (r *reducible) shortcuts(limit int) [][]link {
	c, shortcuts := r.components(), make([][]link, len(r.out))
	for p := range r.out {
		list, ok := r.shortcutsFrom(c, State(p), limit)
		if !ok {
			return nil
		}
		shortcuts[p] = list
		limit -= len(list)
	}
	return shortcuts
}

// shortcutsFrom are the steps out of p, and what several steps for the same letters do;
// ok is false if there are more than limit. What leaves a component has no marks.
func (r *reducible) shortcutsFrom(c *Components, p State, limit int) (list []link, ok bool) {
	f := r.functions
	add := func(e link) {
		if c.Of(p) != c.Of(e.to) {
			e.marks = 0
		}
		for _, known := range list {
			if known.to == e.to && known.marks&e.marks == e.marks {
				e.label = f.Minus(e.label, known.label)
			}
		}
		if e.label != FalseFunction {
			list = append(list, e)
		}
	}
	for _, e := range r.out[p] {
		add(e)
	}
	for i := 0; i < len(list) && len(list) <= limit; i++ {
		for _, e := range r.out[list[i].to] {
			add(link{e.to, e.marks | list[i].marks, f.And(list[i].label, e.label)})
		}
	}
	return list, len(list) <= limit && f.Err() == nil
}

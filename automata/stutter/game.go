package stutter

import (
	"context"
	"slices"

	"pnmc/automata"
	"pnmc/automata/bdd"
	"pnmc/automata/internal/marked"
	"pnmc/automata/internal/reactivity"
)

// stutterGame is a game on pairs of states of two automata of generalized Büchi acceptance.
// Spoiler moves in the first one, along a run over a word that differs from accepted ones by
// repetitions. Duplicator answers letter by letter in the second one. Duplicator wins if its run
// is accepted or spoiler's is not; then the second automaton accepts the word. That is a fair
// simulation ("Fair simulation relations, parity games, and state space reduction for Büchi
// automata", Etessami, Wilke, Schuller, 2005).
//
// Where repetitions are added, a position is a pair of states with the letter just read,
// which spoiler may read again. For each pair a Boolean function holds the letters with
// which duplicator wins, so that letters are not enumerated. Where repetitions are left
// out, spoiler's moves are shortcuts, and the functions are constant.
//
// Spoiler's sets infinitely often imply duplicator's: package reactivity finds out who wins.
//
// For example, F a with a state 0 that loops on !a and goes to 1 on a, and an accepting state 1 that
// loops on every letter. Spoiler may repeat any letter, which leaves it where it is. If it repeats
// !a in 0, duplicator answers by its own loop; after an a both are in 1. Duplicator wins from (0, 0),
// so that F a has all words that come of its words by repetitions. For X a it is different: the
// states are 0, to 1 on every letter, to an accepting 2 on a. Spoiler reads !a to 1, as duplicator
// does, and repeats !a, which leaves it in 1. Duplicator has no edge for !a there.
//
// Duplicator may lose though the language is invariant, as in any simulation game: it must answer
// before it sees the rest of the word. Then stutterSearch decides.
//
// There are states² positions. A round of the fixpoint looks at all pairs of moves; work bounds
// the pairs of all rounds.
type stutterGame struct {
	spoiler, duplicator *marked.Reducible // with the same functions
	moves               [][]marked.Link   // spoiler's
	repeats             bool              // spoiler may read a letter again, which is in no set
	work                int               // left, in pairs of moves
	wins                []bdd.Function    // of each pair: the letters with which duplicator wins
}

// at returns the number of a pair.
func (g *stutterGame) at(p, q automata.State) int { return int(p)*len(g.duplicator.Out) + int(q) }

// solve computes wins. Where that is more work than this, duplicator is taken to win nowhere, which
// is right to build on: false means unknown.
func (g *stutterGame) solve(ctx context.Context, work int) {
	g.work = work
	game := reactivity.Game[bdd.Function]{
		Positions: len(g.spoiler.Out) * len(g.duplicator.Out), All: bdd.TrueFunction, None: bdd.FalseFunction,
		Spoiler: g.spoiler.Sets, Duplicator: g.duplicator.Sets,
		Restrict: func(stay, closer, won []bdd.Function, i, j int) (changed, goesOn bool) {
			g.wins = won
			return g.restrict(ctx, stay, closer, i, j)
		},
	}
	if g.wins = game.Solve(); g.wins == nil {
		g.wins = slices.Repeat([]bdd.Function{bdd.FalseFunction}, game.Positions)
	}
}

// restrict takes from stay the letters with which duplicator has no answer. It reports
// whether it took some, and whether the limits allow to go on.
func (g *stutterGame) restrict(ctx context.Context, stay, closer []bdd.Function, i, j int) (changed, goesOn bool) {
	for p := range automata.State(len(g.spoiler.Out)) {
		for q := range automata.State(len(g.duplicator.Out)) {
			at := g.at(p, q)
			if stay[at] == closer[at] {
				continue
			}
			before := stay[at]
			stay[at] = g.spoiler.Functions.And(before, g.answered(p, q, i, j, stay, closer))
			changed = changed || stay[at] != before
		}
		if g.work < 0 || g.spoiler.Functions.Err() != nil || ctx.Err() != nil {
			return changed, false
		}
	}
	return changed, true
}

// answered returns the letters with which, at p and q, duplicator can answer each move. An
// answer leads to wins in duplicator's set j, or to closer, or to stay if the move is not
// in spoiler's set i. Both of these are within wins, and closer is within stay.
//
// A move must be answered for all letters of its label: open holds those that are not yet. Since a
// letter that is repeated is the one just read, only that one must be answered again.
func (g *stutterGame) answered(p, q automata.State, i, j int, stay, closer []bdd.Function) bdd.Function {
	f := g.spoiler.Functions
	answer := func(to automata.State, marks uint64, e marked.Link) bdd.Function {
		goal := closer
		switch {
		case e.Marks>>j&1 == 1:
			goal = g.wins
		case marks>>i&1 == 0:
			goal = stay
		}
		return f.And(e.Label, goal[g.at(to, e.To)])
	}
	for _, m := range g.moves[p] {
		open := m.Label
		for _, e := range g.duplicator.Out[q] {
			if open == bdd.FalseFunction {
				break
			}
			g.work--
			open = f.Minus(open, answer(m.To, m.Marks, e))
		}
		if open != bdd.FalseFunction {
			return bdd.FalseFunction
		}
	}
	if !g.repeats {
		return bdd.TrueFunction
	}
	again := bdd.FalseFunction
	for _, e := range g.duplicator.Out[q] {
		g.work--
		again = f.Or(again, answer(p, 0, e))
	}
	return again
}

// wonFrom reports whether duplicator is known to win; false means unknown. Spoiler starts
// in one of these states, and duplicator, once it knows the first letter, in one of
// those.
func (g *stutterGame) wonFrom(these, those []automata.State) bool {
	f := g.spoiler.Functions
	for _, p := range these {
		for _, m := range g.moves[p] {
			open := m.Label
			for _, q := range those {
				for _, e := range g.duplicator.Out[q] {
					open = f.Minus(open, f.And(e.Label, g.wins[g.at(m.To, e.To)]))
				}
			}
			if open != bdd.FalseFunction {
				return false
			}
		}
	}
	return f.Err() == nil
}

// fair drops edges to states without an accepting run and marks that do not matter, for
// a game; an automaton without acceptance sets gets one with all edges.
func fair(r *marked.Reducible) {
	if r.Sets == 0 {
		r.Sets = 1
		for _, out := range r.Out {
			for i := range out {
				out[i].Marks = 1
			}
		}
	}
	c := r.Components()
	accepting := r.AcceptingComponents(c)
	useful := slices.Clone(accepting)
	for n := range c.Count() { // successors have lower numbers
		for _, s := range c.States(automata.Component(n)) {
			for _, e := range r.Out[s] {
				useful[n] = useful[n] || useful[c.Of(e.To)]
			}
		}
	}
	for s, out := range r.Out {
		kept := out[:0]
		for _, e := range out {
			if from := c.Of(automata.State(s)); from != c.Of(e.To) || !accepting[from] {
				e.Marks = 0
			}
			if useful[c.Of(e.To)] {
				kept = append(kept, e)
			}
		}
		r.Out[s] = kept
		r.Merge(automata.State(s))
	}
}

// shortcuts returns the steps out of each state, and what several steps for the same letters
// do in one; nil if there are more than limit. A step that leaves a component has no marks.
//
// By shortcuts a run leaves out repetitions. If a state s goes on a to t, and t on a & b to u,
// there is a shortcut from s on a & b to u. It has the marks of both steps if it stays in the
// component. It reads once what the run read twice.
func shortcuts(r *marked.Reducible, limit int) [][]marked.Link {
	c, shortcuts := r.Components(), make([][]marked.Link, len(r.Out))
	for p := range r.Out {
		list, ok := shortcutsFrom(r, c, automata.State(p), limit)
		if !ok {
			return nil
		}
		shortcuts[p] = list
		limit -= len(list)
	}
	return shortcuts
}

// shortcutsFrom returns the steps out of p, and what several steps for the same letters do; ok
// is false if there are more than limit. A step is added only for letters that have no step yet
// to the same state with the same marks or more. So the list comes to an end.
func shortcutsFrom(r *marked.Reducible, c *automata.Components, p automata.State, limit int) (list []marked.Link, ok bool) {
	f := r.Functions
	add := func(e marked.Link) {
		if c.Of(p) != c.Of(e.To) {
			e.Marks = 0
		}
		for _, known := range list {
			if known.To == e.To && known.Marks&e.Marks == e.Marks {
				e.Label = f.Minus(e.Label, known.Label)
			}
		}
		if e.Label != bdd.FalseFunction {
			list = append(list, e)
		}
	}
	for _, e := range r.Out[p] {
		add(e)
	}
	for i := 0; i < len(list) && len(list) <= limit; i++ {
		for _, e := range r.Out[list[i].To] {
			add(marked.Link{To: e.To, Marks: e.Marks | list[i].Marks, Label: f.And(list[i].Label, e.Label)})
		}
	}
	return list, len(list) <= limit && f.Err() == nil
}

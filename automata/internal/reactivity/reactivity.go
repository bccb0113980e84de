// Package reactivity solves games of generalized reactivity of rank 1: spoiler's sets,
// visited infinitely often, imply duplicator's. In come a game's positions with what one pass
// over them takes away, out goes where duplicator wins. Fair simulation
// (pnmc/automata/complement) and the game of stuttering (pnmc/automata/stutter) are such games.
//
// Three nested fixpoints tell who wins ("Synthesis of reactive(1) designs", Piterman, Pnueli,
// Sa'ar, 2006). The greatest: from where duplicator can get to each of its sets, one after the
// other, and be there again. The least, for each of these sets: from where it gets closer to the set.
// The greatest within: from where it can stay while spoiler avoids one of its own sets, which is
// another way to win.
package reactivity

import "slices"

// Game is a game on positions, whose values say how far duplicator wins there: a truth value, or
// the letters with which it does.
type Game[V comparable] struct {
	Positions           int
	All, None           V
	Spoiler, Duplicator int // sets; at least one of duplicator's
	// Restrict takes from stay, once for each position, what duplicator can't answer. An answer
	// is a move in its own set j to won, a move to closer, or, if spoiler's move is not in its
	// set i, a move to stay. It reports whether it took something, and whether to go on at all.
	Restrict func(stay, closer, won []V, i, j int) (changed, goesOn bool)
}

// Solve returns what duplicator wins of each position; nil if Restrict ended it.
//
// won starts as everything, and loses what duplicator can't bring to its set j and, by that move, to
// won again. When no j takes anything away in one round of all, duplicator has a plan: from each
// position of won it gets to each of its sets in turn, or spoiler gives up one of its own.
func (g *Game[V]) Solve() []V {
	won := slices.Repeat([]V{g.All}, g.Positions)
	for unchanged, j := 0, 0; unchanged < g.Duplicator; j = (j + 1) % g.Duplicator {
		next := g.reach(won, j)
		if next == nil {
			return nil
		}
		unchanged++
		if !slices.Equal(next, won) {
			unchanged, won = 0, next
		}
	}
	return won
}

// reach returns from where duplicator forces a move in its set j to won, unless spoiler takes
// edges of one of its sets finitely often; nil if Restrict ended it.
//
// closer grows from nothing: first the positions with such a move at once, then those from where
// every spoiler's move is answered by one to them, and so on. In each step duplicator may also wait
// for ever in stay, as long as spoiler keeps out of its set i; one i is tried after the other.
func (g *Game[V]) reach(won []V, j int) []V {
	closer := slices.Repeat([]V{g.None}, len(won))
	for grows := true; grows; {
		grows = false
		for i := range g.Spoiler {
			stay := slices.Clone(won)
			for shrinks := true; shrinks; {
				goesOn := true
				if shrinks, goesOn = g.Restrict(stay, closer, won, i, j); !goesOn {
					return nil
				}
			}
			if !slices.Equal(stay, closer) {
				closer, grows = stay, true
			}
		}
	}
	return closer
}

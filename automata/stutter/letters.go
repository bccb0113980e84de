package stutter

import (
	"pnmc/automata"
	"pnmc/automata/bdd"
	"pnmc/automata/internal/marked"
)

// lettered is an automaton over an alphabet of letters: a letter stands for all
// valuations that take the same edges. With labels a and a & b, for example, there are three: !a,
// a & !b and a & b. There may be exponentially many in the labels, but mostly there are few, and
// what must remember the letter just read has a state for each of them.
type lettered struct {
	letters int
	sets    int
	moves   [][]marked.Move // of state s and letter l at s×letters + l
}

// lettersOf partitions the valuations by the edges of r and of others, with the same
// functions, that they take. It splits each class by each label. It returns nil when there are more
// than limit classes.
func lettersOf(r *marked.Reducible, limit int, others ...*marked.Reducible) []bdd.Function {
	f := r.Functions
	letters := []bdd.Function{bdd.TrueFunction}
	seen := map[bdd.Function]bool{bdd.TrueFunction: true}
	for _, each := range append([]*marked.Reducible{r}, others...) {
		for _, out := range each.Out {
			for _, e := range out {
				if seen[e.Label] {
					continue
				}
				seen[e.Label] = true
				var split []bdd.Function
				for _, l := range letters {
					for _, part := range [2]bdd.Function{f.And(l, e.Label), f.Minus(l, e.Label)} {
						if part != bdd.FalseFunction {
							split = append(split, part)
						}
					}
				}
				if letters = split; len(letters) > limit || f.Err() != nil {
					return nil
				}
			}
		}
	}
	return letters
}

// over lists the moves of r for each of these letters.
func over(r *marked.Reducible, letters []bdd.Function) *lettered {
	return movesOver(r.Functions, r.Graph, letters)
}

// movesOver lists the moves of a graph, whose labels are of f, for each of these letters.
func movesOver(f *bdd.Functions, g marked.Graph, letters []bdd.Function) *lettered {
	a := &lettered{letters: len(letters), sets: g.Sets, moves: make([][]marked.Move, len(g.Out)*len(letters))}
	for s, out := range g.Out {
		for _, e := range out {
			for l, letter := range letters {
				if f.Implies(letter, e.Label) {
					at := s*a.letters + l
					a.moves[at] = append(a.moves[at], marked.Move{To: e.To, Marks: e.Marks})
				}
			}
		}
	}
	return a
}

// of returns the moves of state s for letter l.
func (a *lettered) of(s automata.State, l int) []marked.Move { return a.moves[int(s)*a.letters+l] }

package automata

// lettered is an automaton over an alphabet of letters: a letter stands for all
// valuations that take the same edges.
type lettered struct {
	letters int
	sets    int
	moves   [][]move // of state s and letter l at s×letters + l
}

// letters partitions the valuations by the edges of r and of others, with the same
// functions, that they take; nil when there are more than limit classes.
func (r *reducible) letters(limit int, others ...*reducible) []Function {
	f := r.functions
	letters := []Function{TrueFunction}
	seen := map[Function]bool{TrueFunction: true}
	for _, each := range append([]*reducible{r}, others...) {
		for _, out := range each.out {
			for _, e := range out {
				if seen[e.label] {
					continue
				}
				seen[e.label] = true
				var split []Function
				for _, l := range letters {
					for _, part := range [2]Function{f.And(l, e.label), f.Minus(l, e.label)} {
						if part != FalseFunction {
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
func (r *reducible) over(letters []Function) *lettered {
	a := &lettered{letters: len(letters), sets: r.sets, moves: make([][]move, len(r.out)*len(letters))}
	for s, out := range r.out {
		for _, e := range out {
			for l, letter := range letters {
				if r.functions.Implies(letter, e.label) {
					at := s*a.letters + l
					a.moves[at] = append(a.moves[at], move{e.to, e.marks})
				}
			}
		}
	}
	return a
}

// of are the moves of state s for letter l.
func (a *lettered) of(s State, l int) []move { return a.moves[int(s)*a.letters+l] }

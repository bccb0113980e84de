package automata

// Changes returns the word that a testing automaton reads in place of l, as labels of
// its edges: first the first valuation, then what changes from each valuation to
// the next. The mapping is one-to-one, so that a testing automaton, its Kind set
// to Plain, accepts l.Changes() exactly when it accepts l.
func (l Lasso) Changes() Lasso {
	words := WordsFor(len(l.Propositions))
	before := make(Valuation, words)
	change := func(letters []Valuation) []Valuation {
		changes := make([]Valuation, len(letters))
		for i, v := range letters {
			changes[i] = make(Valuation, words)
			for w := range words {
				changes[i][w] = v[w] ^ before[w]
			}
			before = v
		}
		return changes
	}
	// The cycle is entered from the prefix once and from itself ever after.
	prefix := append(change(l.Prefix), change(l.Cycle)...)
	return Lasso{Propositions: l.Propositions, Prefix: prefix, Cycle: change(l.Cycle)}
}

package branching

import (
	"pnmc/logic/ctl"
	"pnmc/petri"
)

// ForTests has threads take a word of a set at a time, give each other parts of two states, and call
// f where another may come between. It lasts until the function that it returns is called.
func ForTests(f func()) (reset func()) {
	before := asEver
	asEver = sizes{block: 64, part: 2, yield: f}
	return func() { asEver = before }
}

// BeginsWith has searches of the first round visit so few markings.
func (s *Search) BeginsWith(markings int) { s.first = markings }

// Satisfying returns whether f holds in the marking of each state, by its number in Kripke.
func (g *Graph) Satisfying(f *ctl.Formula) ([]bool, error) {
	set, err := g.evaluate(f)
	if err != nil {
		return nil, err
	}
	holds := make([]bool, g.states)
	set.each(func(i uint32) { holds[i] = true })
	return holds, nil
}

// Kripke returns what the graph was made of.
func (g *Graph) Kripke() *petri.Kripke { return g.kripke }

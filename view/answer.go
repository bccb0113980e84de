package view

import (
	"pnmc/automata"
	"pnmc/logic"
	"pnmc/petri"
)

// Answer is a question with its verdict, and the runs that show it.
type Answer struct {
	Name    string // of the property
	Kind    string // what was asked, such as "ltl" or "deadlock"
	Verdict string // "holds", "violated", "value" or "unknown"
	Value   string // of a bound
	Ground  string // what the verdict rests on
	Reason  string // why the verdict is unknown, or why no run is shown

	// Formula is what was asked as a formula over Atoms, or nil. It is true in the initial
	// marking if the verdict is "holds", or, if Opposite, false.
	Formula  *Formula
	Opposite bool
	// Atoms are state predicates whose truth the page shows in each marking.
	Atoms []Atom
	// Sum, unless nil, is a number that the page shows in each marking. Cells says which
	// places it is over.
	Sum *logic.Sum
	// Cells reports whether Atoms and Sum speak of the net that fires. Otherwise they speak
	// of the net that is drawn. The two differ if the net is coloured.
	Cells bool

	// Automaton, unless nil, accepts the runs that violate the property. It reads valuations.
	Automaton *automata.Automaton
	// Propositions gives each proposition of Automaton its place in Atoms.
	Propositions []int

	// Runs show the verdict; the first begins in the initial marking.
	Runs []Run
}

// Atom is a state predicate and how the page writes it.
type Atom struct {
	Text      string
	Predicate *logic.Predicate
}

// Run is a run of the net that fires.
type Run struct {
	Prefix, Cycle []Step
	// From is the number of the run in whose marking after At firings this one begins, or -1
	// if it begins in the initial marking.
	From, At int
	// Ends reports whether the run ends in a deadlock which is part of what it shows.
	Ends bool
	// Dead is a transition that can never fire again, by its identifier, or empty.
	Dead string
}

// Step is a transition that fires, Times times in a row, or a deadlock that stays as it is.
type Step struct {
	Transition petri.Transition
	Times      int64
	Stays      bool
}

// answerBlock is the part of a page's data that an answer has.
type answerBlock struct {
	Name      string          `json:"name"`
	Kind      string          `json:"kind"`
	Verdict   string          `json:"verdict"`
	Value     string          `json:"value,omitempty"`
	Ground    string          `json:"ground,omitempty"`
	Reason    string          `json:"reason,omitempty"`
	Atoms     []string        `json:"atoms,omitempty"`
	Formula   []formulaNode   `json:"formula,omitempty"` // operands before operators, the root last
	Support   []uint32        `json:"support,omitempty"` // places that are drawn and that the question speaks of
	Sum       *sumBlock       `json:"sum,omitempty"`
	Automaton *automatonBlock `json:"automaton,omitempty"`
	Runs      []*runBlock     `json:"runs,omitempty"`
}

// sumBlock is a sum as the page gets it, over places that are drawn, or over cells.
type sumBlock struct {
	Cells    bool       `json:"cells,omitempty"`
	Constant int64      `json:"constant"`
	Terms    [][2]int64 `json:"terms"` // place or cell, coefficient
}

// withoutRuns returns the answer as it is shown where there is no time or memory to show its runs.
func (a *Answer) withoutRuns(why error) *Answer {
	less := *a
	less.Runs, less.Automaton, less.Propositions = nil, nil, nil
	if less.Reason == "" {
		less.Reason = "no run is shown: " + why.Error()
	}
	return &less
}

// answerBlock returns the answer as the page gets it. An error says that a run does not
// fire, which is a defect of whoever found it, or is the reason to stop.
func (n *Net) answerBlock(a *Answer, w *writer) (*answerBlock, error) {
	b := &answerBlock{Name: a.Name, Kind: a.Kind, Verdict: a.Verdict, Value: a.Value, Ground: a.Ground, Reason: a.Reason}
	for _, atom := range a.Atoms {
		b.Atoms = append(b.Atoms, atom.Text)
		w.json(atom.Text)
	}
	b.Formula = a.Formula.nodes()
	b.Support = n.support(a)
	if a.Sum != nil {
		b.Sum = &sumBlock{Cells: a.Cells && n.Unfolding != nil, Constant: a.Sum.Constant, Terms: [][2]int64{}}
		for _, t := range a.Sum.Terms {
			b.Sum.Terms = append(b.Sum.Terms, [2]int64{int64(t.Place), t.Coefficient})
		}
	}
	b.Automaton = newAutomatonBlock(a, w)
	if w.End != nil {
		return nil, w.End
	}
	var replays []*replay
	for i := range a.Runs {
		r, err := n.replay(a, &a.Runs[i], replays, w.Account)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			if err := r.agree(a); err != nil {
				return nil, err
			}
		}
		replays = append(replays, r)
		b.Runs = append(b.Runs, r.block())
		w.bytes(b.Runs[i].length())
	}
	return b, w.End
}

// support returns the places that are drawn and that the atoms and the sum speak of.
func (n *Net) support(a *Answer) []uint32 {
	drawn := n.Net.Places()
	place := func(p uint32) uint32 { return p }
	if n.Unfolding != nil {
		drawn = len(n.Unfolding.Places)
		if a.Cells {
			of := make([]uint32, n.Net.Places())
			for i, cells := range n.Unfolding.Places {
				for _, c := range cells {
					of[c] = uint32(i)
				}
			}
			for _, s := range n.Unfolding.Sums {
				of[s] = uint32(drawn)
			}
			place = func(p uint32) uint32 { return of[p] }
		}
	}
	seen := make([]bool, drawn+1) // the last: cells of no place
	var walk func(p *logic.Predicate)
	sum := func(s *logic.Sum) {
		for _, t := range s.Terms {
			seen[place(t.Place)] = true
		}
	}
	walk = func(p *logic.Predicate) {
		for s := range p.Sums() {
			sum(s)
		}
		for _, o := range p.Operands {
			walk(o)
		}
	}
	for _, atom := range a.Atoms {
		walk(atom.Predicate)
	}
	if a.Sum != nil {
		sum(a.Sum)
	}
	var list []uint32
	for p, is := range seen[:drawn] {
		if is {
			list = append(list, uint32(p))
		}
	}
	return list
}

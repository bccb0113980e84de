package inclusion

import (
	"pnmc/automata"
	"pnmc/automata/complement"
	"pnmc/automata/emptiness"
	"pnmc/internal/bitset"
)

// inclusionSearch is the product of an automaton and the complement of another as a
// LazyAutomaton: the words that break an inclusion. The complement is computed only for the
// letters that the automaton reads. A pair of states is left out if all words that the automaton
// accepts from there are known to be accepted from a state that the other automaton has reached.
//
// That is what keeps it small. A state m of the complement knows which states of b the word so far
// leads to. If one of them fairly simulates state p of a, whatever a accepts from p, b accepts too.
// So no word that breaks the inclusion goes through (p, m), however many states of the complement
// would follow. For example, let a be b with some edges added in one part. Once a run of a has left
// that part, and b can be in the same state, that state simulates itself: the search goes no further.
type inclusionSearch struct {
	a          *automata.Automaton
	useful     []bool
	complement *complement.Complementation
	simulated  *complement.Simulations // of a by complement.Buchi()
	alphabet   automata.Alphabet
	acceptance automata.Acceptance
	pairs      *automata.Pairs
	steps      map[inclusionStep][]inclusionEdge
	own        []automata.Cube   // of the cubes of a: as cubes of the complement
	firstCube  []uint32          // of each edge of a: its first cube in own
	number     map[string]uint32 // of the different cubes in own
}

// inclusionStep is a step of the complement by letters of a cube, which is numbered.
type inclusionStep struct{ state, cube uint32 }

// inclusionEdge is an edge of the complement. These cost far more to compute than to
// keep.
type inclusionEdge struct {
	label automata.Label // over the alphabet
	marks automata.Marks
	to    uint32
}

// newInclusionSearch returns the product of a and the complement of b. It computes which states
// of b fairly simulate which ones of a, and what each cube of a means to the complement: a
// proposition that the complement does not have is left out. The steps themselves are computed as
// the search asks for them.
func newInclusionSearch(a, b *automata.Automaton, useful []bool, o Options) (*inclusionSearch, error) {
	limit := o.Limit
	if limit == 0 {
		limit = DefaultComplementLimit
	}
	c, err := complement.NewComplementation(o.Context, b, limit)
	if err != nil {
		return nil, err
	}
	s := &inclusionSearch{
		a: a, useful: useful, complement: c, alphabet: automata.NewAlphabet(a.Propositions, c.Propositions(), a, c.Buchi()),
		simulated: complement.FairSimulations(o.Context, a, c.Buchi(), useful),
		pairs:     automata.NewPairs(0, 0), steps: map[inclusionStep][]inclusionEdge{}, number: map[string]uint32{},
	}
	s.acceptance = conjunctionWith(a.Acceptance, c.Acceptance())
	// Where the propositions of a are in the complement, if they are.
	inverse := make([]int, len(s.alphabet.Propositions))
	for i := range inverse {
		inverse[i] = -1
	}
	for q, i := range s.alphabet.Right {
		inverse[i] = q
	}
	for e := range automata.Edge(a.Edges()) {
		s.firstCube = append(s.firstCube, uint32(len(s.own)))
		for i := range a.Cubes(e) {
			cube := automata.NewCube(len(c.Propositions()))
			for p, at := range s.alphabet.Left {
				if occurs, positive := a.Cube(e, i).Literal(p); occurs && inverse[at] >= 0 {
					cube = cube.With(inverse[at], positive)
				}
			}
			s.own = append(s.own, cube)
		}
	}
	return s, nil
}

// conjunctionWith returns the conjunction of both. The sets of the second, which is generalized
// Büchi, come after those of the first.
func conjunctionWith(a, generalizedBuchi automata.Acceptance) automata.Acceptance {
	c := &automata.Condition{Operator: automata.ConditionAnd, Operands: []*automata.Condition{a.Condition}}
	for i := range generalizedBuchi.Sets {
		c.Operands = append(c.Operands, &automata.Condition{Operator: automata.Inf, Set: a.Sets + i})
	}
	if len(c.Operands) == 1 {
		c = a.Condition
	}
	return automata.Acceptance{Sets: a.Sets + generalizedBuchi.Sets, Condition: c}
}

func (s *inclusionSearch) Propositions() []string          { return s.alphabet.Propositions }
func (s *inclusionSearch) Acceptance() automata.Acceptance { return s.acceptance }

// Initial returns the pairs of an initial state of a with that of the complement.
func (s *inclusionSearch) Initial() []uint32 {
	var initial []uint32
	for _, p := range s.a.Initial() {
		if s.useful[p] && !s.covered(p, 0) {
			n, _ := s.pairs.Number(p, 0)
			initial = append(initial, n)
		}
	}
	return initial
}

// covered reports whether all words from state p of a are known to be accepted from a
// state reached in state m of the complement.
func (s *inclusionSearch) covered(p automata.State, m uint32) bool {
	for _, q := range s.complement.Reached(m) {
		if s.simulated.Has(p, q) {
			return true
		}
	}
	return false
}

// Out adds the edges of the pair n. For each cube of an edge of a it asks the complement for its
// steps by letters of that cube, and leaves out what leads to a covered pair. An edge has the
// marks of a, and behind them those of the complement.
func (s *inclusionSearch) Out(n uint32, edges *emptiness.LazyEdges) error {
	p, m := s.pairs.At(n)
	marks := automata.NewMarks(s.acceptance.Sets)
	cube := make(automata.Cube, 2*s.alphabet.Words())
	for e, end := s.a.Out(p); e < end; e++ {
		destination := s.a.Destination(e)
		if !s.useful[destination] {
			continue
		}
		for i := range s.a.Cubes(e) {
			next, err := s.step(uint32(m), s.own[int(s.firstCube[e])+i])
			if err != nil {
				return err
			}
			s.a.Cube(e, i).Place(s.alphabet.Left, cube)
			if err := edges.Err(); err != nil {
				return err
			}
			for _, x := range next {
				if s.covered(destination, x.to) {
					continue
				}
				clear(marks)
				copy(marks, s.a.Marks(e))
				for j := range s.acceptance.Sets - s.a.Acceptance.Sets {
					if x.marks.Has(j) {
						at := s.a.Acceptance.Sets + j
						bitset.Add(marks, at)
					}
				}
				label := make(automata.Label, len(x.label))
				for k, c := range x.label {
					label[k] = make(automata.Cube, len(c))
					for w := range c {
						label[k][w] = c[w] | cube[w]
					}
				}
				to, _ := s.pairs.Number(destination, automata.State(x.to))
				edges.Add(label, marks, to)
			}
		}
	}
	return nil
}

// step returns the edges of the complement that leave state m by letters within the cube. It keeps
// them: many edges of a have the same label, and many pairs the same state of the complement.
func (s *inclusionSearch) step(m uint32, within automata.Cube) ([]inclusionEdge, error) {
	text := make([]byte, 0, 8*len(within))
	for _, w := range within {
		for i := range 8 {
			text = append(text, byte(w>>(8*i)))
		}
	}
	number, known := s.number[string(text)]
	if !known {
		number = uint32(len(s.number))
		s.number[string(text)] = number
	}
	key := inclusionStep{m, number}
	if edges, known := s.steps[key]; known {
		return edges, nil
	}
	var edges []inclusionEdge
	err := s.complement.Out(m, within, func(l automata.Label, marks automata.Marks, to uint32) {
		placed := make(automata.Label, len(l))
		for i, c := range l {
			placed[i] = make(automata.Cube, 2*s.alphabet.Words())
			c.Place(s.alphabet.Right, placed[i])
		}
		edges = append(edges, inclusionEdge{placed, marks, to})
	})
	if err == nil {
		s.steps[key] = edges
	}
	return edges, err
}

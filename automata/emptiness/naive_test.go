package emptiness

import (
	"fmt"
	"math/rand/v2"

	"pnmc/automata"
	"pnmc/internal/automatatest"
)

// lazyTwin hands out an explicit automaton on the fly; its states have other
// numbers.
type lazyTwin struct{ a *automata.Automaton }

const lazyTwinOffset = 1 << 20

func (l lazyTwin) Propositions() []string          { return l.a.Propositions }
func (l lazyTwin) Acceptance() automata.Acceptance { return l.a.Acceptance }

func (l lazyTwin) Initial() []uint32 {
	var states []uint32
	for _, s := range l.a.Initial() {
		states = append(states, uint32(s)+lazyTwinOffset)
	}
	return states
}

func (l lazyTwin) Out(s uint32, edges *LazyEdges) error {
	if s < lazyTwinOffset {
		return fmt.Errorf("state %d was never handed out", s)
	}
	for e, end := l.a.Out(automata.State(s - lazyTwinOffset)); e < end; e++ {
		edges.Add(l.a.Label(e), l.a.Marks(e), uint32(l.a.Destination(e))+lazyTwinOffset)
	}
	return nil
}

// randomStructure is a Kripke structure with or without fairness, and the same as
// an automaton.
type randomStructure struct {
	names      []string
	labels     []automata.Valuation
	marks      []automata.Marks
	successors [][]uint32
	acceptance automata.Acceptance
}

func newRandomStructure(seed uint64, fair bool) (*randomStructure, *automata.Automaton) {
	r := rand.New(rand.NewPCG(seed, 2))
	k := &randomStructure{names: [][]string{{"b"}, {"a", "b"}, {"b", "e", "a"}}[r.IntN(3)], acceptance: automata.GeneralizedBuchi(0)}
	if fair {
		k.acceptance = automatatest.Random(automatatest.RandomSettings{
			States: 1, Sets: 1 + r.IntN(3), Condition: automatatest.RandomCondition(r.IntN(3)),
		}, seed).Acceptance
	}
	b := automata.NewBuilder(k.names, k.acceptance)
	n := 1 + r.IntN(6)
	b.AddStates(n)
	b.AddInitial(0)
	for s := range n {
		v := automata.Valuation{r.Uint64() & (1<<len(k.names) - 1)}
		m := automata.NewMarks(k.acceptance.Sets)
		for i := range k.acceptance.Sets {
			m[0] |= r.Uint64() & 1 << i
		}
		var successors []uint32
		for t := range n {
			if r.IntN(3) == 0 {
				successors = append(successors, uint32(t))
				b.AddEdge(automata.State(s), automata.Label{automata.CompleteCube(len(k.names), v)}, m, automata.State(t))
			}
		}
		k.labels, k.marks, k.successors = append(k.labels, v), append(k.marks, m), append(k.successors, successors)
	}
	a, err := b.Build()
	if err != nil {
		panic(err)
	}
	return k, a
}

func (k *randomStructure) Propositions() []string               { return k.names }
func (k *randomStructure) Initial() []uint32                    { return []uint32{0} }
func (k *randomStructure) Label(s uint32, v automata.Valuation) { copy(v, k.labels[s]) }
func (k *randomStructure) Acceptance() automata.Acceptance      { return k.acceptance }
func (k *randomStructure) Marks(s uint32, m automata.Marks)     { copy(m, k.marks[s]) }
func (k *randomStructure) Successors(s uint32, to []uint32) ([]uint32, error) {
	return append(to, k.successors[s]...), nil
}

package automatatest

import (
	"math/rand/v2"

	"pnmc/automata"
	"pnmc/internal/bitset"
)

// RandomSettings says what random automata look like.
type RandomSettings struct {
	// States is their number, at least 1. State 0 is initial, and all states are
	// reachable.
	States int
	// Propositions are their names, in order.
	Propositions []string
	// Density is the probability that there is an edge from one state to
	// another; each state has one edge at least.
	Density float64
	// LiteralProbability is the probability that a proposition occurs in the
	// label of an edge; 1 gives complete valuations.
	LiteralProbability float64
	// Sets is the number of acceptance sets, and MarkProbability that of an edge
	// being in a set.
	Sets            int
	MarkProbability float64
	// Condition chooses the acceptance condition.
	Condition RandomCondition
}

// RandomCondition says which acceptance condition random automata have.
type RandomCondition uint8

// The kinds of acceptance conditions of random automata.
const (
	// RandomGeneralizedBuchi is the conjunction of Inf over all sets.
	RandomGeneralizedBuchi RandomCondition = iota
	// RandomInf combines Inf over all sets, each once, by random ∧ and ∨.
	RandomInf
	// RandomEmersonLei combines Inf and Fin, of sets and of their complements,
	// with repetition, by random ∧ and ∨.
	RandomEmersonLei
)

// Random returns an automaton that depends on settings and seed only. Two seeds give
// automata as unrelated as the settings permit.
func Random(settings RandomSettings, seed uint64) *automata.Automaton {
	r := rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))
	b := automata.NewBuilder(settings.Propositions, randomAcceptance(settings, r))
	b.AddStates(settings.States)
	b.AddInitial(0)
	edge := func(from, to automata.State) {
		c := automata.NewCube(len(settings.Propositions))
		half := len(c) / 2
		for p := range settings.Propositions {
			if r.Float64() < settings.LiteralProbability {
				bitset.Add(c, p)
				bitset.Put(c[half:], p, r.Uint64()&1)
			}
		}
		m := automata.NewMarks(settings.Sets)
		for i := range settings.Sets {
			if r.Float64() < settings.MarkProbability {
				bitset.Add(m, i)
			}
		}
		b.AddEdge(from, automata.Label{c}, m, to)
	}
	// A random tree first, which makes every state reachable.
	for s := 1; s < settings.States; s++ {
		edge(automata.State(r.IntN(s)), automata.State(s))
	}
	for s := range settings.States {
		out := 0
		for t := range settings.States {
			if r.Float64() < settings.Density {
				edge(automata.State(s), automata.State(t))
				out++
			}
		}
		if out == 0 {
			edge(automata.State(s), automata.State(r.IntN(settings.States)))
		}
	}
	a, err := b.Build()
	if err != nil {
		panic(err) // the settings describe no automaton: a mistake of the caller
	}
	return a
}

// randomAcceptance returns a condition of the kind that the settings ask for. Without sets it is
// always true. RandomInf has each set once, below Inf. Otherwise there are one to twice as many
// leaves as sets: each is Inf or Fin of any set, and one in eight of the complement of the set.
func randomAcceptance(settings RandomSettings, r *rand.Rand) automata.Acceptance {
	n := settings.Sets
	if settings.Condition == RandomGeneralizedBuchi || n == 0 {
		return automata.GeneralizedBuchi(n)
	}
	var leaves []*automata.Condition
	if settings.Condition == RandomInf {
		for _, i := range r.Perm(n) {
			leaves = append(leaves, &automata.Condition{Operator: automata.Inf, Set: i})
		}
	} else {
		for range 1 + r.IntN(2*n) {
			c := &automata.Condition{Operator: automata.Inf, Set: r.IntN(n), Negated: r.IntN(8) == 0}
			if r.IntN(2) == 0 {
				c.Operator = automata.Fin
			}
			leaves = append(leaves, c)
		}
	}
	return automata.Acceptance{Sets: n, Condition: randomTree(leaves, r)}
}

// randomTree joins the leaves, one or more, by a random binary tree.
func randomTree(leaves []*automata.Condition, r *rand.Rand) *automata.Condition {
	if len(leaves) == 1 {
		return leaves[0]
	}
	cut := 1 + r.IntN(len(leaves)-1)
	c := &automata.Condition{Operator: automata.ConditionAnd}
	if r.IntN(2) == 0 {
		c.Operator = automata.ConditionOr
	}
	c.Operands = []*automata.Condition{randomTree(leaves[:cut], r), randomTree(leaves[cut:], r)}
	return c
}

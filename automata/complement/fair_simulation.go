package complement

import (
	"context"
	"slices"

	"pnmc/automata"
	"pnmc/automata/internal/effort"
	"pnmc/automata/internal/marked"
	"pnmc/automata/internal/reactivity"
	"pnmc/internal/bitset"
)

// Simulations holds which states of one automaton simulate which of another, so that
// they accept at least the same words. It may know fewer pairs than there are.
//
// A state q of b simulates a state p of a if a player, duplicator, wins a game. Spoiler moves along
// an edge from p by some letter. Duplicator sees it and answers along an edge from q by the same
// letter. Both go on like that for ever. Whoever simulates must never be without an answer, and
// its run must be good if spoiler's is. Then each accepted word of p is one of q, since spoiler may
// read any word: duplicator's answers are an accepted run over it. The converse is false.
// Duplicator must answer without knowing the letters that come, and a run may depend on them.
//
// For example, p reads a, and then b for ever or c for ever. q has two edges labelled a: one to a
// state that reads b, and one to a state that reads c. Both accept the same two words. But spoiler
// reads a, and duplicator has to choose before it knows which of b and c will follow: it loses.
//
// A round of a game looks at pairs of edges once for each set of letters: that is polynomial in the
// states, where inclusion is exponential. So the game is asked first, and what it does not know is
// found out by complementing.
type Simulations struct {
	right int
	holds []bool // of p·right + q
}

// Has reports whether state q of the second automaton is known to accept all words that
// state p of the first does.
func (s *Simulations) Has(p, q automata.State) bool {
	return s != nil && s.holds[int(p)*s.right+int(q)]
}

// Initial reports whether each initial state of a is simulated by one of b.
func (s *Simulations) Initial(a, b *automata.Automaton) bool {
	for _, p := range a.Initial() {
		if !slices.ContainsFunc(b.Initial(), func(q automata.State) bool { return s.Has(p, q) }) {
			return false
		}
	}
	return s != nil
}

// simulationWork bounds the answers of edges to edges that a simulation looks at: some
// seconds.
const simulationWork = 1 << 28

// FairSimulations returns the pairs for which b's run is accepted if a's is ("Fair simulation
// relations, parity games, and state space reduction for Büchi automata", Etessami, Wilke,
// Schuller, 2001). b has one acceptance set, on edges; a may have any condition. Edges of a to
// states that are not useful need no answer. It returns nil if that takes too long.
//
// Of the condition of a only the sets count that every accepted run visits again and again:
// the Inf that are conjuncts of the condition. So spoiler may seem to win with a run that a does not
// accept, and a pair may be missing, but no pair is wrong. The game is then one of generalized
// reactivity: these sets infinitely often imply b's. Package reactivity solves it.
func FairSimulations(ctx context.Context, a, b *automata.Automaton, useful []bool) *Simulations {
	g := newLetterGame(ctx, a, b, useful)
	if g == nil {
		return nil
	}
	n := a.States() * b.States()
	required := requiredSets(a.Acceptance.Condition)
	if len(required) == 0 {
		required = []int{-1} // all runs of a may be accepted
	}
	game := reactivity.Game[bool]{
		Positions: n, All: true, Spoiler: len(required), Duplicator: 1,
		Restrict: func(stay, closer, won []bool, i, _ int) (changed, goesOn bool) {
			j := required[i]
			changed = g.restrict(stay, func(e, f automata.Edge, to int) bool {
				return closer[to] || b.Marks(f).Has(0) && won[to] || j >= 0 && !a.Marks(e).Has(j) && stay[to]
			})
			return changed, g.work <= simulationWork && ctx.Err() == nil
		},
	}
	won := game.Solve()
	if won == nil {
		return nil
	}
	return &Simulations{b.States(), won}
}

// DirectSimulations returns the pairs for which b answers each edge of a with one that is at
// least as good for the condition. Such an edge is in all sets of Inf that the other is in, and
// in no further sets of Fin. Both automata must have the same acceptance condition. It needs no
// sets to be counted, and suits conditions that FairSimulations can say little about. It returns
// nil if the conditions differ or that takes too long.
func DirectSimulations(ctx context.Context, a, b *automata.Automaton, useful []bool) *Simulations {
	if a.Acceptance.Sets != b.Acceptance.Sets || !sameTrees(a.Acceptance.Condition, b.Acceptance.Condition) {
		return nil
	}
	g := newLetterGame(ctx, a, b, useful)
	if g == nil {
		return nil
	}
	more, fewer := automata.NewMarks(a.Acceptance.Sets), automata.NewMarks(a.Acceptance.Sets) // sets of which more edges may be bad, or fewer
	tendencies(a.Acceptance.Condition, more, fewer)
	good := func(e, f automata.Edge) bool {
		for i, w := range a.Marks(e) {
			v := b.Marks(f)[i]
			if v&^w&more[i] != 0 || w&^v&fewer[i] != 0 {
				return false
			}
		}
		return true
	}
	holds := filled(a.States() * b.States())
	for again := true; again; {
		again = g.restrict(holds, func(e, f automata.Edge, to int) bool { return holds[to] && good(e, f) })
		if g.work > simulationWork || ctx.Err() != nil {
			return nil
		}
	}
	return &Simulations{b.States(), holds}
}

// filled returns so many trues.
func filled(n int) []bool {
	all := make([]bool, n)
	for i := range all {
		all[i] = true
	}
	return all
}

// letterGame is the game of two automata in which one moves along an edge of a by some
// letter, and the other answers with an edge of b by the same letter.
type letterGame struct {
	a, b   *automata.Automaton
	useful []bool
	// answers[e·States(b) + q] are the answers from q to edge e, one list for each set
	// of letters with the same answers.
	answers [][][]automata.Edge
	work    int
}

// newLetterGame computes the answers to all edges of a that lead to useful states. For a state q
// of b it splits the letters of an edge by which edges of b out of q read them. Example: the edge
// reads a, and q has edges that read b and !b. Then there are two lists, the first edge for the
// letters with a & b, the second one for those with a & !b. It returns nil if that takes too
// long.
func newLetterGame(ctx context.Context, a, b *automata.Automaton, useful []bool) *letterGame {
	if a.Edges()*b.Edges() > marked.SimulationCost {
		return nil
	}
	x := automata.NewAlphabet(a.Propositions, b.Propositions, a, b)
	place := func(c automata.Cube, where []int) automata.Cube {
		d := make(automata.Cube, 2*x.Words())
		c.Place(where, d)
		return d
	}
	letters := effort.New(ctx, simulationWork)
	g := &letterGame{a: a, b: b, useful: useful, answers: make([][][]automata.Edge, a.Edges()*b.States())}
	right := make([][]letterCube, b.States())
	for f := range automata.Edge(b.Edges()) {
		for i := range b.Cubes(f) {
			q := b.Source(f)
			right[q] = append(right[q], letterCube{edge: f, cube: place(b.Cube(f, i), x.Right)})
		}
	}
	for e := range automata.Edge(a.Edges()) {
		if !useful[a.Destination(e)] {
			continue
		}
		for i := range a.Cubes(e) {
			left := place(a.Cube(e, i), x.Left)
			for q, cubes := range right {
				if !letters.Spend(4 * len(cubes) * len(left)) {
					return nil
				}
				var meeting []letterCube
				for _, c := range cubes {
					if c.cube.Intersects(left) {
						meeting = append(meeting, c)
					}
				}
				at := &g.answers[int(e)*b.States()+q]
				err := splitLetters(letters, meeting, left, func(taken []automata.Edge, _ automata.Cube) error {
					if g.work++; g.work > marked.SimulationCost {
						return marked.ErrTooManyStates
					}
					*at = append(*at, slices.Clone(taken))
					return nil
				})
				if err != nil {
					return nil
				}
			}
		}
	}
	g.work = 0
	return g
}

// restrict takes from the pairs those from where some letter has no answer that is
// good, and reports whether there were any. In good, to is the number of the pair that the move
// and its answer lead to.
func (g *letterGame) restrict(pairs []bool, good func(e, f automata.Edge, to int) bool) bool {
	n := g.b.States()
	changed := false
	for p := range automata.State(g.a.States()) {
		for q := range n {
			if at := int(p)*n + q; pairs[at] && !g.answered(p, q, good) {
				pairs[at], changed = false, true
			}
		}
	}
	return changed
}

// answered reports whether state q of b has a good answer to each move of a from p. That is, for
// each edge to a useful state, and each set of its letters, one of the edges by these letters is
// good. To is the pair of states that a move and its answer lead to.
func (g *letterGame) answered(p automata.State, q int, good func(e, f automata.Edge, to int) bool) bool {
	n := g.b.States()
	for e, end := g.a.Out(p); e < end; e++ {
		if !g.useful[g.a.Destination(e)] {
			continue
		}
		for _, answers := range g.answers[int(e)*n+q] {
			g.work += 1 + len(answers)
			if !slices.ContainsFunc(answers, func(f automata.Edge) bool {
				return good(e, f, int(g.a.Destination(e))*n+int(g.b.Destination(f)))
			}) {
				return false
			}
		}
	}
	return true
}

// requiredSets returns sets that every accepted run visits infinitely often: the conjuncts
// Inf of c. There may be more such sets; (Inf(0) & Inf(1)) | Inf(1), for example, has none here.
func requiredSets(c *automata.Condition) []int {
	switch {
	case c.Operator == automata.Inf && !c.Negated:
		return []int{c.Set}
	case c.Operator != automata.ConditionAnd:
		return nil
	}
	var sets []int
	for _, o := range c.Operands {
		for _, j := range requiredSets(o) {
			if !slices.Contains(sets, j) {
				sets = append(sets, j)
			}
		}
	}
	return sets
}

// sameTrees reports whether c and d are the same as trees.
func sameTrees(c, d *automata.Condition) bool {
	return c.Operator == d.Operator && c.Set == d.Set && c.Negated == d.Negated &&
		slices.EqualFunc(c.Operands, d.Operands, sameTrees)
}

// tendencies adds to more the sets for which more edges in them may harm, and to
// fewer those for which fewer may. A set that occurs in Inf and in Fin is added to both, and an
// answer must then agree on it.
func tendencies(c *automata.Condition, more, fewer automata.Marks) {
	switch {
	case c.Operator == automata.Inf && !c.Negated || c.Operator == automata.Fin && c.Negated:
		bitset.Add(fewer, c.Set)
	case c.Operator == automata.Inf || c.Operator == automata.Fin:
		bitset.Add(more, c.Set)
	}
	for _, o := range c.Operands {
		tendencies(o, more, fewer)
	}
}

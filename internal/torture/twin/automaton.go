package twin

// Automaton is an ω-automaton with acceptance on edges.
type Automaton struct {
	Name         string
	Propositions []string
	Initial      []int
	Edges        [][]Transition // by state
	Sets         int
	Acceptance   *Acceptance
	// Testing is "ta" or "tgta" where letters after the first tell which propositions
	// change.
	Testing string
}

// Transition is an edge of an automaton: the letters it reads, where it leads, and
// the sets it is in.
type Transition struct {
	Label *Label
	To    int
	Marks uint64
}

// Label is a Boolean formula over propositions.
type Label struct {
	Op          Op // True, False, Atomic, Not, And, Or
	Proposition int
	Left, Right *Label
}

// Holds reports whether the label allows the letter.
func (l *Label) Holds(letter uint64) bool {
	switch l.Op {
	case True:
		return true
	case Atomic:
		return letter>>l.Proposition&1 == 1
	case Not:
		return !l.Left.Holds(letter)
	case And:
		return l.Left.Holds(letter) && l.Right.Holds(letter)
	case Or:
		return l.Left.Holds(letter) || l.Right.Holds(letter)
	}
	return false
}

// Acceptance is an acceptance condition.
type Acceptance struct {
	Op          AcceptanceOp
	Set         int
	Left, Right *Acceptance
}

// AcceptanceOp is an operator of acceptance conditions.
type AcceptanceOp int

// The operators: a set met infinitely or finitely often, and how these combine.
const (
	Always AcceptanceOp = iota
	Never
	Inf
	Fin
	Both
	Either
)

// Disjunct asks for sets to be met infinitely often, and others only finitely often.
type Disjunct struct{ Infinitely, Finitely uint64 }

// mostDisjuncts is up to when a condition is brought into the disjunctive form.
const mostDisjuncts = 1 << 12

// Disjuncts returns the disjunctive form; false if it is too long.
func (a *Acceptance) Disjuncts() ([]Disjunct, bool) {
	switch a.Op {
	case Always:
		return []Disjunct{{}}, true
	case Inf:
		return []Disjunct{{Infinitely: 1 << a.Set}}, true
	case Fin:
		return []Disjunct{{Finitely: 1 << a.Set}}, true
	case Either, Both:
		left, few := a.Left.Disjuncts()
		right, alsoFew := a.Right.Disjuncts()
		if !few || !alsoFew || len(left)*len(right) > mostDisjuncts {
			return nil, false
		}
		if a.Op == Either {
			return append(left, right...), true
		}
		return bothOf(left, right, 0), true
	}
	return nil, true
}

// bothOf returns the disjuncts of two conditions together, where the sets of the second are
// numbered from first on.
func bothOf(a, b []Disjunct, first int) (list []Disjunct) {
	for _, x := range a {
		for _, y := range b {
			list = append(list, Disjunct{x.Infinitely | y.Infinitely<<first, x.Finitely | y.Finitely<<first})
		}
	}
	return list
}

// Plain returns the automaton, reading letters as they are: of a testing automaton, one
// whose states remember the letter before; false if that is too large.
//
// For example, let a testing automaton with two states have an edge that reads {a}, the change of
// a, over the single proposition a. The plain one has four states, each old one after a and after
// !a. After a the edge reads !a, and after !a it reads a. With p propositions there are 2^p times
// the states, and up to 4^p times the edges.
func (a *Automaton) Plain() (*Automaton, bool) {
	if a.Testing == "" {
		return a, true
	}
	edges := 0
	for _, out := range a.Edges {
		edges += len(out)
	}
	if len(a.Propositions) > 8 || edges<<(2*len(a.Propositions)) > mostEdges {
		return nil, false
	}
	letters := 1 << len(a.Propositions)
	// State q after letter v is v*states+q; before any letter it is as after none.
	plain := &Automaton{Propositions: a.Propositions, Initial: a.Initial, Sets: a.Sets, Acceptance: a.Acceptance}
	for before := range letters {
		for _, edges := range a.Edges {
			var list []Transition
			for now := range letters {
				for _, e := range edges {
					if e.Label.Holds(uint64(before ^ now)) {
						list = append(list, Transition{exactly(now, len(a.Propositions)), now*len(a.Edges) + e.To, e.Marks})
					}
				}
			}
			plain.Edges = append(plain.Edges, list)
		}
	}
	return plain, true
}

// exactly returns the label of one letter.
func exactly(letter, propositions int) *Label {
	l := &Label{Op: True}
	for i := range propositions {
		x := &Label{Op: Atomic, Proposition: i}
		if letter>>i&1 == 0 {
			x = &Label{Op: Not, Left: x}
		}
		l = &Label{Op: And, Left: l, Right: x}
	}
	return l
}

// Over returns the automaton with its propositions numbered as in names, of which it
// needs all; false if one is missing.
func (a *Automaton) Over(names []string) (*Automaton, bool) {
	numbers := make([]int, len(a.Propositions))
	for i, p := range a.Propositions {
		numbers[i] = -1
		for j, n := range names {
			if n == p {
				numbers[i] = j
			}
		}
		if numbers[i] < 0 {
			return nil, false
		}
	}
	renamed := *a
	renamed.Propositions = names
	renamed.Edges = make([][]Transition, len(a.Edges))
	for q, edges := range a.Edges {
		for _, e := range edges {
			e.Label = e.Label.renumbered(numbers)
			renamed.Edges[q] = append(renamed.Edges[q], e)
		}
	}
	return &renamed, true
}

// renumbered returns the label with proposition numbers[p] in place of p.
func (l *Label) renumbered(numbers []int) *Label {
	if l == nil {
		return nil
	}
	c := *l
	if l.Op == Atomic {
		c.Proposition = numbers[l.Proposition]
	}
	c.Left, c.Right = l.Left.renumbered(numbers), l.Right.renumbered(numbers)
	return &c
}

// Meets reports whether some word is accepted by both automata, which have the same
// propositions, few of them. It is not known where that takes too much.
func (a *Automaton) Meets(b *Automaton) (meets, known bool) {
	x, small := a.Plain()
	y, alsoSmall := b.Plain()
	if !small || !alsoSmall {
		return false, false
	}
	first, few := x.Acceptance.Disjuncts()
	second, alsoFew := y.Acceptance.Disjuncts()
	if !few || !alsoFew || len(first)*len(second) > mostDisjuncts {
		return false, false
	}
	p := newProduct()
	p.startAll(x.Initial, y.Initial)
	known = p.explore(func(i, j int, edge func(i, j int, marks uint64)) {
		for letter := range uint64(1) << len(a.Propositions) {
			for _, e := range x.Edges[i] {
				for _, f := range y.Edges[j] {
					if e.Label.Holds(letter) && f.Label.Holds(letter) {
						edge(e.To, f.To, e.Marks|f.Marks<<x.Sets)
					}
				}
			}
		}
	})
	return known && p.accepts(bothOf(first, second, x.Sets)), known
}

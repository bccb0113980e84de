package automata

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"pnmc/internal/bitset"
)

// Lasso is an ultimately periodic word: the letters of Prefix once, then those
// of Cycle, at least one, for ever. Two automata whose languages meet share such
// a word, and it is finite to write and to check.
//
// For example, over the proposition a, the prefix {a} and the cycle {}, {a} are the word in which
// a holds at first, and then at every second position: a; cycle{!a; a}.
type Lasso struct {
	// Propositions are those that the valuations speak of, proposition i being
	// bit i.
	Propositions  []string
	Prefix, Cycle []Valuation
}

// String returns the word as `a&!b; cycle{b; !a&!b}`, each letter with all its
// propositions; without propositions a letter is `1`.
func (l Lasso) String() string {
	var b strings.Builder
	_, _ = l.WriteTo(&b) // a builder takes everything
	return b.String()
}

// WriteTo writes the word as String returns it, letter by letter: a word of many letters over long
// names is much longer than all that it is made of. It ends with the first error of w.
func (l Lasso) WriteTo(w io.Writer) (int64, error) {
	names := make([]string, len(l.Propositions))
	for p, name := range l.Propositions {
		if names[p] = name; !isPlainName(name) {
			names[p] = strconv.Quote(name)
		}
	}
	t := lassoText{Writer: bufio.NewWriter(w), names: names}
	for _, v := range l.Prefix {
		t.letter(v)
		t.text("; ")
	}
	t.text("cycle{")
	for i, v := range l.Cycle {
		if i > 0 {
			t.text("; ")
		}
		t.letter(v)
	}
	t.text("}")
	if t.err == nil {
		t.err = t.Flush()
	}
	return t.written, t.err
}

// MarshalText returns the word as String does: in JSON it is a string.
func (l Lasso) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// lassoText writes the letters of a word until the first error.
type lassoText struct {
	*bufio.Writer
	names   []string // as they are written
	written int64
	err     error
}

// text writes a text.
func (t *lassoText) text(s string) {
	if t.err == nil {
		_, t.err = t.WriteString(s)
		t.written += int64(len(s))
	}
}

// letter writes a letter as a conjunction of all propositions, such as a&!b. Without propositions it
// is 1.
func (t *lassoText) letter(v Valuation) {
	if len(t.names) == 0 {
		t.text("1")
	}
	for p := 0; p < len(t.names) && t.err == nil; p++ {
		if p > 0 {
			t.text("&")
		}
		if !bitset.Has(v, p) {
			t.text("!")
		}
		t.text(t.names[p])
	}
}

// Brief returns the word, or how long it is where its text would be long.
func (l Lasso) Brief() string {
	names := 2
	for _, name := range l.Propositions {
		names += len(name) + 2
	}
	if letters := len(l.Prefix) + len(l.Cycle); letters > longestBrief/names {
		return fmt.Sprintf("a word of %d letters over %d propositions", letters, len(l.Propositions))
	}
	return l.String()
}

// longestBrief is about the length of the longest text that Brief returns.
const longestBrief = 1 << 16

// isPlainName reports whether a proposition reads well without quotes.
func isPlainName(name string) bool {
	for i, r := range name {
		letter := r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return name != ""
}

// Over returns the word over these propositions too, false where it had none.
func (l *Lasso) Over(names []string) *Lasso {
	wide := &Lasso{Propositions: slices.Clone(l.Propositions)}
	for _, name := range names {
		if !slices.Contains(wide.Propositions, name) {
			wide.Propositions = append(wide.Propositions, name)
		}
	}
	widen := func(letters []Valuation) []Valuation {
		wider := make([]Valuation, len(letters))
		for i, v := range letters {
			wider[i] = make(Valuation, WordsFor(len(wide.Propositions)))
			copy(wider[i], v)
		}
		return wider
	}
	wide.Prefix, wide.Cycle = widen(l.Prefix), widen(l.Cycle)
	return wide
}

// letters returns the valuations of l translated to the propositions of a; those
// that l does not know are false.
func (l Lasso) letters(a *Automaton) []Valuation {
	at := make(map[string]int, len(l.Propositions))
	for p, name := range l.Propositions {
		at[name] = p
	}
	word := make([]Valuation, 0, len(l.Prefix)+len(l.Cycle))
	for _, from := range slices.Concat(l.Prefix, l.Cycle) {
		v := make(Valuation, a.ValuationWords())
		for p, name := range a.Propositions {
			if q, known := at[name]; known && bitset.Has(from, q) {
				bitset.Add(v, p)
			}
		}
		word = append(word, v)
	}
	return word
}

// Automaton returns an automaton that accepts l and no other word, or nil if l has no
// cycle.
func (l Lasso) Automaton() *Automaton {
	word := slices.Concat(l.Prefix, l.Cycle)
	b := NewBuilder(l.Propositions, GeneralizedBuchi(0))
	b.AddStates(len(word))
	b.AddInitial(0)
	for i, v := range word {
		c := CompleteCube(len(l.Propositions), v)
		next := i + 1
		if next == len(word) {
			next = len(l.Prefix)
		}
		b.AddEdge(State(i), Label{c}, NewMarks(0), State(next))
	}
	a, err := b.Build()
	if err != nil { // the cycle is missing, and next no state
		return nil
	}
	return a
}

// EveryWord returns an automaton that accepts all words.
func EveryWord() *Automaton {
	b := NewBuilder(nil, GeneralizedBuchi(0))
	b.AddStates(1)
	b.AddInitial(0)
	b.AddEdge(0, Label{NewCube(0)}, NewMarks(0), 0)
	a, err := b.Build()
	if err != nil {
		panic(err) // the parts fit
	}
	return a
}

// Accepts reports whether a has an accepting run over l.
//
// It is the judge of the words that other algorithms find, and so shares no code with them. It
// unrolls a over the positions of the word, and brings the acceptance condition to disjunctive
// form. For each disjunct it drops the edges that must not recur. Then it looks for a state that
// lies on a cycle with every edge that must recur, by plain reachability. Polynomial in states ×
// positions, exponential in the condition: for checking, not for deciding.
//
// An error reports an automaton that is not Plain, or a word without a cycle.
func Accepts(a *Automaton, l Lasso) (bool, error) {
	if a.Kind != Plain {
		return false, errors.New("words are read by plain automata only, not by testing automata")
	}
	if len(l.Cycle) == 0 {
		return false, errors.New("word without a cycle")
	}
	word := l.letters(a)
	u := unroll(a, word, len(l.Prefix))
	accepted := false
	forEachDisjunct(a.Acceptance.Condition, func(literals []*Condition) bool {
		accepted = u.hasCycle(literals)
		return !accepted
	})
	return accepted, nil
}

// unrolled is the graph of (state, position of the word) that a run can reach.
type unrolled struct {
	nodes int
	edges []unrolledEdge
	// starts are the nodes where the word's cycle begins. Each cycle passes one.
	starts []int
}

// unrolledEdge is an edge between two nodes, with the marks of the automaton's edge.
type unrolledEdge struct {
	from, to int
	marks    Marks
}

// unroll returns the graph of the runs of a on a word whose last letter is followed by that at
// back. It has at most one node for each state and position. Example: a word of one letter, with
// back = 0, has a node for each state that is reached, and an edge for each edge that reads this
// letter.
func unroll(a *Automaton, word []Valuation, back int) *unrolled {
	type node struct {
		state    State
		position int
	}
	u := &unrolled{}
	number := map[node]int{}
	var queue []node
	visit := func(n node) int {
		i, seen := number[n]
		if !seen {
			i = len(number)
			number[n] = i
			queue = append(queue, n)
			if n.position == back {
				u.starts = append(u.starts, i)
			}
		}
		return i
	}
	for _, s := range a.Initial() {
		visit(node{s, 0})
	}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		next := n.position + 1
		if next == len(word) {
			next = back
		}
		for e, end := a.Out(n.state); e < end; e++ {
			if a.Matches(e, word[n.position]) {
				to := visit(node{a.Destination(e), next})
				u.edges = append(u.edges, unrolledEdge{number[n], to, a.Marks(e)})
			}
		}
	}
	u.nodes = len(number)
	return u
}

// hasCycle reports whether some cycle satisfies all literals, each an Inf or Fin.
// All nodes are reachable from an initial one.
func (u *unrolled) hasCycle(literals []*Condition) bool {
	kept := make([][]unrolledEdge, u.nodes)
	var infinite []*Condition
	for _, c := range literals {
		if c.Operator == Inf {
			infinite = append(infinite, c)
		}
	}
edges:
	for _, e := range u.edges {
		for _, c := range literals {
			if c.Operator == Fin && e.marks.Has(c.Set) != c.Negated {
				continue edges
			}
		}
		kept[e.from] = append(kept[e.from], e)
	}
	reversed := make([][]unrolledEdge, u.nodes)
	for _, out := range kept {
		for _, e := range out {
			reversed[e.to] = append(reversed[e.to], unrolledEdge{e.to, e.from, e.marks})
		}
	}
	for _, n := range u.starts {
		after, before := reachable(kept, n), reachable(reversed, n)
		if after[n] && everyRecurs(infinite, kept, func(m int) bool { return after[m] && before[m] }) {
			return true
		}
	}
	return false
}

// everyRecurs reports whether each Inf literal is satisfied by an edge between
// nodes of one strongly connected component.
func everyRecurs(infinite []*Condition, kept [][]unrolledEdge, inside func(int) bool) bool {
	satisfied := make([]bool, len(infinite))
	for n, out := range kept {
		if !inside(n) {
			continue
		}
		for _, e := range out {
			for i, c := range infinite {
				if inside(e.to) && e.marks.Has(c.Set) != c.Negated {
					satisfied[i] = true
				}
			}
		}
	}
	for _, yes := range satisfied {
		if !yes {
			return false
		}
	}
	return true
}

// reachable returns the nodes at the end of some path from n with at least one edge.
func reachable(kept [][]unrolledEdge, n int) []bool {
	seen := make([]bool, len(kept))
	stack := []int{n}
	for len(stack) > 0 {
		m := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, e := range kept[m] {
			if !seen[e.to] {
				seen[e.to] = true
				stack = append(stack, e.to)
			}
		}
	}
	return seen
}

// forEachDisjunct calls yield with the literals of each disjunct of c in
// disjunctive form, until yield returns false. There may be exponentially many.
func forEachDisjunct(c *Condition, yield func([]*Condition) bool) {
	expandDisjuncts([]*Condition{c}, nil, yield)
}

// expandDisjuncts visits disjuncts as forEachDisjunct does, for the conjunction of pending and
// literals. It reports whether to go on.
func expandDisjuncts(pending, literals []*Condition, yield func([]*Condition) bool) bool {
	if len(pending) == 0 {
		return yield(literals)
	}
	c, rest := pending[0], pending[1:]
	switch c.Operator {
	case ConditionFalse:
		return true
	case ConditionTrue:
		return expandDisjuncts(rest, literals, yield)
	case Inf, Fin:
		return expandDisjuncts(rest, append(literals[:len(literals):len(literals)], c), yield)
	case ConditionAnd:
		return expandDisjuncts(append(append([]*Condition(nil), c.Operands...), rest...), literals, yield)
	}
	for _, o := range c.Operands {
		if !expandDisjuncts(append([]*Condition{o}, rest...), literals, yield) {
			return false
		}
	}
	return true
}

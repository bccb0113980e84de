package automata

import (
	"errors"
	"fmt"
	"slices"
)

// Product is the automaton of the words that a and b both accept: the pairs of
// states that are reachable together, with the acceptance sets of b numbered
// after those of a, and the conjunction of the conditions.
//
// Linear in its result and exact for any acceptance conditions; to decide
// whether the languages meet, a check on the fly needs less. An error tells of
// testing automata, which read their words differently, or of a product that is
// too large for 32-bit numbers.
func Product(a, b *Automaton) (*Automaton, error) {
	if a.Kind != Plain || b.Kind != Plain {
		return nil, errors.New("the product is for plain automata, not for testing automata")
	}
	x := NewAlphabet(a.Propositions, b.Propositions, a, b)
	left, right := NewRows(a, &x, x.Left, nil), NewRows(b, &x, x.Right, nil)
	build := NewBuilder(x.Propositions, conjunction(a.Acceptance, b.Acceptance))
	build.Claims = a.Claims & b.Claims & (ClaimDeterministic | ClaimComplete)
	build.states = 0
	pairs := NewPairs(a.States(), b.States())
	for _, s := range a.Initial() {
		for _, t := range b.Initial() {
			n, _ := pairs.Number(s, t)
			build.initial = append(build.initial, State(n))
		}
	}
	marks := NewMarks(a.Acceptance.Sets + b.Acceptance.Sets)
	cube := make(Cube, 2*x.Words())
	for n := 0; n < pairs.Len(); n++ {
		s, t := pairs.At(uint32(n))
		for i := left.Start[s]; i < left.Start[s+1]; i++ {
			row := &left.Rows[i]
			first, end := right.Candidates(t, row)
			for j := right.Start[t]; j < end; j++ {
				if j == right.Wild[t] {
					j = first
					if j == end {
						break
					}
				}
				if !row.Meets(&right.Rows[j]) || !left.RestMeets(i, right, j) {
					continue
				}
				left.join(i, right, j, cube)
				joinMarks(marks, a.Marks(row.Edge), a.Acceptance.Sets, b.Marks(right.Rows[j].Edge))
				to, _ := pairs.Number(row.Destination, right.Rows[j].Destination)
				build.AddEdge(State(n), Label{cube}, marks, State(to))
			}
		}
		if pairs.Len() >= maxPairs {
			return nil, fmt.Errorf("product of more than %d states", maxPairs)
		}
	}
	build.AddStates(pairs.Len())
	return build.Build()
}

// join writes the conjunction of the cubes of row i of r and row j of t.
func (r *Rows) join(i uint32, t *Rows, j uint32, cube Cube) {
	half := len(cube) / 2
	cube[0] = r.Rows[i].Care | t.Rows[j].Care
	cube[half] = r.Rows[i].Value | t.Rows[j].Value
	at, to := int(i)*2*r.RestWords, int(j)*2*r.RestWords
	for w := range r.RestWords {
		cube[1+w] = r.Rest[at+w] | t.Rest[to+w]
		cube[half+1+w] = r.Rest[at+r.RestWords+w] | t.Rest[to+r.RestWords+w]
	}
}

// joinMarks writes the sets of left, and those of right numbered from sets on.
func joinMarks(marks, left Marks, sets int, right Marks) {
	clear(marks)
	copy(marks, left[:min(len(left), len(marks))])
	shift, at := sets%64, sets/64
	for i, w := range right {
		if at+i < len(marks) {
			marks[at+i] |= w << shift
		}
		if shift > 0 && at+i+1 < len(marks) {
			marks[at+i+1] |= w >> (64 - shift)
		}
	}
}

// conjunction is the condition of the product of automata with conditions a, b.
func conjunction(a, b Acceptance) Acceptance {
	if a.IsGeneralizedBuchi() && b.IsGeneralizedBuchi() {
		return GeneralizedBuchi(a.Sets + b.Sets)
	}
	return Acceptance{Sets: a.Sets + b.Sets, Condition: &Condition{
		Operator: ConditionAnd, Operands: []*Condition{a.Condition, b.Condition.shift(a.Sets)},
	}}
}

// shift is c with set i called i+by.
func (c *Condition) shift(by int) *Condition {
	d := *c
	d.Set += by
	d.Operands = slices.Clone(c.Operands)
	for i, o := range d.Operands {
		d.Operands[i] = o.shift(by)
	}
	return &d
}

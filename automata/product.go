package automata

import (
	"context"
	"errors"
	"fmt"
	"math"

	"pnmc/automata/internal/effort"
	"pnmc/internal/account"
	"pnmc/internal/bitset"
)

// Product returns the automaton of the words that a and b both accept. Its states are
// the pairs that are reachable together. The acceptance sets of b are numbered after
// those of a, and the condition is the conjunction of both.
//
// Linear in its result and exact for any acceptance conditions; to decide whether the
// languages meet, a check on the fly needs less. An error reports a testing automaton,
// which reads its words differently, or a product that is too large for 32-bit numbers,
// or that the context ended.
//
// For example, a reads x in a loop that is in its set 0, and has two sets; b reads y in a loop
// that is in its set 0. The product has one state, whose loop reads x & y and is in the sets 0
// and 2.
func Product(ctx context.Context, a, b *Automaton) (*Automaton, error) {
	if a.Kind != Plain || b.Kind != Plain {
		return nil, errors.New("the product is for plain automata, not for testing automata")
	}
	x := NewAlphabet(a.Propositions, b.Propositions, a, b)
	left, right := NewRows(a, &x, x.Left, nil), NewRows(b, &x, x.Right, nil)
	acceptance := conjunction(a.Acceptance, b.Acceptance)
	p := &Automaton{
		Propositions: x.Propositions, Acceptance: acceptance,
		// Not deterministic: an edge becomes one for each pair of cubes, which may overlap.
		Claims:    a.Claims & b.Claims & ClaimComplete,
		cubeWords: x.Words(), markWords: MarkWordsFor(acceptance.Sets),
		edgeStart: []uint32{0}, cubeStart: []uint32{0},
	}
	pairs := NewPairs(a.States(), b.States())
	work := effort.New(ctx, math.MaxInt)
	memory := account.Of(ctx)
	for _, s := range a.Initial() {
		for _, t := range b.Initial() {
			if !work.Spend(pairWork) {
				return nil, work.Err
			}
			n, _ := pairs.Number(s, t)
			p.initial = append(p.initial, State(n))
		}
	}
	// Pairs are numbered as they are met and looked at in that order, so that the
	// edges come sorted by source.
	for n := 0; n < pairs.Len(); n++ {
		s, t := pairs.At(uint32(n))
		left.LayOut(s)
		right.LayOut(t)
		for i := left.Start[s]; i < left.End[s]; i++ {
			if !work.Spend(8 * int(1+right.End[t]-right.Start[t])) {
				return nil, work.Err
			}
			row := &left.Rows[i]
			first, end := right.Candidates(t, row)
			for j := right.Start[t]; j < end; j++ {
				if j == right.Wild[t] {
					j = first
					if j == end {
						break
					}
				}
				if row.Meets(&right.Rows[j]) && left.RestMeets(i, right, j) {
					if err := p.reserveEdge(memory); err != nil {
						return nil, err
					}
					to, _ := pairs.Number(row.Destination, right.Rows[j].Destination)
					p.destination = append(p.destination, State(to))
					p.source = append(p.source, State(n))
					p.cubes = left.join(i, right, j, p.cubes)
					p.cubeStart = append(p.cubeStart, uint32(len(p.destination)))
					p.appendMarks(a.Marks(row.Edge), a.Acceptance.Sets, b.Marks(right.Rows[j].Edge))
				}
			}
		}
		p.edgeStart = append(p.edgeStart, uint32(len(p.destination)))
		if pairs.Len() >= MaxPairs || len(p.destination) >= MaxPairs {
			return nil, fmt.Errorf("product of more than %d states or edges", MaxPairs)
		}
	}
	return p, nil
}

// reserveEdge asks for room for one edge more, of one cube.
func (a *Automaton) reserveEdge(memory *account.Account) error {
	if err := account.Room(memory, a.cubes, 2*a.cubeWords); err != nil {
		return err
	}
	if err := account.Room(memory, a.marks, a.markWords); err != nil {
		return err
	}
	if len(a.destination) < cap(a.destination) && len(a.source) < cap(a.source) && len(a.cubeStart) < cap(a.cubeStart) {
		return nil // charged with the cubes
	}
	return memory.Reserve(3 * 4 * (len(a.destination) + len(a.destination)/4 + 1))
}

// pairWork is what it costs to number a pair, in about nanoseconds.
const pairWork = 32

// join appends the conjunction of the cubes of row i of r and row j of t.
func (r *Rows) join(i uint32, t *Rows, j uint32, cubes []uint64) []uint64 {
	at, to := int(i)*2*r.RestWords, int(j)*2*r.RestWords
	cubes = append(cubes, r.Rows[i].Care|t.Rows[j].Care)
	for w := range r.RestWords {
		cubes = append(cubes, r.Rest[at+w]|t.Rest[to+w])
	}
	cubes = append(cubes, r.Rows[i].Value|t.Rows[j].Value)
	for w := range r.RestWords {
		cubes = append(cubes, r.Rest[at+r.RestWords+w]|t.Rest[to+r.RestWords+w])
	}
	return cubes
}

// appendMarks appends, as the marks of the next edge, the sets of left, and those
// of right numbered from sets on.
func (a *Automaton) appendMarks(left Marks, sets int, right Marks) {
	at := len(a.marks)
	for range a.markWords {
		a.marks = append(a.marks, 0)
	}
	marks := a.marks[at:]
	copy(marks, left[:min(len(left), len(marks))])
	bitset.AddShifted(marks, sets, right)
}

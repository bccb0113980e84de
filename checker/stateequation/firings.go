package stateequation

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"pnmc/checker/witness"
	"pnmc/petri"
)

// This file keeps what a question leaves when it is not refuted: solutions. The counts of firings of a
// solution are no run, and there need not be one. But they say which transitions a run to the goal may
// fire, and how often. Walks are led by them (Thierry-Mieg, "Structural reductions revisited", PETRI
// NETS 2020).
//
// The simplex goes on from the solution of the question before, whose firings are then part of the next
// solution though nothing needs them. So the first solution is moved to where the firings are fewest in
// total. Others are found by weighing the transitions at random. All of them satisfy the linear
// constraints of the branch in which the search ended. One that violates a disjunction is left out.

// KeepSolutions has each question that stays open leave up to n solutions, which Solutions returns, and
// with 0 none. Which ones follows from seed.
func (e *Equation) KeepSolutions(n int, seed uint64) {
	e.kept, e.rng = n, rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))
}

// Solutions returns the counts of firings of the solutions that the last question to Contradicts or
// UpperBound left, in no particular order: none if it was answered by a contradiction. Where a search for
// one was given up, there may be one in which places have fractions of tokens. For a bound, the sum is as
// large as the bound, but for a fraction. A count of the simplex may be a
// fraction, which is rounded up. A transition that does not fire is left out, the others ascend.
func (e *Equation) Solutions() [][]witness.Burst { return e.solutions }

// leastLooks is how long it may take to lighten solutions where the question took no time, in looks at the
// context, which are half a millisecond each. Else it may take as long again as the question. What is
// reached by then is a solution, too.
const leastLooks = 4

// mostFirings bounds the firings of a transition in a solution that is kept.
const mostFirings = 1 << 40

// heaviest is the largest weight of a transition.
const heaviest = 8

// begin begins a question.
func (e *Equation) begin() { e.solutions, e.began = nil, e.simplex.looks }

// keep keeps solutions near the present one, as far as valid accepts them. The constraints hold at the
// present one.
func (e *Equation) keep(ctx context.Context, valid func() bool) {
	if e.kept == 0 {
		return
	}
	if e.solutions = e.solutions[:0]; !e.add() {
		return
	}
	until := e.simplex.looks + max(leastLooks, e.simplex.looks-e.began)
	for n := range e.kept {
		if !e.lighten(ctx, until, func() int64 {
			if n == 0 {
				return 1
			}
			return 1 + e.rng.Int64N(heaviest)
		}) {
			return
		}
		if !valid() {
			continue
		}
		if !e.add() {
			return
		}
		if n == 0 {
			e.solutions = e.solutions[1:] // in place of the first
		}
	}
}

// keepAt keeps solutions where form f is as large as in the present one, but for a fraction.
func (e *Equation) keepAt(ctx context.Context, f int32) {
	largest := math.Floor(e.simplex.value[e.simplex.variable(f)] + tolerance)
	if e.kept == 0 || math.Abs(largest) > 1<<52 {
		return
	}
	mark := e.simplex.mark()
	e.simplex.bound(f, int64(largest), maxInfinite)
	e.keep(ctx, func() bool { return true })
	e.simplex.undo(mark)
}

// add keeps the present solution, and reports whether it did: not if rounding errors of many pivots have
// spoilt it, or counts are too large.
func (e *Equation) add() bool {
	if !e.simplex.holds() {
		return false
	}
	var counts []witness.Burst
	for t := range e.net.Transitions() {
		v := math.Ceil(e.simplex.value[t] - tolerance)
		if v > mostFirings {
			return false
		}
		if v > 0 {
			counts = append(counts, witness.Burst{Transition: petri.Transition(t), Times: int64(v)})
		}
	}
	e.solutions = append(e.solutions, counts)
	return true
}

// loose is how far a form may be from its columns, or beyond its bounds, in a solution that is kept.
const loose = 1e-3

// holds reports whether forms are what their columns make of them, within their bounds.
func (s *simplex) holds() bool {
	for f := range s.forms {
		form, sum := &s.forms[f], 0.0
		for _, t := range form.terms {
			sum += float64(t.coefficient) * s.value[t.column]
		}
		v := s.variable(int32(f))
		if math.Abs(sum-s.value[v]) > loose || sum < s.lower[v]-loose || sum > s.upper[v]+loose {
			return false
		}
		s.work += searchWork + cellWork*len(form.terms)
	}
	return !slices.ContainsFunc(s.value[:s.columns], func(v float64) bool { return v < -loose })
}

// lighten moves the solution to where its firings, weighed, are fewest, or on the way there, as far as it
// gets until so many looks at the context. It reports false if it did not begin.
func (e *Equation) lighten(ctx context.Context, until int, weight func() int64) bool {
	s := e.simplex
	if s.isFull() || s.looks >= until {
		return false
	}
	size := s.fill * entryWork
	if s.isDense() {
		size = len(s.rows) * len(s.nonBasic) * cellWork
	}
	if size > (until-s.looks)*lookWork {
		return false
	}
	terms := make([]integerTerm, s.columns)
	for c := range terms {
		terms[c] = integerTerm{int32(c), -weight()}
	}
	f, ok := s.addLong(ctx, terms)
	if !ok {
		return false
	}
	s.maximizeUntil(ctx, f, until)
	s.dropForm()
	return true
}

// addLong is addForm for a form of very many columns. Lists of rows would be merged once for each column,
// where all of them together fit into an array.
func (s *simplex) addLong(ctx context.Context, terms []integerTerm) (f int32, ok bool) {
	if s.isDense() {
		return s.addForm(ctx, terms)
	}
	s.work += entryWork * (s.fill + len(s.value))
	if s.isOver(ctx) {
		return -1, false
	}
	sums := make([]float64, len(s.value))
	for _, t := range terms {
		c := float64(t.coefficient)
		if r := s.rowOf[t.column]; r < 0 {
			if !s.isAbsent(t.column) {
				sums[t.column] += c
			}
		} else {
			for _, e := range s.rows[r].entries {
				sums[e.variable] += c * e.value
			}
		}
	}
	row := simplexRow{basic: s.variable(int32(len(s.forms)))}
	for v, c := range sums {
		if math.Abs(c) > tiny {
			row.entries = append(row.entries, entry{int32(v), c})
		}
	}
	return s.enter(terms, row), true
}

// dropForm takes back the last form, which is basic and has no bounds.
func (s *simplex) dropForm() {
	v := int32(len(s.value) - 1)
	r := s.rowOf[v]
	if s.isDense() {
		s.at = s.at[:v]
	} else {
		for i, list := range s.occurs { // they may list rows that no longer contain the variable
			s.work += len(list)
			s.occurs[i] = slices.DeleteFunc(list, func(other int32) bool { return other == r })
		}
		s.fill -= len(s.rows[r].entries)
	}
	s.rows, s.forms = s.rows[:r], s.forms[:len(s.forms)-1]
	s.lower, s.upper, s.value, s.rowOf, s.occurs = s.lower[:v], s.upper[:v], s.value[:v], s.rowOf[:v], s.occurs[:v]
}

package rephrase

import (
	"math"
	"math/bits"
	"unsafe"

	"pnmc/internal/arithmetic"
	"pnmc/logic"
	"pnmc/petri"
)

// This file has what is done to predicates about the nodes of a net: they are said in other
// terms, with other numbers, or negated. It knows nothing of tasks.

// Not returns the negation of p.
func Not(p *logic.Predicate) *logic.Predicate {
	return &logic.Predicate{Operator: logic.Not, Operands: []*logic.Predicate{p}}
}

// FireableAmong returns the predicate that one of the transitions is enabled.
func FireableAmong(transitions []uint32) *logic.Predicate {
	if len(transitions) == 0 {
		return &logic.Predicate{Operator: logic.False}
	}
	return &logic.Predicate{Operator: logic.Fireable, Transitions: transitions}
}

// OverPlaces returns p with fireable(t) written as comparisons of tokens: each input place has
// enough, and no place has reached a ceiling of t.
func OverPlaces(net *petri.Net, p *logic.Predicate) *logic.Predicate {
	if p.Operator == logic.Fireable {
		or := &logic.Predicate{Operator: logic.Or}
		for _, t := range p.Transitions {
			and := &logic.Predicate{Operator: logic.And}
			for _, a := range net.Pre(petri.Transition(t)) {
				and.Operands = append(and.Operands, &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{
					Constant: a.Weight, Terms: []logic.Term{{Place: uint32(a.Place), Coefficient: -1}}}})
			}
			for _, a := range net.Ceilings(petri.Transition(t)) {
				and.Operands = append(and.Operands, &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{
					Constant: 1 - a.Weight, Terms: []logic.Term{{Place: uint32(a.Place), Coefficient: 1}}}})
			}
			or.Operands = append(or.Operands, and)
		}
		return or.Simplify()
	}
	if len(p.Operands) == 0 {
		return p
	}
	q := &logic.Predicate{Operator: p.Operator}
	for _, o := range p.Operands {
		q.Operands = append(q.Operands, OverPlaces(net, o))
	}
	return q
}

// BytesOverPlaces returns about how many bytes OverPlaces of p takes.
func BytesOverPlaces(net *petri.Net, p *logic.Predicate) int {
	size := nodeBytes
	for _, t := range p.Transitions {
		size += nodeBytes * (1 + len(net.Pre(petri.Transition(t))) + len(net.Ceilings(petri.Transition(t))))
	}
	for _, o := range p.Operands {
		size += BytesOverPlaces(net, o)
	}
	return size
}

// DeadlockOverPlaces returns p with deadlock written as comparisons of tokens: each transition
// lacks some. That is as large as the net. It is written once, and stands in all the places of a
// deadlock; but whoever goes through the result comes to it in each of them.
func DeadlockOverPlaces(net *petri.Net, p *logic.Predicate) *logic.Predicate {
	if !LooksAtDeadlock(p) {
		return p
	}
	all := make([]uint32, net.Transitions())
	for t := range all {
		all[t] = uint32(t)
	}
	return withDeadlock(p, Not(OverPlaces(net, FireableAmong(all))).Simplify())
}

// withDeadlock returns p with another predicate in the places of deadlock.
func withDeadlock(p, deadlock *logic.Predicate) *logic.Predicate {
	if p.Operator == logic.Deadlocked {
		return deadlock
	}
	if len(p.Operands) == 0 {
		return p
	}
	q := &logic.Predicate{Operator: p.Operator}
	for _, o := range p.Operands {
		q.Operands = append(q.Operands, withDeadlock(o, deadlock))
	}
	return q
}

// BytesOfDeadlockOverPlaces returns about how many bytes a copy of DeadlockOverPlaces of p takes, in which each deadlock
// is one of its own, as whoever simplifies it or makes clauses of it has.
func BytesOfDeadlockOverPlaces(net *petri.Net, p *logic.Predicate) int {
	deadlocks := countDeadlocks(p)
	if deadlocks == 0 {
		return 0
	}
	size := nodeBytes
	for t := range petri.Transition(net.Transitions()) {
		size += nodeBytes * (1 + len(net.Pre(t)) + len(net.Ceilings(t)))
	}
	if bytes, fits := arithmetic.Multiply(int64(deadlocks), int64(size)); fits {
		return int(min(bytes, math.MaxInt/16)) // callers ask for several of them
	}
	return math.MaxInt / 16
}

// countDeadlocks returns how often p has deadlock.
func countDeadlocks(p *logic.Predicate) (n int) {
	if p.Operator == logic.Deadlocked {
		return 1
	}
	for _, o := range p.Operands {
		n += countDeadlocks(o)
	}
	return n
}

// nodeBytes is what a node of a predicate takes, with its places in what grows.
const nodeBytes = int(unsafe.Sizeof(logic.Predicate{})+unsafe.Sizeof(logic.Term{})) + 2*bits.UintSize/8

// LooksAtDeadlock reports whether the truth of p may depend on what is enabled at all.
func LooksAtDeadlock(p *logic.Predicate) bool {
	if p.Operator == logic.Deadlocked {
		return true
	}
	for _, q := range p.Operands {
		if LooksAtDeadlock(q) {
			return true
		}
	}
	return false
}

// Protect marks the places that p looks at, so that reductions leave them alone.
func Protect(p *logic.Predicate, protected []bool) {
	for s := range p.Sums() {
		for _, t := range s.Terms {
			protected[t.Place] = true
		}
	}
	for _, q := range p.Operands {
		Protect(q, protected)
	}
}

// Renamed returns p, which looks at places only, with other numbers for places.
func Renamed(p *logic.Predicate, placeOf []int32) *logic.Predicate {
	q := p.WithSums(func(s logic.Sum) logic.Sum { return RenamedSum(s, placeOf) })
	for _, o := range p.Operands {
		q.Operands = append(q.Operands, Renamed(o, placeOf))
	}
	return q
}

// RenamedSum returns s with other numbers for places. The order of terms stays, as reductions keep
// the order of places.
func RenamedSum(s logic.Sum, placeOf []int32) logic.Sum {
	renamed := logic.Sum{Constant: s.Constant}
	for _, t := range s.Terms {
		renamed.Terms = append(renamed.Terms, logic.Term{Place: uint32(placeOf[t.Place]), Coefficient: t.Coefficient})
	}
	return renamed
}

package labelling

import (
	"cmp"
	"math/bits"

	"pnmc/petri"
)

// Proposition is a state predicate compiled to a postfix program, for the labels
// of a Kripke structure. It is built with its methods, operands before
// operators; a Proposition leaves exactly one truth value.
type Proposition struct {
	code        []instruction
	sums        []linearSum
	polynomials []polynomial
	terms       []petri.Arc   // of all sums; weights may be negative
	places      []petri.Place // read by some sum, each once
	// slot gives a place its position in places, by which terms refer to it.
	slot      map[petri.Place]uint32
	deadlock  bool
	stackSize int
	depth     int
}

type instruction struct {
	op       opcode
	argument uint32
}

type opcode uint8

const (
	pushFalse opcode = iota
	pushTrue
	pushAtMost           // sums[argument] ≤ 0
	pushEqual            // sums[argument] = 0
	pushPolynomialAtMost // polynomials[argument] ≤ 0
	pushPolynomialEqual  // polynomials[argument] = 0
	pushDeadlock
	applyNot
	applyEquivalent
	applyAnd // of the last argument values
	applyOr
)

type linearSum struct {
	constant   int64
	first, end uint32
	small      bool // no coefficient or constant beyond 2^20, few terms
}

// push adds an instruction that pushes one value.
func (p *Proposition) push(op opcode, argument uint32) {
	p.code = append(p.code, instruction{op, argument})
	p.depth++
	p.stackSize = max(p.stackSize, p.depth)
}

// Constant pushes a truth value.
func (p *Proposition) Constant(value bool) {
	if value {
		p.push(pushTrue, 0)
	} else {
		p.push(pushFalse, 0)
	}
}

// AtMostZero pushes whether constant + Σ Weight·m(Place) ≤ 0. Weights may be
// negative.
func (p *Proposition) AtMostZero(constant int64, terms []petri.Arc) {
	p.push(pushAtMost, p.sum(constant, terms))
}

// EqualZero pushes whether constant + Σ Weight·m(Place) = 0.
func (p *Proposition) EqualZero(constant int64, terms []petri.Arc) {
	p.push(pushEqual, p.sum(constant, terms))
}

// Deadlock pushes whether no transition is enabled.
func (p *Proposition) Deadlock() {
	p.deadlock = true
	p.push(pushDeadlock, 0)
}

// Fireable pushes whether t is enabled.
func (p *Proposition) Fireable(net *petri.Net, t petri.Transition) {
	pre := net.Pre(t)
	for _, a := range pre {
		p.AtMostZero(a.Weight, []petri.Arc{{Place: a.Place, Weight: -1}})
	}
	ceilings := net.Ceilings(t)
	for _, a := range ceilings {
		p.AtMostZero(1-a.Weight, []petri.Arc{{Place: a.Place, Weight: 1}})
	}
	p.And(len(pre) + len(ceilings))
}

// Not negates the last value.
func (p *Proposition) Not() { p.code = append(p.code, instruction{applyNot, 0}) }

// Equivalent replaces the last two values by whether they are the same.
func (p *Proposition) Equivalent() {
	p.code = append(p.code, instruction{applyEquivalent, 0})
	p.depth--
}

// And replaces the last n values by their conjunction, true if n is 0.
func (p *Proposition) And(n int) { p.join(applyAnd, n) }

// Or replaces the last n values by their disjunction, false if n is 0.
func (p *Proposition) Or(n int) { p.join(applyOr, n) }

// join adds an instruction that makes one value of the last n. Of no value it makes a constant, and
// one stays as it is.
func (p *Proposition) join(op opcode, n int) {
	if n == 0 {
		p.Constant(op == applyAnd)
		return
	}
	if n > 1 {
		p.code = append(p.code, instruction{op, uint32(n)})
		p.depth -= n - 1
	}
}

// smallNumber bounds what a sum of int64 products of 32-bit counts stays exact
// for, together with smallTerms.
const (
	smallNumber = 1 << 20
	smallTerms  = 1 << 10
)

// sum keeps a sum, with places numbered as the proposition meets them, and returns the sum's
// number.
func (p *Proposition) sum(constant int64, terms []petri.Arc) uint32 {
	s := linearSum{constant: constant, first: uint32(len(p.terms)), small: len(terms) <= smallTerms}
	s.small = s.small && constant > -smallNumber && constant < smallNumber
	if p.slot == nil {
		p.slot = map[petri.Place]uint32{}
	}
	for _, a := range terms {
		i, known := p.slot[a.Place]
		if !known {
			i = uint32(len(p.places))
			p.slot[a.Place] = i
			p.places = append(p.places, a.Place)
		}
		s.small = s.small && a.Weight > -smallNumber && a.Weight < smallNumber
		p.terms = append(p.terms, petri.Arc{Place: petri.Place(i), Weight: a.Weight})
	}
	s.end = uint32(len(p.terms))
	p.sums = append(p.sums, s)
	return uint32(len(p.sums) - 1)
}

// holds runs the program, and reports whether the proposition holds. counts has a count
// for each of p.places, in order; stack is scratch space of p.stackSize values.
func (p *Proposition) holds(counts []int64, deadlock bool, stack []bool) bool {
	top := -1
	for _, i := range p.code {
		switch i.op {
		case pushFalse, pushTrue:
			top++
			stack[top] = i.op == pushTrue
		case pushAtMost:
			top++
			stack[top] = p.sign(&p.sums[i.argument], counts) <= 0
		case pushEqual:
			top++
			stack[top] = p.sign(&p.sums[i.argument], counts) == 0
		case pushPolynomialAtMost:
			top++
			stack[top] = p.signOf(&p.polynomials[i.argument], counts) <= 0
		case pushPolynomialEqual:
			top++
			stack[top] = p.signOf(&p.polynomials[i.argument], counts) == 0
		case pushDeadlock:
			top++
			stack[top] = deadlock
		case applyNot:
			stack[top] = !stack[top]
		case applyEquivalent:
			top--
			stack[top] = stack[top] == stack[top+1]
		case applyAnd, applyOr:
			all, some := true, false
			for _, v := range stack[top+1-int(i.argument) : top+1] {
				all, some = all && v, some || v
			}
			top -= int(i.argument) - 1
			stack[top] = all && i.op == applyAnd || some && i.op == applyOr
		}
	}
	return stack[0]
}

// sign returns the sign of a sum, computed without wrapping around.
func (p *Proposition) sign(s *linearSum, counts []int64) int {
	total, large := s.constant, !s.small
	for _, a := range p.terms[s.first:s.end] {
		c := counts[a.Place]
		large = large || bits.Len64(uint64(c)) > 31
		total += a.Weight * c
	}
	if large {
		if total, ok := p.value(s, counts); ok {
			return cmp.Compare(total, 0)
		}
		return p.exact(s, counts).sign()
	}
	return cmp.Compare(total, 0)
}

// cost returns about what it costs to run the program, in nanoseconds.
func (p *Proposition) cost() int { return 8*len(p.code) + 16*len(p.terms) + 4*len(p.places) }

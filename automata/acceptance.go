package automata

import (
	"fmt"
	"slices"
)

// Acceptance is an acceptance condition: a positive Boolean combination of
// Inf(i) and Fin(i) over numbered acceptance sets.
type Acceptance struct {
	// Sets is the number of acceptance sets, used in Condition or not.
	Sets int
	// Condition says which runs are accepted.
	Condition *Condition
	// Name is the acc-name of the Hanoi Omega-Automata format with its
	// parameters, or empty; it is informative only.
	Name string
}

// ConditionOperator is what the root of a Condition says.
type ConditionOperator uint8

// The operators of acceptance conditions.
const (
	ConditionFalse ConditionOperator = iota
	ConditionTrue
	// Inf: some edge of the set Set is taken infinitely often. With Negated,
	// some edge that is not in the set.
	Inf
	// Fin: no edge of the set Set is taken infinitely often. With Negated, no
	// edge that is not in the set.
	Fin
	ConditionAnd
	ConditionOr
)

// Condition is an acceptance condition as a tree.
type Condition struct {
	Operator ConditionOperator
	Set      int          // Inf, Fin
	Negated  bool         // Inf, Fin: of the complement of the set
	Operands []*Condition // ConditionAnd, ConditionOr: two or more
}

// GeneralizedBuchi returns the condition that each of that many sets is visited
// infinitely often; none: every infinite run is accepted.
func GeneralizedBuchi(sets int) Acceptance {
	switch sets {
	case 0:
		return Acceptance{Condition: &Condition{Operator: ConditionTrue}, Name: "all"}
	case 1:
		return Acceptance{Sets: 1, Condition: &Condition{Operator: Inf}, Name: "Buchi"}
	}
	c := &Condition{Operator: ConditionAnd}
	for i := range sets {
		c.Operands = append(c.Operands, &Condition{Operator: Inf, Set: i})
	}
	return Acceptance{Sets: sets, Condition: c, Name: fmt.Sprintf("generalized-Buchi %d", sets)}
}

// IsGeneralizedBuchi reports whether the condition is a conjunction of Inf over
// all sets, each exactly once and in order, whatever its name.
func (a Acceptance) IsGeneralizedBuchi() bool {
	c := a.Condition
	switch {
	case a.Sets == 0:
		return c.Operator == ConditionTrue
	case a.Sets == 1:
		return c.Operator == Inf && !c.Negated
	case c.Operator != ConditionAnd || len(c.Operands) != a.Sets:
		return false
	}
	for i, o := range c.Operands {
		if o.Operator != Inf || o.Negated || o.Set != i {
			return false
		}
	}
	return true
}

// UsesFin reports whether Fin occurs in c.
func (c *Condition) UsesFin() bool {
	if c.Operator == Fin {
		return true
	}
	for _, o := range c.Operands {
		if o.UsesFin() {
			return true
		}
	}
	return false
}

// Accepts reports whether a run is accepted that takes infinitely often exactly
// the edges whose marks have the union some and the intersection all.
func (c *Condition) Accepts(some, all Marks) bool {
	switch c.Operator {
	case ConditionTrue:
		return true
	case Inf:
		if c.Negated {
			return !all.Has(c.Set)
		}
		return some.Has(c.Set)
	case Fin:
		if c.Negated {
			return all.Has(c.Set)
		}
		return !some.Has(c.Set)
	case ConditionAnd:
		for _, o := range c.Operands {
			if !o.Accepts(some, all) {
				return false
			}
		}
		return true
	case ConditionOr:
		for _, o := range c.Operands {
			if o.Accepts(some, all) {
				return true
			}
		}
	}
	return false
}

// conjunction returns the condition of the product of automata with conditions a, b.
func conjunction(a, b Acceptance) Acceptance {
	if a.IsGeneralizedBuchi() && b.IsGeneralizedBuchi() {
		return GeneralizedBuchi(a.Sets + b.Sets)
	}
	return Acceptance{Sets: a.Sets + b.Sets, Condition: &Condition{
		Operator: ConditionAnd, Operands: []*Condition{a.Condition, b.Condition.shift(a.Sets)},
	}}
}

// shift returns c with set i called i+by.
func (c *Condition) shift(by int) *Condition {
	d := *c
	d.Set += by
	d.Operands = slices.Clone(c.Operands)
	for i, o := range d.Operands {
		d.Operands[i] = o.shift(by)
	}
	return &d
}

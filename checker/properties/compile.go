package properties

import (
	"fmt"

	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/labelling"
)

// Compile turns a predicate over the places and transitions of net into a
// proposition for the labels of its Kripke structure.
func Compile(net *petri.Net, predicate *logic.Predicate) *labelling.Proposition {
	p := &labelling.Proposition{}
	compile(net, predicate, p)
	return p
}

// CompileAll compiles each of the predicates.
func CompileAll(net *petri.Net, predicates []*logic.Predicate) []*labelling.Proposition {
	propositions := make([]*labelling.Proposition, len(predicates))
	for i, p := range predicates {
		propositions[i] = Compile(net, p)
	}
	return propositions
}

// compile appends the operations for a predicate, its operands first, as for a stack machine: p ∧ ¬q
// becomes p, q, not, and of 2.
func compile(net *petri.Net, from *logic.Predicate, to *labelling.Proposition) {
	operands := func() int {
		for _, o := range from.Operands {
			compile(net, o, to)
		}
		return len(from.Operands)
	}
	switch from.Operator {
	case logic.False, logic.True:
		to.Constant(from.Operator == logic.True)
	case logic.Not:
		operands()
		to.Not()
	case logic.And:
		to.And(operands())
	case logic.Or:
		to.Or(operands())
	case logic.Equivalent:
		operands()
		to.Equivalent()
	case logic.AtMost:
		to.AtMostZero(from.Sum.Constant, arcs(from.Sum))
	case logic.Equal:
		to.EqualZero(from.Sum.Constant, arcs(from.Sum))
	case logic.PolynomialAtMost:
		to.PolynomialAtMostZero(linear(from.Sum), products(from.Products))
	case logic.PolynomialEqual:
		to.PolynomialEqualZero(linear(from.Sum), products(from.Products))
	case logic.Fireable:
		for _, t := range from.Transitions {
			to.Fireable(net, petri.Transition(t))
		}
		to.Or(len(from.Transitions))
	case logic.Deadlocked:
		to.Deadlock()
	default:
		panic(fmt.Sprintf("checker: predicate operator %d has no compilation", from.Operator))
	}
}

// linear returns a sum in the form that package labelling compiles.
func linear(s logic.Sum) labelling.Linear {
	return labelling.Linear{Constant: s.Constant, Terms: arcs(s)}
}

// products returns products of sums in the form that package labelling compiles.
func products(list []logic.Product) []labelling.Product {
	made := make([]labelling.Product, len(list))
	for i, p := range list {
		made[i].Coefficient = p.Coefficient
		for _, f := range p.Factors {
			made[i].Factors = append(made[i].Factors, linear(f))
		}
	}
	return made
}

// arcs returns the terms of a sum as places with weights.
func arcs(s logic.Sum) []petri.Arc {
	terms := make([]petri.Arc, len(s.Terms))
	for i, t := range s.Terms {
		terms[i] = petri.Arc{Place: petri.Place(t.Place), Weight: t.Coefficient}
	}
	return terms
}

package view

import (
	"pnmc/internal/lazy"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/logic/ltl"
)

// Formula is a formula over atoms, as a tree.
type Formula struct {
	// Operator is how the page writes the root: one of ! & | -> <-> xor X F G U R W M for
	// runs, EX EF EG EU AX AF AG AU for markings, true, false, or empty for an atom.
	Operator string
	Operands []*Formula
	Atom     int // number of the atom, if Operator is empty
}

// formulaNode is a node of a formula as the page gets it.
type formulaNode struct {
	Operator string `json:"op,omitempty"`
	Operands []int  `json:"args,omitempty"`
	Atom     *int   `json:"atom,omitempty"`
}

// mostNodes bounds the nodes of a formula that a page shows.
const mostNodes = 400

// postorder returns the subformulas of f, operands first; nil if there are too many to show.
func (f *Formula) postorder() []*Formula {
	var list []*Formula
	var walk func(f *Formula)
	walk = func(f *Formula) {
		for _, o := range f.Operands {
			if len(list) > mostNodes {
				return
			}
			walk(o)
		}
		list = append(list, f)
	}
	if f != nil {
		walk(f)
	}
	if len(list) > mostNodes {
		return nil
	}
	return list
}

// nodes returns the subformulas in postorder, with operands by their numbers. So the formula is
// the last one.
func (f *Formula) nodes() []formulaNode {
	var list []formulaNode
	number := map[*Formula]int{}
	for _, g := range f.postorder() {
		node := formulaNode{Operator: g.Operator}
		if g.Operator == "" {
			node.Atom = &g.Atom
		}
		for _, o := range g.Operands {
			node.Operands = append(node.Operands, number[o])
		}
		number[g] = len(list)
		list = append(list, node)
	}
	return list
}

// linearOperators are how a page writes the connectives of linear time.
var linearOperators = lazy.Value[map[ltl.Operator]string]{Make: func() map[ltl.Operator]string {
	return map[ltl.Operator]string{
		logic.False: "false", logic.True: "true", logic.Not: "!", logic.And: "&", logic.Or: "|",
		logic.Xor: "xor", logic.Equivalent: "<->", logic.Implies: "->", ltl.Next: "X", ltl.Finally: "F",
		ltl.Globally: "G", ltl.Until: "U", ltl.Release: "R", ltl.WeakUntil: "W", ltl.StrongRelease: "M",
	}
}}

// LinearFormula returns a formula of linear temporal logic, whose propositions have these
// places among the atoms. It is nil if the formula is too large to be shown.
func LinearFormula(f *ltl.Formula, atoms []int) *Formula {
	if f.Length() > mostNodes {
		return nil
	}
	if f.Operator() == ltl.Atom {
		return &Formula{Atom: atoms[f.Proposition()]}
	}
	g := &Formula{Operator: linearOperators.Get()[f.Operator()]}
	for _, o := range f.Operands() {
		g.Operands = append(g.Operands, LinearFormula(o, atoms))
	}
	return g
}

// branchingOperators are how a page writes the operators of CTL.
var branchingOperators = lazy.Value[map[ctl.Operator]string]{Make: func() map[ctl.Operator]string {
	return map[ctl.Operator]string{
		logic.Not: "!", logic.And: "&", logic.Or: "|",
		ctl.ExistsNext: "EX", ctl.ExistsFinally: "EF", ctl.ExistsGlobally: "EG", ctl.ExistsUntil: "EU",
		ctl.AllNext: "AX", ctl.AllFinally: "AF", ctl.AllGlobally: "AG", ctl.AllUntil: "AU",
	}
}}

// BranchingFormula returns a formula of CTL. Its state predicates are taken apart to comparisons
// and the like, which atom numbers.
func BranchingFormula(f *ctl.Formula, atom func(*logic.Predicate) int) *Formula {
	if f.Operator == ctl.State {
		return StateFormula(f.Predicate, atom)
	}
	g := &Formula{Operator: branchingOperators.Get()[f.Operator]}
	for _, o := range f.Operands {
		g.Operands = append(g.Operands, BranchingFormula(o, atom))
	}
	return g
}

// StateFormula takes a state predicate apart to comparisons and the like, which atom numbers.
func StateFormula(p *logic.Predicate, atom func(*logic.Predicate) int) *Formula {
	operators := map[logic.Operator]string{
		logic.True: "true", logic.False: "false", logic.Not: "!", logic.And: "&", logic.Or: "|", logic.Equivalent: "<->",
	}
	operator, compound := operators[p.Operator]
	switch {
	case !compound:
		return &Formula{Atom: atom(p)}
	case p.Operator == logic.And && len(p.Operands) == 0:
		operator = "true"
	case p.Operator == logic.Or && len(p.Operands) == 0:
		operator = "false"
	case (p.Operator == logic.And || p.Operator == logic.Or) && len(p.Operands) == 1:
		return StateFormula(p.Operands[0], atom)
	}
	g := &Formula{Operator: operator}
	for _, o := range p.Operands {
		g.Operands = append(g.Operands, StateFormula(o, atom))
	}
	return g
}

package query

import (
	"errors"
	"fmt"
	"slices"

	"pnmc/logic"
	"pnmc/logic/ctl"
)

// Logic is what kind of question a property is.
type Logic uint8

// The kinds of questions.
const (
	// BranchingTime is a formula of CTL, a reachability question among them: a
	// deadlock ends the path.
	BranchingTime Logic = iota
	// LinearTime is a formula of linear temporal logic behind one path quantifier: a
	// deadlock repeats its marking.
	LinearTime
	// UpperBound asks for the largest value of a sum of places.
	UpperBound
)

// classify finds out the kinds of a file's properties by their content. A formula with one
// temporal operator, below the quantifier, is of both logics, and means the same in both but for
// X in a deadlock. It is taken for LinearTime if others of the file can only be that, and none
// can only be of CTL.
//
// For example, A F p is of both. In a file with A G F q, which is no formula of CTL, it is of linear
// time; with E G E F q beside it, of branching time. Files of the contest have one logic each, so that
// the file of an examination is read as it was meant, without its name being looked at.
func classify(properties []Property) {
	onlyLinear, onlyBranching := false, false
	for _, p := range properties {
		linear, branching := p.Formula.isLinear(), p.Formula.isBranching()
		onlyLinear = onlyLinear || linear && !branching
		onlyBranching = onlyBranching || branching && !linear && p.Formula.isTemporal()
	}
	for i := range properties {
		p := &properties[i]
		linear, branching := p.Formula.isLinear(), p.Formula.isBranching()
		switch {
		case p.Formula.Kind == Bound:
			p.Logic = UpperBound
		case linear && (!branching || onlyLinear && !onlyBranching):
			p.Logic = LinearTime
		default:
			p.Logic = BranchingTime
		}
	}
}

// isLinear reports whether f is a formula without quantifiers behind one.
func (f *Formula) isLinear() bool {
	return (f.Kind == AllPaths || f.Kind == ExistsPath) && f.Operands[0].isPath()
}

// isPath reports whether f speaks of one path.
func (f *Formula) isPath() bool {
	switch f.Kind {
	case AllPaths, ExistsPath, Invariant, Impossibility, Possibility, Live:
		return false
	}
	return f.NoSuccessor == nil && !slices.ContainsFunc(f.Operands, func(g *Formula) bool { return !g.isPath() })
}

// isBranching reports whether quantifiers and temporal operators of f come in pairs.
func (f *Formula) isBranching() bool {
	operands := f.Operands
	switch f.Kind {
	case Globally, Finally, Next, Until:
		return false
	case AllPaths, ExistsPath:
		switch path := f.Operands[0]; path.Kind {
		case Globally, Finally, Next, Until:
			operands = path.Operands
		default:
			return false
		}
	}
	return !slices.ContainsFunc(operands, func(g *Formula) bool { return !g.isBranching() })
}

// CTL returns the property as a formula of CTL over the nodes of v. An error has the
// position of the property, as those of Linear and Bound have.
func (p Property) CTL(v logic.Vocabulary) (*ctl.Formula, error) { return p.CTLWithin(v, nil) }

// CTLWithin returns what CTL does, within a limit, whose error is a *logic.LimitError.
func (p Property) CTLWithin(v logic.Vocabulary, limit logic.Limit) (*ctl.Formula, error) {
	r := Resolver{Vocabulary: v, Limit: limit}
	f, err := r.CTL(p.Formula)
	return f, p.locate(err)
}

// Linear returns the property as a formula of linear temporal logic over the nodes of v.
func (p Property) Linear(v logic.Vocabulary) (*Linear, error) { return p.LinearWithin(v, nil) }

// LinearWithin returns what Linear does, within a limit, whose error is a *logic.LimitError.
func (p Property) LinearWithin(v logic.Vocabulary, limit logic.Limit) (*Linear, error) {
	r := Resolver{Vocabulary: v, Limit: limit}
	l, err := r.LTL(p.Formula)
	return l, p.locate(err)
}

// Bound returns the sum of the nodes of v whose largest value the property asks for.
func (p Property) Bound(v logic.Vocabulary) (logic.Sum, error) { return p.BoundWithin(v, nil) }

// BoundWithin returns what Bound does, within a limit, whose error is a *logic.LimitError.
func (p Property) BoundWithin(v logic.Vocabulary, limit logic.Limit) (logic.Sum, error) {
	r := Resolver{Vocabulary: v, Limit: limit}
	s, err := r.Bound(p.Formula)
	return s, p.locate(err)
}

// locate adds to an error where the property is. One of a limit stays as it is: to find the place takes time and memory, too.
func (p Property) locate(err error) error {
	if err == nil || p.origin == nil || errors.As(err, new(*logic.LimitError)) {
		return err
	}
	return fmt.Errorf("%s: property %s: %w", p.Position(), p.ID, err)
}

// Position returns "file:line:column" of the property; empty if it was not read.
func (p Property) Position() string {
	if p.origin == nil {
		return ""
	}
	return p.origin.position(p.ordinal)
}

package logic

import (
	"cmp"

	"github.com/alecthomas/participle/v2/lexer"

	"pnmc/logic/internal/reading"
)

// maximumSize bounds formulas written out as trees: each <-> of formulas with
// temporal operators doubles them.
const maximumSize = 1 << 16

// formula returns a proposition or formula as a Branching one, and its size.
func (v value) formula() (*Branching, int) {
	if v.branching != nil {
		return v.branching, v.size
	}
	return &Branching{Predicate: v.predicate}, 1
}

// temporal returns a Boolean operator over propositions or formulas or, with a quantifier, a
// temporal one.
func temporal(quantifier, operator string, operands ...value) value {
	f := &Branching{Quantifier: quantifier, Operator: operator, Operands: make([]*Branching, len(operands))}
	size := 1
	for i, v := range operands {
		g, n := v.formula()
		f.Operands[i] = g
		size += n
	}
	return value{branching: f, size: size}
}

// contrary returns the negation of a proposition or formula.
func contrary(v value) value {
	if v.branching != nil {
		return temporal("", "!", v)
	}
	return value{at: v.at, predicate: negate(v.predicate)}
}

// joined returns a conjunction or disjunction: a predicate if all operands are.
func joined(o Operator, operands []value) value {
	predicates := make([]*Predicate, len(operands))
	for i, v := range operands {
		if v.branching == nil {
			predicates[i] = v.predicate
			continue
		}
		if o == And {
			return temporal("", "&", operands...)
		}
		return temporal("", "|", operands...)
	}
	return value{predicate: &Predicate{Operator: o, Operands: predicates}}
}

// equivalent says that two propositions or formulas agree. CTL has no operator for
// that: (a & b) | (!a & !b). Both occur twice, so that a chain of n such operators is written out as
// 2^n formulas; maximumSize ends that with an error that says so.
func (r *resolver) equivalent(at lexer.Position, a, b value) (value, error) {
	if a.branching == nil && b.branching == nil {
		return value{predicate: &Predicate{Operator: Equivalent, Operands: []*Predicate{a.predicate, b.predicate}}}, nil
	}
	if err := r.nest(at, 1); err != nil { // beyond the levels that <-> has of itself
		return value{}, err
	}
	defer func() { r.depth-- }()
	v := joined(Or, []value{joined(And, []value{a, b}), joined(And, []value{contrary(a), contrary(b)})})
	if v.size > maximumSize {
		return value{}, reading.ErrorAt(at, "<-> of temporal formulas, which stand twice in what it is written out as, makes more than %d operators here", maximumSize)
	}
	return v, nil
}

// paths resolves what a quantifier says of paths. There are three laws: a W b fails where !b U
// (!a & !b) holds; a R b fails where !a U !b holds; and a M b is b U (a & b). They hold on a path
// that ends in a deadlock, too.
//
// For example, A(p W q) becomes !E(!q U (!p & !q)). A path violates p W q if it comes to a
// state without p and q, and has had no q before; no path may do that. A path that ends in a
// deadlock without q satisfies p W q if p holds throughout, and so it does here, as U asks for
// its second operand to be reached.
func (r *resolver) paths(p *paths) (value, error) {
	const levels = 4 // of W, which takes most
	if err := r.nest(p.Pos, levels); err != nil {
		return value{}, err
	}
	defer func() { r.depth -= levels }()
	if p.Temporal != "" {
		v, err := r.truthOf(r.negation(p.Operand))
		if err != nil {
			return value{}, err
		}
		return temporal(p.Quantifier, p.Temporal, v), nil
	}
	a, err := r.truthOf(r.phraseValue(p.Left))
	if err != nil {
		return value{}, err
	}
	var b value
	if p.Behind != nil {
		b, err = r.truthOf(r.negation(p.Behind))
	} else {
		b, err = r.truthOf(r.phraseValue(p.Right))
	}
	if err != nil {
		return value{}, err
	}
	dual := "A"
	if p.Quantifier == "A" {
		dual = "E"
	}
	var v value
	switch cmp.Or(p.Until, p.Between) {
	case "U":
		v = temporal(p.Quantifier, "U", a, b)
	case "M":
		v = temporal(p.Quantifier, "U", b, joined(And, []value{a, b}))
	case "R":
		v = contrary(temporal(dual, "U", contrary(a), contrary(b)))
	case "W":
		v = contrary(temporal(dual, "U", contrary(b), joined(And, []value{contrary(a), contrary(b)})))
	}
	if v.size > maximumSize {
		return value{}, reading.ErrorAt(p.Pos, "the formula has more than %d operators when it is written out", maximumSize)
	}
	return v, nil
}

// truthOf returns the truth of a resolved operand, if there is one, as truth does.
func (r *resolver) truthOf(v value, err error) (value, error) {
	if err != nil {
		return value{}, err
	}
	return r.truth(v)
}

// meaning returns another meaning of an operand that looks like a place, if it has one:
// by a definition, or because its quotes hold a proposition, as in LTL.
func (r *resolver) meaning(n *name) (*Predicate, error) {
	text := n.identifier()
	if p := r.defined[text]; p != nil {
		return p, nil
	}
	if !r.temporal || n.Text[0] != '"' || text == "" || r.vocabulary.Places(text) != nil {
		return nil, nil
	}
	p, err := PredicateParser{Vocabulary: r.vocabulary, Limit: r.limit, Hidden: r.hidden}.Parse(text)
	if err != nil {
		return nil, reading.Origin{Offset: n.Pos.Offset + 1, Line: n.Pos.Line, Column: n.Pos.Column + 1}.Place(err)
	}
	return p, nil
}

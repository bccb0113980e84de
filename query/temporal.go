package query

import (
	"fmt"

	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/logic/ltl"
)

// CTL resolves a formula of CTL: path quantifiers and temporal operators in
// pairs.
//
// Three constructs of files are rewritten. A weak until, a W b, fails exactly if b stays false
// until a is false, too. So A(a W b) is !E(!b U (!a & !b)), and E(a W b) is !A(!b U (!a & !b)).
// Next with a number of steps is that many operators. if-no-successor says what next means in a
// deadlock, where there is no next marking. There AX always holds, and EX never does. If a file
// wants the opposite, "and no deadlock" or "or deadlock" is added at each step.
//
// CTL has no operator for an equivalence of temporal formulas, either: (a & b) | (!a & !b) has both of
// them twice. So formulas can get much longer, and nested ones exponentially so. A formula that gets
// longer by more than mostAdded is an error.
func (c *Resolver) CTL(f *Formula) (*ctl.Formula, error) {
	c.begin()
	w, err := c.branching(f)
	return w.formula, err
}

// mostAdded bounds the operators and comparisons that are written out beside those that a formula
// has itself.
const mostAdded = 1 << 16

// mostSteps bounds the steps of next that stand above one another.
const mostSteps = 10_000

// enter asks for room for a formula, and notes the steps of a next, whose operand stands below as many operators. The caller calls
// leave after the operand. A formula that nests deeper than mostSteps in that way is refused: <steps> is short, and a thousand steps in each of sixty levels would be that many operators, of which each engine makes some more.
func (c *Resolver) enter(f *Formula) (leave func(), err error) {
	steps := 0
	if f.Kind == Next {
		steps = f.Steps
	}
	if c.above+steps > mostSteps {
		return nil, unsupported(f, fmt.Sprintf("with its steps written out as operators, the formula has more than %d of them above one another", mostSteps))
	}
	c.above += steps
	return func() { c.above -= steps }, c.Limit.Charge((1 + 3*steps) * nodeBytes)
}

// written is a formula that was written out. What stands in it twice counts twice.
type written struct {
	formula     *ctl.Formula
	size, added int
}

// writtenOut returns g, which rewriting f has made of operands. It has that many operators and comparisons
// more than these and one, and so has f.
func writtenOut(f *Formula, g *ctl.Formula, added int, operands ...written) (written, error) {
	w := written{formula: g, size: 1 + added, added: added}
	for _, o := range operands {
		w.size += o.size
		w.added += o.added
	}
	if w.added > mostAdded {
		return written{}, unsupported(f, fmt.Sprintf("written out with the operators of CTL, the formula gets longer by more than %d operators", mostAdded))
	}
	return w, nil
}

// formulas returns the operands' formulas.
func formulas(operands []written) []*ctl.Formula {
	list := make([]*ctl.Formula, len(operands))
	for i, o := range operands {
		list[i] = o.formula
	}
	return list
}

// sizeOf returns the number of operators and comparisons of a predicate.
func sizeOf(p *logic.Predicate) int {
	size := 1
	for _, o := range p.Operands {
		size += sizeOf(o)
	}
	return size
}

// branching resolves a formula of branching time, as CTL does.
func (c *Resolver) branching(f *Formula) (written, error) {
	if !c.isTemporal(f) {
		p, err := c.statePredicate(f)
		if err != nil {
			return written{}, err
		}
		return written{formula: ctl.Of(p), size: sizeOf(p)}, nil
	}
	switch f.Kind {
	case AllPaths, ExistsPath:
		return c.path(f.Kind == AllPaths, f.Operands[0])
	case Live:
		g, err := c.live(f)
		return written{formula: g, size: 1}, err
	case Globally, Finally, Next, Until:
		return written{}, unsupported(f, "CTL has it only below a path quantifier")
	}
	if err := c.Limit.Charge(nodeBytes); err != nil {
		return written{}, err
	}
	list, err := resolved(f.Operands, c.branching)
	if err != nil {
		return written{}, err
	}
	operands := formulas(list)
	added := 0
	var g *ctl.Formula
	switch f.Kind {
	case Negation:
		g = ctl.New(logic.Not, operands...)
	case Conjunction:
		g = ctl.New(logic.And, operands...)
	case Disjunction:
		g = ctl.New(logic.Or, operands...)
	case Implication:
		g = ctl.New(logic.Or, ctlNot(operands[0]), operands[1])
	case Equivalence, ExclusiveDisjunction:
		a, b := operands[0], operands[1]
		if f.Kind == ExclusiveDisjunction {
			b = ctlNot(b)
		}
		g = ctl.New(logic.Or, ctl.New(logic.And, a, b), ctl.New(logic.And, ctlNot(a), ctlNot(b)))
		added = 4 + list[0].size + list[1].size
	case Invariant:
		g = ctl.New(ctl.AllGlobally, operands...)
	case Possibility:
		g = ctl.New(ctl.ExistsFinally, operands...)
	case Impossibility:
		g = ctlNot(ctl.New(ctl.ExistsFinally, operands...))
	default:
		return written{}, unsupported(f, "it is no part of CTL")
	}
	return writtenOut(f, g, added, list...)
}

func ctlNot(f *ctl.Formula) *ctl.Formula { return ctl.New(logic.Not, f) }

// path resolves what stands below a path quantifier.
func (c *Resolver) path(all bool, f *Formula) (written, error) {
	pick := func(a, e ctl.Operator) ctl.Operator {
		if all {
			return a
		}
		return e
	}
	leave, err := c.enter(f)
	if err != nil {
		return written{}, err
	}
	list, err := resolved(f.Operands, c.branching)
	leave()
	if err != nil {
		return written{}, err
	}
	operands := formulas(list)
	switch f.Kind {
	case Globally:
		return writtenOut(f, ctl.New(pick(ctl.AllGlobally, ctl.ExistsGlobally), operands...), 0, list...)
	case Finally:
		return writtenOut(f, ctl.New(pick(ctl.AllFinally, ctl.ExistsFinally), operands...), 0, list...)
	case Until:
		if !f.Weak {
			return writtenOut(f, ctl.New(pick(ctl.AllUntil, ctl.ExistsUntil), operands...), 0, list...)
		}
		// a W b fails exactly where ¬b U (¬a ∧ ¬b) holds.
		a, b := ctlNot(operands[0]), ctlNot(operands[1])
		return writtenOut(f, ctlNot(ctl.New(pick(ctl.ExistsUntil, ctl.AllUntil), b, ctl.New(logic.And, a, b))), 5+list[1].size, list...)
	case Next:
		g, each := operands[0], 1
		for range f.Steps {
			g = ctl.New(pick(ctl.AllNext, ctl.ExistsNext), g)
			if f.NoSuccessor != nil && *f.NoSuccessor != all {
				deadlock := ctl.Of(&logic.Predicate{Operator: logic.Deadlocked})
				each = 3
				if all {
					g = ctl.New(logic.And, g, ctlNot(deadlock))
				} else {
					g = ctl.New(logic.Or, g, deadlock)
				}
			}
		}
		return writtenOut(f, g, f.Steps*each-1, list...)
	}
	return written{}, unsupported(f, "a path quantifier needs a temporal operator below")
}

// live resolves the legacy is-live: level 0 never fires, 1 fires once, 4 can
// always fire again; the levels between are not expressible in CTL.
func (c *Resolver) live(f *Formula) (*ctl.Formula, error) {
	p, err := c.fireable(f.Names)
	if err != nil {
		return nil, err
	}
	sometimes := ctl.New(ctl.ExistsFinally, ctl.Of(p))
	switch {
	case f.Value == 0:
		return ctlNot(sometimes), nil
	case f.Value == 1:
		return sometimes, nil
	case f.Value == 4 && len(f.Names) == 1:
		return ctl.New(ctl.AllGlobally, sometimes), nil
	}
	return nil, unsupported(f, "of this level")
}

// Linear is a formula of linear temporal logic with what its propositions mean.
type Linear struct {
	Formulas   *ltl.Formulas
	Formula    *ltl.Formula
	Predicates []*logic.Predicate // by proposition
	// Exists: some run is to satisfy Formula, and not all.
	Exists bool
}

// LTL resolves one leading path quantifier over a formula of linear time. Each
// maximal subformula without temporal operators becomes one proposition.
//
// For example, A G (p <= 1 -> F q >= 2) has the propositions p <= 1 and q >= 2. A negation stays
// outside, so that p <= 1 and its negation are one proposition and not two, which an automaton
// would have to treat as independent.
func (c *Resolver) LTL(f *Formula) (*Linear, error) {
	if f.Kind != AllPaths && f.Kind != ExistsPath {
		return nil, unsupported(f, "LTL starts with a path quantifier")
	}
	l := &Linear{Formulas: ltl.NewFormulas(), Exists: f.Kind == ExistsPath}
	named := make(map[string]bool)
	c.begin()
	var err error
	l.Formula, err = c.linearTime(l, named, f.Operands[0])
	return l, err
}

// linearTime resolves what stands below the path quantifier; named are the texts of l's
// propositions, which are their names.
func (c *Resolver) linearTime(l *Linear, named map[string]bool, f *Formula) (*ltl.Formula, error) {
	leave, err := c.enter(f)
	if err != nil {
		return nil, err
	}
	defer leave()
	if !c.isTemporal(f) {
		return c.proposition(l, named, f)
	}
	operands := make([]*ltl.Formula, len(f.Operands))
	for i, g := range f.Operands {
		if operands[i], err = c.linearTime(l, named, g); err != nil {
			return nil, err
		}
	}
	s := l.Formulas
	switch f.Kind {
	case Negation:
		return s.Not(operands[0]), nil
	case Conjunction:
		return s.And(operands...), nil
	case Disjunction:
		return s.Or(operands...), nil
	case Implication:
		return s.Implies(operands[0], operands[1]), nil
	case Equivalence:
		return s.Equivalent(operands[0], operands[1]), nil
	case ExclusiveDisjunction:
		return s.Xor(operands[0], operands[1]), nil
	case Globally:
		return s.Globally(operands[0]), nil
	case Finally:
		return s.Finally(operands[0]), nil
	case Until:
		if f.Weak {
			return s.WeakUntil(operands[0], operands[1]), nil
		}
		return s.Until(operands[0], operands[1]), nil
	case Next:
		if f.NoSuccessor != nil {
			return nil, unsupported(f, "if-no-successor in LTL")
		}
		g := operands[0]
		for range f.Steps {
			g = s.Next(g)
		}
		return g, nil
	}
	return nil, unsupported(f, "it is no part of LTL")
}

// proposition makes f a proposition, the same one for the same text.
func (c *Resolver) proposition(l *Linear, named map[string]bool, f *Formula) (*ltl.Formula, error) {
	s := l.Formulas
	// Boolean operators stay in the formula where they are few: rewriting may
	// use them. A predicate's name is its text.
	switch f.Kind {
	case Constant:
		if f.Value != 0 {
			return s.True(), nil
		}
		return s.False(), nil
	case Negation:
		g, err := c.proposition(l, named, f.Operands[0])
		if err != nil {
			return nil, err
		}
		return s.Not(g), nil
	}
	text := f.Text(Nested)
	if err := c.Limit.Charge(len(text)); err != nil {
		return nil, err
	}
	if !named[text] {
		p, err := c.statePredicate(f)
		if err != nil {
			return nil, err
		}
		switch p.Operator {
		case logic.True:
			return s.True(), nil
		case logic.False:
			return s.False(), nil
		}
		named[text] = true
		l.Predicates = append(l.Predicates, p)
	}
	return s.Atom(text), nil
}

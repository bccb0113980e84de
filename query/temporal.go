package query

import (
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
func (c *Resolver) CTL(f *Formula) (*ctl.Formula, error) {
	if !f.isTemporal() {
		p, err := c.statePredicate(f)
		if err != nil {
			return nil, err
		}
		return ctl.Of(p), nil
	}
	switch f.Kind {
	case AllPaths, ExistsPath:
		return c.path(f.Kind == AllPaths, f.Operands[0])
	case Live:
		return c.live(f)
	case Globally, Finally, Next, Until:
		return nil, unsupported(f, "CTL has it only below a path quantifier")
	}
	operands, err := resolved(f.Operands, c.CTL)
	if err != nil {
		return nil, err
	}
	switch f.Kind {
	case Negation:
		return ctl.New(logic.Not, operands...), nil
	case Conjunction:
		return ctl.New(logic.And, operands...), nil
	case Disjunction:
		return ctl.New(logic.Or, operands...), nil
	case Implication:
		return ctl.New(logic.Or, ctlNot(operands[0]), operands[1]), nil
	case Equivalence, ExclusiveDisjunction:
		a, b := operands[0], operands[1]
		if f.Kind == ExclusiveDisjunction {
			b = ctlNot(b)
		}
		return ctl.New(logic.Or, ctl.New(logic.And, a, b), ctl.New(logic.And, ctlNot(a), ctlNot(b))), nil
	case Invariant:
		return ctl.New(ctl.AllGlobally, operands...), nil
	case Possibility:
		return ctl.New(ctl.ExistsFinally, operands...), nil
	case Impossibility:
		return ctlNot(ctl.New(ctl.ExistsFinally, operands...)), nil
	}
	return nil, unsupported(f, "it is no part of CTL")
}

func ctlNot(f *ctl.Formula) *ctl.Formula { return ctl.New(logic.Not, f) }

// path resolves what stands below a path quantifier.
func (c *Resolver) path(all bool, f *Formula) (*ctl.Formula, error) {
	pick := func(a, e ctl.Operator) ctl.Operator {
		if all {
			return a
		}
		return e
	}
	var operands []*ctl.Formula
	for _, g := range f.Operands {
		o, err := c.CTL(g)
		if err != nil {
			return nil, err
		}
		operands = append(operands, o)
	}
	switch f.Kind {
	case Globally:
		return ctl.New(pick(ctl.AllGlobally, ctl.ExistsGlobally), operands...), nil
	case Finally:
		return ctl.New(pick(ctl.AllFinally, ctl.ExistsFinally), operands...), nil
	case Until:
		if !f.Weak {
			return ctl.New(pick(ctl.AllUntil, ctl.ExistsUntil), operands...), nil
		}
		// a W b fails exactly where ¬b U (¬a ∧ ¬b) holds.
		a, b := ctlNot(operands[0]), ctlNot(operands[1])
		return ctlNot(ctl.New(pick(ctl.ExistsUntil, ctl.AllUntil), b, ctl.New(logic.And, a, b))), nil
	case Next:
		g := operands[0]
		for range f.Steps {
			g = ctl.New(pick(ctl.AllNext, ctl.ExistsNext), g)
			if f.NoSuccessor != nil && *f.NoSuccessor != all {
				deadlock := ctl.Of(&logic.Predicate{Operator: logic.Deadlocked})
				if all {
					g = ctl.New(logic.And, g, ctlNot(deadlock))
				} else {
					g = ctl.New(logic.Or, g, deadlock)
				}
			}
		}
		return g, nil
	}
	return nil, unsupported(f, "a path quantifier needs a temporal operator below")
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
	var err error
	l.Formula, err = c.linearTime(l, named, f.Operands[0])
	return l, err
}

// linearTime resolves what stands below the path quantifier; named are the texts of l's
// propositions, which are their names.
func (c *Resolver) linearTime(l *Linear, named map[string]bool, f *Formula) (*ltl.Formula, error) {
	if !f.isTemporal() {
		return c.proposition(l, named, f)
	}
	operands := make([]*ltl.Formula, len(f.Operands))
	for i, g := range f.Operands {
		var err error
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

package mcc

import (
	"fmt"
	"math/bits"
	"slices"

	"pnmc/logic"
)

// compiler resolves formulas against the names of a net.
type compiler struct {
	names *names
	// known, unless nil, simplifies predicates by what is proven of all reachable
	// markings.
	known func(*logic.Predicate) *logic.Predicate
	// changed tells that known changed something since it was last set to false.
	changed bool
}

// statePredicate is predicate, simplified.
func (c *compiler) statePredicate(f *Formula) (*logic.Predicate, error) {
	p, err := c.predicate(f)
	if err != nil {
		return nil, err
	}
	if p = p.Simplify(); c.known != nil {
		q := c.known(p)
		c.changed = c.changed || q != p
		p = q
	}
	return p, nil
}

// unsupportedError tells that a formula says what no engine decides.
func unsupported(f *Formula, why string) error {
	return fmt.Errorf("%s is not supported: %s", elementByKind[f.Kind].name, why)
}

// isTemporal tells whether f has a temporal operator or path quantifier.
func (f *Formula) isTemporal() bool {
	switch f.Kind {
	case AllPaths, ExistsPath, Globally, Finally, Next, Until, Invariant, Impossibility, Possibility, Live:
		return true
	}
	return slices.ContainsFunc(f.Operands, (*Formula).isTemporal)
}

// predicate resolves a formula without temporal operators.
func (c *compiler) predicate(f *Formula) (*logic.Predicate, error) {
	switch f.Kind {
	case Constant:
		if f.Value != 0 {
			return &logic.Predicate{Operator: logic.True}, nil
		}
		return &logic.Predicate{Operator: logic.False}, nil
	case Deadlock:
		return &logic.Predicate{Operator: logic.Deadlocked}, nil
	case Fireable:
		return c.fireable(f.Names)
	case LessOrEqual, Less, GreaterOrEqual, Greater, EqualTo, NotEqual:
		return c.comparison(f)
	}
	operands := make([]*logic.Predicate, len(f.Operands))
	for i, g := range f.Operands {
		var err error
		if operands[i], err = c.predicate(g); err != nil {
			return nil, err
		}
	}
	switch f.Kind {
	case Negation:
		return not(operands[0]), nil
	case Conjunction:
		return &logic.Predicate{Operator: logic.And, Operands: operands}, nil
	case Disjunction:
		return &logic.Predicate{Operator: logic.Or, Operands: operands}, nil
	case Implication:
		operands[0] = not(operands[0])
		return &logic.Predicate{Operator: logic.Or, Operands: operands}, nil
	case Equivalence:
		return &logic.Predicate{Operator: logic.Equivalent, Operands: operands}, nil
	case ExclusiveDisjunction:
		return not(&logic.Predicate{Operator: logic.Equivalent, Operands: operands}), nil
	}
	return nil, unsupported(f, "it is no state predicate")
}

func not(p *logic.Predicate) *logic.Predicate {
	return &logic.Predicate{Operator: logic.Not, Operands: []*logic.Predicate{p}}
}

func (c *compiler) fireable(names []string) (*logic.Predicate, error) {
	p := &logic.Predicate{Operator: logic.Fireable}
	for _, name := range names {
		transitions, known := c.names.transitions[name]
		if !known {
			return nil, fmt.Errorf("no transition %q", name)
		}
		p.Transitions = append(p.Transitions, transitions...)
	}
	slices.Sort(p.Transitions)
	p.Transitions = slices.Compact(p.Transitions)
	return p, nil
}

// comparison brings left ∘ right to the forms that predicates have.
func (c *compiler) comparison(f *Formula) (*logic.Predicate, error) {
	s := newSum()
	scales := [2]int64{1, -1}
	if f.Kind == GreaterOrEqual || f.Kind == Greater {
		scales = [2]int64{-1, 1}
	}
	for i, g := range f.Operands {
		if err := c.addTo(s, g, scales[i]); err != nil {
			return nil, err
		}
	}
	if f.Kind == Less || f.Kind == Greater {
		s.add(0, 1, true)
	}
	sum, err := s.sum()
	if err != nil {
		return nil, err
	}
	switch f.Kind {
	case EqualTo:
		return &logic.Predicate{Operator: logic.Equal, Sum: sum}, nil
	case NotEqual:
		return not(&logic.Predicate{Operator: logic.Equal, Sum: sum}), nil
	}
	return &logic.Predicate{Operator: logic.AtMost, Sum: sum}, nil
}

// sumBuilder adds up terms and notices overflow.
type sumBuilder struct {
	constant     int64
	coefficients map[uint32]int64
	overflow     bool
}

func newSum() *sumBuilder { return &sumBuilder{coefficients: make(map[uint32]int64)} }

func (s *sumBuilder) add(place uint32, v int64, constant bool) {
	old := s.constant
	if !constant {
		old = s.coefficients[place]
	}
	total := old + v
	if (total > old) != (v > 0) && v != 0 {
		s.overflow = true
	}
	if constant {
		s.constant = total
	} else {
		s.coefficients[place] = total
	}
}

func (s *sumBuilder) sum() (logic.Sum, error) {
	if s.overflow {
		return logic.Sum{}, fmt.Errorf("numbers beyond 63 bits")
	}
	sum := logic.Sum{Constant: s.constant}
	for p, v := range s.coefficients {
		if v != 0 {
			sum.Terms = append(sum.Terms, logic.Term{Place: p, Coefficient: v})
		}
	}
	slices.SortFunc(sum.Terms, func(a, b logic.Term) int { return int(a.Place) - int(b.Place) })
	return sum, nil
}

// addTo adds scale times the integer expression f to s.
func (c *compiler) addTo(s *sumBuilder, f *Formula, scale int64) error {
	switch f.Kind {
	case Integer:
		high, low := bits.Mul64(magnitude(f.Value), magnitude(scale))
		if high != 0 || low > 1<<62 {
			s.overflow = true
			return nil
		}
		s.add(0, f.Value*scale, true)
		return nil
	case Tokens:
		return c.addPlaces(s, f.Names, scale)
	case Sum:
		for _, g := range f.Operands {
			if err := c.addTo(s, g, scale); err != nil {
				return err
			}
		}
		return nil
	case Difference:
		if err := c.addTo(s, f.Operands[0], scale); err != nil {
			return err
		}
		return c.addTo(s, f.Operands[1], -scale)
	case Product:
		return c.addProduct(s, f, scale)
	}
	return unsupported(f, "only linear expressions are")
}

func magnitude(v int64) uint64 {
	if v < 0 {
		return -uint64(v)
	}
	return uint64(v)
}

func (c *compiler) addPlaces(s *sumBuilder, names []string, scale int64) error {
	for _, name := range names {
		places, known := c.names.places[name]
		if !known {
			return fmt.Errorf("no place %q", name)
		}
		for _, p := range places {
			s.add(p, scale, false)
		}
	}
	return nil
}

// addProduct adds a product of which all factors but one are constants.
func (c *compiler) addProduct(s *sumBuilder, f *Formula, scale int64) error {
	var variable *Formula
	for _, g := range f.Operands {
		if g.Kind != Integer {
			if variable != nil {
				return unsupported(f, "only products with constants are")
			}
			variable = g
			continue
		}
		if high, low := bits.Mul64(magnitude(scale), magnitude(g.Value)); high != 0 || low > 1<<62 {
			s.overflow = true
			return nil
		}
		scale *= g.Value
	}
	if variable == nil {
		s.add(0, scale, true)
		return nil
	}
	return c.addTo(s, variable, scale)
}

// bound resolves a place-bound.
func (c *compiler) bound(f *Formula) (logic.Sum, error) {
	if f.Kind != Bound {
		return logic.Sum{}, unsupported(f, "expected place-bound")
	}
	s := newSum()
	if err := c.addPlaces(s, f.Names, 1); err != nil {
		return logic.Sum{}, err
	}
	return s.sum()
}

// ctl resolves a formula of CTL: path quantifiers and temporal operators in
// pairs.
func (c *compiler) ctl(f *Formula) (*logic.CTL, error) {
	if !f.isTemporal() {
		p, err := c.statePredicate(f)
		if err != nil {
			return nil, err
		}
		return logic.CTLOf(p), nil
	}
	switch f.Kind {
	case AllPaths, ExistsPath:
		return c.path(f.Kind == AllPaths, f.Operands[0])
	case Live:
		return c.live(f)
	case Globally, Finally, Next, Until:
		return nil, unsupported(f, "CTL has it only below a path quantifier")
	}
	operands := make([]*logic.CTL, len(f.Operands))
	for i, g := range f.Operands {
		var err error
		if operands[i], err = c.ctl(g); err != nil {
			return nil, err
		}
	}
	switch f.Kind {
	case Negation:
		return logic.NewCTL(logic.CTLNot, operands...), nil
	case Conjunction:
		return logic.NewCTL(logic.CTLAnd, operands...), nil
	case Disjunction:
		return logic.NewCTL(logic.CTLOr, operands...), nil
	case Implication:
		return logic.NewCTL(logic.CTLOr, ctlNot(operands[0]), operands[1]), nil
	case Equivalence, ExclusiveDisjunction:
		a, b := operands[0], operands[1]
		if f.Kind == ExclusiveDisjunction {
			b = ctlNot(b)
		}
		return logic.NewCTL(logic.CTLOr, logic.NewCTL(logic.CTLAnd, a, b), logic.NewCTL(logic.CTLAnd, ctlNot(a), ctlNot(b))), nil
	case Invariant:
		return logic.NewCTL(logic.CTLAllGlobally, operands...), nil
	case Possibility:
		return logic.NewCTL(logic.CTLExistsFinally, operands...), nil
	case Impossibility:
		return ctlNot(logic.NewCTL(logic.CTLExistsFinally, operands...)), nil
	}
	return nil, unsupported(f, "it is no part of CTL")
}

func ctlNot(f *logic.CTL) *logic.CTL { return logic.NewCTL(logic.CTLNot, f) }

// path resolves what stands below a path quantifier.
func (c *compiler) path(all bool, f *Formula) (*logic.CTL, error) {
	pick := func(a, e logic.CTLOperator) logic.CTLOperator {
		if all {
			return a
		}
		return e
	}
	var operands []*logic.CTL
	for _, g := range f.Operands {
		o, err := c.ctl(g)
		if err != nil {
			return nil, err
		}
		operands = append(operands, o)
	}
	switch f.Kind {
	case Globally:
		return logic.NewCTL(pick(logic.CTLAllGlobally, logic.CTLExistsGlobally), operands...), nil
	case Finally:
		return logic.NewCTL(pick(logic.CTLAllFinally, logic.CTLExistsFinally), operands...), nil
	case Until:
		if !f.Weak {
			return logic.NewCTL(pick(logic.CTLAllUntil, logic.CTLExistsUntil), operands...), nil
		}
		// a W b fails exactly where ¬b U (¬a ∧ ¬b) holds.
		a, b := ctlNot(operands[0]), ctlNot(operands[1])
		return ctlNot(logic.NewCTL(pick(logic.CTLExistsUntil, logic.CTLAllUntil), b, logic.NewCTL(logic.CTLAnd, a, b))), nil
	case Next:
		g := operands[0]
		for range f.Steps {
			g = logic.NewCTL(pick(logic.CTLAllNext, logic.CTLExistsNext), g)
			if f.NoSuccessor != nil && *f.NoSuccessor != all {
				deadlock := logic.CTLOf(&logic.Predicate{Operator: logic.Deadlocked})
				if all {
					g = logic.NewCTL(logic.CTLAnd, g, ctlNot(deadlock))
				} else {
					g = logic.NewCTL(logic.CTLOr, g, deadlock)
				}
			}
		}
		return g, nil
	}
	return nil, unsupported(f, "a path quantifier needs a temporal operator below")
}

// live resolves the legacy is-live: level 0 never fires, 1 fires once, 4 can
// always fire again; the levels between are not expressible in CTL.
func (c *compiler) live(f *Formula) (*logic.CTL, error) {
	p, err := c.fireable(f.Names)
	if err != nil {
		return nil, err
	}
	sometimes := logic.NewCTL(logic.CTLExistsFinally, logic.CTLOf(p))
	switch {
	case f.Value == 0:
		return ctlNot(sometimes), nil
	case f.Value == 1:
		return sometimes, nil
	case f.Value == 4 && len(f.Names) == 1:
		return logic.NewCTL(logic.CTLAllGlobally, sometimes), nil
	}
	return nil, unsupported(f, "of this level")
}

// linear is a resolved formula of LTL with what its propositions mean.
type linear struct {
	formulas   *logic.Formulas
	formula    *logic.Formula
	predicates []*logic.Predicate // by proposition
}

// ltl resolves one leading path quantifier over a formula of linear time. Each
// maximal subformula without temporal operators becomes one proposition.
func (c *compiler) ltl(f *Formula) (*linear, error) {
	if f.Kind != AllPaths {
		return nil, unsupported(f, "LTL starts with all-paths")
	}
	l := &linear{formulas: logic.NewFormulas()}
	numbers := make(map[string]int)
	var err error
	l.formula, err = c.linearTime(l, numbers, f.Operands[0])
	return l, err
}

func (c *compiler) linearTime(l *linear, numbers map[string]int, f *Formula) (*logic.Formula, error) {
	if !f.isTemporal() {
		return c.proposition(l, numbers, f)
	}
	operands := make([]*logic.Formula, len(f.Operands))
	for i, g := range f.Operands {
		var err error
		if operands[i], err = c.linearTime(l, numbers, g); err != nil {
			return nil, err
		}
	}
	s := l.formulas
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
func (c *compiler) proposition(l *linear, numbers map[string]int, f *Formula) (*logic.Formula, error) {
	s := l.formulas
	// Boolean operators stay in the formula where they are few: rewriting may
	// use them. A predicate's name is its text.
	switch f.Kind {
	case Constant:
		if f.Value != 0 {
			return s.True(), nil
		}
		return s.False(), nil
	case Negation:
		g, err := c.proposition(l, numbers, f.Operands[0])
		if err != nil {
			return nil, err
		}
		return s.Not(g), nil
	}
	text := f.Text(Nested)
	if _, known := numbers[text]; !known {
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
		numbers[text] = len(l.predicates)
		l.predicates = append(l.predicates, p)
	}
	return s.Atom(text), nil
}

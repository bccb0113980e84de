package query

import (
	"errors"
	"fmt"
	"slices"

	"pnmc/internal/arithmetic"
	"pnmc/logic"
)

// The problem. A question speaks of names and of arithmetic on both sides of a comparison. Engines
// know places and transitions by number, and want each comparison in one form. In between nothing
// may overflow unnoticed, as a wrapped number would be a wrong answer.
//
// The idea. One function for each sort of expression goes down a formula: Predicate for what is
// true or false, addTo for numbers. But for factors of products, a number is not computed by
// itself. It is added to a sum under a scale: the right side of a comparison with -1, what a
// difference subtracts with the opposite scale, a factor times the scale. So parentheses need no
// room, and equal places meet in one term.
//
// For example, let p be a coloured place with the colours p_1 and p_2. The comparison
// 2 * (p + q) - p < 3 adds 2 p_1, 2 p_2 and 2 q, then -p_1 and -p_2, then -3 for the right side, and
// 1 because it is strict. The result is p_1 + p_2 + 2 q - 2 ≤ 0.
//
// Why it is right. Each step is a law of whole numbers: a < b is a + 1 ≤ b, and a ≥ b is b - a ≤ 0.
// Where that 1 would overflow, a < b is that b ≤ a does not hold.
// An overflow anywhere is noted in the builder, and the comparison is refused as a whole, even
// where a later term would have brought the sum back. A coloured name stands for all that it
// unfolds to: the tokens of all colours are added up, and one enabled binding makes a transition
// fireable, as the property manual of the contest has it.
//
// What it costs. Time is linear in the formula and the places that its names stand for, and sorting
// these. Products of sums multiply out; logic.Polynomial.Times refuses what grows too large. A name may be short
// and stand for a million nodes, so that the limit is asked before each list of these is made.

// Resolver resolves formulas against the names of a net.
type Resolver struct {
	Vocabulary logic.Vocabulary
	// Simplify, unless nil, is what each state predicate becomes in the end.
	Simplify func(*logic.Predicate) *logic.Predicate
	// Limit, unless nil, is asked for what is made of a formula; its error is a *logic.LimitError.
	Limit logic.Limit

	temporal map[*Formula]bool // whether formulas with operands are temporal, as far as was asked
	above    int               // steps of next above the operand at hand that its formula has no element for
}

// nodeBytes is about what an element of a formula takes in the predicate or formula made of it, which is then
// simplified. nameBytes is what a node does that a name stands for: in a sum while it is added up, and then in order.
// listedBytes is what one takes in a list.
const (
	nodeBytes   = 400
	nameBytes   = 64
	listedBytes = 8
	// lookBytes stands for the time of looking a name up that no node has, which may be a millisecond.
	lookBytes = 1 << 17
)

// begin makes c ready for another formula.
func (c *Resolver) begin() { c.temporal, c.above = make(map[*Formula]bool), 0 }

// isTemporal reports whether f has a temporal operator or path quantifier. It looks at each operand once in all, as each level
// of a formula asks.
func (c *Resolver) isTemporal(f *Formula) bool {
	if len(f.Operands) == 0 || c.temporal == nil {
		return f.isTemporal()
	}
	temporal, known := c.temporal[f]
	if !known {
		temporal = f.isTemporalItself() || slices.ContainsFunc(f.Operands, c.isTemporal)
		c.temporal[f] = temporal
	}
	return temporal
}

// looked asks for the time that it took to look up a name, and for what its nodes take.
func (c *Resolver) looked(nodes []uint32, bytes int) error {
	if len(nodes) == 0 {
		return c.Limit.Charge(lookBytes)
	}
	return c.Limit.Charge(len(nodes) * bytes)
}

// statePredicate returns what Predicate does, simplified.
func (c *Resolver) statePredicate(f *Formula) (*logic.Predicate, error) {
	p, err := c.Predicate(f)
	if err != nil {
		return nil, err
	}
	if p = p.Simplify(); c.Simplify != nil {
		p = c.Simplify(p)
	}
	return p, nil
}

// unsupported returns the error for a formula that no engine can decide.
func unsupported(f *Formula, why string) error {
	return fmt.Errorf("%s is not supported: %s", elementByKind(f.Kind).name, why)
}

// isTemporal reports whether f has a temporal operator or path quantifier.
func (f *Formula) isTemporal() bool {
	return f.isTemporalItself() || slices.ContainsFunc(f.Operands, (*Formula).isTemporal)
}

// isTemporalItself reports whether the root of f is one.
func (f *Formula) isTemporalItself() bool {
	switch f.Kind {
	case AllPaths, ExistsPath, Globally, Finally, Next, Until, Invariant, Impossibility, Possibility, Live:
		return true
	}
	return false
}

// resolved returns the operands of a formula, each resolved by itself.
func resolved[T any](operands []*Formula, resolve func(*Formula) (T, error)) ([]T, error) {
	list := make([]T, len(operands))
	for i, g := range operands {
		var err error
		if list[i], err = resolve(g); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// Predicate resolves a formula without temporal operators.
func (c *Resolver) Predicate(f *Formula) (*logic.Predicate, error) {
	if err := c.Limit.Charge(nodeBytes); err != nil {
		return nil, err
	}
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
	operands, err := resolved(f.Operands, c.Predicate)
	if err != nil {
		return nil, err
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

// not returns the negation of a predicate.
func not(p *logic.Predicate) *logic.Predicate {
	return &logic.Predicate{Operator: logic.Not, Operands: []*logic.Predicate{p}}
}

// fireable resolves names of transitions, one of which is to be enabled.
func (c *Resolver) fireable(names []string) (*logic.Predicate, error) {
	var all logic.NodeSet
	for _, name := range names {
		transitions := c.Vocabulary.Transitions(name)
		if err := c.looked(transitions, listedBytes); err != nil {
			return nil, err
		}
		if transitions == nil {
			return nil, fmt.Errorf("no transition %q", name)
		}
		if err := all.Add(name, transitions, c.Limit); err != nil {
			return nil, err
		}
	}
	return &logic.Predicate{Operator: logic.Fireable, Transitions: all.Numbers()}, nil
}

// comparison brings left ∘ right to the forms that predicates have, a sum that is at most zero or
// equal to it. For example, tokens(p) < 3 becomes p - 3 + 1 ≤ 0, since token counts are whole numbers,
// and tokens(p) >= 3 becomes 3 - p ≤ 0.
func (c *Resolver) comparison(f *Formula) (*logic.Predicate, error) {
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
	number, err := s.polynomial()
	if err != nil {
		return nil, err
	}
	operator := logic.AtMost
	if f.Kind == EqualTo || f.Kind == NotEqual {
		operator = logic.Equal
	}
	p, ok := &logic.Predicate{Operator: operator, Sum: number.Sum}, true
	strict := f.Kind == Less || f.Kind == Greater
	constant, fits := arithmetic.Add(number.Sum.Constant, 1)
	switch {
	case strict && (!fits || len(number.Products) > 0):
		p, ok = number.Below()
	case strict:
		p.Sum.Constant = constant
	case len(number.Products) > 0:
		p, ok = number.Compare(operator)
	}
	if !ok {
		return nil, errLarge
	}
	if f.Kind == NotEqual {
		p = not(p)
	}
	return p, nil
}

// sumBuilder adds up terms and notices overflow.
type sumBuilder struct {
	constant     int64
	coefficients map[uint32]int64
	products     []logic.Product
	overflow     bool
}

func newSum() *sumBuilder { return &sumBuilder{coefficients: make(map[uint32]int64)} }

// add adds v to the constant, or else to the coefficient of the place.
//
// That a sum goes beyond 64 bits is only noted here; sum reports it.
func (s *sumBuilder) add(place uint32, v int64, constant bool) {
	old := s.constant
	if !constant {
		old = s.coefficients[place]
	}
	total, ok := arithmetic.Add(old, v)
	if !ok {
		s.overflow = true
	}
	if constant {
		s.constant = total
	} else {
		s.coefficients[place] = total
	}
}

// times returns a times b, if that is at most 2^63-1 from zero; that it is not is noted.
func (s *sumBuilder) times(a, b int64) (product int64, ok bool) {
	if product, ok = arithmetic.Multiply(a, b); !ok {
		s.overflow = true
	}
	return product, ok
}

// sum returns what was added up, with terms ascending by place.
func (s *sumBuilder) sum() (logic.Sum, error) {
	if s.overflow {
		return logic.Sum{}, errLarge
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

// polynomial returns what was added up, products included.
func (s *sumBuilder) polynomial() (logic.Polynomial, error) {
	sum, err := s.sum()
	return logic.Polynomial{Sum: sum, Products: s.products}, err
}

// errLarge is the error of an expression with numbers that engines don't compute with.
var errLarge = errors.New("numbers beyond 63 bits")

// addTo adds scale times the integer expression f to s.
func (c *Resolver) addTo(s *sumBuilder, f *Formula, scale int64) error {
	if err := c.Limit.Charge(nodeBytes); err != nil {
		return err
	}
	switch f.Kind {
	case Integer:
		if scale, ok := s.times(scale, f.Value); ok {
			s.add(0, scale, true)
		}
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
		for _, g := range f.Operands[1:] { // TAPAAL writes a - b - c as one
			if err := c.addTo(s, g, -scale); err != nil {
				return err
			}
		}
		return nil
	case Product:
		return c.addProduct(s, f, scale)
	}
	return unsupported(f, "only sums, differences and products are")
}

// addPlaces adds scale times the tokens of the places; one that is named twice counts twice.
func (c *Resolver) addPlaces(s *sumBuilder, names []string, scale int64) error {
	for _, name := range names {
		places := c.Vocabulary.Places(name)
		if err := c.looked(places, nameBytes); err != nil {
			return err
		}
		if places == nil {
			return fmt.Errorf("no place %q", name)
		}
		for _, p := range places {
			s.add(p, scale, false)
		}
	}
	return nil
}

// addProduct adds scale times a product.
//
// For example, of 2 * p * (q + 1) the number becomes part of the scale, and p and q + 1 are
// multiplied: 2 p q is a product, and 2 p a term. A product with a single factor that is no
// number, such as 3 * p, stays a sum, which all engines compute with.
func (c *Resolver) addProduct(s *sumBuilder, f *Formula, scale int64) error {
	var variables []*Formula
	for _, g := range f.Operands {
		if g.Kind != Integer {
			variables = append(variables, g)
			continue
		}
		var ok bool
		if scale, ok = s.times(scale, g.Value); !ok {
			return nil
		}
	}
	switch len(variables) {
	case 0:
		s.add(0, scale, true)
		return nil
	case 1:
		return c.addTo(s, variables[0], scale)
	}
	product := logic.Polynomial{Sum: logic.Sum{Constant: scale}}
	for _, g := range variables {
		factor := newSum()
		if err := c.addTo(factor, g, 1); err != nil {
			return err
		}
		number, err := factor.polynomial()
		if err != nil {
			return err
		}
		var ok bool
		if product, ok = product.Times(number); !ok {
			return unsupported(f, "it is too large")
		}
		if err := c.Limit.Charge(bytesOf(product)); err != nil {
			return err
		}
	}
	s.add(0, product.Sum.Constant, true)
	for _, t := range product.Sum.Terms {
		s.add(t.Place, t.Coefficient, false)
	}
	s.products = append(s.products, product.Products...)
	return nil
}

// bytesOf returns about what the products of a polynomial take.
func bytesOf(p logic.Polynomial) int {
	bytes := 0
	for _, product := range p.Products {
		for _, factor := range product.Factors {
			bytes += nameBytes * (1 + len(factor.Terms))
		}
	}
	return bytes
}

// Bound resolves a place-bound: the sum of tokens whose largest value it asks for.
func (c *Resolver) Bound(f *Formula) (logic.Sum, error) {
	if f.Kind != Bound {
		return logic.Sum{}, unsupported(f, "expected place-bound")
	}
	s := newSum()
	if err := c.addPlaces(s, f.Names, 1); err != nil {
		return logic.Sum{}, err
	}
	return s.sum()
}

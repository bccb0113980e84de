package coloured

import (
	"context"
	"strconv"

	"pnmc/automata"
	"pnmc/checker/branching"
	"pnmc/checker/inquiry"
	"pnmc/checker/internal/ledger"
	"pnmc/checker/internal/rephrase"
	"pnmc/checker/internal/runs"
	"pnmc/checker/witness"
	"pnmc/internal/account"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/logic/ltl"
	"pnmc/logic/ltl/rewrite"
)

// sufficient translates temporal formulas over the coloured net into formulas over the stoppable
// skeleton that suffice: if the skeleton satisfies the translation, the coloured net satisfies the
// formula. Otherwise nothing is known.
//
// The stoppable skeleton has all runs of the coloured net, and more (approximation.go). So a
// formula about all runs may be asked of it, if each predicate is replaced by one that is certain.
// G (t is fireable) becomes G (t is fireable in the skeleton) if t is exact, and G false, which
// never holds, if it is not. G ¬(t is fireable) becomes G ¬(t is fireable in the skeleton) in any
// case: what the skeleton cannot fire, the coloured net cannot. Runs with a false end are let pass,
// by "or some time a false end".
//
// Quantifiers over some path become quantifiers over all paths: EF p becomes AF p. That suffices,
// as there is at least one path.
type sufficient struct {
	*approximation
	falseEnd *logic.Predicate
}

// linear returns a question that suffices for l: if all runs of the stoppable net satisfy it, all
// runs of the coloured net satisfy l.
//
// In both nets a run that ends repeats its last marking. In negation normal form all operators but
// negation are monotonic. So each proposition of l is replaced by one that suffices for it, and
// each negated proposition by one that suffices for the negation. A run with a false end is let
// pass.
//
// It returns nil if ctx ends before the formula is translated.
func (s *sufficient) linear(ctx context.Context, l *runs.Question) *runs.Question {
	if l.Formula == nil {
		return s.automaton(l)
	}
	to := &runs.Question{Formulas: ltl.NewFormulas()}
	normal := rewrite.New(l.Formulas).NegationNormal(l.Formula, false)
	numbers := make(map[string]*ltl.Formula)
	atom := func(name string, p *logic.Predicate) *ltl.Formula {
		if f, known := numbers[name]; known {
			return f
		}
		var f *ltl.Formula
		switch p.Operator {
		case logic.True:
			f = to.Formulas.True()
		case logic.False:
			f = to.Formulas.False()
		default:
			f = to.Formulas.Atom(name)
			to.Predicates = append(to.Predicates, p)
		}
		numbers[name] = f
		return f
	}
	literal := func(f *ltl.Formula, negated bool) *ltl.Formula {
		p, name := l.Predicates[f.Proposition()], l.Formulas.Propositions()[f.Proposition()]
		switch {
		case !looksAtTransitions(p) && !rephrase.LooksAtDeadlock(p): // exact, so that it is one proposition
			g := atom(name, p)
			if negated {
				return to.Formulas.Not(g)
			}
			return g
		case negated:
			return atom("surely not: "+name, s.under(p, true))
		}
		return atom("surely: "+name, s.under(p, false))
	}
	work := account.Of(ctx)
	done := make(map[*ltl.Formula]*ltl.Formula)
	var translate func(f *ltl.Formula) *ltl.Formula
	translate = func(f *ltl.Formula) *ltl.Formula {
		if g, known := done[f]; known {
			return g
		}
		if work.Charge(rewrite.FormulaWork+rewrite.OperandWork*len(f.Operands())) != nil {
			return to.Formulas.True() // ctx has ended, and the result is not used
		}
		var g *ltl.Formula
		switch f.Operator() {
		case ltl.Atom:
			g = literal(f, false)
		case logic.Not:
			g = literal(f.Operands()[0], true)
		default:
			operands := make([]*ltl.Formula, len(f.Operands()))
			for i, o := range f.Operands() {
				operands[i] = translate(o)
			}
			if work.Charge(rewrite.OperandWork*len(operands)) != nil { // those below are made by now
				return to.Formulas.True()
			}
			g = to.Formulas.Make(f.Operator(), operands)
		}
		done[f] = g
		return g
	}
	to.Formula = translate(normal)
	if s.falseEnd.Operator != logic.False {
		to.Formula = to.Formulas.Or(to.Formula, to.Formulas.Finally(atom("false end", s.falseEnd)))
	}
	rewriter := rewrite.New(to.Formulas)
	rewriter.Watch(ctx)
	to.Formula = rewriter.Simplify(rewriter.NegationNormal(to.Formula, false))
	if account.Reason(ctx) != nil {
		return nil
	}
	return to
}

// automaton does what linear does, for a question that has only an automaton of its negation. The
// automaton that it returns accepts all that l's accepts on the coloured net: if it accepts no run
// of the stoppable net, l's accepts none of the coloured net. It returns nil for a testing
// automaton. A proposition that looks at transitions becomes two: one that holds wherever it may
// hold, and one that holds wherever it may fail. Runs with a false end are not accepted.
func (s *sufficient) automaton(l *runs.Question) *runs.Question {
	a := l.Automaton
	if a.Kind != automata.Plain {
		return nil
	}
	to := new(runs.Question)
	var names []string
	add := func(p *logic.Predicate) int {
		to.Predicates = append(to.Predicates, p)
		names = append(names, strconv.Itoa(len(names)))
		return len(names) - 1
	}
	may, mayNot := make([]int, len(l.Predicates)), make([]int, len(l.Predicates))
	for i, p := range l.Predicates {
		if !looksAtTransitions(p) && !rephrase.LooksAtDeadlock(p) {
			may[i], mayNot[i] = add(p), -1
		} else {
			may[i], mayNot[i] = add(s.over(p, false).Simplify()), add(s.over(p, true).Simplify())
		}
	}
	end := add(s.falseEnd)
	b := automata.NewBuilder(names, a.Acceptance)
	b.AddStates(a.States())
	for _, q := range a.Initial() {
		b.AddInitial(q)
	}
	for e := range automata.Edge(a.Edges()) {
		var label automata.Label
		for _, cube := range a.Label(e) {
			c := automata.NewCube(len(names)).With(end, false)
			for i := range l.Predicates {
				switch occurs, positive := cube.Literal(i); {
				case occurs && mayNot[i] < 0:
					c = c.With(may[i], positive)
				case occurs && positive:
					c = c.With(may[i], true)
				case occurs:
					c = c.With(mayNot[i], true)
				}
			}
			label = append(label, c)
		}
		b.AddEdge(a.Source(e), label, a.Marks(e), a.Destination(e))
	}
	var err error
	if to.Automaton, err = b.Build(); err != nil {
		return nil
	}
	return to
}

// branching returns a formula that suffices for f, or if negated for its negation: if the stoppable
// net satisfies it, the coloured net satisfies f.
//
// It speaks of all paths only, and hence of all that the coloured net has. If f asks for some path,
// what all of them satisfy suffices, since there is one. If f asks for a successor, there must be
// one: an exact transition that can fire makes one. Paths with a false end are let pass: each
// temporal operator may also come to that.
func (s *sufficient) branching(f *ctl.Formula, negated bool) *ctl.Formula {
	junction := func(conjunction bool, operands ...*ctl.Formula) *ctl.Formula {
		if conjunction {
			return ctl.New(logic.And, operands...)
		}
		return ctl.New(logic.Or, operands...)
	}
	orFalseEnd := func(g *ctl.Formula) *ctl.Formula {
		if s.falseEnd.Operator == logic.False {
			return g
		}
		return junction(false, g, ctl.Of(s.falseEnd))
	}
	all := func(operator ctl.Operator) *ctl.Formula {
		return ctl.New(operator, orFalseEnd(s.branching(f.Operands[0], negated)))
	}
	switch f.Operator {
	case ctl.State:
		return ctl.Of(s.under(f.Predicate, negated))
	case logic.Not:
		return s.branching(f.Operands[0], !negated)
	case logic.And, logic.Or:
		var operands []*ctl.Formula
		for _, g := range f.Operands {
			operands = append(operands, s.branching(g, negated))
		}
		return junction((f.Operator == logic.And) != negated, operands...)
	case ctl.AllNext, ctl.ExistsNext:
		next := all(ctl.AllNext)
		if (f.Operator == ctl.AllNext) != negated {
			return next
		}
		return junction(true, next, ctl.Of(rephrase.FireableAmong(s.exact)))
	case ctl.AllFinally, ctl.ExistsFinally:
		if negated {
			return all(ctl.AllGlobally)
		}
		return all(ctl.AllFinally)
	case ctl.AllGlobally, ctl.ExistsGlobally:
		if negated {
			return all(ctl.AllFinally)
		}
		return all(ctl.AllGlobally)
	}
	a, b := f.Operands[0], f.Operands[1]
	if !negated {
		return ctl.New(ctl.AllUntil, s.branching(a, false), orFalseEnd(s.branching(b, false)))
	}
	// No path may lead to where b may hold, through where a may hold. A false end does not count
	// as such a place.
	possible := []*ctl.Formula{ctlNot(s.branching(b, true)), ctlNot(ctl.Of(s.falseEnd))}
	return ctlNot(ctl.New(ctl.ExistsUntil, ctlNot(s.branching(a, true)), junction(true, possible...)))
}

// askStoppable asks the stoppable net questions that suffice for the open temporal questions of the
// coloured net. There is one for each formula of linear time, and two for each of CTL: to prove it
// and to refute it.
func (c *Folded) askStoppable(nets *skeleton) {
	net := nets.stoppable
	s := &sufficient{c.approximation, nets.falseEnd}
	c.stops = c.Task.On(c.Whole, net)
	c.stops.Ledger = &ledger.Ledger{Net: net, Answers: c.Ledger.Answers, Sink: c.Ledger, Always: inquiry.Skeleton}
	if !c.Shared.Uses(inquiry.Skeleton | inquiry.QueryReduction) {
		return
	}
	ctx, stop := account.Within(c.Whole, c.Budget)
	defer stop(nil)
	initial := net.Initial()
	for _, q := range c.Ledger.OpenQuestions() {
		switch {
		case !needsRuns(q):
		case q.LTL != nil:
			l := s.linear(ctx, q.LTL)
			if l == nil {
				continue
			}
			asked := c.stops.Ledger.Ask(&ledger.Question{Number: q.Number, LTL: l, Proves: q, Proved: inquiry.Truth(true)})
			if l.Formula != nil && l.Formula.Has(ltl.Boolean) {
				holds := witness.Satisfies(net, initial, l.Predicate(l.Formula))
				c.stops.Ledger.AnswerNow(asked, inquiry.Truth(holds), inquiry.InitialState|inquiry.QueryReduction, ledger.DecidedInitially)
			}
		default:
			for _, negated := range []bool{false, true} {
				f := branching.Simplify(s.branching(q.CTL, negated), net, initial)
				asked := c.stops.Ledger.Ask(&ledger.Question{Number: q.Number, CTL: f, Proves: q, Proved: inquiry.Truth(!negated)})
				if f.Operator == ctl.State {
					holds := witness.Satisfies(net, initial, f.Predicate)
					c.stops.Ledger.AnswerNow(asked, inquiry.Truth(holds), inquiry.InitialState|inquiry.QueryReduction, ledger.DecidedInitially)
				}
			}
		}
	}
}

func ctlNot(f *ctl.Formula) *ctl.Formula { return ctl.New(logic.Not, f) }

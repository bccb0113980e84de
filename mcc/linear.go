package mcc

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"time"

	"pnmc/automata"
	"pnmc/automata/translate"
	"pnmc/checker"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/reduce"
)

// askLinear puts the questions of the LTL examinations. Those that say "always
// p" of a state predicate p are questions about reachability too.
func askLinear(r *run) error {
	initial := r.net.Initial()
	return r.eachProperty(func(p Property) error {
		l, err := r.compiler.ltl(p.Formula)
		if err != nil {
			return err
		}
		rewriter := logic.NewRewriter(l.formulas)
		l.formula = rewriter.Simplify(rewriter.NegationNormal(l.formula, false))
		q := &question{id: p.ID, ltl: l, simplifiedBy: r.simplifiedBy()}
		if value := r.linearInitially(l, initial); value != unknown {
			r.board.ask(q)
			r.board.answerNow(q, truthWord(value == yes), InitialState, decidedInitially)
			return nil
		}
		if f := l.formula; f.Connective() == logic.Globally && f.Operands()[0].Has(logic.Boolean) {
			q.onReached, q.onUnreachable = "FALSE", "TRUE"
			r.board.ask(q, &atom{goal: not(l.predicate(f.Operands()[0])).Simplify()})
			return nil
		}
		r.board.ask(q)
		return nil
	})
}

// predicate is a Boolean formula as a state predicate.
func (l *linear) predicate(f *logic.Formula) *logic.Predicate {
	var operands []*logic.Predicate
	for _, g := range f.Operands() {
		operands = append(operands, l.predicate(g))
	}
	switch f.Connective() {
	case logic.Falsity:
		return &logic.Predicate{Operator: logic.False}
	case logic.Truth:
		return &logic.Predicate{Operator: logic.True}
	case logic.Atom:
		return l.predicates[f.Proposition()]
	case logic.Negation:
		return not(operands[0])
	case logic.Conjunction:
		return &logic.Predicate{Operator: logic.And, Operands: operands}
	case logic.Disjunction:
		return &logic.Predicate{Operator: logic.Or, Operands: operands}
	case logic.Equivalence:
		return &logic.Predicate{Operator: logic.Equivalent, Operands: operands}
	case logic.ExclusiveOr:
		return not(&logic.Predicate{Operator: logic.Equivalent, Operands: operands})
	}
	return &logic.Predicate{Operator: logic.Or, Operands: []*logic.Predicate{not(operands[0]), operands[1]}} // Implication
}

// linearCheck is a question of LTL being checked on a reduced net.
type linearCheck struct {
	question  *question
	property  checker.Property
	net       *petri.Net
	reduction *reduce.Reduction
	support   []bool // places of the original net that the formula looks at
	facts     petri.Facts
	kripke    *petri.Kripke
}

// checkLinear checks the open questions with their automata, in turns.
func checkLinear(ctx context.Context, r *run) { r.checkFormulas(ctx, false) }

// checkLinearShuffled does the same, with transitions in random order, and so
// finds other counterexamples first.
func checkLinearShuffled(ctx context.Context, r *run) { r.checkFormulas(ctx, true) }

func (r *run) checkFormulas(ctx context.Context, shuffled bool) {
	checks := make(map[*question]*linearCheck)
	shared := new(linearCheck) // for formulas with X
	seed := r.options.Seed
	memory := newRoom[*question](r)
	for slice := 300 * time.Millisecond; ctx.Err() == nil; {
		open := r.board.openQuestions()
		if len(open) == 0 {
			return
		}
		tried := false
		for i := range open {
			q := open[i]
			if shuffled {
				q = open[len(open)-1-i]
			}
			if ctx.Err() != nil {
				return
			}
			if r.board.isAnswered(q) || !memory.suffices(q) {
				continue
			}
			tried = true
			part, cancel := context.WithTimeout(ctx, slice)
			c := checks[q]
			if c == nil {
				c = r.prepare(part, q, shared, open)
				if c == nil {
					cancel()
					continue
				}
				checks[q] = c
			}
			if shuffled {
				seed++
				c.shuffle(seed, r.budget)
			}
			fresh, had := c.kripke.Len() <= 1, memory.free()
			if r.check(part, c) {
				// In another order, or once others' graphs are gone, there may be room enough.
				if fresh && !shuffled {
					memory.failed(q, had)
				} else {
					debug.FreeOSMemory()
				}
				if memoryShort(r.budget) {
					r.dropGraphs(checks, shared)
				}
			}
			cancel()
		}
		if tried {
			slice = min(longestSlice, slice*3)
		} else {
			waitForRoom(ctx)
		}
	}
}

// dropGraphs makes room: the graphs of all checks start again.
func (r *run) dropGraphs(checks map[*question]*linearCheck, shared *linearCheck) {
	if shared.net != nil {
		shared.renew(r.budget)
	}
	for _, c := range checks {
		c.renew(r.budget)
	}
	debug.FreeOSMemory()
}

// prepare translates and reduces; nil if that takes too long.
func (r *run) prepare(ctx context.Context, q *question, shared *linearCheck, open []*question) *linearCheck {
	c := &linearCheck{question: q}
	if q.ltl.formula.Has(logic.StutterInvariant) {
		c.reduce(ctx, r, []*question{q}, reduce.Stuttering)
	} else {
		if shared.reduction == nil {
			shared.reduce(ctx, r, open, reduce.Branching)
		}
		c.net, c.reduction, c.facts, c.kripke, c.support = shared.net, shared.reduction, shared.facts, shared.kripke, shared.support
	}
	if c.reduction == nil {
		return nil
	}
	var err error
	if c.property, err = r.propertyOf(ctx, q.ltl, c.reduction); err != nil {
		r.note("%s: %v", q.id, err)
		return nil
	}
	return c
}

// propertyOf is the automaton of the negated formula, with what its propositions
// mean in a reduced net.
func (r *run) propertyOf(ctx context.Context, l *linear, reduction *reduce.Reduction) (checker.Property, error) {
	l.translation.Lock()
	defer l.translation.Unlock()
	if l.automaton == nil {
		a, err := r.negation(ctx, l)
		if err != nil {
			return checker.Property{}, err
		}
		l.automaton = a
	}
	property := checker.Property{Automaton: l.automaton}
	number := make(map[string]int)
	for i, name := range l.formulas.Propositions() {
		number[name] = i
	}
	for _, name := range l.automaton.Propositions {
		p := overPlaces(r.net, l.predicates[number[name]])
		property.Predicates = append(property.Predicates, renamed(p, reduction.PlaceOf).Simplify())
	}
	return property, nil
}

// negation is an automaton of the negated formula: of our own translation, or if
// that takes more than half of the time, of the translator there may be.
func (r *run) negation(ctx context.Context, l *linear) (*automata.Automaton, error) {
	own, cancel := ctx, context.CancelFunc(func() {})
	if deadline, ok := ctx.Deadline(); ok && r.options.Translator != nil {
		own, cancel = context.WithTimeout(ctx, time.Until(deadline)/2)
	}
	defer cancel()
	a, err := translate.ToAutomaton(own, l.formulas, l.formula, translate.Options{Negate: true})
	if err == nil || r.options.Translator == nil || ctx.Err() != nil {
		return a, err
	}
	r.note("own translation: %v; the other translator is asked", err)
	return r.options.Translator(ctx, l.formulas, l.formulas.Not(l.formula))
}

func (c *linearCheck) reduce(ctx context.Context, r *run, questions []*question, wanted reduce.Preserves) {
	c.support = make([]bool, r.net.Places())
	for _, q := range questions {
		for _, p := range q.ltl.predicates {
			if looksAtDeadlock(p) {
				wanted |= reduce.Deadlock | reduce.Branching
			}
			protectSupport(overPlaces(r.net, p), c.support)
		}
	}
	reduction, err := reduce.Apply(ctx, r.net, c.support, wanted)
	if err != nil {
		return
	}
	c.reduction, c.net = reduction, reduction.Net
	r.note("reduced to %d places, %d transitions", c.net.Places(), c.net.Transitions())
	c.facts = r.factsOfReduced(ctx, reduction)
	c.renew(r.budget)
}

func (c *linearCheck) renew(budget petri.Budget) {
	c.kripke = petri.NewKripke(c.net, c.facts, budget)
}

// shuffle gives the transitions another order and starts the graph again.
func (c *linearCheck) shuffle(seed uint64, budget petri.Budget) {
	rng := rand.New(rand.NewPCG(seed, 7))
	if n, err := c.reduction.Permuted(rng.Perm(c.reduction.Net.Transitions())); err == nil {
		c.reduction, c.net = n, n.Net
		c.renew(budget) // facts are about places: their order is the same
	}
}

// check searches for a counterexample, in the graph as far as it is known. It reports
// whether that filled the memory: then the graph has started again.
func (r *run) check(ctx context.Context, c *linearCheck) (full bool) {
	q := c.question
	result, err := checker.Check(ctx, c.kripke, c.property, nil)
	switch {
	case err != nil:
		r.note("%s: %v", q.id, err)
	case result.Verdict == checker.Holds:
		r.board.answerNow(q, "TRUE", reducedBy(exploring, c.reduction), fmt.Sprintf("no counterexample among %d product states", result.Statistics.ProductStates))
	case result.Verdict == checker.Violated:
		if err := r.confirm(c, result.Counterexample); err != nil {
			r.note("%s: counterexample not confirmed: %v", q.id, err)
			return false
		}
		x := result.Counterexample
		how := fmt.Sprintf("violated by a run of %d steps and a cycle of %d: %s; cycle: %s", len(x.Prefix), len(x.Cycle),
			c.toldSteps(r.net, x.Prefix), c.toldSteps(r.net, x.Cycle))
		r.board.answerNow(q, "FALSE", reducedBy(exploring, c.reduction), how)
	default:
		short := memoryShort(r.budget)
		if full = short && ctx.Err() == nil; full {
			r.note("%s: %s", q.id, result.Reason)
		}
		if short || c.kripke.Unbounded() != nil {
			c.renew(r.budget)
		}
	}
	return full
}

func memoryShort(b petri.Budget) bool {
	return errors.As(b.Poll(context.Background()), new(*petri.MemoryError))
}

package checker

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"time"

	"pnmc/automata"
	"pnmc/checker/internal/rephrase"
	"pnmc/checker/internal/turns"
	"pnmc/checker/product"
	"pnmc/checker/properties"
	"pnmc/petri"
	"pnmc/petri/reduce"
)

// linearCheck is a question of LTL being checked on a reduced net.
type linearCheck struct {
	question  *question
	property  properties.Property
	net       *petri.Net
	reduction *reduce.Reduction
	support   []bool // places of the original net that the formula looks at
	facts     petri.Facts
	kripke    *petri.Kripke
}

// checkLinear checks the open questions with their automata, in turns.
func checkLinear(ctx context.Context, r *task) error { return r.checkFormulas(ctx, false) }

// checkLinearShuffled does the same, with transitions in random order, and so
// finds other counterexamples first.
func checkLinearShuffled(ctx context.Context, r *task) error { return r.checkFormulas(ctx, true) }

func (r *task) checkFormulas(ctx context.Context, shuffled bool) error {
	checks := make(map[*question]*linearCheck)
	shared := new(linearCheck) // for formulas with X
	seed := r.shared.seed
	var open []*question
	t := r.questionTurns(300*time.Millisecond, 3)
	t.Memory = turns.NewRoom[*question](r.budget.Free, r.shared.kept.drop, r.prospects)
	if shuffled {
		t.Memory.Prospects = nil // of those who can prove something
	}
	t.Open = func() []*question {
		open = r.ledger.openQuestions()
		order := slices.Clone(open)
		if shuffled {
			slices.Reverse(order)
		}
		return order
	}
	t.Try = func(part context.Context, q *question, _ time.Duration) (turns.Outcome, error) {
		c := checks[q]
		if c == nil {
			if c = r.prepare(part, q, shared, open); c == nil && part.Err() != nil {
				return turns.Again, nil
			} else if c == nil {
				return turns.Hopeless, nil
			}
			checks[q] = c
		}
		if shuffled {
			seed++
			c.shuffle(seed, r.budget)
		}
		fresh := c.kripke.Len() <= 1
		full, same := r.check(part, c)
		// In another order, or once others' graphs are gone, there may be room enough.
		if full && (!fresh || shuffled) {
			debug.FreeOSMemory()
		}
		if full && memoryShort(r.budget) {
			r.dropGraphs(checks, shared)
		}
		switch {
		case shuffled:
		case full && fresh:
			return turns.Crowded, nil
		case same && fresh:
			return turns.Hopeless, nil
		case same: // but maybe not on a graph of which less is known
			c.renew(r.budget)
		}
		return turns.Again, nil
	}
	defer func() {
		if shuffled {
			return
		}
		for _, c := range checks {
			r.keepGraph(ctx, c.kripke)
		}
	}()
	return t.Run(ctx)
}

// dropGraphs makes room: the graphs of all checks start again.
func (r *task) dropGraphs(checks map[*question]*linearCheck, shared *linearCheck) {
	if shared.net != nil {
		shared.renew(r.budget)
	}
	for _, c := range checks {
		c.renew(r.budget)
	}
	r.shared.kept.drop()
}

// prepare translates and reduces; nil if that takes too long.
func (r *task) prepare(ctx context.Context, q *question, shared *linearCheck, open []*question) *linearCheck {
	c := &linearCheck{question: q}
	if q.ltl.stutterInvariant(ctx, r.whole) {
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
		r.note("question %d: %v", q.number, err)
		return nil
	}
	return c
}

func (c *linearCheck) reduce(ctx context.Context, r *task, questions []*question, wanted reduce.Preserves) {
	c.support = make([]bool, r.net.Places())
	for _, q := range questions {
		for _, p := range q.ltl.predicates {
			if rephrase.LooksAtDeadlock(p) {
				wanted |= reduce.Deadlock | reduce.Branching
			}
			rephrase.Protect(rephrase.OverPlaces(r.net, p), c.support)
		}
	}
	reduction, err := r.reduceNet(ctx, c.support, wanted)
	if err != nil {
		return
	}
	c.reduction, c.net = reduction, reduction.Net
	r.note("reduced to %d places, %d transitions", c.net.Places(), c.net.Transitions())
	c.facts = r.factsOfReduced(ctx, reduction)
	c.kripke = r.graphOn(reduction, c.facts)
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
// whether that filled the memory: then the graph has started again. What ends by itself and
// decides nothing will be the same again.
func (r *task) check(ctx context.Context, c *linearCheck) (full, same bool) {
	q := c.question
	result, err := product.CheckBy(product.WithinWhole(ctx, r.whole), c.kripke, c.property, product.Settings{Approach: approachOf(c.property), Distrust: true})
	switch {
	case err != nil:
		r.note("question %d: %v", q.number, err)
		same = ctx.Err() == nil
	case result.Verdict == properties.Holds:
		r.ledger.answerNow(q, Truth(true), reducedBy(exploring, c.reduction), Witness{Ground: AllProductStates, Count: result.Statistics.ProductStates})
	case result.Verdict == properties.Violated:
		shown, err := r.confirm(c, result.Counterexample)
		if err != nil {
			r.note("question %d: counterexample not confirmed: %v", q.number, err)
			return false, ctx.Err() == nil
		}
		r.ledger.answerNow(q, Truth(false), reducedBy(exploring, c.reduction), shown)
	default:
		short := result.MemoryFull
		if full = short && ctx.Err() == nil; full {
			r.note("question %d: %s", q.number, result.Reason)
		}
		if c.kripke.Unbounded() != nil {
			r.note("question %d: %v", q.number, c.kripke.Unbounded())
			same = ctx.Err() == nil && !short
		}
		if short || c.kripke.Unbounded() != nil {
			c.renew(r.budget)
		}
	}
	return full, same
}

func memoryShort(b petri.Budget) bool {
	return errors.As(b.Poll(context.Background()), new(*petri.MemoryError))
}

// approachOf is how explicit products are made: with the automaton as it is.
func approachOf(property properties.Property) product.Approach {
	if property.Automaton.Kind != automata.Plain {
		return product.Auto
	}
	return product.ByTGBA
}

package linear

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"pnmc/automata"
	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/lanes"
	"pnmc/checker/internal/ledger"
	"pnmc/checker/internal/rephrase"
	"pnmc/checker/internal/turns"
	"pnmc/checker/product"
	"pnmc/checker/properties"
	"pnmc/petri"
	"pnmc/petri/reduce"
)

// This file checks questions of linear time by their products: of the state graph of a reduced net
// with the automaton of the negated formula. Which net and graph that is depends on the formula.
//
//	the formula             net                                   graph
//	is closed under         reduced for it alone, up to           its own; if that is too large,
//	stuttering              stuttering                            begun again with stubborn sets
//	is not, as with X       reduced for all open questions,       one for all these formulas
//	                        up to bisimulation
//
// Questions take turns in slices of time that grow by a factor of three, and each goes on with its
// graph as far as it is known. When a try filled the memory, its graph starts again; if it had begun
// with nothing, the question waits until more memory is free. If memory is short even then, the
// graphs of all questions are dropped.
//
// If the tries are shuffled, each has the transitions in another order, and every other one of a
// closed formula uses stubborn sets. So each goes another way through the graph, and may meet a
// counterexample early. Such tries go on until the time is over.
//
// Where threads are free, questions are tried beside each other. One of those with X at a time has the graph
// that they share; another that comes meanwhile gets a graph of its own, and keeps to it.

// attempt is a question of LTL being checked on a reduced net.
type attempt struct {
	question  *ledger.Question
	property  properties.Property
	net       *petri.Net
	reduction *reduce.Reduction
	support   []bool // places of the original net that the formula looks at
	facts     petri.Facts
	kripke    *petri.Kripke
	threads   *product.Threads // with the graph that they have explored, or nil
	owner     *attempt         // whose threads are used: of all formulas with X the same
	// closed: stubborn sets may be used, as repetitions of letters change nothing. sparing: they
	// are. stubborn: the graph is made with them, and for this question alone.
	closed, sparing, stubborn bool
	// alike: markings stand for all their images when these components change places (folded.go), unless nil. unfolded: they do
	// not, whatever there is. tries counts those that decided nothing.
	alike    *petri.Components
	unfolded bool
	tries    int
	working  bool // it is being tried, or a question with its graph is; by the mutex of products
}

// products are the checks of a task's open questions, each in slices of time.
type products struct {
	*core.Task
	shuffled  bool
	sharing   sync.Mutex // while shared or folded is made, and guards these
	folded    *attempt   // with a graph by symmetries for all questions, or nil
	foldedAll bool       // it was looked whether there is one
	foldAt    int        // the try in which a question's graph is made by symmetries, if there are any

	mutex  sync.Mutex // guards what follows
	shared *attempt   // for formulas with X
	checks map[*ledger.Question]*attempt
	open   []*ledger.Question // in this round
	seed   uint64
	slice  time.Duration // the first one
}

// newProducts returns checks of which none has begun. If they are shuffled, each try goes another
// way.
func newProducts(r *core.Task, shuffled bool) *products {
	return &products{
		Task: r, shuffled: shuffled, checks: make(map[*ledger.Question]*attempt), shared: new(attempt), seed: r.Shared.Seed,
		slice: 300 * time.Millisecond, foldAt: 2,
	}
}

// Products checks the open questions with their automata, in turns. A graph that is too large
// is begun again with stubborn sets.
func Products(ctx context.Context, r *core.Task) error {
	p := newProducts(r, false)
	defer p.keep()
	return p.check(ctx)
}

// check gives each open question slices of time for its product.
func (p *products) check(ctx context.Context) error {
	r := p.Task
	t := r.QuestionTurns(p.slice, 3)
	t.Beside = r.Beside()
	t.Memory = turns.NewRoom[*ledger.Question](r.Budget.Free, r.Shared.Kept.Drop, r.Prospects)
	if p.shuffled {
		t.Memory.Prospects = nil // of those who can prove something
	}
	t.Open = func() []*ledger.Question {
		open := r.Ledger.OpenQuestions()
		order := slices.Clone(open)
		if p.shuffled {
			slices.Reverse(order)
		}
		p.mutex.Lock()
		defer p.mutex.Unlock()
		p.open = open
		return order
	}
	t.Try = func(part context.Context, q *ledger.Question, slice time.Duration) (turns.Outcome, error) {
		c := p.begin(part, q, slice)
		switch {
		case c == nil && part.Err() != nil:
			return turns.Again, nil
		case c == nil:
			return turns.Hopeless, nil
		}
		defer p.end(c, c.owner)
		if c.tries++; c.tries == p.foldAt && !p.shuffled {
			before := c.owner
			if p.fold(part, c); c.owner != before {
				defer p.end(c, c.owner)
			}
		}
		fresh := c.kripke.Len() <= 1 && !c.owner.threads.Kept()
		full, same := check(part, r, c)
		// In another order, or once others' graphs are gone, there may be room enough.
		if full && (!fresh || p.shuffled) {
			debug.FreeOSMemory()
		}
		if full && memoryShort(r.Budget) {
			p.dropGraphs(c)
		}
		switch {
		case p.shuffled:
		case (full || same) && fresh && c.closed && !c.sparing:
			c.sparing = true
			c.renew(r)
		case full && fresh:
			return turns.Crowded, nil
		case same && fresh:
			return turns.Hopeless, nil
		case same: // but maybe not on a graph of which less is known
			c.renew(r)
		}
		if full {
			return turns.Full, nil
		}
		return turns.Again, nil
	}
	return t.Run(ctx)
}

// begin returns the attempt at a question, for a try. It is nil if it cannot be made, or not in time.
func (p *products) begin(ctx context.Context, q *ledger.Question, slice time.Duration) *attempt {
	p.mutex.Lock()
	p.slice = max(p.slice, slice)
	c := p.checks[q]
	p.mutex.Unlock()
	if c == nil {
		if c = p.prepare(ctx, q); c == nil {
			return nil
		}
	}
	p.mutex.Lock()
	p.checks[q] = c
	p.seed++
	seed := p.seed
	own := p.shuffled || c.owner != c && c.owner.working // a graph is needed
	if !own {
		c.owner.working = true
	}
	c.working = true
	p.mutex.Unlock()
	if p.shuffled {
		c.sparing = c.closed && !c.sparing
		c.shuffle(p.Task, seed)
	}
	if own && c.owner != c {
		c.renew(p.Task)
	}
	return c
}

// end notes that a question is not tried any more, on the graph of owner.
func (p *products) end(c, owner *attempt) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	c.working, owner.working = false, false
}

// keep keeps the graphs for later questions.
func (p *products) keep() {
	for _, c := range p.checks {
		if !c.stubborn && c.alike == nil {
			p.KeepGraph(c.kripke)
		}
	}
}

// dropGraphs makes room: the graphs of all checks start again, that of mine too, but for those that are at
// work.
func (p *products) dropGraphs(mine *attempt) {
	p.mutex.Lock()
	if p.shared.net != nil && (!p.shared.working || mine.owner == p.shared) {
		p.shared.renew(p.Task)
	}
	for _, c := range p.checks {
		if !c.working || c == mine {
			c.renew(p.Task)
		}
	}
	p.mutex.Unlock()
	p.Shared.Kept.Drop()
}

// prepare reduces the net and translates the question; it returns nil if that takes too long, or
// fails.
func (p *products) prepare(ctx context.Context, q *ledger.Question) *attempt {
	r := p.Task
	c := &attempt{question: q}
	c.owner = c
	closed := q.LTL.StutterInvariant(ctx, r.Whole)
	if closed {
		c.reduce(ctx, r, []*ledger.Question{q}, reduce.Stuttering)
	} else {
		p.share(ctx, c)
	}
	if c.reduction == nil {
		return nil
	}
	var err error
	if c.property, err = propertyOf(ctx, r, q.LTL, c.reduction); err != nil {
		r.Note("question %d: %v", q.Number, err)
		return nil
	}
	c.closed = closed && r.Shared.Uses(inquiry.StubbornSets)
	if c.kripke == nil {
		c.kripke = r.GraphOn(c.reduction, c.facts)
	}
	return c
}

// share gives c the net and the graph of all formulas with X.
func (p *products) share(ctx context.Context, c *attempt) {
	lanes.Lock(ctx, &p.sharing)
	defer p.sharing.Unlock()
	p.mutex.Lock()
	shared, open := p.shared, p.open
	p.mutex.Unlock()
	if shared.reduction == nil {
		shared = new(attempt)
		if shared.reduce(ctx, p.Task, open, reduce.Branching); shared.reduction != nil {
			shared.kripke = p.GraphOn(shared.reduction, shared.facts)
		}
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.shared = shared
	c.net, c.reduction, c.facts, c.kripke, c.support = shared.net, shared.reduction, shared.facts, shared.kripke, shared.support
	c.owner = shared
}

// reduce reduces the net as far as the questions allow.
func (c *attempt) reduce(ctx context.Context, r *core.Task, questions []*ledger.Question, wanted reduce.Preserves) {
	c.support = make([]bool, r.Net.Places())
	for _, q := range questions {
		for _, p := range q.LTL.Predicates {
			if rephrase.LooksAtDeadlock(p) {
				wanted |= reduce.Deadlock | reduce.Branching
			}
			rephrase.Protect(rephrase.OverPlaces(r.Net, p), c.support)
		}
	}
	reduction, err := r.ReduceNet(ctx, c.support, wanted)
	if err != nil {
		return
	}
	c.reduction, c.net = reduction, reduction.Net
	r.Note("reduced to %d places, %d transitions", c.net.Places(), c.net.Transitions())
	c.facts = r.FactsOfReduced(ctx, reduction)
}

// renew starts the graph again, to make room.
func (c *attempt) renew(r *core.Task) {
	c.kripke = petri.NewKripkeWithin(r.Whole, c.net, c.facts, r.Budget)
	c.owner, c.threads = c, nil
	if c.alike != nil {
		c.kripke.FoldComponents(c.alike)
		return
	}
	within, release := r.Shared.Within(r.Whole)
	c.stubborn = c.sparing && product.LeaveOut(within, c.kripke, c.property)
	release(context.Cause(within))
}

// shuffle gives the transitions another order and starts the graph again.
func (c *attempt) shuffle(r *core.Task, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 7))
	if n, err := c.reduction.Permuted(rng.Perm(c.reduction.Net.Transitions())); err == nil {
		c.reduction, c.net = n, n.Net
		c.renew(r) // facts are about places: their order is the same
	}
}

// check searches for a counterexample, in the graph as far as it is known. It reports
// whether that filled the memory: then the graph has started again. If a check ends by
// itself and decides nothing, it would do the same again.
func check(ctx context.Context, r *core.Task, c *attempt) (full, same bool) {
	q := c.question
	settings := product.Settings{Approach: approachOf(c.property), Distrust: true, Guided: r.Shared.Uses(inquiry.StubbornSets) && c.alike == nil}
	before := c.kripke.Savings()
	most := product.MostThreads
	if c.stubborn || c.alike != nil {
		most = 1
	}
	n, release := r.Threads(ctx, most)
	defer release()
	if n > 1 {
		// Fewer threads with a graph that they know are better than some more without.
		if known := c.owner.threads; known == nil || known.Count() > n || 2*known.Count() <= n {
			c.owner.threads = product.NewThreads(n, c.facts)
		}
		settings.Threads = c.owner.threads
	}
	result, err := product.CheckBy(product.WithinWhole(ctx, r.Whole), c.kripke, c.property, settings)
	if n := result.Statistics.Threads; n > 0 {
		r.Note("question %d: %d threads explored %d product states", q.Number, n, result.Statistics.ProductStates)
	}
	switch {
	case err != nil:
		r.Note("question %d: %v", q.Number, err)
		same = ctx.Err() == nil
		if same && c.alike != nil {
			same = false
			c.unfold(r)
		}
	case result.Verdict == properties.Holds:
		r.Ledger.AnswerNow(q, inquiry.Truth(true), core.ReducedBy(c.by(before), c.reduction), inquiry.Witness{Ground: inquiry.AllProductStates, Count: result.Statistics.ProductStates})
	case result.Verdict == properties.Violated:
		shown, err := confirm(r, c, result.Counterexample)
		if err != nil {
			if r.Whole.Err() == nil { // else it was only too late
				r.Note("question %d: counterexample not confirmed: %v", q.Number, err)
			}
			return false, ctx.Err() == nil
		}
		r.Ledger.AnswerNow(q, inquiry.Truth(false), core.ReducedBy(c.by(before), c.reduction), shown)
	default:
		short := result.MemoryFull
		if full = short && ctx.Err() == nil; full {
			r.Note("question %d: %s", q.Number, result.Reason)
		}
		if c.kripke.Unbounded() != nil {
			r.Note("question %d: %v", q.Number, c.kripke.Unbounded())
			same = ctx.Err() == nil && !short
		}
		if short || c.kripke.Unbounded() != nil {
			c.renew(r)
		}
	}
	return full, same
}

// leftOut returns what stubborn sets have left out for this question. Its own graph with stubborn sets has all
// that earlier tries left out; a graph that serves others had left out before what it says.
func (c *attempt) leftOut(before petri.Savings) petri.Savings {
	if c.stubborn {
		return c.kripke.Savings()
	}
	return c.kripke.Savings().Since(before)
}

// memoryShort reports whether the memory is spent.
func memoryShort(b petri.Budget) bool {
	return errors.As(b.Poll(context.Background()), new(*petri.MemoryError))
}

// approachOf returns how explicit products are made: with the automaton as it is.
func approachOf(property properties.Property) product.Approach {
	if property.Automaton.Kind != automata.Plain {
		return product.Auto
	}
	return product.ByTGBA
}

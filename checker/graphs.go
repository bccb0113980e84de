package checker

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"pnmc/checker/branching"
	"pnmc/checker/internal/rephrase"
	"pnmc/checker/internal/turns"
	"pnmc/checker/reachability"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/petri"
	"pnmc/petri/reduce"
)

// graphNet is the net reduced so far as its state graph stays bisimilar for the
// open questions, with the graph as far as it is explored.
type graphNet struct {
	reduction *reduce.Reduction
	net       *petri.Net
	placeOf   []int32
	facts     petri.Facts
	kripke    *petri.Kripke
}

// branchingNet reduces for the CTL formulas of the open questions.
func (r *task) branchingNet(ctx context.Context) *graphNet {
	protected := make([]bool, r.net.Places())
	for _, q := range r.ledger.openQuestions() {
		eachPredicate(q.ctl, func(p *logic.Predicate) { rephrase.Protect(rephrase.OverPlaces(r.net, p), protected) })
	}
	return r.graphOf(ctx, protected, reduce.Branching)
}

func (r *task) graphOf(ctx context.Context, protected []bool, wanted reduce.Preserves) *graphNet {
	reduction, err := r.reduceNet(ctx, protected, wanted)
	if err != nil {
		return nil
	}
	g := &graphNet{reduction: reduction, net: reduction.Net, placeOf: reduction.PlaceOf}
	r.note("reduced to %d places, %d transitions", g.net.Places(), g.net.Transitions())
	g.facts = r.factsOfReduced(ctx, reduction)
	g.kripke = r.graphOn(reduction, g.facts)
	return g
}

// renew starts the state graph again, to make room.
func (g *graphNet) renew(budget petri.Budget) {
	g.kripke = petri.NewKripke(g.net, g.facts, budget)
}

func eachPredicate(f *ctl.Formula, visit func(*logic.Predicate)) {
	if f.Operator == ctl.State {
		visit(f.Predicate)
	}
	for _, g := range f.Operands {
		eachPredicate(g, visit)
	}
}

// translate says f in the places of the reduced net.
func (g *graphNet) translate(net *petri.Net, f *ctl.Formula) *ctl.Formula {
	return g.translated(net, f, make(map[*ctl.Formula]*logic.Predicate))
}

// translated does, and notes what the state formulas of the result were.
func (g *graphNet) translated(net *petri.Net, f *ctl.Formula, originals map[*ctl.Formula]*logic.Predicate) *ctl.Formula {
	if f.Operator == ctl.State {
		state := ctl.Of(rephrase.Renamed(rephrase.OverPlaces(net, f.Predicate), g.placeOf).Simplify())
		originals[state] = f.Predicate
		return state
	}
	operands := make([]*ctl.Formula, len(f.Operands))
	for i, o := range f.Operands {
		operands[i] = g.translated(net, o, originals)
	}
	// As f is, not simplified: parts that are merged would have no original.
	return &ctl.Formula{Operator: f.Operator, Operands: operands}
}

// replayOf says f in the places of the reduced net, and how runs of that net, which
// show its truth, are replayed on the original one.
func (g *graphNet) replayOf(r *task, f *ctl.Formula) (*ctl.Formula, *branching.Replay) {
	originals := make(map[*ctl.Formula]*logic.Predicate)
	translated := g.translated(r.net, f, originals)
	return translated, &branching.Replay{Net: r.net, Sequence: g.reduction.Sequence, Predicates: originals}
}

// decide searches on the fly, and replays on the original net what a run can show
// of the result; shown tells it.
func (g *graphNet) decide(ctx context.Context, r *task, f *ctl.Formula, deep bool, seed uint64) (value bool, shown Witness, err error) {
	search := branching.NewSearch(g.kripke, deep, seed)
	translated, replay := g.replayOf(r, f)
	if value, err = search.Decide(ctx, translated); err != nil {
		return false, Witness{}, err
	}
	err = replay.Confirm(search, value)
	if err != nil && !errors.Is(err, branching.ErrLongReplay) {
		return false, Witness{}, fmt.Errorf("not confirmed: %w", err)
	}
	return value, replayed(replay, err), nil
}

// evaluateBranching explores the whole state graph and evaluates all formulas on
// it.
func evaluateBranching(ctx context.Context, r *task) error {
	g := r.branchingNet(ctx)
	if g == nil {
		return context.Cause(ctx)
	}
	graph, err := branching.ExploreGraph(ctx, g.kripke)
	r.note("state graph of %d states: %v", g.kripke.Len(), err)
	if err != nil {
		if !errors.As(err, new(*petri.MemoryError)) {
			r.shared.Lock()
			r.graph = g // what it has is of use to searches
			r.shared.Unlock()
		}
		return err
	}
	defer func() { r.keepGraph(ctx, g.kripke) }()
	for _, q := range r.ledger.openQuestions() {
		if r.ledger.isAnswered(q) {
			continue
		}
		value, err := graph.Decide(ctx, g.translate(r.net, q.ctl))
		if err != nil {
			return fmt.Errorf("question %d: %w", q.number, err)
		}
		searched, shown, err := g.decide(ctx, r, q.ctl, false, r.solver.options.Seed)
		switch {
		case err != nil && errors.Is(err, context.Cause(ctx)):
			shown = Witness{Ground: Branches, Unshown: context.Cause(ctx)}
		case err != nil || searched != value:
			r.note("question %d: %t on the state graph, not confirmed by a search: %t, %v", q.number, value, searched, err)
			continue
		}
		shown.Count = int64(graph.States())
		r.ledger.answerNow(q, Truth(value), reducedBy(exploring, g.reduction), shown)
	}
	return nil
}

// searchBranching decides formulas on the fly, breadth first.
func searchBranching(ctx context.Context, r *task) error {
	r.shared.Lock()
	g := r.graph
	r.graph = nil
	r.shared.Unlock()
	if g == nil {
		g = r.branchingNet(ctx)
	}
	return r.searchFormulas(ctx, g, false, 500*time.Millisecond)
}

// searchBranchingDeep decides formulas on the fly, depth first at random.
func searchBranchingDeep(ctx context.Context, r *task) error {
	return r.searchFormulas(ctx, r.branchingNet(ctx), true, 50*time.Millisecond)
}

// searchFormulas gives each open formula a slice of time, and again longer ones.
func (r *task) searchFormulas(ctx context.Context, g *graphNet, deep bool, slice time.Duration) error {
	if g == nil {
		return context.Cause(ctx)
	}
	defer func() { r.keepGraph(ctx, g.kripke) }()
	seed := r.solver.options.Seed
	t := r.questionTurns(slice, 2)
	t.Memory = turns.NewRoom[*question](r.budget.Free, r.solver.kept.drop, r.prospects)
	if deep {
		t.Memory.Prospects = nil // of those who can prove something
	}
	t.Try = func(part context.Context, q *question, _ time.Duration) (turns.Outcome, error) {
		fresh := g.kripke.Len() <= 1
		seed++
		value, shown, err := g.decide(part, r, q.ctl, deep, seed)
		if err == nil {
			r.ledger.answerNow(q, Truth(value), reducedBy(exploring, g.reduction), shown)
			return turns.Again, nil
		}
		if part.Err() == nil && (!deep || g.kripke.Unbounded() == nil) { // which chance meets again and again
			r.note("question %d: %v", q.number, err)
		}
		full := errors.As(err, new(*petri.MemoryError))
		same := !full && part.Err() == nil && !deep // it ended by itself, and will again
		if full || g.kripke.Unbounded() != nil {
			g.renew(r.budget)
		}
		// Where the graph had states of other searches, or chance leads elsewhere, there
		// is room for another try.
		switch {
		case full && fresh && !deep:
			return turns.Crowded, nil
		case same && fresh:
			return turns.Hopeless, nil
		case same:
			g.renew(r.budget)
		case full:
			debug.FreeOSMemory()
		}
		return turns.Again, nil
	}
	return t.Run(ctx)
}

// questionTurns take turns among the open questions.
func (r *task) questionTurns(first time.Duration, growth float64) *turns.Queue[*question] {
	return &turns.Queue[*question]{First: first, Growth: growth, Open: r.ledger.openQuestions,
		IsOpen: func(q *question) bool { return !r.ledger.isAnswered(q) }}
}

// showDead replays the run after which a transition is dead on the original net,
// and where there are not many markings beyond, looks at all of them. It reports false if
// one of them enables the transition.
func (r *task) showDead(ctx context.Context, g *graphNet, group int, run []petri.Transition) (shown Witness, ok bool) {
	shown = Witness{Ground: DeadTransition, Dead: group}
	original := g.reduction.Run(run, longestReplay)
	if original == nil {
		shown.Unshown = branching.ErrLongReplay
		return shown, true
	}
	looking, cancel := showing(ctx, time.Now())()
	defer cancel()
	confirmed, refuted := reachability.NeverAgain(looking, r.net, original, r.groups.Transitions[group], mostLookedAt)
	shown.Net, shown.Run, shown.Confirmed = r.net, bursts(original), confirmed
	return shown, !refuted
}

// mostLookedAt bounds the markings that are looked at one by one for a replay.
const mostLookedAt = 500

// decideLiveness looks at the terminal components of the state graph.
func decideLiveness(ctx context.Context, r *task) error {
	g := r.graphOf(ctx, make([]bool, r.net.Places()), reduce.Firings)
	if g == nil {
		return context.Cause(ctx)
	}
	defer func() { r.keepGraph(ctx, g.kripke) }()
	result, err := reachability.CheckLiveness(ctx, g.kripke, r.groups.Transitions)
	r.note("state graph of %d states: %v", result.States, err)
	if err != nil || !result.Decided {
		return err
	}
	shown := Witness{Ground: TerminalStates, Count: int64(result.States)}
	if !result.Live {
		shown = Witness{Ground: DeadTransition, Dead: result.Group, Unshown: errNotShown}
		if result.Run != nil {
			var ok bool
			if shown, ok = r.showDead(ctx, g, result.Group, result.Run); !ok {
				return errDeadNotReplayed
			}
		}
	}
	r.ledger.answerAll(Truth(result.Live), reducedBy(exploring, g.reduction), shown)
	return nil
}

// Why an answer comes without a run, or no answer comes.
var (
	errNotShown        = errors.New("no run was found in time")
	errDeadNotReplayed = errors.New("a run after which a transition is dead does not replay")
)

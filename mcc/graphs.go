package mcc

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"pnmc/checker"
	"pnmc/logic"
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
func (r *run) branchingNet(ctx context.Context) *graphNet {
	protected := make([]bool, r.net.Places())
	for _, q := range r.board.openQuestions() {
		eachPredicate(q.ctl, func(p *logic.Predicate) { protectSupport(overPlaces(r.net, p), protected) })
	}
	return r.graphOf(ctx, protected, reduce.Branching)
}

func (r *run) graphOf(ctx context.Context, protected []bool, wanted reduce.Preserves) *graphNet {
	reduction, err := reduce.Apply(ctx, r.net, protected, wanted)
	if err != nil {
		return nil
	}
	g := &graphNet{reduction: reduction, net: reduction.Net, placeOf: reduction.PlaceOf}
	r.note("reduced to %d places, %d transitions", g.net.Places(), g.net.Transitions())
	g.facts = r.factsOfReduced(ctx, reduction)
	g.renew(r.budget)
	return g
}

// renew starts the state graph again, to make room.
func (g *graphNet) renew(budget petri.Budget) {
	g.kripke = petri.NewKripke(g.net, g.facts, budget)
}

func eachPredicate(f *logic.CTL, visit func(*logic.Predicate)) {
	if f.Operator == logic.CTLState {
		visit(f.Predicate)
	}
	for _, g := range f.Operands {
		eachPredicate(g, visit)
	}
}

// translate says f in the places of the reduced net.
func (g *graphNet) translate(net *petri.Net, f *logic.CTL) *logic.CTL {
	return g.translated(net, f, make(map[*logic.CTL]*logic.Predicate))
}

// translated does, and notes what the state formulas of the result were.
func (g *graphNet) translated(net *petri.Net, f *logic.CTL, originals map[*logic.CTL]*logic.Predicate) *logic.CTL {
	if f.Operator == logic.CTLState {
		state := logic.CTLOf(renamed(overPlaces(net, f.Predicate), g.placeOf).Simplify())
		originals[state] = f.Predicate
		return state
	}
	operands := make([]*logic.CTL, len(f.Operands))
	for i, o := range f.Operands {
		operands[i] = g.translated(net, o, originals)
	}
	// As f is, not simplified: parts that are merged would have no original.
	return &logic.CTL{Operator: f.Operator, Operands: operands}
}

// replayOf says f in the places of the reduced net, and how runs of that net, which
// show its truth, are replayed on the original one.
func (g *graphNet) replayOf(r *run, f *logic.CTL) (*logic.CTL, *checker.CTLReplay) {
	originals := make(map[*logic.CTL]*logic.Predicate)
	translated := g.translated(r.net, f, originals)
	return translated, &checker.CTLReplay{Net: r.net, Sequence: g.reduction.Sequence, Predicates: originals}
}

// decide searches on the fly, and replays on the original net what a run can show
// of the result; shown tells it.
func (g *graphNet) decide(ctx context.Context, r *run, f *logic.CTL, deep bool, seed uint64) (value bool, shown string, err error) {
	search := checker.NewCTLSearch(g.kripke, deep, seed)
	translated, replay := g.replayOf(r, f)
	if value, err = search.Decide(ctx, translated); err != nil {
		return false, "", err
	}
	err = replay.Confirm(search, value)
	if err != nil && !errors.Is(err, checker.ErrLongReplay) {
		return false, "", fmt.Errorf("not confirmed: %w", err)
	}
	return value, toldReplay(replay, err), nil
}

func truthWord(value bool) string {
	if value {
		return "TRUE"
	}
	return "FALSE"
}

// evaluateBranching explores the whole state graph and evaluates all formulas on
// it.
func evaluateBranching(ctx context.Context, r *run) {
	g := r.branchingNet(ctx)
	if g == nil {
		return
	}
	graph, err := checker.ExploreCTLGraph(ctx, g.kripke)
	r.note("state graph of %d states: %v", g.kripke.Len(), err)
	if err != nil {
		if !errors.As(err, new(*petri.MemoryError)) {
			r.shared.Lock()
			r.graph = g // what it has is of use to searches
			r.shared.Unlock()
		}
		return
	}
	for _, q := range r.board.openQuestions() {
		if r.board.isAnswered(q) {
			continue
		}
		value, err := graph.Decide(ctx, g.translate(r.net, q.ctl))
		if err != nil {
			r.note("%s: %v", q.id, err)
			return
		}
		searched, shown, err := g.decide(ctx, r, q.ctl, false, r.options.Seed)
		switch {
		case err != nil && errors.Is(err, context.Cause(ctx)):
			shown = notShown(context.Cause(ctx))
		case err != nil || searched != value:
			r.note("%s: %t on the state graph, not confirmed by a search: %t, %v", q.id, value, searched, err)
			continue
		}
		r.board.answerNow(q, truthWord(value), reducedBy(exploring, g.reduction), fmt.Sprintf("on all of %d states; %s", graph.States(), shown))
	}
}

// searchBranching decides formulas on the fly, breadth first.
func searchBranching(ctx context.Context, r *run) {
	r.shared.Lock()
	g := r.graph
	r.graph = nil
	r.shared.Unlock()
	if g == nil {
		g = r.branchingNet(ctx)
	}
	r.searchFormulas(ctx, g, false, 500*time.Millisecond)
}

// searchBranchingDeep decides formulas on the fly, depth first at random.
func searchBranchingDeep(ctx context.Context, r *run) {
	r.searchFormulas(ctx, r.branchingNet(ctx), true, 50*time.Millisecond)
}

// searchFormulas gives each open formula a slice of time, and again longer ones.
func (r *run) searchFormulas(ctx context.Context, g *graphNet, deep bool, slice time.Duration) {
	if g == nil {
		return
	}
	seed := r.options.Seed
	memory := newRoom[*question](r)
	for ctx.Err() == nil {
		open := r.board.openQuestions()
		if len(open) == 0 {
			return
		}
		tried := false
		for _, q := range open {
			if ctx.Err() != nil || q.ctl == nil {
				return
			}
			if r.board.isAnswered(q) || !memory.suffices(q) {
				continue
			}
			tried = true
			fresh, had := g.kripke.Len() <= 1, memory.free()
			part, cancel := context.WithTimeout(ctx, slice)
			seed++
			value, shown, err := g.decide(part, r, q.ctl, deep, seed)
			inTime := part.Err() == nil
			cancel()
			if err == nil {
				r.board.answerNow(q, truthWord(value), reducedBy(exploring, g.reduction), "decided on the fly; "+shown)
				continue
			}
			if inTime {
				r.note("%s: %v", q.id, err)
			}
			full := errors.As(err, new(*petri.MemoryError))
			if full || g.kripke.Unbounded() != nil {
				g.renew(r.budget)
			}
			// Where the graph had states of other searches, or chance leads elsewhere, there
			// is room for another try.
			switch {
			case full && fresh && !deep:
				memory.failed(q, had)
			case full:
				debug.FreeOSMemory()
			}
		}
		if tried {
			slice = min(longestSlice, slice*2)
		} else {
			waitForRoom(ctx)
		}
	}
}

// showDead replays the run after which a transition is dead on the original net,
// and where there are not many markings beyond, looks at all of them.
func (r *run) showDead(g *graphNet, group int, run []petri.Transition) (how string, ok bool) {
	dead := r.names.transitionGroups[group]
	original := g.reduction.Run(run, longestReplay)
	if original == nil {
		return "; " + notShown(checker.ErrLongReplay), true
	}
	confirmed, refuted := checker.NeverAgain(r.net, original, dead, mostLookedAt)
	how = fmt.Sprintf(", after a run of %d steps: %s", len(original), told(r.net, bursts(original)))
	if confirmed {
		how += ", as all markings beyond it show"
	}
	return how, !refuted
}

// mostLookedAt bounds the markings that are looked at one by one for a replay.
const mostLookedAt = 500

// decideLiveness looks at the terminal components of the state graph.
func decideLiveness(ctx context.Context, r *run) {
	g := r.graphOf(ctx, make([]bool, r.net.Places()), reduce.Firings)
	if g == nil {
		return
	}
	groups := r.names.transitionGroups
	result, err := checker.CheckLiveness(ctx, g.kripke, groups)
	r.note("state graph of %d states: %v", result.States, err)
	if err != nil || !result.Decided {
		return
	}
	q := r.board.questions[0]
	how := fmt.Sprintf("terminal components of %d states", result.States)
	if !result.Live {
		how += ", one without " + r.names.transitionName[result.Transition]
		if result.Run != nil {
			shown, ok := r.showDead(g, result.Group, result.Run)
			if !ok {
				r.note("a run after which a transition is dead does not replay")
				return
			}
			how += shown
		}
	}
	r.board.answerNow(q, truthWord(result.Live), reducedBy(exploring, g.reduction), how)
}

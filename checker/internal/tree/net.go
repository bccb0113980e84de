package tree

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"

	"pnmc/checker/branching"
	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/lanes"
	"pnmc/checker/internal/ledger"
	"pnmc/checker/internal/rephrase"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/petri"
	"pnmc/petri/reduce"
)

// byNext splits questions into those that look one step ahead, or at deadlocks, and the
// others, whose nets can be reduced further.
func byNext(questions []*ledger.Question) (looking, others []*ledger.Question) {
	for _, q := range questions {
		if looksAtNext(q.CTL) {
			looking = append(looking, q)
		} else {
			others = append(others, q)
		}
	}
	return looking, others
}

// looksAtNext reports whether f distinguishes markings that stuttering bisimulation does
// not.
func looksAtNext(f *ctl.Formula) bool {
	if branching.HasNext(f) {
		return true
	}
	dead := false
	f.EachPredicate(func(p *logic.Predicate) { dead = dead || rephrase.LooksAtDeadlock(p) })
	return dead
}

// reductionFor reduces the net for formulas of CTL; the error is that of ctx.
func reductionFor(ctx context.Context, r *core.Task, questions ...*ledger.Question) (*reduce.Reduction, error) {
	protected := make([]bool, r.Net.Places())
	wanted := reduce.BranchingStuttering
	for _, q := range questions {
		if looksAtNext(q.CTL) {
			wanted = reduce.Branching
		}
		q.CTL.EachPredicate(func(p *logic.Predicate) { rephrase.Protect(rephrase.OverPlaces(r.Net, p), protected) })
	}
	return r.ReduceNet(ctx, protected, wanted)
}

// netFor returns the net reduced for formulas of CTL, with its state graph as far as others
// explored it; nil if ctx ends first.
func netFor(ctx context.Context, r *core.Task, questions ...*ledger.Question) *core.Graph {
	reduction, err := reductionFor(ctx, r, questions...)
	if err != nil {
		return nil
	}
	return r.GraphOfReduced(ctx, reduction)
}

// reducedFurther returns the net for questions that do not look at next steps, if isWorth says that it
// is so much smaller than the one for all open questions. Otherwise they share one state graph with
// the others. It is nil then, or if ctx ends first.
func reducedFurther(ctx context.Context, r *core.Task, all *core.Graph, questions []*ledger.Question, isWorth func(own, common *petri.Net) bool) *core.Graph {
	if len(questions) == 0 {
		return nil
	}
	reduction, err := reductionFor(ctx, r, questions...)
	if err != nil || !isWorth(reduction.Net, all.Net) {
		return nil
	}
	return r.GraphOfReduced(ctx, reduction)
}

// nets are the nets on which formulas are decided. One is reduced for all formulas. Where it
// is much smaller, there is another for all that do not look at next steps, and one for each
// of these.
//
// A question is tried on a state graph of its net that no other is tried on. Where questions on one
// net are tried beside each other there are several. Each is as far explored as the questions needed it
// that were tried on it, and more than one is made only then.
type nets struct {
	*core.Task
	mutex          sync.Mutex // guards what follows
	common, others *core.Graph
	own            map[*ledger.Question]*core.Graph
	all            []*core.Graph                 // each once, in the order in which they were made
	idle           map[*core.Graph][]*core.Graph // those of a net on which none is tried, by the first one
}

// newNets returns the nets of a task, none of which is made yet.
func newNets(r *core.Task) *nets {
	return &nets{Task: r, own: make(map[*ledger.Question]*core.Graph), idle: make(map[*core.Graph][]*core.Graph)}
}

// of returns the net for a question; nil if ctx ends first. The graph is for take.
func (n *nets) of(ctx context.Context, q *ledger.Question) *core.Graph {
	if !n.prepare(ctx) {
		return nil
	}
	if looksAtNext(q.CTL) {
		return n.common
	}
	n.mutex.Lock()
	own := n.own[q]
	n.mutex.Unlock()
	if own != nil {
		return own
	}
	next := cmp.Or(n.others, n.common)
	own = reducedFurther(ctx, n.Task, next, []*ledger.Question{q}, muchSmaller)
	if ctx.Err() != nil {
		return nil
	}
	n.mutex.Lock()
	defer n.mutex.Unlock()
	n.add(own)
	n.own[q] = cmp.Or(own, next)
	return n.own[q]
}

// prepare makes the nets for several questions, once. It reports false if ctx ends first, or if there is
// no question.
func (n *nets) prepare(ctx context.Context) bool {
	lanes.Lock(ctx, &n.mutex)
	defer n.mutex.Unlock()
	if n.common != nil {
		return true
	}
	open := n.Ledger.OpenQuestions()
	if len(open) == 0 {
		return false
	}
	common := netFor(ctx, n.Task, open...)
	if common == nil {
		return false
	}
	_, others := byNext(open)
	if n.others = reducedFurther(ctx, n.Task, common, others, muchSmaller); ctx.Err() != nil {
		return false
	}
	n.add(common, n.others)
	n.common = common
	return true
}

// take returns the net of g with a state graph on which no other question is tried, until it is given
// back: the one that was given back last, or another one.
func (n *nets) take(g *core.Graph) *core.Graph {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	if idle := n.idle[g]; len(idle) > 0 {
		n.idle[g] = idle[:len(idle)-1]
		return idle[len(idle)-1]
	}
	other := g.Another(n.Whole, n.Budget)
	n.all = append(n.all, other)
	return other
}

// giveBack gives a state graph back that was taken as one of g.
func (n *nets) giveBack(g, taken *core.Graph) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	n.idle[g] = append(n.idle[g], taken)
}

// muchSmaller reports whether it is worth to explore a net instead of another that is
// explored for others, too.
func muchSmaller(own, common *petri.Net) bool {
	return 10*(own.Places()+own.Transitions()) < 9*(common.Places()+common.Transitions())
}

// halfAsLarge reports whether a net has less than half of the nodes of another.
func halfAsLarge(own, common *petri.Net) bool {
	return 2*(own.Places()+own.Transitions()) < common.Places()+common.Transitions()
}

// add notes nets that were made, with the mutex held; nil is none.
func (n *nets) add(made ...*core.Graph) {
	for _, g := range made {
		if g != nil {
			n.all = append(n.all, g)
			n.idle[g] = append(n.idle[g], g)
		}
	}
}

// renew starts all state graphs again that were not taken, to make room, if questions have nets of
// their own.
func (n *nets) renew() {
	n.mutex.Lock()
	if len(n.own) == 0 {
		n.mutex.Unlock()
		return
	}
	for _, graphs := range n.idle {
		for _, g := range graphs {
			g.Renew(n.Whole, n.Budget)
		}
	}
	n.mutex.Unlock()
	n.Shared.Kept.Drop()
}

// translate says f in the places of the reduced net.
func translate(g *core.Graph, net *petri.Net, f *ctl.Formula) *ctl.Formula {
	return translated(g, net, f, make(map[*ctl.Formula]*logic.Predicate))
}

// translated does, and notes what the state formulas of the result were.
func translated(g *core.Graph, net *petri.Net, f *ctl.Formula, originals map[*ctl.Formula]*logic.Predicate) *ctl.Formula {
	if f.Operator == ctl.State {
		state := ctl.Of(rephrase.Renamed(rephrase.OverPlaces(net, f.Predicate), g.PlaceOf).Simplify())
		originals[state] = f.Predicate
		return state
	}
	operands := make([]*ctl.Formula, len(f.Operands))
	for i, o := range f.Operands {
		operands[i] = translated(g, net, o, originals)
	}
	// As f is, not simplified: parts that are merged would have no original.
	return &ctl.Formula{Operator: f.Operator, Operands: operands}
}

// replayOf says f in the places of the reduced net, and how runs of that net, which
// show its truth, are replayed on the original one.
func replayOf(r *core.Task, g *core.Graph, f *ctl.Formula) (*ctl.Formula, *branching.Replay) {
	originals := make(map[*ctl.Formula]*logic.Predicate)
	translated := translated(g, r.Net, f, originals)
	return translated, &branching.Replay{Net: r.Net, Sequence: g.Reduction.SequenceWithin, Initially: g.Reduction.PrefixWithin, Predicates: originals}
}

// decide searches on the fly, and replays on the original net what a run can show of
// the result. It returns what was replayed as shown.
func decide(ctx context.Context, r *core.Task, g *core.Graph, f *ctl.Formula, deep bool, seed uint64) (value bool, shown inquiry.Witness, err error) {
	search := branching.NewSearch(g.Kripke, deep, seed)
	defer func() {
		if search.FollowsGrowth() {
			g.Renew(r.Whole, r.Budget)
		}
	}()
	return confirmed(ctx, r, g, f, search)
}

// confirmed searches, and replays what a run can show.
func confirmed(ctx context.Context, r *core.Task, g *core.Graph, f *ctl.Formula, search *branching.Search) (value bool, shown inquiry.Witness, err error) {
	translated, replay := replayOf(r, g, f)
	if value, err = search.Decide(ctx, translated); err != nil {
		return false, inquiry.Witness{}, err
	}
	err = replay.Confirm(search, value)
	if err != nil && !errors.Is(err, branching.ErrLongReplay) {
		return false, inquiry.Witness{}, fmt.Errorf("not confirmed: %w", err)
	}
	return value, replayed(replay, err), nil
}

// replayed returns what a replay of a formula of CTL showed: err, unless nil, is why not all.
func replayed(replay *branching.Replay, err error) inquiry.Witness {
	shown := inquiry.Witness{Ground: inquiry.Branches, Branches: replay.Runs, Unshown: err}
	if len(replay.Runs) > 0 {
		shown.Net = replay.Net
	}
	return shown
}

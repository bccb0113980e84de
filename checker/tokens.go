package checker

import (
	"context"
	"math"
	"sync"
	"time"

	"pnmc/checker/internal/lanes"
	"pnmc/checker/reachability"
	"pnmc/checker/stateequation"
	"pnmc/checker/witness"
	"pnmc/internal/account"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/invariant"
)

// Two of the four values of StateSpace, the most tokens in a marking and in a
// place, need no state space: where a run reaches what is proven to be the most,
// the value is known. So nets whose markings are too many to count still end with
// these two.

// An extreme is what is known of one of them: low is reached, high is proven.
type extreme struct {
	size          Size
	low, high     int64
	lowBy, highBy Techniques
	given         bool
}

// tokens is what is known of the most tokens in a marking and in each place.
// Several lanes report to it.
type tokens struct {
	answers *answers
	always  Techniques // that every answer rests on
	asked   [4][]int   // the questions for each Size

	mutex      sync.Mutex
	perMarking extreme
	inPlace    extreme
	// placeHigh are proven bounds of the places; inPlace.high is the largest.
	placeHigh []int64
}

// unbounded as a bound says that none is known. It settles nothing, not even where
// as many tokens are reached.
const unbounded = math.MaxInt64

// newTokens knows the initial marking, and no bound.
func newTokens(net *petri.Net, a *answers, always Techniques) *tokens {
	t := &tokens{
		answers:    a,
		always:     always,
		perMarking: extreme{size: TokensPerMarking, high: unbounded},
		inPlace:    extreme{size: TokensInPlace, high: unbounded},
		placeHigh:  make([]int64, net.Places()),
	}
	for p := range t.placeHigh {
		t.placeHigh[p] = unbounded
	}
	return t
}

// ask adds a question, before any engine works.
func (t *tokens) ask(number int, size Size) { t.asked[size] = append(t.asked[size], number) }

// give answers the questions for a size.
func (t *tokens) give(size Size, value Value, techniques Techniques, shown Witness) {
	for _, number := range t.asked[size] {
		t.answers.give(Answer{Question: number, Value: value, Witness: shown, By: techniques | t.always})
	}
}

// reach reports a reachable marking. Totals beyond 64 bits are left out.
func (t *tokens) reach(m petri.Marking, techniques Techniques) {
	var total, most int64
	for _, n := range m {
		most = max(most, n)
		if total += n; total < 0 || n < 0 {
			return
		}
	}
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.perMarking.raise(total, techniques)
	t.inPlace.raise(most, techniques)
	t.tell()
}

func (e *extreme) raise(value int64, techniques Techniques) {
	if value > e.low {
		e.low, e.lowBy = value, techniques
	}
}

// limitPlaces reports proven bounds of places, some of which may be unbounded.
func (t *tokens) limitPlaces(bounds []int64, techniques Techniques) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	highest := int64(0)
	for p, b := range bounds {
		t.placeHigh[p] = min(t.placeHigh[p], b)
		highest = max(highest, t.placeHigh[p])
	}
	t.inPlace.limit(highest, techniques)
	t.tell()
}

// limitMarking reports a proven bound of the tokens in a marking.
func (t *tokens) limitMarking(bound int64, techniques Techniques) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.perMarking.limit(bound, techniques)
	t.tell()
}

func (e *extreme) limit(value int64, techniques Techniques) {
	if value < e.high {
		e.high, e.highBy = value, techniques
	}
}

// tell answers for each measure of which all is known.
func (t *tokens) tell() {
	for _, e := range []*extreme{&t.perMarking, &t.inPlace} {
		if e.low == e.high && e.high != unbounded && !e.given {
			e.given = true
			t.give(e.size, Number(e.low), e.lowBy|e.highBy, Witness{Ground: ReachedMarking})
		}
	}
}

// above lists the places that may hold more tokens than any place is known to, and
// tells whether a marking may.
func (t *tokens) above() (places []petri.Place, marking bool) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	for p, high := range t.placeHigh {
		if high > t.inPlace.low || high == unbounded {
			places = append(places, petri.Place(p))
		}
	}
	return places, t.perMarking.high > t.perMarking.low || t.perMarking.high == unbounded
}

// allTokens is the number of tokens in a marking.
func allTokens(net *petri.Net) logic.Sum {
	var all logic.Sum
	for p := range uint32(net.Places()) {
		all.Terms = append(all.Terms, logic.Term{Place: p, Coefficient: 1})
	}
	return all
}

// boundTokens proves bounds of the places and of the whole marking, by place
// invariants and then by the state equation.
func boundTokens(ctx context.Context, r *task) error {
	within, stop := account.Within(ctx, r.budget)
	defer stop(nil)
	semiflows := append(unitInvariants(r.net), invariant.Prove(within, r.net, factsWork/4).Semiflows...)
	bounds := invariant.Bounds(r.net, semiflows)
	for p, b := range bounds {
		if b == petri.Unbounded {
			bounds[p] = unbounded
		}
	}
	r.tokens.limitPlaces(bounds, Topological)
	equation := stateequation.New(r.net)
	if equation == nil {
		return nil
	}
	places, marking := r.tokens.above()
	if marking {
		part, cancel := halfOf(ctx)
		if bound, ok := equation.UpperBound(part, allTokens(r.net)); ok {
			r.tokens.limitMarking(bound, LinearProgram)
		}
		cancel()
	}
	for _, p := range places {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		sum := logic.Sum{Terms: []logic.Term{{Place: uint32(p), Coefficient: 1}}}
		bound, ok := equation.UpperBound(ctx, sum)
		if !ok {
			return nil // one place without a bound leaves all of them without one
		}
		bounds[p] = min(bounds[p], bound)
	}
	r.tokens.limitPlaces(bounds, LinearProgram)
	return nil
}

// halfOf is ctx with half of the time that is left.
func halfOf(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return ctx, func() {}
	}
	return lanes.Sliced(ctx, time.Until(deadline)/2)
}

// walkTokens walks for markings with many tokens, and for a part of the walk that
// can be repeated for ever and adds tokens each time: the net is unbounded.
func walkTokens(ctx context.Context, r *task) error {
	places, marking := r.tokens.above()
	if len(places) == 0 && !marking {
		return nil
	}
	all := allTokens(r.net)
	goals := []reachability.Goal{{Maximum: &all}}
	for _, p := range places[:min(len(places), mostPlaceGoals)] {
		sum := logic.Sum{Terms: []logic.Term{{Place: uint32(p), Coefficient: 1}}}
		goals = append(goals, reachability.Goal{Maximum: &sum})
	}
	w := reachability.NewWalk(r.net, goals, r.solver.options.Seed)
	w.Found = func(goal int, _ int64, run []witness.Burst) bool {
		if m, err := witness.ReplayRun(r.net, run); err == nil {
			r.tokens.reach(m, RandomWalk)
		}
		return r.tokens.done(goal == 0)
	}
	w.Wanted = func(goal int) bool { return !r.tokens.done(goal == 0) }
	w.Pumped = func(_ int, run, loop []witness.Burst) bool {
		if !witness.ConfirmsPump(r.net, run, loop, &all) {
			return false
		}
		r.giveInfinite(RandomWalk, Witness{Ground: Pump, Net: r.net, Run: run, Cycle: loop})
		return true
	}
	w.Run(ctx)
	return context.Cause(ctx)
}

// mostPlaceGoals bounds the places that a walk tries to fill, each on its own.
const mostPlaceGoals = 200

// done reports whether the value for markings, or for places, is known.
func (t *tokens) done(marking bool) bool {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if marking {
		return t.perMarking.given
	}
	return t.inPlace.given
}

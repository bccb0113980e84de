package symmetric

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"pnmc/internal/account"
)

// Walk is a random run of a coloured net that is not unfolded. It serves nets whose unfolding is
// too large. Bindings are found when they are needed, by the plans that unfolding uses too, over
// the tokens that are there (plan.go). The indexes over tokens are kept up to date as tokens come
// and go. So a step costs what its binding needs, whatever the size of the classes.
//
// To find a binding at random, the search begins at a random place of each list of candidates and
// goes around. Bindings are not equally likely so, but each can come out.
type Walk struct {
	// Work counts steps of binding and tokens moved, of all that was asked so far. One step
	// of the walk may take anything from a few to hundreds of thousands.
	Work int64

	net      *Net
	random   *rand.Rand
	limit    int // steps of binding in the search for one
	work     int
	marking  []map[int64]int64 // for each place: the count of each colour that is there
	sums     []int64           // for each place: the tokens of all colours
	indexes  indexes
	all      []*index  // for each place: the one that lists all its colours
	plans    [][]*plan // for each transition: one from each atom, or one from none
	runners  []*runner
	order    []int // transitions, shuffled
	found    []int64
	moved    []token
	colours  []int64
	wanted   map[fact]int64
	enabling int            // the transition whose binding is looked for
	changes  map[fact]int64 // how counts differ from the remembered marking; nil if there is none
	limits   account.Meter
	err      error
}

// Firing is a transition of a coloured net with colours for its variables.
type Firing struct {
	Transition int
	Binding    []int64
}

// The reasons why a walk cannot go on.
var (
	// ErrDeadlock says that no binding of any transition is enabled.
	ErrDeadlock = errors.New("deadlock")
	// ErrSearchLimit says that no enabled binding was found within the limit.
	ErrSearchLimit = errors.New("search for a binding given up")
)

// walkTokens bounds the colours that a multiset has in a walk.
const walkTokens = 1 << 22

// Walk starts a walk in the initial marking. In the search for an enabled
// binding of a transition at most limit steps are taken. The error reports an initial
// marking that is negative or too large to be held, also by the memory that ctx gives,
// or is that of ctx. If ctx ends later, a search ends with its error.
func (n *Net) Walk(ctx context.Context, random *rand.Rand, limit int) (*Walk, error) {
	w := &Walk{
		net: n, random: random, limit: limit,
		marking: make([]map[int64]int64, len(n.Places)),
		sums:    make([]int64, len(n.Places)),
		indexes: make(indexes, len(n.Places)),
		wanted:  make(map[fact]int64),
		limits:  account.Meter{Account: account.Of(ctx)},
	}
	widest := 0
	for _, p := range n.Places {
		widest = max(widest, len(p.Domain))
	}
	w.colours = make([]int64, widest)
	for p := range n.Places {
		w.all = append(w.all, w.indexes.register(n, p, nil, true))
	}
	for i := range n.Transitions {
		t := &n.Transitions[i]
		plans, err := w.plansOf(t)
		if err != nil {
			return nil, err
		}
		if err := w.limits.Reserve(8 * (len(t.Variables) + widest)); err != nil {
			return nil, err
		}
		w.plans = append(w.plans, plans)
		w.runners = append(w.runners, &runner{
			transition: t, net: n,
			binding: make([]int64, len(t.Variables)), colours: make([]int64, widest),
			found:   w.take,
			visited: w.visited, looked: w.compared,
			offset: random.Int64N,
			repeat: true,
		})
		w.order = append(w.order, i)
	}
	if err := w.initialRoom(ctx); err != nil {
		return nil, err
	}
	for p := range n.Places {
		place := &n.Places[p]
		w.marking[p] = make(map[int64]int64)
		tokens, ok := place.Initial.eval(place.Domain, nil, nil, walkTokens)
		if !ok {
			return nil, fmt.Errorf("%w: the initial marking of %q", ErrTooLarge, place.ID)
		}
		for i, t := range tokens {
			if i%unlooked == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if t.count < 0 || !w.put(p, t.tuple, t.count) {
				return nil, fmt.Errorf("the initial marking of %q has a negative number of tokens or more than 2^63-1", place.ID)
			}
		}
	}
	return w, nil
}

// planWork is about what planning takes for each term or index that it looks at, in nanoseconds, and
// stepWork what a step of binding does. comparisonsPerStep of a guard take as long as a step.
const (
	planWork           = 60
	stepWork           = 60
	comparisonsPerStep = 8
)

// plansOf makes the plans of a transition, within the limits of the walk.
func (w *Walk) plansOf(t *Transition) ([]*plan, error) {
	limits := planLimits{
		look: func(work int) bool { return w.limits.Asked(work * planWork) },
		reserve: func(bytes int) bool {
			if w.limits.End == nil {
				w.limits.End = w.limits.Reserve(bytes)
			}
			return w.limits.End == nil
		},
	}
	planner := newPlanner(w.net, t, nil, limits, func(place int, positions []int) *index {
		limits.look(len(w.indexes[place]))
		return w.indexes.register(w.net, place, positions, true)
	})
	if planner == nil {
		return nil, w.limits.End
	}
	triggers := planner.atoms
	if len(triggers) == 0 {
		triggers = []*atom{nil}
	}
	var plans []*plan
	for _, a := range triggers {
		plans = append(plans, planner.plan(a, true))
		if !w.limits.Asked(planWork) {
			return nil, w.limits.End
		}
	}
	return plans, nil
}

// visited counts a step of binding. It reports false if there were enough, or the context has ended.
func (w *Walk) visited() bool {
	w.work++
	w.Work++
	return w.goesOn(stepWork) && w.work <= w.limit
}

// compared counts comparisons of guards. It reports false if the context has ended.
func (w *Walk) compared(comparisons int) bool {
	steps := comparisons / comparisonsPerStep
	w.Work += int64(steps)
	return w.goesOn(steps * stepWork)
}

// goesOn charges work, and reports whether the context goes on. If not, that is the error of the walk.
func (w *Walk) goesOn(work int) bool {
	if !w.limits.Asked(work) && w.err == nil {
		w.err = w.limits.End
	}
	return w.limits.End == nil
}

// markedBytes is about what a coloured token of a marking takes, and indexedBytes what it
// takes in an index from which it can be removed.
const (
	markedBytes  = 100
	indexedBytes = 140
)

// initialRoom asks the budget of ctx for the initial marking, and for its entries in the indexes.
func (w *Walk) initialRoom(ctx context.Context) error {
	all := 0
	for p := range w.net.Places {
		place := &w.net.Places[p]
		all += place.Initial.MostTokens(place.Domain, walkTokens) * (markedBytes + len(w.indexes[p])*indexedBytes)
	}
	return account.Of(ctx).Reserve(all)
}

// Sums returns the numbers of tokens on all places, of all colours together. They change
// as the walk goes on.
func (w *Walk) Sums() []int64 { return w.sums }

// put adds tokens to a place, or takes them off where count is negative, which
// must not be more than there are. It reports false, and does nothing, if the
// place would hold more than 2^63-1.
func (w *Walk) put(place int, tuple, count int64) bool {
	if count > 0 && w.sums[place] > math.MaxInt64-count {
		return false
	}
	w.Work++
	if w.changes != nil {
		w.change(place, tuple, count)
	}
	before := w.marking[place][tuple]
	w.sums[place] += count
	colours := w.colours[:len(w.net.Places[place].Domain)]
	switch after := before + count; {
	case after == 0:
		delete(w.marking[place], tuple)
		w.net.Places[place].Domain.Split(tuple, colours)
		for _, x := range w.indexes[place] {
			x.remove(tuple, colours)
		}
	default:
		w.marking[place][tuple] = after
		if before > 0 {
			break
		}
		w.net.Places[place].Domain.Split(tuple, colours)
		for _, x := range w.indexes[place] {
			x.add(tuple, colours)
		}
	}
	return true
}

// Enabled looks for an enabled binding of a transition. If it finds none, certain
// reports whether there is none. If certain is false, the search was given up.
func (w *Walk) Enabled(transition int) (enabled, certain bool) {
	w.found, w.work, w.enabling = nil, 0, transition
	if !w.net.Transitions[transition].allows(w.sums) {
		return false, true
	}
	w.search(w.runners[transition], w.plans[transition])
	return w.found != nil, w.found != nil || w.work <= w.limit && w.err == nil
}

// search runs the plan whose trigger is on the place with the fewest colours, from each of these
// colours until take accepts a binding.
func (w *Walk) search(r *runner, plans []*plan) {
	best := plans[0]
	if best.trigger == nil {
		r.start(best, 0)
		return
	}
	for _, p := range plans[1:] {
		if len(w.marking[p.trigger.place]) < len(w.marking[best.trigger.place]) {
			best = p
		}
	}
	list := w.all[best.trigger.place].tuples[0]
	next := int(r.begin(int64(len(list))))
	for range list {
		if next++; next >= len(list) {
			next = 0
		}
		if !r.visited() || !r.start(best, list[next]) {
			return
		}
	}
}

// take accepts a binding if all tokens are there. It reports whether the search goes
// on.
func (w *Walk) take(binding []int64) bool {
	t := &w.net.Transitions[w.enabling]
	if !w.covers(t, binding) {
		return w.err == nil
	}
	w.found = append(make([]int64, 0, len(binding)+1), binding...)
	return false
}

// covers reports whether the marking has the tokens of all arcs together.
func (w *Walk) covers(t *Transition, binding []int64) bool {
	clear(w.wanted)
	for _, a := range t.Pre {
		tokens, ok := w.tokens(t, a, binding)
		if !ok {
			return false
		}
		for _, token := range tokens {
			f := fact{a.Place, token.tuple}
			w.wanted[f] += token.count
			if w.wanted[f] < 0 || w.wanted[f] > w.marking[a.Place][token.tuple] {
				return false
			}
		}
	}
	return true
}

// tokens returns those that an arc moves, good until the next call; it reports
// false, and sets w.err, if they are negative or too many.
func (w *Walk) tokens(t *Transition, a Arc, binding []int64) ([]token, bool) {
	place := &w.net.Places[a.Place]
	tokens, ok := a.Expression.eval(place.Domain, binding, w.moved[:0], walkTokens)
	for _, token := range tokens {
		ok = ok && token.count > 0
	}
	if !ok {
		w.err = fmt.Errorf("the arc between %q and %q[%s] moves a negative number of tokens or too many",
			place.ID, t.ID, t.Binding(binding))
		return nil, false
	}
	w.moved = tokens
	return tokens, true
}

// Step fires a random transition with a random binding, though not all are equally
// likely. The error is ErrDeadlock, ErrSearchLimit, or reports an arc that produces a
// negative number of tokens or too many.
func (w *Walk) Step() (Firing, error) {
	w.random.Shuffle(len(w.order), func(i, j int) { w.order[i], w.order[j] = w.order[j], w.order[i] })
	return w.StepBy(w.order)
}

// StepBy fires the first transition in order for which it finds an enabled
// binding, with a random one. Errors are those of Step.
func (w *Walk) StepBy(order []int) (Firing, error) {
	reason := ErrDeadlock
	if len(order) < len(w.net.Transitions) {
		reason = ErrSearchLimit
	}
	for _, i := range order {
		enabled, certain := w.Enabled(i)
		if enabled {
			return Firing{i, w.found}, w.fire(i, w.found)
		}
		if w.err != nil {
			return Firing{}, w.err
		}
		if !certain {
			reason = ErrSearchLimit
		}
	}
	return Firing{}, reason
}

// fire moves the tokens of a binding that is enabled.
func (w *Walk) fire(transition int, binding []int64) error {
	t := &w.net.Transitions[transition]
	for _, a := range t.Pre {
		tokens, _ := w.tokens(t, a, binding)
		for _, token := range tokens {
			w.put(a.Place, token.tuple, -token.count)
		}
	}
	for _, a := range t.Post {
		tokens, _ := w.tokens(t, a, binding)
		for _, token := range tokens {
			if !w.put(a.Place, token.tuple, token.count) {
				w.err = fmt.Errorf("place %q gets more than 2^63-1 tokens", w.net.Places[a.Place].ID)
			}
		}
	}
	return w.err
}

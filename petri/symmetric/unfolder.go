package symmetric

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"unsafe"

	"pnmc/internal/account"
)

// The problem. A coloured net of a few lines may stand for 10^12 bindings, most of which can never
// fire. An unfolding must find the others, and end soon where these are too many, too.
//
// The idea. Bindings are derived like facts of a logic program by semi-naive evaluation (Bancilhon,
// Ramakrishnan, "An amateur's introduction to recursive query processing strategies", 1986). A fact
// is a colour that a place may hold. Each term of an input arc is a trigger: a new fact of its
// place runs a plan (plan.go), which looks for the other tokens of a binding. A binding found adds
// the facts that it produces (unfold.go). At the end the bindings become a net (build.go).
//
// For example, t takes x from p and y from q under the guard x = y, and gives x to r. It has two
// triggers. The initial fact p(1) finds nothing yet. Then q(1) runs the plan of the second arc: y is
// 1, the guard makes x 1, and p(1) is there. The binding (1, 1) is found, and r(1) is queued. Other
// bindings of t are never looked at.
//
// Why it is right. By induction over runs, each token of a reachable marking is a fact: the first
// binding that makes it takes facts, and is found when the last of these comes. Conversely too many
// facts do no harm, as their transitions are never enabled. What a join cannot check is checked when
// a binding is complete: arcs with All or a difference (bulk), where a binding waits for the first
// token that it lacks (waiting). A transition that no arc can trigger runs once, at first (initials).
//
// What it costs. Time follows the steps of joins, and memory follows facts and bindings. All are
// bounded: grow counts nodes and arcs, visited counts steps, look asks the context, and reserve asks
// the budget. The first to refuse sets err, and all loops end.

// fact is a coloured token that some reachable marking may hold.
type fact struct {
	place int
	tuple int64
}

// suspended is a binding that is complete but for a token that an arc with All
// needs.
type suspended struct {
	transition int
	binding    []int64
}

// unfolder is an unfolding under way. Its methods report false once err is set, and whoever calls
// them ends then.
type unfolder struct {
	ctx           context.Context
	account       *account.Account // of the budget that ctx carries
	net           *Net
	options       Options
	initial       [][]token
	facts         []*colourSet // for each place: the tuples it may hold
	queue         []fact       // facts in the order found
	indexes       indexes
	runners       []*runner
	triggers      [][]trigger // for each place: what a new token there may complete
	initials      []*plan     // for each transition without a trigger; else nil
	bulk          [][]int     // for each transition: input arcs to check in full
	waiting       map[fact][]suspended
	bindings      [][]int64 // for each transition: all its bindings, one after the other
	count         []int     // for each transition: how many
	nodes         int
	arcs          int
	work          int
	sinceLook     int
	tokens        []token    // scratch
	before, after []token    // scratch
	moves         [][]move   // for each transition: what it does to places
	divisions     *divisions // nil if no colours are merged
	inhibition    inhibition
	err           error
}

// move is what a transition does to one place: the tokens of some arcs go, and
// those of others come.
type move struct {
	place     int
	pre, post []*Arc
	// idle says that the same tokens go and come, whatever the binding.
	idle bool
}

// movesOf lists the places that t touches, in the order of arcs. at has a zero for each place of the
// net, and is left so. It takes time linear in the arcs.
func movesOf(t *Transition, at []int32) []move {
	var list []move
	find := func(place int) *move {
		if at[place] == 0 {
			list = append(list, move{place: place})
			at[place] = int32(len(list))
		}
		return &list[at[place]-1]
	}
	for k := range t.Pre {
		m := find(t.Pre[k].Place)
		m.pre = append(m.pre, &t.Pre[k])
	}
	for k := range t.Post {
		m := find(t.Post[k].Place)
		m.post = append(m.post, &t.Post[k])
	}
	for k := range list {
		m := &list[k]
		at[m.place] = 0
		if len(m.pre) == 1 && len(m.post) == 1 {
			m.idle = slices.EqualFunc(m.pre[0].Expression, m.post[0].Expression, func(a, b Monomial) bool {
				return a.Coefficient == b.Coefficient && slices.Equal(a.Terms, b.Terms)
			})
		}
	}
	return list
}

// trigger is a plan to run when its place gets a new token.
type trigger struct {
	transition int
	plan       *plan
}

// newUnfolder makes all plans; its err is set where the context ended before.
func newUnfolder(ctx context.Context, net *Net, options Options) *unfolder {
	if options.MaxNodes <= 0 {
		options.MaxNodes = DefaultMaxNodes
	}
	if options.MaxArcs <= 0 {
		options.MaxArcs = 10 * options.MaxNodes
	}
	u := &unfolder{
		ctx: ctx, account: account.Of(ctx), net: net, options: options,
		initial:  make([][]token, len(net.Places)),
		facts:    make([]*colourSet, len(net.Places)),
		indexes:  make(indexes, len(net.Places)),
		triggers: make([][]trigger, len(net.Places)),
		runners:  make([]*runner, len(net.Transitions)),
		initials: make([]*plan, len(net.Transitions)),
		bulk:     make([][]int, len(net.Transitions)),
		bindings: make([][]int64, len(net.Transitions)),
		count:    make([]int, len(net.Transitions)),
		waiting:  make(map[fact][]suspended),
	}
	for p := range u.facts {
		u.facts[p] = newColourSet(net.Places[p].Domain.Size())
	}
	if options.Merge && !options.KeepAll {
		if u.divisions = divide(net, u.look, u.reserve); u.err != nil {
			return u
		}
	}
	u.moves = make([][]move, len(net.Transitions))
	at := make([]int32, len(net.Places))
	for i := range net.Transitions {
		t := &net.Transitions[i]
		// Each arc has a pointer, and may have a move of its own in a list that doubles.
		if arcs := len(t.Pre) + len(t.Post); !u.look(arcs) || !u.reserve(arcs*3*int(unsafe.Sizeof(move{}))) {
			return u
		}
		u.moves[i] = movesOf(t, at)
	}
	widest := 0
	for _, p := range net.Places {
		widest = max(widest, len(p.Domain))
	}
	for i := range net.Transitions {
		if !u.prepare(i, widest) {
			break
		}
	}
	return u
}

// prepare makes the runner and the plans of transition i. No tuple of a place of the
// net is longer than widest. It reports false if the context ended.
func (u *unfolder) prepare(i, widest int) bool {
	t := &u.net.Transitions[i]
	u.runners[i] = &runner{
		transition: t, number: i, net: u.net, divisions: u.divisions,
		binding: make([]int64, len(t.Variables)), colours: make([]int64, widest),
		found:   func(binding []int64) bool { return u.found(i, binding) },
		visited: u.visited, looked: u.look,
	}
	planner := newPlanner(u.net, t, u.ascending(i), planLimits{u.look, u.reserve}, func(place int, positions []int) *index {
		u.look(len(u.indexes[place]))
		return u.indexes.register(u.net, place, positions, false)
	})
	if planner == nil {
		return false
	}
	switch {
	case u.options.KeepAll:
		u.initials[i] = planner.plan(nil, false)
		return u.look(len(t.Variables))
	case len(planner.atoms) == 0:
		u.initials[i] = planner.plan(nil, true)
	}
	for _, a := range planner.atoms {
		if !u.look(1) {
			return false
		}
		u.triggers[a.place] = append(u.triggers[a.place], trigger{i, planner.plan(a, true)})
	}
	for k, arc := range t.Pre {
		bulk := arc.Expression.Subtracts()
		for _, m := range arc.Expression {
			bulk = bulk || hasAll(m)
		}
		if bulk {
			u.bulk[i] = append(u.bulk[i], k)
		}
	}
	return u.look(len(t.Variables))
}

// ascending returns conditions that keep one of the bindings of transition i that differ only by an
// exchange of variables: their colours must ascend.
func (u *unfolder) ascending(i int) []*Guard {
	if !u.options.Merge || u.options.KeepAll {
		return nil
	}
	t := &u.net.Transitions[i]
	var conditions []*Guard
	for _, group := range t.interchangeable(planLimits{u.look, u.reserve}) {
		for k := 1; k < len(group); k++ {
			left, right := group[k-1], group[k]
			if u.divisions != nil {
				if x, y := u.divisions.variables[i][left], u.divisions.variables[i][right]; !u.look(1+len(x.block)/16) || !x.same(y) {
					continue
				}
			}
			class := t.Variables[left].Class
			conditions = append(conditions, &Guard{Operator: AtMost,
				Left:  Operand{Term: Term{Kind: Variable, Variable: left}, Class: class},
				Right: Operand{Term: Term{Kind: Variable, Variable: right}, Class: class}})
		}
	}
	return conditions
}

// visited counts the steps of all runs. It reports false if there are too many for the nodes that
// are wanted.
func (u *unfolder) visited() bool {
	const workPerNode = 200 // joins that come to nothing, before giving up
	u.work++
	u.look(1)
	if u.work > workPerNode*u.options.MaxNodes {
		u.exceed("more than %d steps of binding", u.work-1)
	}
	return u.err == nil
}

// unlooked bounds the work between two looks at the context: below a millisecond.
const unlooked = 1 << 14

// look counts work, and looks now and then whether the context has ended or its memory is used up.
// It reports false if so.
func (u *unfolder) look(work int) bool {
	if u.sinceLook += work; u.sinceLook >= unlooked {
		u.sinceLook = 0
		if reason := account.Reason(u.ctx); reason != nil && u.err == nil {
			u.err = cmp.Or(u.ctx.Err(), reason)
		}
	}
	return u.err == nil
}

// reserve asks the budget for so many bytes. It reports false if there are not so many.
func (u *unfolder) reserve(bytes int) bool {
	return u.room(u.account.Reserve(bytes))
}

// room notes the reason why there is no room, if there is one. It reports whether there
// is room.
func (u *unfolder) room(reason error) bool {
	if reason != nil && u.err == nil {
		u.err = cmp.Or(u.ctx.Err(), reason)
	}
	return u.err == nil
}

// tokenBytes are those of a token in a slice.
const tokenBytes = int(unsafe.Sizeof(token{}))

// exceed ends the unfolding, as a limit is exceeded.
func (u *unfolder) exceed(format string, arguments ...any) {
	if u.err == nil {
		u.err = fmt.Errorf("%w: %s", ErrTooLarge, fmt.Sprintf(format, arguments...))
	}
}

// grow counts nodes and arcs that will be built. It reports false if they exceed the limits.
func (u *unfolder) grow(nodes, arcs int) bool {
	u.nodes += nodes
	u.arcs += arcs
	if u.nodes > u.options.MaxNodes {
		u.exceed("more than %d nodes", u.options.MaxNodes)
	}
	if u.arcs > u.options.MaxArcs {
		u.exceed("more than %d arcs", u.options.MaxArcs)
	}
	return u.err == nil
}

// evaluate returns the tokens of an arc or marking; the result is good until the
// next call. It sets u.err where they are negative or too many.
func (u *unfolder) evaluate(place int, e Expression, binding []int64, what func() string) []token {
	p := &u.net.Places[place]
	// Each colour becomes a place, so that an expression of more colours than there may be
	// nodes is not worth writing down.
	if n := e.MostTokens(p.Domain, u.options.MaxNodes); n > cap(u.tokens) && !u.reserve((n+n/4)*tokenBytes) {
		return nil
	}
	tokens, ok := e.eval(p.Domain, binding, u.tokens[:0], u.options.MaxNodes)
	terms := 0
	for _, m := range e {
		terms += len(m.Terms)
	}
	u.look(1 + len(tokens) + terms/comparisonsPerStep)
	if !ok {
		u.exceed("%s has more than %d colours or more than 2^63-1 tokens", what(), u.options.MaxNodes)
		return nil
	}
	for _, t := range tokens {
		if t.count < 0 && u.err == nil {
			u.err = fmt.Errorf("%s takes %d tokens of colour %v, expected no negative count",
				what(), t.count, p.Domain.Colours(t.tuple))
		}
	}
	if u.divisions != nil && u.divisions.divides(place) {
		u.divisions.merge(place, p.Domain, tokens)
		if tokens, ok = sum(tokens); !ok {
			u.exceed("%s has more than 2^63-1 tokens", what())
			return nil
		}
	}
	u.tokens = tokens
	return tokens
}

// arcTokens returns the tokens of an arc of transition i.
func (u *unfolder) arcTokens(i int, arc *Arc, binding []int64) []token {
	return u.evaluate(arc.Place, arc.Expression, binding, func() string {
		t := &u.net.Transitions[i]
		return fmt.Sprintf("the arc between %q and %q[%s]", u.net.Places[arc.Place].ID, t.ID, t.Binding(binding))
	})
}

// marking notes the initial tokens of all places. It reports false if the unfolding has
// to stop.
func (u *unfolder) marking() bool {
	for p := range u.net.Places {
		tokens := u.evaluate(p, u.net.Places[p].Initial, nil, func() string {
			return fmt.Sprintf("the initial marking of %q", u.net.Places[p].ID)
		})
		if u.err != nil || !u.reserve(len(tokens)*tokenBytes) {
			return false
		}
		u.initial[p] = append([]token(nil), tokens...)
	}
	return true
}

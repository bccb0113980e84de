package symbolic

import (
	"context"
	"fmt"
	"math"
	"slices"
	"unsafe"

	"pnmc/internal/account"
	"pnmc/petri"
	"pnmc/petri/invariant"
)

// semiflowWork bounds the search for semiflows, whose only use here is to find
// good orders: some ten milliseconds.
const semiflowWork = 3_000_000

// A System is a state space to explore: integer variables, their initial values,
// and events that change them. Nets and models in other formats become systems.
type System struct {
	Names   []string // of the variables
	Initial []uint32 // of the variables
	Events  []Event
	// Groups are sets of variables that belong together, such as the places of a
	// semiflow or of a unit of a nested-unit net; orders may use them.
	Groups [][]uint32
	// Codes say by place what the variables mean for the places of a net; nil: the variables
	// are the places.
	Codes []Code
	// If the states found are not all there are, as Codes cannot express a successor of one, then
	// some state found fulfils what is Excluded.
	Excluded []Exclusion

	unproven []bool       // variables of which no bound is known; nil: none
	grows    func() error // looks for a proof that a net is unbounded, if unproven is not nil

	claimedSafe bool // by the units of a net: no place has two tokens
}

// An Event is possible when all its guards hold, and then changes all their
// variables at once. It has at most one guard for each variable.
type Event []Guard

// A Guard says of one variable: Low ≤ value ≤ High, and afterwards the value is
// larger by Delta, or, where Delta is assign(c), it is c.
type Guard struct {
	Variable  uint32
	Low, High uint32
	Delta     int64
}

// assignment is beyond what is ever added to a value of 32 bits.
const assignment = 1 << 40

// assign returns the Delta of what becomes that value, whatever it was.
func assign(value uint32) int64 { return assignment + int64(value) }

// assigns reports whether a Delta is that of an assignment.
func assigns(delta int64) bool { return delta >= assignment }

// After returns what a value becomes for which the guard holds. It may be beyond 32 bits.
func (g Guard) After(value uint32) int64 {
	if assigns(g.Delta) {
		return g.Delta - assignment
	}
	return int64(value) + g.Delta
}

// netSystem returns the system of a net: a variable for each place and an event for each
// transition, numbered alike. Inhibitor arcs and capacities are upper guards, reset arcs
// assignments. It also finds the semiflows that are among the groups, as far as ctx allows. An
// error reports an initial marking or weight that does not fit 32 bits.
func netSystem(ctx context.Context, net *petri.Net) (*System, []petri.Semiflow, error) {
	s := &System{
		Names:   make([]string, net.Places()),
		Initial: make([]uint32, net.Places()),
		Events:  make([]Event, net.Transitions()),
	}
	for p := range s.Names {
		s.Names[p] = net.PlaceLabel(petri.Place(p)).ID
		tokens := net.InitialTokens(petri.Place(p))
		if tokens > math.MaxUint32 {
			return nil, nil, fmt.Errorf("place %q holds %d tokens: %w", s.Names[p], tokens, ErrRange)
		}
		s.Initial[p] = uint32(tokens)
	}
	if err := account.Of(ctx).Reserve(net.Arcs() * int(unsafe.Sizeof(Guard{}))); err != nil {
		return nil, nil, err
	}
	for t := range s.Events {
		e, err := netEvent(net, petri.Transition(t))
		if err != nil {
			return nil, nil, err
		}
		s.Events[t] = e
	}
	if nupn := net.NUPN(); nupn != nil {
		s.Groups = unitGroups(nupn)
	}
	flows := invariant.Semiflows(ctx, net, semiflowWork)
	for _, flow := range flows {
		var places []uint32
		for _, term := range flow.Terms {
			places = append(places, uint32(term.Place))
		}
		if len(places) > 1 {
			s.Groups = append(s.Groups, places)
		}
	}
	return s, flows, nil
}

// netEvent returns the event of t: it merges the sorted pre- and post-set. An arc of weight 2 from
// p and one of weight 3 to p become the guard p ≥ 2 with the change +1.
func netEvent(net *petri.Net, t petri.Transition) (Event, error) {
	pre, post := net.Pre(t), net.Post(t)
	var e Event
	for len(pre) > 0 || len(post) > 0 {
		var g Guard
		var consumed, produced int64
		switch {
		case len(post) == 0 || len(pre) > 0 && pre[0].Place < post[0].Place:
			g.Variable, consumed, pre = uint32(pre[0].Place), pre[0].Weight, pre[1:]
		case len(pre) == 0 || post[0].Place < pre[0].Place:
			g.Variable, produced, post = uint32(post[0].Place), post[0].Weight, post[1:]
		default:
			g.Variable, consumed, produced = uint32(pre[0].Place), pre[0].Weight, post[0].Weight
			pre, post = pre[1:], post[1:]
		}
		if consumed > math.MaxUint32 || produced > math.MaxUint32 {
			return nil, fmt.Errorf("transition %q: arc weight: %w", net.TransitionLabel(t).ID, ErrRange)
		}
		g.Low, g.High, g.Delta = uint32(consumed), noLimit, produced-consumed
		e = append(e, g)
	}
	return e.emptying(net.Resets(t)).below(net.Ceilings(t)), nil
}

// emptying returns e with the changes of places that are reset turned into assignments: what is
// left there is only what the event puts. Both lists are sorted by variable.
func (e Event) emptying(resets []petri.Place) Event {
	if len(resets) == 0 {
		return e
	}
	emptied := make(Event, 0, len(e)+len(resets))
	for _, p := range resets {
		for len(e) > 0 && e[0].Variable < uint32(p) {
			emptied, e = append(emptied, e[0]), e[1:]
		}
		g := Guard{Variable: uint32(p), High: noLimit}
		if len(e) > 0 && e[0].Variable == uint32(p) {
			g, e = e[0], e[1:]
		}
		g.Delta = assign(uint32(int64(g.Low) + g.Delta))
		emptied = append(emptied, g)
	}
	return append(emptied, e...)
}

// below returns e with upper guards for ceilings. Both lists are sorted by variable.
func (e Event) below(ceilings []petri.Arc) Event {
	if len(ceilings) == 0 {
		return e
	}
	limited := make(Event, 0, len(e)+len(ceilings))
	for _, c := range ceilings {
		p := uint32(c.Place)
		for len(e) > 0 && e[0].Variable < p {
			limited, e = append(limited, e[0]), e[1:]
		}
		g := Guard{Variable: p, High: noLimit}
		if len(e) > 0 && e[0].Variable == p {
			g, e = e[0], e[1:]
		}
		if c.Weight <= int64(g.Low) {
			return Event{impossible}
		}
		g.High = uint32(min(c.Weight-1, noLimit))
		limited = append(limited, g)
	}
	return append(limited, e...)
}

// deepestUnit bounds how deep units are looked at that nest. Groups list at most listedEach places for each of the net, and
// listedAnyway more: units of hostile nets may nest far deeper than those of a system.
const (
	deepestUnit  = 1000
	listedEach   = 16
	listedAnyway = 1 << 18
)

// unitGroups returns the places of each unit, with those of nested units, innermost units first. There are fewer if they would
// list too many places. Groups share memory.
func unitGroups(n *petri.NUPN) [][]uint32 {
	total := 0
	for _, u := range n.Units {
		total += len(u.Places)
	}
	left := listedAnyway + listedEach*total
	var groups [][]uint32
	places := make([]uint32, 0, total) // a unit's are one after the other, before those of units nested in it
	var visit func(unit, depth int)
	visit = func(unit, depth int) {
		first := len(places)
		for _, p := range n.Units[unit].Places {
			places = append(places, uint32(p))
		}
		if depth < deepestUnit {
			for _, u := range n.Units[unit].Subunits {
				visit(u, depth+1)
			}
		}
		if group := places[first:len(places):len(places)]; len(group) > 1 && len(group) <= left {
			groups, left = append(groups, group), left-len(group)
		}
	}
	if n.Root >= 0 && n.Root < len(n.Units) {
		visit(n.Root, 1)
	}
	return groups
}

// supports lists the variables of each event.
func (s *System) supports() [][]uint32 {
	supports := make([][]uint32, len(s.Events))
	for i, e := range s.Events {
		for _, g := range e {
			supports[i] = append(supports[i], g.Variable)
		}
	}
	return supports
}

// A space is a System laid out over a Forest by an order of variables.
type space struct {
	system   *System
	forest   *Forest
	levels   []int // by variable
	relation *Relation
	initial  Node // kept

	eventsBelow []int // by level: number of events whose topmost step is below it
}

// newSpace lays s out: its events as a relation, its initial state as a set. Memory
// is the forest's budget in bytes. With an error of a limit there is what was laid out.
func newSpace(ctx context.Context, s *System, order []int, o Options) (*space, error) {
	sp := &space{system: s, forest: NewForest(len(s.Names), o.Memory), levels: make([]int, len(s.Names))}
	sp.forest.limitedBy(o.Process)
	defer sp.forest.within(ctx)()
	for i, v := range order {
		sp.levels[v] = i + 1
	}
	sp.relation = sp.forest.NewRelation()
	// Counted while events are added, then summed up by level.
	sp.eventsBelow = make([]int, len(order)+2)
	for _, e := range s.Events {
		if err := sp.forest.charged(ruleWork * (1 + len(e))); err != nil {
			return sp, err
		}
		steps := sp.steps(e)
		if err := sp.relation.Add(steps); err != nil {
			return nil, err
		}
		top := 0
		for _, s := range steps {
			top = max(top, s.Level)
		}
		sp.eventsBelow[top+1]++
	}
	for level := range len(order) + 1 {
		sp.eventsBelow[level+1] += sp.eventsBelow[level]
	}
	values := make([]uint32, len(s.Names))
	for v, level := range sp.levels {
		values[level-1] = s.Initial[v]
	}
	n, err := sp.forest.Singleton(values)
	sp.initial = sp.forest.Keep(n)
	sp.watchGrowth()
	return sp, err
}

// steps returns the guards of e by level.
func (sp *space) steps(e Event) []Step {
	steps := make([]Step, len(e))
	for i, g := range e {
		steps[i] = Step{sp.levels[g.Variable], g.Low, g.High, g.Delta}
	}
	return steps
}

// enablings returns rules for the events' guards alone, with the number of events
// that have the same ones.
func (sp *space) enablings() []weightedRule {
	guards := sp.forest.NewRelation()
	count := map[uint32]uint64{}
	var rules []uint32
	for _, e := range sp.system.Events {
		rule, possible := guardRule(guards, e, sp.levels)
		if !possible {
			continue
		}
		if count[rule] == 0 {
			rules = append(rules, rule)
		}
		count[rule]++
	}
	weighted := make([]weightedRule, len(rules))
	for i, r := range rules {
		weighted[i] = weightedRule{r, count[r]}
	}
	return weighted
}

// guardRule returns the rule of r that holds where the guards of e do, and changes
// nothing; false if they can't hold.
func guardRule(r *Relation, e Event, levels []int) (rule uint32, possible bool) {
	var steps []Step
	for _, g := range e {
		if g.Low > g.High {
			return 0, false
		}
		if g.Low > 0 || g.High != noLimit {
			steps = append(steps, Step{levels[g.Variable], g.Low, g.High, 0})
		}
	}
	slices.SortFunc(steps, func(a, b Step) int { return a.Level - b.Level })
	rule = identity
	for _, s := range steps {
		rule = r.rule(s.Level, []alternative{{0, s.Low, s.High, rule}})
	}
	return rule, true
}

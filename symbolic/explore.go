package symbolic

import (
	"context"
	"math/big"

	"pnmc/internal/account"
	"pnmc/petri"
	"pnmc/petri/invariant"
)

// Options say how to explore. The zero value is a good choice.
type Options struct {
	// Memory is the budget in bytes; 0 stands for DefaultMemory.
	Memory int64
	// Process is what the whole process may take, whatever else it holds.
	Process petri.Budget
	// Method is Saturation unless said otherwise.
	Method Method
	// Order lists the variables from the bottom level up; package order finds some. If it
	// is nil, Heuristic names how to find one, as Heuristics lists them; if that is empty,
	// several are tried.
	Order     []int
	Heuristic string
	// Prefer names a heuristic that was good for a similar system. It gets a head start, and is
	// the first of those that are tried. Another name than a heuristic's means nothing.
	Prefer string
	// Encoding is how a net becomes variables; PerGroup is usually far better, but
	// Variables are places no more.
	Encoding Encoding
	// Slice is how much work each order gets at a time while several are tried,
	// in new nodes and operations; 0 stands for a good choice.
	Slice int
}

// StateSpace is what an exploration found.
type StateSpace struct {
	// Complete reports whether Reachable is the set of all reachable states. If
	// not, only System, Bounds, OrderName and Nodes say something.
	Complete bool
	// System is what was explored, Forest and Reachable its states. Reachable is
	// kept; Levels gives each variable its level in Forest. Relation relates
	// each state with its successors.
	System    *System
	Forest    *Forest
	Reachable Node
	Initial   Node
	Relation  *Relation
	Levels    []int
	// Bounds are the largest values of the variables over all reachable states,
	// or lower bounds of them if the state space is not complete.
	Bounds []uint32
	// OrderName names the heuristic that found the order used. It also says if that is
	// an order of places though the encoding asked for has groups of them. Nodes is the
	// number of nodes of Reachable, or of all nodes made if Reachable is not complete.
	OrderName string
	Nodes     int

	occurs    []map[uint32]bool // by level: values of a variable that is a group, if complete
	enablings []weightedRule
	firings   *big.Int  // once they are counted
	reverse   *Relation // of Relation, once it is needed
	dead      Node      // states without successors, kept, if hasDead
	hasDead   bool
}

// Explore computes the reachable markings of a net. It tries several encodings and orders of
// variables side by side (race.go), and checks that the encoding that won has left nothing out
// (encoding.go).
//
// If it cannot finish, since ctx ended or memory ran short, it returns the reason along with what
// is known. A net that is not bounded ends it soon, with a *petri.UnboundedError or, if that is not
// proven, a *GrowthError.
func Explore(ctx context.Context, net *petri.Net, o Options) (*StateSpace, error) {
	e, err := enter(ctx, net, o)
	if err != nil {
		return nil, err
	}
	s, _, err := (&contest{first: e, alone: true, memory: e.race.options.Memory}).run(ctx, nil)
	return s, err
}

// An entry is a net with the race of its encodings and orders.
type entry struct {
	net     *petri.Net
	options Options
	plain   *System
	race    *race
}

// enter prepares the race of a net.
func enter(ctx context.Context, net *petri.Net, o Options) (*entry, error) {
	within, stop := account.Within(ctx, o.Process)
	defer stop(nil)
	plain, flows, err := netSystem(within, net)
	if err != nil {
		return nil, limitOf(err)
	}
	net.RefuteInitially()
	plain.markUnproven(ctx, net, petri.Facts{Bounds: invariant.Bounds(net, flows), Semiflows: flows})
	systems := []*System{plain}
	if o.Encoding != PerPlace && o.Order == nil {
		systems = netEncodings(within, net, plain, flows)
		if o.Heuristic == "" && systems[0].Codes != nil {
			systems = append(systems, plain)
		}
	}
	r, err := newRace(systems, o)
	if err != nil {
		return nil, err
	}
	return &entry{net: net, options: o, plain: plain, race: r}, nil
}

// ExploreSystem computes the reachable states of a system, as Explore does.
func ExploreSystem(ctx context.Context, s *System, o Options) (*StateSpace, error) {
	r, err := newRace([]*System{s}, o)
	if err != nil {
		return nil, err
	}
	found, err := r.run(ctx)
	return finished(ctx, found, err)
}

// finished measures and checks what a race found, if it found something.
func finished(ctx context.Context, s *StateSpace, err error) (*StateSpace, error) {
	if err == nil {
		err = s.measure(ctx)
	}
	if err == nil {
		err = s.checkExcluded(ctx)
	}
	if s != nil {
		s.Complete = err == nil
	}
	return s, err
}

// reach computes the reachable set of sp and keeps it.
func (sp *space) reach(ctx context.Context, m Method) (Node, error) {
	if ctx.Err() != nil {
		return Empty, context.Cause(ctx)
	}
	var n Node
	var err error
	switch m {
	case Chaining:
		n, err = sp.relation.chain(ctx, sp.initial)
	case BreadthFirst:
		n, err = sp.relation.layers(ctx, sp.initial)
	default:
		n, err = sp.relation.Saturate(ctx, sp.initial)
	}
	sp.forest.watch = nil // what is made of the states may have values that none has
	return sp.forest.Keep(n), err
}

// result returns the state space that sp found, complete unless n is Empty; then measure is
// still to be called.
func (sp *space) result(name string, n Node) *StateSpace {
	s := &StateSpace{
		Complete: n != Empty, System: sp.system, Forest: sp.forest, Reachable: n, Initial: sp.initial,
		Relation: sp.relation, Levels: sp.levels, OrderName: name, Bounds: make([]uint32, len(sp.levels)),
	}
	if s.Complete {
		s.enablings = sp.enablings()
	}
	s.Nodes = sp.forest.PeakNodes()
	for v, level := range sp.levels {
		s.Bounds[v] = sp.forest.largest[level]
	}
	return s
}

// measure finds out about the diagram of all states: the number of its nodes, and which values occur.
func (s *StateSpace) measure(ctx context.Context) error {
	f := s.Forest
	defer f.within(ctx)()
	_, err := f.guarded([]Node{s.Reachable}, func() Node {
		l := f.reachable(s.Reachable)
		s.Nodes = len(l.nodes) - 1
		largest := f.maxValues(&l)
		for v, level := range s.Levels {
			s.Bounds[v] = largest[level-1]
		}
		s.findOccurring(&l)
		return Empty
	})
	return err
}

// States returns the number of reachable states. Time is not limited: StatesWithin's is.
func (s *StateSpace) States() *big.Int { return s.Forest.Count(s.Reachable) }

// StatesWithin returns the number of reachable states, unless ctx ends before; if it has ended,
// some tens of milliseconds are left for it.
func (s *StateSpace) StatesWithin(ctx context.Context) (*big.Int, error) {
	if ctx.Err() != nil {
		return s.Forest.countInTelling(s.Reachable)
	}
	return s.Forest.CountWithin(ctx, s.Reachable)
}

// Firings returns the number of pairs of a reachable state and an event possible in
// it: the labelled edges of the state graph. It is counted once, unless ctx ends or
// memory runs short.
func (s *StateSpace) Firings(ctx context.Context) (*big.Int, error) {
	if s.firings == nil {
		n, err := s.Forest.countFirings(ctx, s.Reachable, s.enablings)
		if err != nil {
			return nil, err
		}
		s.firings = n
	}
	return new(big.Int).Set(s.firings), nil
}

// checkExcluded returns errExcluded if some reachable state fulfils guards that none
// may fulfil.
func (s *StateSpace) checkExcluded(ctx context.Context) error {
	var events []Event // with mostGuards guards about
	guards := 0
	for i, x := range s.System.Excluded {
		events = append(events, x.event())
		if guards += len(events[len(events)-1]); guards < mostGuards && i+1 < len(s.System.Excluded) {
			continue
		}
		if found, err := s.fulfilling(ctx, events); err != nil {
			return err
		} else if found != Empty {
			return errExcluded
		}
		events, guards = events[:0], 0
	}
	return nil
}

// mostGuards bounds the guards that are made rules of at a time: together they may be the square of an event's.
const mostGuards = 1 << 16

// fulfilling returns the set of reachable states that fulfil the guards of one of the events.
func (s *StateSpace) fulfilling(ctx context.Context, events []Event) (Node, error) {
	f := s.Forest
	defer f.within(ctx)()
	return f.guarded([]Node{s.Reachable}, func() Node {
		r := f.NewRelation()
		for _, e := range events {
			if rule, possible := guardRule(r, e, s.Levels); possible {
				r.addRule(rule)
			}
		}
		r.merge()
		return f.image(r, s.Reachable)
	})
}

// refuteExcluded finds which claims of the net's units are false, once checkExcluded has found
// states that should not be, and notes them, as far as limits allow.
func (s *StateSpace) refuteExcluded(ctx context.Context, net *petri.Net) {
	for _, x := range s.System.Excluded {
		found, err := s.fulfilling(ctx, []Event{x.event()})
		if err != nil {
			return
		}
		if found == Empty {
			continue
		}
		for p, c := range s.System.Codes {
			if c.Variable == x.Group {
				net.Refute(petri.Place(p))
			}
		}
	}
}

// refuteClaims notes claims of the net's units that the largest values refute.
func (s *StateSpace) refuteClaims(net *petri.Net) {
	for p := range s.System.Places() {
		if c := s.System.code(uint32(p)); c.Mark == 0 && s.Bounds[c.Variable] > 1 {
			net.Refute(petri.Place(p))
		}
	}
}

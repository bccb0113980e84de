package product

import (
	"cmp"
	"errors"

	"pnmc/automata"
	"pnmc/checker/properties"
	"pnmc/internal/account"
	"pnmc/internal/growing"
	"pnmc/logic"
	"pnmc/petri"
)

// componentsOnTheFly looks for an accepted run of a product: the on-the-fly search of
// Couvreur for strongly connected components (Algorithm 1 of "Model Checking
// using Generalized Testing Automata"), without recursion.
//
// States get numbers in depth-first order. Roots are the first states of the
// components found so far on the search path; an edge back to a live state
// merges the components between, with their marks, and as soon as those satisfy
// the acceptance condition, there is an accepted run. A component that is left
// without one is dead.
//
// How strong the automaton's component is saves work: states whose component is
// rejecting can't be on an accepted cycle, and need no roots; where it is weak,
// any cycle will do; where it is terminal, getting there is enough.
type componentsOnTheFly struct {
	*product
	numbering numbering
	path      growing.Stack[frame]
	roots     growing.Stack[root]
	rootMarks growing.Stack[uint64] // of a component, then of the edge that led to it
	live      growing.Stack[pair]   // states of the components on roots
	spill     rowStack

	predicates []*logic.Predicate
	progress   func(properties.Statistics)
	scratch    []uint64
}

// pair is a state of the product.
type pair struct {
	s petri.StateID
	q uint32
}

// frame is a state on the search path, with the next edge to look at: the pair of
// the graph edge with number successor, and of the automaton edge at position edge
// of the product's edges, in the row that begins at position row. All automaton
// edges are tried with one graph edge before the next: a run that is accepted
// often differs from the first one tried in the last automaton edge only.
type frame struct {
	pair
	number    uint32
	row, edge uint32
	successor uint32
	// spill is where the graph edges are if the graph does not keep them, or -1.
	spill int64
}

// root is a component on the search path: the number of its first state, and
// where its states start in live.
type root struct {
	number uint32
	live   uint32
}

// finding is what the search stopped at: the state at the end of the path has
// taken edge to the live state at, or met it and it is terminal.
type finding struct {
	at       pair
	terminal bool
}

// pollMask selects the steps at which progress is told.
const pollMask = 1<<12 - 1

var errTooManyProductStates = errors.New("more than 2^32-3 product states")

// search returns what it found, or nil if no run is accepted. An error is the
// reason why the search gave up.
func (x *componentsOnTheFly) search() (*finding, error) {
	x.numbering.states, x.numbering.account = x.states, x.account
	x.scratch = make([]uint64, x.acceptance.words)
	for _, q := range x.automaton.Initial() {
		if !x.useful[q] {
			continue
		}
		start := pair{x.kripke.Initial(), uint32(q)}
		slot := x.numbering.slot(start.s, start.q)
		if *slot != unmet {
			continue
		}
		if f, err := x.enter(start, slot, nil); f != nil || err != nil {
			return f, err
		}
		if f, err := x.run(); f != nil || err != nil {
			return f, err
		}
	}
	// A row that there was no room for lacks its edges.
	return nil, cmp.Or(x.full, x.numbering.full)
}

// run goes on until the path is empty or something is found.
func (x *componentsOnTheFly) run() (*finding, error) {
	steps, edges := 0, uint32(0)
	for x.path.Length > 0 {
		f := x.path.Top()
		end := x.rowEnd(f.row)
		var successors []petri.StateID
		if f.spill < 0 {
			successors = x.kripke.Kept(f.s)
		} else {
			successors = x.spill.top(f.spill)
		}
		descend := false
		for int(f.successor) < len(successors) {
			s := successors[f.successor]
			for f.edge < end && !descend {
				q, e := x.edges[f.edge], automata.Edge(x.edges[f.edge+1])
				f.edge += 2
				x.transition++
				slot := x.numbering.slot(s, q)
				switch {
				case *slot == dead:
				case *slot == unmet:
					if steps++; steps&pollMask == 0 && x.progress != nil {
						x.progress(x.statistics())
					}
					if found, err := x.enter(pair{s, q}, slot, x.acceptance.of(e)); found != nil || err != nil {
						return found, err
					}
					descend = true
				case x.strength[q] != automata.Rejecting && x.components.Of(automata.State(f.q)) == x.components.Of(automata.State(q)):
					if x.close(*slot, e, x.strength[q]) {
						return &finding{at: pair{s, q}}, nil
					}
				}
			}
			if descend {
				break
			}
			f.successor++
			f.edge = f.row
			if edges += end - f.row + 1; edges >= account.EdgesBetweenCharges {
				if err := x.account.Charge(account.EdgeWork * int(edges)); err != nil {
					return nil, err
				}
				edges = 0
			}
		}
		if !descend {
			x.leave(f)
		}
	}
	return nil, nil
}

// enter puts a new state at the end of the path, reached by an edge with these
// marks; nil for an initial state.
func (x *componentsOnTheFly) enter(p pair, slot *uint32, marks []uint64) (*finding, error) {
	if x.numbering.count >= dead-1 {
		return nil, errTooManyProductStates
	}
	if x.numbering.full != nil {
		return nil, x.numbering.full
	}
	if err := x.account.Charge(account.StateWork + 32*x.acceptance.words); err != nil {
		return nil, err
	}
	n := x.numbering.number(slot)
	f := frame{pair: p, number: n, spill: -1}
	first, end := x.row(p.s, p.q)
	f.row, f.edge = first, first
	if x.full != nil {
		return nil, x.full
	}
	if x.strength[p.q] == automata.Terminal {
		x.path.Push(f)
		return &finding{at: p, terminal: true}, nil
	}
	if first < end {
		successors, err := x.kripke.Successors(p.s)
		if err != nil {
			return nil, err
		}
		// An edge to a terminal state is the first one, and whatever the graph's next
		// edge is, the run is accepted.
		if to := x.edges[first]; x.strength[to] == automata.Terminal && len(successors) > 0 {
			f.edge += 2
			x.path.Push(f)
			next := pair{successors[0], to}
			return x.enter(next, x.numbering.slot(next.s, next.q), nil)
		}
		if x.kripke.Kept(p.s) == nil {
			if err := x.account.Charge(4 * len(successors)); err != nil {
				return nil, err
			}
			f.spill = x.spill.push(successors)
		}
	}
	if x.strength[p.q] != automata.Rejecting {
		x.roots.Push(root{number: n, live: uint32(x.live.Length)})
		for range x.acceptance.words {
			x.rootMarks.Push(0)
		}
		for i := range x.acceptance.words {
			if marks != nil {
				x.rootMarks.Push(marks[i])
			} else {
				x.rootMarks.Push(0)
			}
		}
		x.live.Push(p)
	}
	x.path.Push(f)
	return nil, nil
}

// leave takes the state at the end of the path off it, all edges seen; if it is
// a root, its component is dead.
func (x *componentsOnTheFly) leave(f *frame) {
	if f.spill >= 0 {
		x.spill.pop(f.spill)
	}
	if x.strength[f.q] == automata.Rejecting {
		*x.numbering.slot(f.s, f.q) = dead
	} else if r := x.roots.Top(); r.number == f.number {
		for x.live.Length > int(r.live) {
			p := x.live.Top()
			*x.numbering.slot(p.s, p.q) = dead
			x.live.Pop()
		}
		x.roots.Pop()
		x.rootMarks.Length = 2 * x.roots.Length * x.acceptance.words
	}
	x.path.Pop()
}

// close handles an edge from the end of the path to the live state with the given
// number: all components since then are one. It tells whether that is accepted.
func (x *componentsOnTheFly) close(number uint32, e automata.Edge, s automata.Strength) bool {
	w := x.acceptance.words
	for x.roots.Top().number > number {
		// The marks of this component, and of the edge that led to it, go to the
		// component below.
		x.roots.Pop()
		from, to := 2*x.roots.Length*w, 2*(x.roots.Length-1)*w
		for i := range w {
			*x.rootMarks.At(to + i) |= *x.rootMarks.At(from + i) | *x.rootMarks.At(from + w + i)
		}
		x.rootMarks.Length = from
	}
	union := x.union()
	for i, m := range x.acceptance.of(e) {
		union[i] |= m
		*x.rootMarks.At(2*(x.roots.Length-1)*w + i) = union[i]
	}
	return s == automata.Weak || x.acceptance.holds(union)
}

// union are the marks of the last component, valid until the next call.
func (x *componentsOnTheFly) union() []uint64 {
	for i := range x.scratch {
		x.scratch[i] = *x.rootMarks.At(2*(x.roots.Length-1)*x.acceptance.words + i)
	}
	return x.scratch
}

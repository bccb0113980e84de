package product

import (
	"cmp"

	"pnmc/automata"
	"pnmc/checker/product/internal/states"
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
// The problem. A run is accepted if it visits the acceptance sets infinitely often. In a finite
// product there is such a run if and only if some strongly connected component that can be reached
// has marks that satisfy the condition. The product is larger than memory at times, so that a
// search should end as soon as it has seen enough of such a component.
//
// The idea. States get numbers in depth-first order. Roots are the first states of the components
// found so far on the search path. A state is live while its component is among them. An edge back
// to a live state closes a cycle: it merges the components from there on, with their marks and those
// of the edges between them. As soon as the merged marks satisfy the condition, there is an accepted
// run: one that visits all of the component again and again. A component that is left without one is
// dead. Package internal/components would see a component only when it is complete. This search ends
// in the middle of one.
//
// An example with marks 0 and 1, both of which are wanted infinitely often. The edges are A→B,
// B→C with mark 0, C→B with mark 1, C→D, and D→D without marks.
//
//	enter A, B, C       numbers 1, 2, 3; each is a root with no marks
//	C→B closes          3 > 2: C is merged into B; its marks are those of B→C and C→B: {0, 1}
//	                    found, D is never entered
//
// If C→B had no mark, the merged root B would have {0}. The search enters D, whose loop closes
// without marks, leaves D as dead, leaves C, then B: B is a root, so that B and C die.
//
// Why it is right. Without an accepted run the search visits all useful states that can be reached,
// and a component is left only when its marks were not enough. The condition has no Fin, so that
// more marks never hurt: the union over the component is the best that any cycle in it can have.
//
// How strong the automaton's component is saves work. A state whose component is rejecting cannot be
// on an accepted cycle, and needs no root. Where the component is weak, any cycle will do. Where it is
// terminal, getting there is enough.
//
// What it costs. Each edge of the product is looked at once, and merging takes one step for each
// root that ever was. A state costs the 4 bytes of its number, 8 more while it is live, and a frame
// while it is on the path. A root costs two sets of marks.
type componentsOnTheFly struct {
	*product
	numbering states.Numbering
	path      growing.Stack[frame]
	roots     growing.Stack[root]
	rootMarks growing.Stack[uint64]      // of a component, then of the edge that led to it
	live      growing.Stack[states.Pair] // states of the components on roots
	spill     states.Stack

	most       uint32 // states that get a number
	predicates []*logic.Predicate
	progress   func(properties.Statistics)
	scratch    []uint64
}

// frame is a state on the search path, with the next edge to look at. An edge of the product is a
// pair: of the graph edge with number successor, and of the automaton edge at position edge of the
// product's edges, in the row that begins at position row. All automaton edges are tried with one
// graph edge before the next graph edge: an accepted run often differs from the first one tried in
// the last automaton edge only.
type frame struct {
	states.Pair
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
	at       states.Pair
	terminal bool
}

// search returns what it found, or nil if no run is accepted. An error is the
// reason why the search gave up.
func (x *componentsOnTheFly) search() (*finding, error) {
	x.numbering.States, x.numbering.Account = x.states, x.account
	x.scratch = make([]uint64, x.acceptance.words)
	for _, q := range x.automaton.Initial() {
		if !x.useful[q] {
			continue
		}
		start := states.Pair{S: x.kripke.Initial(), Q: uint32(q)}
		slot := x.numbering.Slot(start.S, start.Q)
		if *slot != states.Unmet {
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
	return nil, cmp.Or(x.full, x.numbering.Full)
}

// run goes on until the path is empty or something is found.
func (x *componentsOnTheFly) run() (*finding, error) {
	steps, edges := 0, uint32(0)
	for x.path.Length > 0 {
		f := x.path.Top()
		end := x.rowEnd(f.row)
		var successors []petri.StateID
		if f.spill < 0 {
			successors = x.graph(f.Q).Kept(f.S)
		} else {
			successors = x.spill.Top(f.spill)
		}
		descend := false
		for int(f.successor) < len(successors) {
			s := successors[f.successor]
			for f.edge < end && !descend {
				q, e := x.edges[f.edge], automata.Edge(x.edges[f.edge+1])
				f.edge += 2
				x.transition++
				slot := x.numbering.Slot(s, q)
				switch {
				case *slot == states.Dead:
				case *slot == states.Unmet:
					if steps++; steps&states.PollMask == 0 && x.progress != nil {
						x.progress(x.statistics())
					}
					if found, err := x.enter(states.Pair{S: s, Q: q}, slot, x.acceptance.of(e)); found != nil || err != nil {
						return found, err
					}
					descend = true
				case x.strength[q] != automata.Rejecting && x.components.Of(automata.State(f.Q)) == x.components.Of(automata.State(q)):
					if x.close(*slot, e, x.strength[q]) {
						return &finding{at: states.Pair{S: s, Q: q}}, nil
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
			if err := x.leave(f); err != nil {
				return nil, err
			}
		}
	}
	return nil, nil
}

// enter puts a new state at the end of the path. It was reached by an edge with these marks; an
// initial state has nil.
func (x *componentsOnTheFly) enter(p states.Pair, slot *uint32, marks []uint64) (*finding, error) {
	if x.numbering.Count >= x.most {
		if x.most < states.Most {
			return nil, states.ErrMore
		}
		return nil, states.ErrTooMany
	}
	if x.numbering.Full != nil {
		return nil, x.numbering.Full
	}
	if err := x.account.Charge(account.StateWork + 32*x.acceptance.words); err != nil {
		return nil, err
	}
	n := x.numbering.Number(slot)
	f := frame{Pair: p, number: n, spill: -1}
	first, end := x.row(p.S, p.Q)
	f.row, f.edge = first, first
	if x.full != nil {
		return nil, x.full
	}
	if x.strength[p.Q] == automata.Terminal {
		x.path.Push(f)
		return &finding{at: p, terminal: true}, nil
	}
	if first < end {
		graph := x.graph(p.Q)
		successors, err := graph.Successors(p.S)
		if err != nil {
			return nil, err
		}
		// An edge to a terminal state is the first one, and whatever the graph's next
		// edge is, the run is accepted.
		if to := x.edges[first]; x.strength[to] == automata.Terminal && len(successors) > 0 {
			f.edge += 2
			x.path.Push(f)
			next := states.Pair{S: successors[0], Q: to}
			return x.enter(next, x.numbering.Slot(next.S, next.Q), nil)
		}
		if graph.Kept(p.S) == nil {
			if err := x.account.Charge(4 * len(successors)); err != nil {
				return nil, err
			}
			f.spill = x.spill.Push(successors)
		}
	}
	if x.strength[p.Q] != automata.Rejecting {
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

// leave takes the state at the end of the path off it, once all of its edges were seen. If it is a
// root, its component is complete, and dead. An error is the account's: a component may be all that there is.
func (x *componentsOnTheFly) leave(f *frame) error {
	if f.spill >= 0 {
		x.spill.Pop(f.spill)
	}
	if x.strength[f.Q] == automata.Rejecting {
		*x.numbering.Slot(f.S, f.Q) = states.Dead
	} else if r := x.roots.Top(); r.number == f.number {
		for x.live.Length > int(r.live) {
			p := x.live.Top()
			*x.numbering.Slot(p.S, p.Q) = states.Dead
			x.live.Pop()
			if x.live.Length%account.EdgesBetweenCharges == 0 {
				if err := x.account.Charge(account.EdgesBetweenCharges * account.EdgeWork); err != nil {
					return err
				}
			}
		}
		x.roots.Pop()
		x.rootMarks.Length = 2 * x.roots.Length * x.acceptance.words
	}
	x.path.Pop()
	return nil
}

// close handles an edge from the end of the path to the live state with the given number: all
// components since that one become one. It reports whether the marks of that are accepted, which in
// a weak component they always are.
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

// union returns the marks of the last component, valid until the next call.
func (x *componentsOnTheFly) union() []uint64 {
	for i := range x.scratch {
		x.scratch[i] = *x.rootMarks.At(2*(x.roots.Length-1)*x.acceptance.words + i)
	}
	return x.scratch
}

package product

import (
	"cmp"
	"errors"
	"math"
	"sync"
	"sync/atomic"

	"pnmc/automata"
	"pnmc/checker/product/internal/partition"
	"pnmc/checker/product/internal/states"
	"pnmc/checker/properties"
	"pnmc/internal/account"
	"pnmc/internal/growing"
	"pnmc/petri"
	"pnmc/petri/labelling"
	"pnmc/petri/multicore"
)

// together is a search for an accepting component by several threads: UFSCC of Bloemen, Laarman,
// van de Pol, "Multi-core on-the-fly SCC decomposition" (PPoPP 2016), with generalized acceptance.
//
// The problem. A depth-first order can't be shared. But most products are one large component and
// little else, so that threads have to work on one component.
//
// The idea. Each thread searches depth-first by itself, each in another order. What they learn they
// share: sets of states that are known to reach each other, with the marks of the edges between
// (package partition). A thread that closes a cycle unites the sets on its path, as Couvreur's search
// merges components. When a state is done, that is when all its edges were explored, it is done for
// all threads. And a thread that is back at the first state of a set does not leave it while the set
// has states that are not done: it picks one and goes on from there, whoever has met it first. When
// all states of a set are done, it is a component, and dead for all.
//
// A thread that comes to a state on another one's path does not know whether that one comes back. It leaves
// the edge for last. Until it has looked at all others, the state is in its set in most cases, or dead.
//
// States in which the automaton's component is rejecting are in no such component, and threads share
// them in another way (passing.go).
//
// For example, let A→B→C→A be a cycle, and from each state let there be a long way round, back to A.
// Thread 1 enters A, B, C and closes: {A, B, C}. Thread 2 enters A and goes the long way of A at once.
// When it is back at A, it unites that way with the set. Then each picks a state of the set that is not
// done: B, say, and C.
//
// Why it is right. Sets unite only along a cycle on the path of some thread. So they are parts of
// components, and their marks are of edges within: if these are accepted, so is a run. A state is done
// only if each state after it is dead or in its set. So a set of which all states are done is a whole
// component, and its marks are those of all its edges: for an edge adds its marks when it closes a
// cycle, or when the thread comes back over it and finds both ends in one set.
//
// What it costs. A state has 8 bytes, whoever meets it, and five compare-and-swaps or so. Each edge is
// looked at by one thread, or by some more.
type together struct {
	kripke *multicore.Kripke
	alone  *componentsOnTheFly // what one thread did before
	sets   *partition.Sets
	shared *labelling.Shared
	labels *multicore.Numbers // of states, plus one

	offered uint32 // after so many states a thread looks whether another one rests (passing.go)

	mutex   sync.Mutex
	threads []*searcher
	found   *sharedFinding
	pool    []states.Pair // states that threads have given away (passing.go)
}

// sharedFinding is where some thread stopped: in a set with these marks, which are accepted, or at a
// terminal state.
type sharedFinding struct {
	number   partition.Number
	marks    uint32
	terminal bool
}

// mostSets is how many acceptance sets there is room for. Few automata have more.
const mostSets = 32

// togetherFits reports whether several threads can search for an acceptance condition.
func togetherFits(c *acceptance) bool { return c.sets <= mostSets }

// errFound ends a search that has found an accepting component.
var errFound = errors.New("an accepting component was found")

// newTogether returns a search on k that has not begun. Yield is nil but in tests. There threads look after each state
// whether another one rests.
func newTogether(k *multicore.Kripke, alone *componentsOnTheFly, yield func()) *together {
	t := &together{
		kripke: k, alone: alone, sets: partition.New(alone.states, yield), shared: labelling.NewShared(), labels: new(multicore.Numbers),
		offered: offeredAfter,
	}
	if yield != nil {
		t.offered = 1
	}
	return t
}

// searcher is one of the threads.
type searcher struct {
	_ [lineBytes]byte
	*together
	matching
	walker *multicore.Walker
	path   partition.Path[step]
	reader *labelling.Reader
	spill  states.Stack

	pending growing.Stack[states.Pair] // states whose component is rejecting, and which nobody else explores
	quiet   uint32                     // states since the thread looked whether others rest
	begins  atomic.Uint32              // where its path begins, for others to join, or 0
	joined  partition.Number           // where the path of another one begins that it joins, or 0

	entered, explored int64 // states that nobody had met, edges of those that this thread was the first to be done with
	told              [4]atomic.Int64
	_                 [lineBytes]byte
}

// lineBytes is two cache lines: what different threads write to lies so far apart.
const lineBytes = 128

// step is a state on a thread's path with the next edge to look at, as in frame.
type step struct {
	states.Pair
	row, edge uint32
	successor uint32
	first     uint32 // of the graph edges, that is looked at first
	left      bool   // some edges lead to what only others have met, and were left out
	last      bool   // no edge is left out any more
	// edges is where the graph edges are: on the spill if the graph does not keep them, at the place
	// -edges if it does, or noEdges.
	edges int64
}

// skip has no more edges be looked at.
func (f *step) skip() { f.row, f.edge, f.successor, f.left = noRow, noRow, math.MaxUint32, false }

// noEdges says that a step has no edges to look at.
const noEdges = -1

// newSearcher returns what a thread has that is nowhere yet.
func (t *together) newSearcher(w *multicore.Walker) *searcher {
	return &searcher{
		together: t, matching: t.alone.another(w.Account()), walker: w,
		path:   partition.Path[step]{Finder: partition.Finder{Sets: t.sets, Account: w.Account()}, Thread: uint(w.Number())},
		reader: t.shared.NewReader(w, properties.CompileAll(t.alone.kripke.Net(), t.alone.predicates)),
	}
}

// number returns the number of a state, or 0 if nobody has met any like it.
func (x *searcher) number(p states.Pair) partition.Number { return x.sets.Find(p) }

// search is what each thread does. It returns nil when all was explored.
func (t *together) search(w *multicore.Walker) error {
	x := t.newSearcher(w)
	t.mutex.Lock()
	t.threads = append(t.threads, x)
	t.mutex.Unlock()
	for _, q := range x.automaton.Initial() {
		if !x.useful[q] {
			continue
		}
		start := states.Pair{S: t.kripke.Initial(), Q: uint32(q)}
		n, err := x.path.Number(start.S, start.Q)
		if err != nil {
			return err
		}
		if x.strength[q] == automata.Rejecting {
			if t.sets.Bury(n) {
				x.keep(start)
			}
			continue
		}
		claim := t.sets.Claim(n, x.path.Thread)
		if claim == partition.Dead {
			continue
		}
		if err := x.enter(start, n, claim, 0); err != nil {
			return err
		}
		if err := x.run(); err != nil {
			return err
		}
	}
	return x.pass()
}

// hasFound reports whether some thread has found an accepting component.
func (t *together) hasFound() bool { return t.found != nil }

// run goes on until the path is empty. The error errFound says that something was found.
func (x *searcher) run() error {
	defer x.begins.Store(0)
	looked := uint32(0) // edges that are not charged yet
	for x.path.Len() > 0 {
		x.offer()
		if err := x.walker.Poll(); err != nil {
			return err
		}
		f := &x.path.Top().Frame
		end := x.rowEnd(f.row)
		successors := x.successors(f)
		descended := false
		for n := uint32(len(successors)); f.successor < n && !descended; {
			at := f.first + f.successor
			if at >= n {
				at -= n
			}
			s := successors[at]
			for f.edge < end && !descended {
				q, e := x.edges[f.edge], automata.Edge(x.edges[f.edge+1])
				f.edge += 2
				number, err := x.path.Number(s, q)
				if err != nil {
					return err
				}
				if x.strength[q] == automata.Rejecting {
					if x.sets.Bury(number) {
						x.keep(states.Pair{S: s, Q: q})
					}
					continue
				}
				if x.path.IsWithin(number, x.marksOf(e)) {
					continue
				}
				var claim partition.Claim
				if f.last {
					claim = x.sets.Claim(number, x.path.Thread)
				} else {
					claim = x.sets.ClaimUnlessOthers(number, x.path.Thread)
				}
				switch claim {
				case partition.Dead:
				case partition.Others:
					f.left = true
				case partition.Met:
					if err := x.mark(x.path.Top().At, x.path.Close(number, x.marksOf(e)), q); err != nil {
						return err
					}
				default:
					if err := x.enter(states.Pair{S: s, Q: q}, number, claim, x.marksOf(e)); err != nil {
						return err
					}
					descended = true
				}
			}
			if !descended {
				f.successor++
				f.edge = f.row
				if looked += end - f.row + 1; looked >= account.EdgesBetweenCharges {
					if err := cmp.Or(x.walker.Poll(), x.account.Charge(account.EdgeWork*int(looked))); err != nil {
						return err
					}
					looked = 0
				}
			}
		}
		if descended {
			continue
		}
		if f.left {
			// By now others may be done with what was left to them, or it is in the set. What is not is entered.
			f.left, f.last, f.successor = false, true, 0
			continue
		}
		if err := x.leave(f, int(end-f.row)/2*len(successors)); err != nil {
			return err
		}
	}
	return nil
}

// successors returns the graph edges of a step.
func (x *searcher) successors(f *step) []petri.StateID {
	switch {
	case f.edges >= 0:
		return x.spill.Top(f.edges)
	case f.edges == noEdges:
		return nil
	}
	return x.kripke.At(uint32(-f.edges))
}

// marksOf returns the marks of an edge of the automaton.
func (x *searcher) marksOf(e automata.Edge) uint32 {
	if x.acceptance.words == 0 {
		return 0
	}
	return uint32(x.acceptance.of(e)[0])
}

// enter puts a state on the path. It was reached by an edge with these marks.
func (x *searcher) enter(p states.Pair, n partition.Number, claim partition.Claim, marks uint32) error {
	if claim == partition.First {
		if x.entered++; x.entered&states.PollMask == 0 {
			x.tell()
		}
	} else if x.sets.IsDone(n) {
		x.path.Enter(n, marks).Frame = step{Pair: p, row: noRow, edge: noRow, edges: noEdges}
		return nil
	}
	return x.goTo(&x.path.Enter(n, marks).Frame, p)
}

// goTo begins with the edges of a state that a step is at now.
func (x *searcher) goTo(f *step, p states.Pair) error {
	if err := x.path.Room(); err != nil {
		return err
	}
	*f = step{Pair: p, row: noRow, edge: noRow, edges: noEdges}
	if err := x.account.Charge(account.StateWork); err != nil {
		return err
	}
	if x.strength[p.Q] == automata.Terminal {
		return x.stop(sharedFinding{terminal: true})
	}
	first, end := x.row(p.S, p.Q)
	if f.row, f.edge = first, first; x.full != nil {
		return x.full
	}
	if first == end {
		return nil
	}
	successors, err := x.walker.Successors(p.S)
	if err != nil {
		return err
	}
	// An edge to a terminal state is the first one, and whatever the graph's next edge is, the run is
	// accepted.
	if to := x.edges[first]; x.strength[to] == automata.Terminal {
		if _, err := x.path.Number(successors[0], to); err != nil {
			return err
		}
		return x.stop(sharedFinding{terminal: true})
	}
	if x.path.Thread > 0 {
		// Each thread goes another way, the first one that of a search alone.
		f.first = (p.S ^ uint32(x.path.Thread)*0x9e3779b9) * 0x85ebca6b >> 8 % uint32(len(successors))
	}
	if place := x.kripke.Place(p.S); place != 0 {
		f.edges = -int64(place)
	} else if err := x.account.Charge(4 * len(successors)); err != nil {
		return err
	} else {
		f.edges = x.spill.Push(successors)
	}
	return nil
}

// row returns the range of positions in edges of what (s, q) can take.
func (x *searcher) row(s petri.StateID, q uint32) (first, end uint32) {
	label := x.labels.At(s)
	if label == 0 {
		label = x.reader.Of(s) + 1
		x.labels.Give(x.account, s, label)
	}
	row := x.rows.slot(label-1, q)
	if *row == 0 {
		*row = x.makeRow(automata.Valuation(x.shared.Label(label-1)), q)
	}
	return *row, x.rowEnd(*row)
}

// mark adds marks of an edge within the set of n, in which the automaton is in the component of q. It
// stops if that is accepted.
func (x *searcher) mark(n partition.Number, marks uint32, q uint32) error {
	switch x.strength[q] {
	case automata.Weak:
		return x.stop(sharedFinding{number: n, marks: marks})
	}
	all := x.sets.Mark(n, marks)
	if x.accepts(all) {
		return x.stop(sharedFinding{number: n, marks: all})
	}
	return nil
}

// accepts reports whether the condition holds of these marks.
func (x *searcher) accepts(marks uint32) bool {
	if c := &x.acceptance; c.everything != nil && c.words > 0 {
		return uint64(marks) == c.everything[0]
	}
	word := [1]uint64{uint64(marks)}
	return x.acceptance.holds(word[:min(1, x.acceptance.words)])
}

// stop notes what was found.
func (x *searcher) stop(f sharedFinding) error {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	if x.found == nil {
		x.found = &f
	}
	return errFound
}

// leave is called when all edges of the step on top were looked at; there are so many.
func (x *searcher) leave(f *step, edges int) error {
	if x.sets.Finish(x.path.Top().At) {
		x.explored += int64(edges)
	}
	if f.edges >= 0 {
		x.spill.Pop(f.edges)
	}
	picked, marks, inside := x.path.Leave()
	switch {
	case picked != 0:
		return x.goTo(f, x.sets.Pair(picked))
	case inside: // the step below goes on in the set
		below := x.path.Top()
		if err := x.mark(below.At, marks, below.Frame.Q); err != nil {
			return err
		}
	}
	if x.path.Len() > 0 && x.sets.IsDone(x.path.Top().At) {
		// Another thread has explored all edges of the step below meanwhile.
		x.path.Top().Frame.skip()
	}
	return nil
}

// tell notes what the thread has explored, for progress, and tells that if the thread is the caller's.
func (x *searcher) tell() {
	s, t := x.walker.Explored()
	for i, v := range []int64{x.entered, x.explored, s, t} {
		x.told[i].Store(v)
	}
	if x.path.Thread != 0 || x.alone.progress == nil {
		return
	}
	var sum [4]int64
	x.mutex.Lock()
	for _, other := range x.threads {
		for i := range sum {
			sum[i] += other.told[i].Load()
		}
	}
	x.mutex.Unlock()
	x.alone.progress(statisticsOf(sum))
}

// statisticsOf returns what was explored: of the product, and of the state graph.
func statisticsOf(n [4]int64) properties.Statistics {
	return properties.Statistics{
		ProductStates: n[0], ProductTransitions: n[1], ExploredStates: n[0], ExploredTransitions: n[1], States: n[2], Transitions: n[3],
	}
}

// statistics returns what was explored. No thread may be at work.
func (t *together) statistics() properties.Statistics {
	var sum [4]int64
	for _, x := range t.threads {
		sum[0] += x.entered
		sum[1] += x.explored
	}
	sum[2], sum[3] = t.kripke.Explored()
	return statisticsOf(sum)
}

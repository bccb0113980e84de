package stuttering

import (
	"errors"
	"math/bits"
	"sync"
	"sync/atomic"

	"pnmc/checker/product/internal/partition"
	"pnmc/checker/product/internal/states"
	"pnmc/checker/properties"
	"pnmc/internal/account"
	"pnmc/internal/growing"
	"pnmc/petri"
	"pnmc/petri/labelling"
	"pnmc/petri/multicore"
)

// Together is the search by several threads. They look for accepting components as they do in the product
// of a plain automaton: package product's together.go explains it. What is different here:
//
//   - The automaton is made as it is asked, by one thread at a time. Each thread remembers the answers.
//   - A TA accepts livelocks, too. A component without changes can't be told from its marks while
//     threads unite it: some may be missing yet. So wherever a thread comes to a state that accepts
//     livelocks, it first looks for a cycle that only stutters there (livelocks.go). When the search
//     for components is over, so are all of these.
type Together struct {
	kripke  *multicore.Kripke
	alone   *Search // what one thread did before
	sets    *partition.Sets
	calm    *partition.Sets // of states that the searches for livelocks have met; nil if there are none
	labels  *labelling.Shared
	letters *multicore.Numbers // of markings, plus one
	reader  *sharedReader

	mutex   sync.Mutex
	threads []*searcher
	found   *sharedFinding
}

// sharedFinding is where some thread stopped: a finding, or a set that has these marks.
type sharedFinding struct {
	Finding
	number partition.Number
	marks  uint64
}

// mostMarks is how many different marks there is room for. Few automata have more.
const mostMarks = 32

// errFound ends a search that has found something.
var errFound = errors.New("an accepted run was found")

// Shareable reports whether several threads can search as x does.
func (x *Search) Shareable() bool {
	_, plain := x.automaton.(Plain)
	return !plain && bits.Len64(x.wanted) <= mostMarks
}

// NewTogether returns a search on k that has not begun, of the product that alone has begun to search.
// Yield is nil but in tests.
func NewTogether(k *multicore.Kripke, alone *Search, yield func()) *Together {
	t := &Together{
		kripke: k, alone: alone, sets: partition.New(firstNodes, yield), labels: labelling.NewShared(), letters: new(multicore.Numbers),
		reader: newSharedReader(alone.automaton),
	}
	if alone.livelocks {
		t.calm = partition.New(firstNodes, yield)
	}
	return t
}

// searcher is one of the threads.
type searcher struct {
	_ [lineBytes]byte
	*Together
	table
	walker    *multicore.Walker
	path      partition.Path[sharedFrame]
	labelling *labelling.Reader
	letterOf  []uint32 // of each label, plus one
	universal []int8   // of each state of the automaton: 1 if it accepts whatever follows, -1 if not, 0 if it was not asked
	spill     states.Stack

	stutterers partition.Finder
	trail      growing.Stack[calmFrame]

	entered, explored           int64 // states that nobody had met, edges of those that this thread was the first to be done with
	enteredAgain, exploredAgain int64 // the same of searches for livelocks
	told                        [6]atomic.Int64
	_                           [lineBytes]byte
}

// lineBytes is two cache lines: what different threads write to lies so far apart.
const lineBytes = 128

// sharedFrame is a state on a thread's path, as frame is.
type sharedFrame struct {
	states.Pair
	letter     uint32
	successor  uint32 // how many were gone to, beginning with turn
	turn       uint32
	next       petri.StateID
	first, end uint32
	looked     uint32 // edges of the product
	edges      int64  // where the graph edges are, as edgesOf returns it
}

// newSearcher returns what a thread has that is nowhere yet.
func (t *Together) newSearcher(w *multicore.Walker) *searcher {
	work := w.Account()
	return &searcher{
		Together: t, table: newTable(t.reader, work), walker: w,
		path:       partition.Path[sharedFrame]{Finder: partition.Finder{Sets: t.sets, Account: work}, Thread: uint(w.Number())},
		labelling:  t.labels.NewReader(w, properties.CompileAll(t.alone.Kripke.Net(), t.alone.predicates)),
		stutterers: partition.Finder{Sets: t.calm, Account: work},
	}
}

// Search is what each thread does. It returns nil when all was explored. Found says what was found if
// the error of a run is another one.
func (t *Together) Search(w *multicore.Walker) error {
	x := t.newSearcher(w)
	t.mutex.Lock()
	t.threads = append(t.threads, x)
	t.mutex.Unlock()
	start := t.kripke.Initial()
	for _, q := range t.reader.Initial(x.letter(start)) {
		n, err := x.path.Number(start, q)
		if err != nil {
			return err
		}
		claim := t.sets.Claim(n, x.path.Thread)
		if claim == partition.Dead {
			continue
		}
		if err := x.enter(states.Pair{S: start, Q: q}, n, claim, 0); err != nil {
			return err
		}
		if err := x.run(); err != nil {
			return err
		}
	}
	return nil
}

// Found reports whether some thread has found an accepted run.
func (t *Together) Found() bool { return t.found != nil }

// run goes on until the path is empty. The error errFound says that something was found.
func (x *searcher) run() error {
	looked := 0 // edges that are not charged yet
	for x.path.Len() > 0 {
		if err := x.walker.Poll(); err != nil {
			return err
		}
		if looked++; looked == account.EdgesBetweenCharges || x.Account.Due() { // the labels of successors may be dear
			if err := x.Account.Charge(account.EdgeWork * looked); err != nil {
				return err
			}
			looked = 0
		}
		f := &x.path.Top().Frame
		if f.first == f.end {
			more := x.advance(f)
			if x.full != nil { // a row lacks its steps, and nobody may take the state for explored
				return x.full
			}
			if more {
				continue
			}
			if err := x.leave(f); err != nil {
				return err
			}
			continue
		}
		step := x.Steps[f.first]
		f.first++
		f.looked++
		number, err := x.path.Number(f.next, step.To)
		if err != nil {
			return err
		}
		if x.path.IsWithin(number, uint32(step.Marks)) {
			continue
		}
		switch claim := x.sets.Claim(number, x.path.Thread); claim {
		case partition.Dead:
		case partition.Met:
			if err := x.mark(x.path.Close(number, uint32(step.Marks))); err != nil {
				return err
			}
		default:
			if err := x.enter(states.Pair{S: f.next, Q: step.To}, number, claim, uint32(step.Marks)); err != nil {
				return err
			}
		}
	}
	return nil
}

// advance goes on to the next successor of the graph, as that of Search does.
func (x *searcher) advance(f *sharedFrame) bool {
	successors := x.successors(f.edges)
	n := uint32(len(successors))
	if f.successor == n {
		return false
	}
	at := f.turn + f.successor
	if at >= n {
		at -= n
	}
	f.next = successors[at]
	f.successor++
	f.first, f.end = x.row(f.Q, f.letter, x.letter(f.next))
	return true
}

// edgesOf finds the graph edges of s. It returns how many there are, and where: on the spill if the graph
// does not keep them, at the place -edges if it does.
func (x *searcher) edgesOf(s petri.StateID) (edges int64, n int, err error) {
	successors, err := x.walker.Successors(s)
	if err != nil {
		return 0, 0, err
	}
	if place := x.kripke.Place(s); place != 0 {
		return -int64(place), len(successors), nil
	}
	if err := x.Account.Charge(4 * len(successors)); err != nil {
		return 0, 0, err
	}
	return x.spill.Push(successors), len(successors), nil
}

// successors returns the graph edges that edgesOf has found.
func (x *searcher) successors(edges int64) []petri.StateID {
	if edges >= 0 {
		return x.spill.Top(edges)
	}
	return x.kripke.At(uint32(-edges))
}

// forgetEdges gives up edges that edgesOf has found, those last that it found first.
func (x *searcher) forgetEdges(edges int64) {
	if edges >= 0 {
		x.spill.Pop(edges)
	}
}

// turnOf returns the edge of s that the thread looks at first, of so many: each thread goes another way, the
// first one that of a search alone.
func (x *searcher) turnOf(s petri.StateID, edges int) uint32 {
	if x.path.Thread == 0 {
		return 0
	}
	return (s ^ uint32(x.path.Thread)*0x9e3779b9) * 0x85ebca6b >> 8 % uint32(edges)
}

// letter returns the letter of a state of the graph. All threads know it once one does.
func (x *searcher) letter(s petri.StateID) uint32 {
	l := x.letters.At(s)
	if l == 0 {
		label := x.labelling.Of(s)
		if int(label) >= len(x.letterOf) {
			x.letterOf = append(x.letterOf, make([]uint32, int(label)+1-len(x.letterOf))...)
		}
		if l = x.letterOf[label]; l == 0 {
			l = x.reader.Letter(x.labels.Label(label)) + 1
			x.letterOf[label] = l
		}
		x.letters.Give(x.Account, s, l)
	}
	return l - 1
}

// acceptsAnything reports whether state n of the automaton is known to accept whatever follows a letter.
func (x *searcher) acceptsAnything(n, letter uint32) bool {
	if int(n) >= len(x.universal) {
		x.universal = append(x.universal, make([]int8, int(n)+1-len(x.universal))...)
	}
	if x.universal[n] == 0 {
		x.universal[n] = -1
		if x.reader.Universal(n, letter) {
			x.universal[n] = 1
		}
	}
	return x.universal[n] > 0
}

// enter puts a state on the path. It was reached by an edge with these marks.
func (x *searcher) enter(p states.Pair, n partition.Number, claim partition.Claim, marks uint32) error {
	if claim == partition.First {
		if x.entered++; x.entered&states.PollMask == 0 {
			x.tell()
		}
	}
	return x.goTo(&x.path.Enter(n, marks).Frame, p)
}

// goTo begins with the edges of a state that a step is at now.
func (x *searcher) goTo(f *sharedFrame, p states.Pair) error {
	if err := x.path.Room(); err != nil {
		return err
	}
	if err := x.Account.Charge(account.StateWork); err != nil {
		return err
	}
	letter := x.letter(p.S)
	if x.acceptsAnything(p.Q, letter) {
		return x.stop(sharedFinding{Finding: Finding{at: p, terminal: true}})
	}
	if err := x.livelock(p, letter); err != nil {
		return err
	}
	edges, n, err := x.edgesOf(p.S)
	if err != nil {
		return err
	}
	*f = sharedFrame{Pair: p, letter: letter, turn: x.turnOf(p.S, n), edges: edges}
	return nil
}

// mark adds marks of an edge within the set of the state on top. It stops if that is accepted.
func (x *searcher) mark(marks uint32) error {
	n := x.path.Top().At
	if all := uint64(x.sets.Mark(n, marks)); all&x.alone.wanted == x.alone.wanted {
		return x.stop(sharedFinding{number: n, marks: all})
	}
	return nil
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

// leave is called when all edges of the step on top were looked at.
func (x *searcher) leave(f *sharedFrame) error {
	if x.sets.Finish(x.path.Top().At) {
		x.explored += int64(f.looked)
	}
	x.forgetEdges(f.edges)
	picked, marks, inside := x.path.Leave()
	switch {
	case picked != 0:
		return x.goTo(f, x.sets.Pair(picked))
	case inside: // the step below goes on in the set
		return x.mark(marks)
	}
	return nil
}

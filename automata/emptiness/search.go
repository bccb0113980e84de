package emptiness

import (
	"context"

	"pnmc/automata"
	"pnmc/internal/account"
	"pnmc/internal/bitset"
)

// OperandKind is the type of an operand as a type parameter of JointSearch: the number of
// elements of the array type is the kind. Code with type parameters is compiled once for each
// type argument that is not a pointer. The length of an array type is a constant there. So what
// depends on the kind alone costs nothing in the compiled search. Methods of type parameters
// would not do: calls to them go through a dictionary even then.
type OperandKind interface {
	ExplicitKind | lazyKind | KripkeKind | scannedKind
}

type (
	ExplicitKind [0]struct{}
	lazyKind     [1]struct{}
	KripkeKind   [2]struct{}
	scannedKind  [3]struct{} // explicit, with nothing laid out: of both sides, or of none
)

const (
	isExplicit = len(ExplicitKind{})
	isLazy     = len(lazyKind{})
	isKripke   = len(KripkeKind{})
	isScanned  = len(scannedKind{})
)

// JointSearch is the two-automaton emptiness check (Algorithm 4.3 of the report): a depth-first
// search through the pairs of states that are reachable together. It keeps the strongly connected
// components of what it has seen, each with its marks of both sides. It stops as soon as the
// marks of a component satisfy both conditions, before the component is complete. So it cannot
// use internal/components, which is for complete components.
//
// Pairs are numbered as they are met, which is the order that the algorithm needs.
// Memory: 8 bytes and a bit for each pair, 4 more bytes while its component is not
// complete, and 20 more while it is on the path. Marks are kept only for components on
// the path, and not at all if both sides are weak.
//
// For example, the left side is G F a: state 0 with a loop a in set 0 and a loop !a in none. The
// right side goes from 0 to 1 on a and back on !a, and accepts every run. The search enters (0, 0).
// It goes on a to (0, 1), a component of its own that was entered by an edge in set 0. Then it goes
// on !a to (0, 0) again, which is not dead. So both are one component now. Its marks are those
// within the two, of the edge between them and of the edge back: set 0, which satisfies both sides.
// Two pairs and two edges were enough.
//
// Why it is right: from a pair that is not dead, a path leads to the top of the search's path. So
// an edge to it makes all components from its own on one component. A run can go round a component
// so that it takes all edges seen again and again. Conversely, the search sees all edges of a
// component before it declares it dead.
//
// With Fin, a component whose marks satisfy both conditions is accepting too, for
// the run that takes all edges seen so far sees exactly these marks. If none is,
// a complete component may still have an accepting part: see acceptsPart.
//
// The right side is explicit or lazy only.
type JointSearch[L, R OperandKind] struct {
	left, right *OperandSide
	Pairs       *automata.Pairs
	dead        []uint64 // bit of each pair: its component is complete and rejecting
	live        []uint32 // pairs that are not dead, ascending
	path        []jointFrame
	roots       []uint32 // first pair of each component on the path, ascending
	cyclic      []bool   // of each such component: it has an edge
	// rootMarks are the marks seen within each component. arcMarks are those of the
	// edge by which it was entered. Both have stride words for each component: first
	// the marks kept of the left side, then those of the right.
	rootMarks, arcMarks []uint64
	stride              int
	sum                 []uint64
	// row and partner are the current edge: a row, or successor, of the left side
	// and a row of the right; of scanned sides, edges.
	row, partner uint32

	usesFin bool
	stop    bool // stop where one side accepts all words and the other some
	poll    searchPoll
	account *account.Account
	Edges   int64
	// Found: the component on top of the path is accepting, or has an accepting
	// part; it is that of the pairs in live from the last of roots on.
	Found bool
}

// jointFrame is a pair on the path: row and partner are what comes next.
type jointFrame struct {
	number       uint32
	left, right  uint32
	row, partner uint32
}

// searchPoll watches context and budget.
type searchPoll struct {
	ctx      context.Context
	maxPairs int
	patience int64 // joint edges to look at; 0: any number
	labels   int64 // pairs of edges of scanned sides to look at
}

// NewJointSearch returns a search of two prepared sides that ends after patience joint edges; 0: any
// number. L and R must be the kinds of the two operands.
func NewJointSearch[L, R OperandKind](left, right *OperandSide, o Options, patience int64) *JointSearch[L, R] {
	s := &JointSearch[L, R]{
		left: left, right: right, stride: left.keptWords + right.keptWords,
		Pairs:   automata.NewPairs(left.operand.states(), right.operand.states()),
		usesFin: left.condition.Source.UsesFin() || right.condition.Source.UsesFin(),
		stop:    !o.Word && left.index != nil && right.index != nil,
		poll:    searchPoll{ctx: o.Context, maxPairs: o.MaxPairs, patience: patience},
		account: o.Account,
	}
	if s.account == nil {
		s.account = account.Of(o.Context)
	}
	left.account, right.account = s.account, s.account
	s.sum = make([]uint64, s.stride)
	return s
}

// Run searches from all pairs of initial states.
func (s *JointSearch[L, R]) Run() error {
	for _, a := range s.left.initial {
		for _, b := range s.right.initial {
			if err := s.account.Charge(account.EdgeWork); err != nil {
				return err
			}
			if n, isNew := s.Pairs.Number(automata.State(a), automata.State(b)); isNew {
				clear(s.sum)
				if err := s.enter(n, a, b); err != nil {
					return err
				}
				if err := s.explore(); err != nil || s.Found {
					return err
				}
			}
		}
	}
	return nil
}

// explore searches from the pair that is on the path.
func (s *JointSearch[L, R]) explore() error {
	for len(s.path) > 0 && !s.Found {
		f := &s.path[len(s.path)-1]
		if !s.next(f) {
			var l L
			if len(l) == isScanned && s.poll.labels < 0 {
				return errOutOfPatience
			}
			if err := s.retreat(f.number); err != nil {
				return err
			}
			continue
		}
		s.Edges++
		if s.Edges == s.poll.patience {
			return errOutOfPatience
		}
		if s.Edges&(account.EdgesBetweenCharges-1) == 0 {
			if err := s.account.Charge(account.EdgesBetweenCharges * account.EdgeWork); err != nil {
				return err
			}
		}
		a, b := s.destination()
		n, isNew := s.Pairs.Number(automata.State(a), automata.State(b))
		switch {
		case isNew:
			s.loadMarks()
			if err := s.enter(n, a, b); err != nil {
				return err
			}
		case !bitset.Has(s.dead, n):
			s.close(f, n)
		}
	}
	return nil
}

// enter puts a new pair on the path, a component of its own for now, that was
// entered by an edge with the marks sum.
func (s *JointSearch[L, R]) enter(n, a, b uint32) error {
	if err := s.room(); err != nil {
		return err
	}
	if bitset.WordsFor(n+1) > len(s.dead) {
		s.dead = append(s.dead, 0)
	}
	s.live = append(s.live, n)
	s.roots = append(s.roots, n)
	s.cyclic = append(s.cyclic, false)
	s.arcMarks = append(s.arcMarks, s.sum...)
	clear(s.sum)
	s.rootMarks = append(s.rootMarks, s.sum...)
	if s.stop && (s.left.universal != nil && s.left.universal[a] || s.right.universal != nil && s.right.universal[b]) {
		// The other side's states all have a nonempty language.
		s.Found = true
		return nil
	}
	if err := s.push(n, a, b); err != nil {
		return err
	}
	return s.check()
}

// close merges components on the path: the current edge, from f to the pair n, which is not
// dead, makes them one. It sets Found if that component is accepting. Most edges merge nothing
// and have no mark that is new: they cost a comparison.
func (s *JointSearch[L, R]) close(f *jointFrame, n uint32) {
	top := len(s.roots) - 1
	if s.roots[top] <= n && s.cyclic[top] && !s.isNews(top) {
		return
	}
	s.loadMarks()
	for s.roots[top] > n {
		for i := range s.stride {
			s.sum[i] |= s.rootMarks[top*s.stride+i] | s.arcMarks[top*s.stride+i]
		}
		top--
	}
	marks := s.rootMarks[top*s.stride : (top+1)*s.stride]
	news := !s.cyclic[top]
	for i, w := range s.sum {
		news = news || w&^marks[i] != 0
		marks[i] |= w
	}
	s.cyclic[top] = true
	s.roots, s.cyclic = s.roots[:top+1], s.cyclic[:top+1]
	s.rootMarks, s.arcMarks = s.rootMarks[:(top+1)*s.stride], s.arcMarks[:(top+1)*s.stride]
	if news {
		kept := s.left.keptWords
		s.Found = s.left.acceptsCycle(marks[:kept], f.left, s.leftEdge()) &&
			s.right.acceptsCycle(marks[kept:], f.right, s.rightEdge())
	}
}

// isNews reports whether the current edge has a kept mark that the component on the path
// does not have yet. Most edges have not.
func (s *JointSearch[L, R]) isNews(top int) bool {
	marks := s.rootMarks[top*s.stride : (top+1)*s.stride]
	if left := s.left.keptWords; left == 1 {
		if s.left.marks[s.leftEdge()]&^marks[0] != 0 {
			return true
		}
	} else if left > 1 && addsBit(s.left.edgeMarks(s.leftEdge()), marks) {
		return true
	}
	marks = marks[s.left.keptWords:]
	if len(marks) == 1 {
		return s.right.marks[s.rightEdge()]&^marks[0] != 0
	}
	return len(marks) > 1 && addsBit(s.right.edgeMarks(s.rightEdge()), marks)
}

// addsBit reports whether a has a bit that b has not.
func addsBit(a, b []uint64) bool {
	for i, w := range a {
		if w&^b[i] != 0 {
			return true
		}
	}
	return false
}

// loadMarks puts what is kept of the marks of the current edge in sum.
func (s *JointSearch[L, R]) loadMarks() {
	if s.left.keptWords > 0 {
		copy(s.sum, s.left.edgeMarks(s.leftEdge()))
	}
	if s.right.keptWords > 0 {
		copy(s.sum[s.left.keptWords:], s.right.edgeMarks(s.rightEdge()))
	}
}

// retreat takes the pair off the path, and its component too if it is the first
// of it.
func (s *JointSearch[L, R]) retreat(n uint32) error {
	s.pop()
	top := len(s.roots) - 1
	if s.roots[top] != n {
		return nil
	}
	first := len(s.live) - 1
	for s.live[first] != n {
		first--
	}
	if s.usesFin && s.cyclic[top] && s.mayAcceptPart(top) {
		var err error
		if s.Found, err = s.acceptsPart(s.live[first:]); s.Found || err != nil {
			return err
		}
	}
	for _, m := range s.live[first:] {
		bitset.Add(s.dead, m)
	}
	s.live = s.live[:first]
	s.roots, s.cyclic = s.roots[:top], s.cyclic[:top]
	s.rootMarks, s.arcMarks = s.rootMarks[:top*s.stride], s.arcMarks[:top*s.stride]
	return nil
}

// check returns an error if the search is to end without an answer.
func (s *JointSearch[L, R]) check() error {
	if s.poll.maxPairs > 0 && s.Pairs.Len() > s.poll.maxPairs || s.Pairs.Len() >= automata.MaxPairs {
		return ErrTooManyPairs
	}
	return s.account.Charge(account.EdgeWork)
}

// room asks whether there is room for another pair.
func (s *JointSearch[L, R]) room() error {
	if err := s.account.Charge(pairWork + 16*s.stride); err != nil {
		return err
	}
	if more := s.Pairs.Growth(); more > 0 {
		if err := s.account.Reserve(more); err != nil {
			return err
		}
	}
	if len(s.path) == cap(s.path) {
		if err := account.Room(s.account, s.path, 1); err != nil {
			return err
		}
	}
	if len(s.live) == cap(s.live) {
		if err := account.Room(s.account, s.live, 1); err != nil {
			return err
		}
	}
	if len(s.rootMarks) == cap(s.rootMarks) {
		return account.Room(s.account, s.rootMarks, 2*s.stride)
	}
	return nil
}

// pairWork is about what a pair costs, in nanoseconds.
const pairWork = 128

package partition

import (
	"sync/atomic"

	"pnmc/internal/growing"
)

// A Path is the depth-first path of one thread. The sets of its states are those on the way: a thread
// that closes a cycle unites the sets from there on. F is what the caller keeps of each state.
//
// Let A→B→C be the path, with three sets. An edge from C back to A unites all three. The path stays as
// it is, but its only root is A, the first on it in their set. When C is done, the thread goes back to
// B, then to A. Before it leaves A it picks a state of the set that nobody is done with, if there is
// one, and goes on from there.
type Path[F any] struct {
	Finder
	Thread uint
	steps  growing.Stack[Step[F]]
	roots  growing.Stack[uint32] // of steps: the first on the path in their set
	latest Number                // the state of the path that was united last, or 0
}

// Step is a state on a path. It was entered at one state of a set, and is now at one that was picked
// from the set.
type Step[F any] struct {
	Frame     F
	At, entry Number
	marks     uint32 // of the edge by which it was entered
	root      uint32 // of the set, as far as it is known and has a record, or 0
}

// Len returns how many states are on the path.
func (p *Path[F]) Len() int { return p.steps.Length }

// Top returns the last state of the path.
func (p *Path[F]) Top() *Step[F] { return p.steps.Top() }

// Bottom returns the state by which the path, which is not empty, was begun.
func (p *Path[F]) Bottom() Number { return p.steps.At(0).entry }

// Enter puts a state on the path that was claimed and is not on it. It was reached by an edge with these marks.
func (p *Path[F]) Enter(n Number, marks uint32) *Step[F] {
	p.roots.Push(uint32(p.steps.Length))
	p.steps.Push(Step[F]{At: n, entry: n, marks: marks})
	return p.steps.Top()
}

// IsWithin reports whether it is known that n is in the set of the last state, which has these marks. Most
// edges within a large set are so, and no more is to be done for them.
func (p *Path[F]) IsWithin(n Number, marks uint32) bool {
	root := p.Top().root
	if v := uint32(atomic.LoadUint64(p.at(n))); root == 0 || v&^done != root {
		return false
	}
	// Should the root be one no more, what it has is passed on.
	return marks&^atomic.LoadUint32(&p.record(root).marks) == 0
}

// Close unites the sets of the path from that of n on, to which the last state has an edge with these
// marks. It returns the marks that the set gets, which are to be added by Mark.
func (p *Path[F]) Close(n Number, marks uint32) uint32 {
	if p.Same(n, p.Top().At) {
		p.Top().root = p.root(n)
		return marks
	}
	// From below, so that all are linked to one root.
	to := p.roots.Length - 1
	for !p.Same(n, p.rootStep(to).entry) {
		to--
	}
	// A state joins the list of its set behind the one that the thread united last: the first one on the path
	// may be the same for all threads.
	into := p.rootStep(to).entry
	if p.latest != 0 && p.Same(p.latest, into) {
		into = p.latest
	}
	for i := to + 1; i < p.roots.Length; i++ {
		marks |= p.rootStep(i).marks
		p.Unite(into, p.rootStep(i).entry)
		into = p.rootStep(i).entry
	}
	p.latest = into
	p.roots.Length = to + 1
	p.Top().root = p.root(n)
	return marks
}

// rootStep returns the step of the i-th root.
func (p *Path[F]) rootStep(i int) *Step[F] { return p.steps.At(int(*p.roots.At(i))) }

// Leave goes on when the last state is done. If picked is not 0, the path stays, and the last state is
// at picked from now on. Otherwise the path is one shorter. If the state that is now the last one is in
// the same set, inside is true, and the set gets these marks.
func (p *Path[F]) Leave() (picked Number, marks uint32, inside bool) {
	last := p.Top()
	if p.steps.Length > 1 && p.Same(p.steps.At(p.steps.Length-2).At, last.At) {
		marks, root := last.marks, last.root
		if p.pop(); root != 0 {
			p.Top().root = root
		}
		return 0, marks, true
	}
	picked, ok := p.Pick(last.At)
	if !ok {
		p.pop()
		return 0, 0, false
	}
	last.At, last.root = picked, 0
	return picked, 0, false
}

// pop takes the last state off the path. If it is a root, its set is dead, or has the state before it.
func (p *Path[F]) pop() {
	p.steps.Pop()
	if p.roots.Length > 0 && int(*p.roots.Top()) == p.steps.Length {
		p.roots.Pop()
	}
}

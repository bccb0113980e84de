package marked

import (
	"context"

	"pnmc/automata"
	"pnmc/automata/bdd"
	"pnmc/internal/account"
)

// partition splits states into classes until all states of a class have the same
// signature. A signature is a Boolean function: it says what a state does, and to which
// classes that leads.
//
// A state's signature is computed again only if the class of a successor changed, and the largest
// part of a class that is split stays that class. A state is in a part that moves at most
// log₂(states) times, because its class is half as large each time. With m edges, n states and at
// most d edges of a state, that makes O(m log n) signatures, each of at most d arcs. In a chain
// that is linear but for the logarithm, where rounds over all states would be quadratic. The
// algorithm is that of Jacobs and Wißmann ("Fast coalgebraic bisimilarity minimization", POPL
// 2023). It takes Hopcroft's idea ("An n log n algorithm for minimizing states in a finite
// automaton", 1971) to any kind of signature.
//
// For example, take a chain of n states that read a. The last one leads to a state that reads b for
// ever. All states are one class at first, and all are due. Their signatures split off the state
// that reads b, and the class of the others keeps its number. So only the predecessor of that state
// is due now; its signature is computed, and it is split off; and so on. That is about 2n
// signatures, where rounds over all states compute n².
//
// Why it ends with the right classes: states are separated only if their signatures differ. As
// long as all bisimilar states are in one class, their signatures never differ. And in the end no
// state is due: all members of a class have the same signature for the classes there are.
type partition struct {
	classes []class
	class   []uint32           // of each state
	members []automata.State   // class by class
	place   []uint32           // of each state among the members
	before  [][]automata.State // of each state: those whose signature depends on its class
	queue   []uint32           // classes with members that are due
	// Room for a class that is split: the part that a signature stands for, the signature of
	// each part, its members that were due, and those that get another class.
	number     map[bdd.Function]int
	signatures []bdd.Function
	parts      [][]automata.State
	moved      []automata.State
	// splits is how many classes were looked at, and signed how many signatures computed.
	splits, signed int
}

// class is a range of members. The first ones are due: a successor of theirs is in another
// class than it was when their signature was computed. The others have the signature.
type class struct {
	first, end, due uint32
	signature       bdd.Function
}

// signer computes signatures.
type signer interface {
	// sign returns the signature of s for the present classes.
	sign(s automata.State) bdd.Function
	// crowded reports whether so many functions are held that all are better forgotten,
	// and does so.
	crowded() bool
	// err returns an error if functions are too large.
	err() error
}

// newPartition starts with these classes, which have the numbers below count.
func newPartition(before [][]automata.State, classOf []uint32, count int) *partition {
	n := len(classOf)
	p := &partition{
		classes: make([]class, count), class: classOf, before: before,
		members: make([]automata.State, n), place: make([]uint32, n),
		number: map[bdd.Function]int{},
	}
	for _, c := range classOf {
		p.classes[c].end++
	}
	start := uint32(0)
	for c := range p.classes {
		size := p.classes[c].end
		p.classes[c] = class{first: start, end: start, due: size}
		start += size
		if size > 1 {
			p.queue = append(p.queue, uint32(c))
		}
	}
	for s, c := range classOf {
		at := p.classes[c].end
		p.members[at], p.place[s] = automata.State(s), at
		p.classes[c].end++
	}
	return p
}

// splitsPerLook is how many classes are split between two looks at the context: the diagrams
// of their signatures may be too small to look by themselves.
const splitsPerLook = 16

// refine splits classes until signatures agree in each.
func (p *partition) refine(ctx context.Context, by signer) error {
	var room []uint32
	for len(p.queue) > 0 {
		round := p.queue
		p.queue = room[:0]
		for _, c := range round {
			if p.splits++; p.splits%splitsPerLook == 0 {
				if err := account.Reason(ctx); err != nil {
					return err
				}
			}
			if err := by.err(); err != nil {
				return err
			}
			p.split(c, by)
		}
		room = round
		if by.crowded() {
			p.signAgain(by)
		}
	}
	return by.err()
}

// signAgain computes the signatures of classes anew, after the functions were forgotten. One member
// that is not due is enough for each class.
func (p *partition) signAgain(by signer) {
	for i := range p.classes {
		if c := &p.classes[i]; c.end-c.first > max(1, c.due) {
			c.signature = by.sign(p.members[c.end-1])
		}
	}
}

// split makes a class of each set of members of c that have the same signature.
func (p *partition) split(c uint32, by signer) {
	k := &p.classes[c]
	due, rest := p.members[k.first:k.first+k.due], int(k.end-k.first-k.due)
	k.due = 0
	if rest > 0 { // part 0 has the members whose signature is known
		p.partOf(k.signature)
	}
	for _, s := range due {
		n := p.partOf(by.sign(s))
		p.parts[n] = append(p.parts[n], s)
	}
	p.signed += len(due)
	largest, size := 0, 0
	for n := range p.signatures {
		members := len(p.parts[n])
		if n == 0 {
			members += rest
		}
		if members > size {
			largest, size = n, members
		}
	}
	p.move(c, largest)
	for n, g := range p.signatures {
		delete(p.number, g)
		p.parts[n] = p.parts[n][:0]
	}
	p.signatures = p.signatures[:0]
}

// partOf returns the number of the part of the members with signature g.
func (p *partition) partOf(g bdd.Function) int {
	n, known := p.number[g]
	if !known {
		n = len(p.signatures)
		p.number[g] = n
		p.signatures = append(p.signatures, g)
		if n == len(p.parts) {
			p.parts = append(p.parts, nil)
		}
	}
	return n
}

// move gives the parts of class c numbers of their own, but for the one that keeps that of
// c, and notes whose signatures change. Part 0 comes last among the members, where those
// are of it that were not due.
func (p *partition) move(c uint32, keeps int) {
	whole := p.classes[c]
	p.moved = p.moved[:0]
	at := whole.first
	for i := range p.signatures {
		n := (i + 1) % len(p.signatures)
		k := class{first: at, signature: p.signatures[n]}
		for _, s := range p.parts[n] {
			p.members[at], p.place[s] = s, at
			at++
		}
		if n == 0 {
			at = whole.end
		}
		k.end = at
		if n == keeps {
			p.classes[c] = k
			continue
		}
		for _, s := range p.members[k.first:k.end] {
			p.class[s] = uint32(len(p.classes))
		}
		p.classes = append(p.classes, k)
		p.moved = append(p.moved, p.members[k.first:k.end]...)
	}
	for _, s := range p.moved {
		for _, b := range p.before[s] {
			p.touch(b)
		}
	}
}

// touch notes that the signature of s has to be computed again, unless s is alone.
func (p *partition) touch(s automata.State) {
	c := p.class[s]
	k := &p.classes[c]
	at, to := p.place[s], k.first+k.due
	if k.end-k.first == 1 || at < to {
		return
	}
	other := p.members[to]
	p.members[at], p.place[other] = other, at
	p.members[to], p.place[s] = s, to
	if k.due == 0 {
		p.queue = append(p.queue, c)
	}
	k.due++
}

// inOrder returns the class of each state, numbered in the order of their first states, and how
// many classes there are.
func (p *partition) inOrder() (classOf []uint32, count int) {
	number := make([]uint32, len(p.classes)) // one more than it is, or 0
	classOf = make([]uint32, len(p.class))
	for s, c := range p.class {
		if number[c] == 0 {
			count++
			number[c] = uint32(count)
		}
		classOf[s] = number[c] - 1
	}
	return classOf, count
}

// predecessors returns for each state the states with an edge to it, each once.
func (r *Reducible) predecessors() [][]automata.State {
	before := make([][]automata.State, len(r.Out))
	for s, out := range r.Out {
		for _, e := range out {
			list := before[e.To]
			if len(list) == 0 || list[len(list)-1] != automata.State(s) {
				before[e.To] = append(list, automata.State(s))
			}
		}
	}
	return before
}

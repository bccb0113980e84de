package automata

import (
	"cmp"
	"math/bits"
	"slices"

	"pnmc/internal/bitset"
)

// Alphabet is the union of the propositions of two automata that are run side by side.
// The order serves Rows: propositions of both come first, and among them those that
// most labels of both constrain.
type Alphabet struct {
	Propositions []string
	// Shared is the number of propositions, the first ones, that both have.
	Shared int
	// Left and Right map the propositions of either one to their place in the union.
	Left, Right []int
}

// NewAlphabet joins two lists of propositions, each without repetition. The
// automata that have them may be nil, where their labels are not known.
func NewAlphabet(left, right []string, leftLabels, rightLabels *Automaton) Alphabet {
	weight, place := leftLabels.literalShare(len(left)), rightLabels.literalShare(len(right))
	if slices.Equal(left, right) && wellOrdered(weight) && wellOrdered(place) {
		same := make([]int, len(left))
		for p := range same {
			same[p] = p
		}
		return Alphabet{Propositions: left, Shared: len(left), Left: same, Right: same}
	}
	inRight := make(map[string]int, len(right))
	for q, name := range right {
		inRight[name] = q
	}
	type pair struct {
		p, q   int
		weight float64
	}
	var shared []pair
	x := Alphabet{Left: make([]int, len(left)), Right: make([]int, len(right))}
	for p, name := range left {
		x.Left[p] = -1
		if q, both := inRight[name]; both {
			shared = append(shared, pair{p, q, weight[p] * place[q]})
		}
	}
	for q := range x.Right {
		x.Right[q] = -1
	}
	slices.SortStableFunc(shared, func(s, t pair) int { return cmp.Compare(t.weight, s.weight) })
	x.Shared = len(shared)
	for i, s := range shared {
		x.Propositions = append(x.Propositions, left[s.p])
		x.Left[s.p], x.Right[s.q] = i, i
	}
	x.add(left, x.Left)
	x.add(right, x.Right)
	return x
}

// wellOrdered reports whether the propositions by which rows can be grouped are in
// nearly all labels as they are.
func wellOrdered(share []float64) bool {
	for _, s := range share[:min(len(share), maxGroupBits)] {
		if s < 0.9 {
			return false
		}
	}
	return true
}

// add appends the propositions that have no place yet.
func (x *Alphabet) add(names []string, place []int) {
	for i, name := range names {
		if place[i] < 0 {
			place[i] = len(x.Propositions)
			x.Propositions = append(x.Propositions, name)
		}
	}
}

// Words returns the number of words of a Valuation over the alphabet.
func (x *Alphabet) Words() int { return WordsFor(len(x.Propositions)) }

// sampledCubes bounds the cubes that literalShare looks at.
const sampledCubes = 1 << 6

// literalShare returns, for each proposition, the share of cubes that have a literal
// of it, in a sample; 1 where the labels are not known.
func (a *Automaton) literalShare(propositions int) []float64 {
	share := make([]float64, propositions)
	if a == nil || len(a.cubes) == 0 {
		for p := range share {
			share[p] = 1
		}
		return share
	}
	cubes := len(a.cubes) / (2 * a.cubeWords)
	step := max(1, cubes/sampledCubes)
	seen := 0.0
	for cube := 0; cube < cubes; cube += step {
		seen++
		at := cube * 2 * a.cubeWords
		for i, w := range a.cubes[at : at+a.cubeWords] {
			for ; w != 0; w &= w - 1 {
				share[64*i+bits.TrailingZeros64(w)]++
			}
		}
	}
	for p := range share {
		share[p] /= seen
	}
	return share
}

// Row is one cube of the label of one edge, over an Alphabet: the first word of
// the cube, and where the edge goes. 24 bytes.
type Row struct {
	Care, Value uint64
	Destination State
	Edge        Edge
}

// Meets reports whether the first words of the cubes of r and t agree.
func (r *Row) Meets(t *Row) bool { return (r.Value^t.Value)&r.Care&t.Care == 0 }

// Rows are the edges of an automaton, one row for each cube, laid out to be joined with the edges
// of another. A state may have many rows. Then those that constrain a few shared propositions are
// grouped by the values of these. So the partners of a given cube are found without going through
// all rows.
//
// States are laid out as they are asked for. The rows of state s are Start[s] to
// End[s]. Those before Wild[s] may meet any cube; of the others only those that
// Candidates returns.
//
// For example, a state has 16 rows, each with another valuation of four shared propositions. They
// are in 16 buckets by these values. The cube of the other automaton, if it has literals of all
// four, meets one of them only, and Candidates looks that up. A row that lacks a literal of the
// four would be in several buckets; it is wild instead, and comes before all buckets. If more than
// half of the rows would be wild, fewer propositions are used for the buckets.
type Rows struct {
	Rows             []Row
	Start, Wild, End []uint32
	// Rest holds the words of the cubes beyond the first: of row r those from
	// r·2·RestWords on, first all of care, then all of value.
	Rest      []uint64
	RestWords int

	a        *Automaton
	keep     func(Edge) bool
	place    []int
	shared   int
	identity bool // the cubes need not be rearranged
	ready    []bool
	cube     Cube

	mask        []uint64 // of s: the propositions that group its rows; 0: all rows are wild
	bucketStart []uint32 // of s: where its buckets start
	buckets     []uint32 // first row for each value of the propositions of mask, and an end

	// For sorting.
	sortedRows []Row
	sortedRest []uint64
	count      []uint32
}

// maxGroupBits bounds the buckets of a state to 2^12.
const maxGroupBits = 12

// minGroupedRows is where going through all rows begins to cost more than the
// buckets do.
const minGroupedRows = 8

// NewRows returns rows for the edges of a that keep admits (nil: all), none laid out yet;
// place is Left or Right of the alphabet.
func NewRows(a *Automaton, x *Alphabet, place []int, keep func(Edge) bool) *Rows {
	n := a.States()
	numbers := make([]uint32, 4*n)
	return &Rows{
		Start: numbers[:n:n], Wild: numbers[n : 2*n : 2*n], End: numbers[2*n : 3*n : 3*n], bucketStart: numbers[3*n:],
		RestWords: x.Words() - 1, a: a, keep: keep, place: place, shared: x.Shared,
		identity: isIdentity(place) && x.Words() == 1, cube: make(Cube, 2*x.Words()),
		ready: make([]bool, n), mask: make([]uint64, n),
	}
}

// Ready reports whether s is laid out.
func (r *Rows) Ready(s State) bool { return r.ready[s] }

// LayOut lays out the edges of s, in time linear in their cubes. Slices of Rows
// taken before may be outdated.
func (r *Rows) LayOut(s State) {
	if r.ready[s] {
		return
	}
	r.ready[s] = true
	r.Start[s] = uint32(len(r.Rows))
	half := len(r.cube) / 2
	e, end := r.a.Out(s)
	cubes := int(r.a.cubeStart[end] - r.a.cubeStart[e])
	r.Rows = slices.Grow(r.Rows, cubes)
	r.Rest = slices.Grow(r.Rest, cubes*2*r.RestWords)
	for ; e < end; e++ {
		if r.keep != nil && !r.keep(e) {
			continue
		}
		for i := range r.a.Cubes(e) {
			from := r.a.Cube(e, i)
			if r.identity {
				r.Rows = append(r.Rows, Row{from[0], from[1], r.a.Destination(e), e})
				continue
			}
			from.Place(r.place, r.cube)
			r.Rows = append(r.Rows, Row{r.cube[0], r.cube[half], r.a.Destination(e), e})
			r.Rest = append(append(r.Rest, r.cube[1:half]...), r.cube[half+1:]...)
		}
	}
	r.End[s] = uint32(len(r.Rows))
	r.group(s)
}

// isIdentity reports whether each proposition is in its own place, so that cubes can be taken as
// they are.
func isIdentity(place []int) bool {
	for i, p := range place {
		if p != i {
			return false
		}
	}
	return true
}

// Place writes to d the cube c with proposition p called place[p].
func (c Cube) Place(place []int, d Cube) {
	clear(d)
	half, to := len(c)/2, len(d)/2
	for i, w := range c[:half] {
		for ; w != 0; w &= w - 1 {
			p := 64*i + bits.TrailingZeros64(w)
			q := place[p]
			bitset.Add(d, q)
			bitset.Put(d[to:], q, bitset.Bit(c[half:], p))
		}
	}
}

// group orders the rows of s by the buckets.
func (r *Rows) group(s State) {
	first, end := r.Start[s], r.End[s]
	r.Wild[s] = end
	if end-first < minGroupedRows {
		return
	}
	width := min(bits.Len32(end-first)-1, r.shared, maxGroupBits)
	for ; width > 0; width-- {
		if 2*r.wild(first, end, 1<<width-1) <= int(end-first) {
			break
		}
	}
	if width <= 0 {
		return
	}
	mask := uint64(1)<<width - 1
	r.mask[s] = mask
	r.bucketStart[s] = uint32(len(r.buckets))
	// Counting sort; bucket 0 is that of the wild rows.
	r.count = slices.Grow(r.count[:0], int(mask+3))[:mask+3]
	clear(r.count)
	bucket := func(w *Row) uint64 {
		if w.Care&mask != mask {
			return 0
		}
		return w.Value&mask + 1
	}
	stride := uint32(2 * r.RestWords)
	rows := append(r.sortedRows[:0], r.Rows[first:end]...)
	rest := append(r.sortedRest[:0], r.Rest[first*stride:end*stride]...)
	for i := range rows {
		r.count[bucket(&rows[i])+1]++
	}
	r.count[0] = first
	for i := 1; i < len(r.count); i++ {
		r.count[i] += r.count[i-1]
	}
	r.Wild[s] = r.count[1]
	r.buckets = append(r.buckets, r.count[1:]...)
	for i := range rows {
		b := bucket(&rows[i])
		at := r.count[b]
		r.count[b]++
		r.Rows[at] = rows[i]
		copy(r.Rest[at*stride:(at+1)*stride], rest[uint32(i)*stride:])
	}
	r.sortedRows, r.sortedRest = rows, rest
}

// wild counts the rows that do not constrain all propositions of the mask.
func (r *Rows) wild(first, end uint32, mask uint64) int {
	n := 0
	for i := first; i < end; i++ {
		if r.Rows[i].Care&mask != mask {
			n++
		}
	}
	return n
}

// Candidates returns the rows of s from Wild[s] on that the row t of another
// automaton over the same alphabet may meet: from first up to end, end left out. It returns all of
// them where t does not have literals of all propositions of the buckets.
func (r *Rows) Candidates(s State, t *Row) (first, end uint32) {
	mask := r.mask[s]
	if mask == 0 || t.Care&mask != mask {
		return r.Wild[s], r.End[s]
	}
	at := r.bucketStart[s] + uint32(t.Value&mask)
	return r.buckets[at], r.buckets[at+1]
}

// RestMeets reports whether row i of r and row j of t, of two automata over the
// same alphabet, agree beyond their first words.
func (r *Rows) RestMeets(i uint32, t *Rows, j uint32) bool {
	return RestMeets(r.Rest, i, t.Rest, j, r.RestWords)
}

// RestMeets reports whether cube i of one list and cube j of another agree, each
// cube having words of care and as many of value.
func RestMeets(left []uint64, i uint32, right []uint64, j uint32, words int) bool {
	at, to := int(i)*2*words, int(j)*2*words
	for w := range words {
		if (left[at+words+w]^right[to+words+w])&left[at+w]&right[to+w] != 0 {
			return false
		}
	}
	return true
}

// MakeUniversal turns the rows of s, of which there is one at least, into edges
// to s itself for all valuations.
func (r *Rows) MakeUniversal(s State) {
	first, end := r.Start[s], r.End[s]
	for i := first; i < end; i++ {
		r.Rows[i].Care, r.Rows[i].Value, r.Rows[i].Destination = 0, 0, s
	}
	clear(r.Rest[int(first)*2*r.RestWords : int(end)*2*r.RestWords])
	r.mask[s], r.Wild[s] = 0, end
}

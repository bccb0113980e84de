package automata

// rejectedWords is an automaton with the words that another one does not accept.
type rejectedWords interface {
	// starts are its initial states.
	starts() []State
	// sets is the number of its acceptance sets, all to be visited again and again.
	sets() int
	// next are the moves of a state for a letter; false where it gets too large.
	next(m State, letter int) ([]move, bool)
	// reached are states of the other automaton to which the words that lead to m lead,
	// as far as they are known.
	reached(m State) []State
}

// computedRejection is a complement that is computed on the fly.
type computedRejection struct {
	complement *Complementation
	letters    int
	taken      [][]Edge // by state s of what is complemented and letter l, at s×letters + l
	known      map[letterStep][]move
	work       *int // left
}

// letterStep is a state of a complement and a letter.
type letterStep struct {
	state  State
	letter int32
}

// stepWork is what a step of a complement costs, compared with an edge of a product.
const stepWork = 16

// newComputedRejection is c for letters that are each represented by a valuation.
func newComputedRejection(c *Complementation, letters []Valuation, work *int) *computedRejection {
	buchi := c.Buchi()
	r := &computedRejection{
		complement: c, letters: len(letters), work: work,
		taken: make([][]Edge, buchi.States()*len(letters)), known: map[letterStep][]move{},
	}
	for l, v := range letters {
		for e := range Edge(buchi.Edges()) {
			if buchi.Matches(e, v) {
				at := int(buchi.Source(e))*len(letters) + l
				r.taken[at] = append(r.taken[at], e)
			}
		}
	}
	return r
}

func (r *computedRejection) starts() []State         { return []State{0} }
func (r *computedRejection) sets() int               { return r.complement.sets }
func (r *computedRejection) reached(m State) []State { return r.complement.Reached(uint32(m)) }

func (r *computedRejection) next(m State, letter int) ([]move, bool) {
	step := letterStep{m, int32(letter)}
	list, known := r.known[step]
	if known {
		return list, true
	}
	*r.work -= stepWork
	var taken []Edge
	for _, s := range r.reached(m) {
		taken = append(taken, r.taken[int(s)*r.letters+letter]...)
	}
	err := r.complement.read(uint32(m), taken, func(marks Marks, to uint32) {
		list = append(list, move{State(to), marks[0]})
	})
	if err == nil {
		r.known[step] = list
	}
	return list, err == nil
}

// givenRejection is an automaton that is known for the complement, such as that of a
// negated formula.
type givenRejection struct {
	*lettered
	initial []State
}

func (r givenRejection) starts() []State                    { return r.initial }
func (r givenRejection) sets() int                          { return r.lettered.sets }
func (r givenRejection) reached(State) []State              { return nil }
func (r givenRejection) next(m State, l int) ([]move, bool) { return r.of(m, l), true }

package automorphism

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"pnmc/internal/account"
	"pnmc/logic"
	"pnmc/petri"
)

// Goal is what is looked for: a predicate, or the largest value of a sum and products.
type Goal struct {
	Predicate *logic.Predicate
	Maximum   *logic.Sum
	Products  []logic.Product
}

// Find returns symmetries of net that keep the goals: whether a predicate holds, and the value of a
// sum, are the same in a marking and its images. It returns nil if it finds none. It does about so
// much work, in nanoseconds; what it has found by then are symmetries. An error is that of ctx or its
// budget.
func Find(ctx context.Context, net *petri.Net, goals []Goal, work int) (*petri.Symmetries, error) {
	s, err := newSearch(account.Of(ctx), net, goals, work)
	if errors.Is(err, errEnough) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if err := s.run(); err != nil && !errors.Is(err, errEnough) {
		return nil, err
	}
	if len(s.found) == 0 {
		return nil, nil
	}
	permutations, err := s.permutations()
	if err != nil {
		return nil, err
	}
	return petri.NewSymmetries(permutations, s.rank), nil
}

// Orbits returns for each place, and for each transition, the least one that symmetries of net map it
// to: where one of them can be marked or fire, so can the others. It does about so much work, in
// nanoseconds, and may tell apart what is alike. An error is that of ctx or its budget, or says that the
// net is too large for that.
func Orbits(ctx context.Context, net *petri.Net, work int) (places []petri.Place, transitions []petri.Transition, err error) {
	a := account.Of(ctx)
	s, err := newSearch(a, net, nil, work)
	if err != nil {
		return nil, nil, err
	}
	if err := s.run(); err != nil && !errors.Is(err, errEnough) {
		return nil, nil, err
	}
	if err := a.Reserve(8 * len(s.graph.colour)); err != nil {
		return nil, nil, err
	}
	if s.orbits == nil { // for lack of work
		s.orbits = newOrbits(len(s.graph.colour))
	}
	least := make([]uint32, len(s.graph.colour)) // of an orbit, plus one
	for v := range s.graph.colour {
		orbit := s.orbits.of(uint32(v))
		if least[orbit] == 0 {
			least[orbit] = uint32(v) + 1
		}
		if v < s.graph.places {
			places = append(places, petri.Place(least[orbit]-1))
		} else if v < s.graph.places+s.graph.transitions {
			transitions = append(transitions, petri.Transition(int(least[orbit])-1-s.graph.places))
		}
	}
	return places, transitions, nil
}

// A marking is lowered by permutations until none of them makes it less. Which ones there are
// decides how many markings of an orbit are left:
//
//   - exchanges of neighbours in rows of components, as they are found: one is left where the
//     components have no places in common, and few where they have;
//   - all of a small group: one is left;
//   - else what was found, and its powers: of a ring that can be turned, one is left.

const (
	// smallGroup bounds the group of which all permutations are taken. Each is tried for each
	// marking.
	smallGroup = 64
	// mostPowers bounds the powers of a permutation that are taken.
	mostPowers = 64
)

// permutations returns those by which markings are lowered.
func (s *search) permutations() ([][]petri.Move, error) {
	c := newCollection(s.account, s.graph.places)
	for _, moves := range s.found {
		shorter, err := c.shorten(moves)
		if err != nil {
			return nil, err
		}
		if _, err := c.add(shorter); err != nil {
			return nil, err
		}
	}
	rows, err := c.rows()
	if rows || err != nil {
		return c.list, err
	}
	found := len(c.list)
	if whole, err := c.close(found); whole || err != nil {
		return c.list, err
	}
	c.list = c.list[:found]
	clear(c.known)
	for _, moves := range c.list {
		power := moves
		for n := 2; n < mostPowers; n++ {
			if power = c.product(power, moves); len(power) == 0 {
				break
			}
			if _, err := c.add(power); err != nil {
				return nil, err
			}
		}
	}
	return c.list, nil
}

// collection collects permutations, each once. Their moves are sorted by the places that get tokens.
type collection struct {
	account *account.Account
	enough  int64 // what the account may have spent when this ends with errEnough
	list    [][]petri.Move
	known   map[string]bool
	from    []petri.Place // of a place; the place itself, between two calls
	key     []byte
}

func newCollection(a *account.Account, places int) *collection {
	c := &collection{account: a, enough: math.MaxInt64, known: map[string]bool{}, from: make([]petri.Place, places)}
	for p := range c.from {
		c.from[p] = petri.Place(p)
	}
	return c
}

// charge charges work, in about nanoseconds. An error is that of the account, or errEnough.
func (c *collection) charge(work int) error {
	if c.account.Spent() > c.enough {
		return errEnough
	}
	return c.account.Charge(work)
}

// moveBytes is about what a move of a permutation takes, and how many nanoseconds it costs.
const moveBytes = 64

// add adds a permutation other than the identity, and reports whether it is new.
func (c *collection) add(moves []petri.Move) (added bool, err error) {
	if err := c.account.Reserve(moveBytes * len(moves)); err != nil || len(moves) == 0 {
		return false, err
	}
	c.key = c.key[:0]
	for _, x := range moves {
		for _, p := range [2]petri.Place{x.Place, x.From} {
			c.key = append(c.key, byte(p), byte(p>>8), byte(p>>16), byte(p>>24))
		}
	}
	if c.known[string(c.key)] {
		return false, nil
	}
	c.known[string(c.key)] = true
	c.list = append(c.list, moves)
	return true, nil
}

// product returns the permutation that does first what x does, and then what y does.
func (c *collection) product(x, y []petri.Move) []petri.Move {
	for _, m := range x {
		c.from[m.Place] = m.From
	}
	var both []petri.Move
	for _, m := range y {
		if from := c.from[m.From]; from != m.Place {
			both = append(both, petri.Move{Place: m.Place, From: from})
		}
	}
	for _, m := range y { // what x does elsewhere stays
		c.from[m.Place] = m.Place
	}
	for _, m := range x {
		if c.from[m.Place] == m.From {
			both = append(both, m)
		}
		c.from[m.Place] = m.Place
	}
	slices.SortFunc(both, func(a, b petri.Move) int { return cmp.Compare(a.Place, b.Place) })
	return both
}

// shorten returns a permutation that moves fewer places, if products with those of the collection do.
// The same is generated with it. Where a component is mapped to the next, that undoes what was mapped by
// chance within what both have to do with: most often an exchange is left.
func (c *collection) shorten(moves []petri.Move) ([]petri.Move, error) {
	for again := true; again; {
		again = false
		for _, known := range c.list {
			if err := c.charge(8 * (len(moves) + len(known))); err != nil {
				return nil, err
			}
			if !meet(moves, known) {
				continue
			}
			for _, both := range [2][]petri.Move{c.product(moves, known), c.product(known, moves)} {
				if len(both) < len(moves) {
					moves, again = both, true
				}
			}
		}
	}
	return moves, nil
}

// rows reports whether all permutations exchange neighbours in rows: each is its own inverse, and two
// of them have the order three together, or don't meet.
func (c *collection) rows() (bool, error) {
	for i, x := range c.list {
		if len(c.product(x, x)) > 0 {
			return false, nil
		}
		for _, y := range c.list[:i] {
			if err := c.charge(8 * (len(x) + len(y))); err != nil {
				return false, err
			}
			if !meet(x, y) {
				continue
			}
			both := c.product(x, y)
			if len(c.product(c.product(both, both), both)) > 0 {
				return false, nil
			}
		}
	}
	return true, nil
}

// meet reports whether two permutations move a place both.
func meet(x, y []petri.Move) bool {
	for len(x) > 0 && len(y) > 0 {
		switch {
		case x[0].Place < y[0].Place:
			x = x[1:]
		case y[0].Place < x[0].Place:
			y = y[1:]
		default:
			return true
		}
	}
	return false
}

// close adds products with the first permutations, so many of them, as long as there are new ones. It
// reports false if there are more than a small group has.
func (c *collection) close(generators int) (whole bool, err error) {
	for i := 0; i < len(c.list); i++ {
		for _, g := range c.list[:generators] {
			if _, err := c.add(c.product(c.list[i], g)); err != nil {
				return false, err
			}
			if len(c.list) >= smallGroup {
				return false, nil
			}
		}
	}
	return true, nil
}

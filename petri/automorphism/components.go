package automorphism

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"pnmc/internal/account"
	"pnmc/petri"
)

// Components returns parts of net that are alike, in rows, such that all permutations of a row keep the net
// and the goals. It returns nil if it finds none. It does about so much work, in nanoseconds. An error is that of ctx
// or its budget.
//
// It goes on from the automorphisms that Find finds. Those that exchange two components generate the rest, but some that
// were found exchange others besides, by chance. So they are made shorter by all exchanges that are
// known, not by neighbours alone. Then exchanges are put in rows: each has order three with the next,
// and commutes with all others.
func Components(ctx context.Context, net *petri.Net, goals []Goal, work int) (*petri.Components, error) {
	s, err := newSearch(account.Of(ctx), net, goals, work)
	if err == nil {
		err = s.run()
	}
	if err != nil || len(s.found) == 0 {
		if errors.Is(err, errEnough) {
			err = nil
		}
		return nil, err
	}
	x := &exchanges{collection: newCollection(s.account, s.graph.places)}
	x.enough = s.account.Spent() + int64(s.work)
	found, err := x.inRows(s.found)
	if errors.Is(err, errEnough) {
		return nil, nil
	}
	return found, err
}

// inRows makes rows of the automorphisms found, and returns what they exchange, or nil. It may end with errEnough.
func (x *exchanges) inRows(found [][]petri.Move) (*petri.Components, error) {
	if err := x.gather(found); err != nil {
		return nil, err
	}
	if err := x.chains(); err != nil || len(x.rows) == 0 {
		return nil, err
	}
	return x.components(len(x.from))
}

// exchanges are automorphisms that are their own inverse, in list, and rows of some of them.
type exchanges struct {
	*collection
	rows [][][]petri.Move
}

// mostExchanges bounds the exchanges that are made of those that were found.
const mostExchanges = 1 << 9

// gather makes the automorphisms found shorter, and collects those that are exchanges.
func (x *exchanges) gather(found [][]petri.Move) error {
	for again := true; again; {
		again = false
		var rest [][]petri.Move
		for _, moves := range found {
			moves, err := x.shorten(moves)
			if err != nil {
				return err
			}
			if len(moves) == 0 {
				continue
			}
			if len(x.product(moves, moves)) > 0 {
				rest = append(rest, moves)
				continue
			}
			if _, err := x.add(moves); err != nil {
				return err
			}
		}
		// With more exchanges at hand the rest may become shorter, and so may some of these.
		straight, err := x.collection.rows()
		if err != nil || straight && len(rest) == 0 {
			return err
		}
		before := len(x.list)
		if err := x.conjugate(); err != nil {
			return err
		}
		if again = len(x.list) > before && len(x.list) < mostExchanges; again {
			found = rest
		}
		for i := 0; i < len(x.list); i++ {
			shorter, err := x.shorten(x.list[i])
			if err != nil {
				return err
			}
			if 0 < len(shorter) && len(shorter) < len(x.list[i]) && len(x.product(shorter, shorter)) == 0 {
				if added, err := x.add(shorter); err != nil {
					return err
				} else if added {
					again = true
				}
			}
		}
	}
	return nil
}

// conjugate adds what exchanges are made of others: of those of a with b and of b with c, that of a with c.
func (x *exchanges) conjugate() error {
	for i := 0; i < len(x.list); i++ {
		for j := 0; j < i; j++ {
			a, b := x.list[i], x.list[j]
			if len(x.list) >= mostExchanges {
				return nil
			}
			if err := x.charge(8 * (len(a) + len(b))); err != nil {
				return err
			}
			if !x.linked(a, b) {
				continue
			}
			if _, err := x.add(x.product(x.product(a, b), a)); err != nil {
				return err
			}
		}
	}
	return nil
}

// linked reports whether the product of two exchanges has order three.
func (x *exchanges) linked(a, b []petri.Move) bool {
	if !meet(a, b) {
		return false
	}
	both := x.product(a, b)
	return len(both) > 0 && len(x.product(x.product(both, both), both)) == 0
}

// commute reports whether it makes no difference which of two exchanges is first.
func (x *exchanges) commute(a, b []petri.Move) bool {
	if !meet(a, b) {
		return true
	}
	both := x.product(a, b)
	return len(x.product(both, both)) == 0
}

// settle leaves only exchanges that no shorter ones make shorter, ascending by length.
func (x *exchanges) settle() error {
	slices.SortStableFunc(x.list, func(a, b []petri.Move) int { return cmp.Compare(len(a), len(b)) })
	short := newCollection(x.account, len(x.from))
	short.enough = x.enough
	for _, moves := range x.list {
		moves, err := short.shorten(moves)
		if err != nil {
			return err
		}
		if len(short.product(moves, moves)) > 0 {
			continue
		}
		if _, err := short.add(moves); err != nil {
			return err
		}
	}
	x.collection = short
	return nil
}

// chains puts exchanges in rows.
func (x *exchanges) chains() error {
	if err := x.settle(); err != nil {
		return err
	}
	for _, first := range x.list {
		if apart, err := x.apart(nil, first); err != nil || !apart {
			if err != nil {
				return err
			}
			continue
		}
		row := [][]petri.Move{first}
		for range 2 { // to one end, and then to the other
			for {
				next, err := x.after(row)
				if err != nil {
					return err
				}
				if next == nil {
					break
				}
				row = append(row, next)
			}
			slices.Reverse(row)
		}
		x.rows = append(x.rows, row)
	}
	return nil
}

// after returns an exchange that a row can go on with: it has order three with the last one, and commutes with
// all others. It returns nil if there is none.
func (x *exchanges) after(row [][]petri.Move) ([]petri.Move, error) {
	last := row[len(row)-1]
	for _, next := range x.list {
		if err := x.charge(8 * (len(next) + len(last))); err != nil {
			return nil, err
		}
		if len(next) != len(last) || !x.linked(last, next) {
			continue
		}
		if apart, err := x.apart(row[:len(row)-1], next); err != nil || apart {
			return next, err
		}
	}
	return nil, nil
}

// apart reports whether an exchange is none of the rows or of a part of another one, and commutes with all of them.
func (x *exchanges) apart(part [][]petri.Move, moves []petri.Move) (bool, error) {
	for _, row := range append(slices.Clip(x.rows), part) {
		for _, known := range row {
			if err := x.charge(8 * (len(known) + len(moves))); err != nil {
				return false, err
			}
			if slices.Equal(known, moves) || !x.commute(known, moves) {
				return false, nil
			}
		}
	}
	return true, nil
}

// neighbour says that exchange number i of all rows maps a place to another one.
type neighbour struct {
	exchange int32
	image    petri.Place
}

// components returns what the rows exchange. It returns nil if places can't be told by components.
func (x *exchanges) components(places int) (*petri.Components, error) {
	neighbours := make([][]neighbour, places)
	var sizes []int
	var low []int32 // of an exchange, the lower one of its components
	total := int32(0)
	for _, row := range x.rows {
		for _, moves := range row {
			if err := x.account.Reserve(16 * len(moves)); err != nil {
				return nil, err
			}
			for _, m := range moves {
				neighbours[m.From] = append(neighbours[m.From], neighbour{int32(len(low)), m.Place})
			}
			low = append(low, total)
			total++
		}
		sizes = append(sizes, len(row)+1)
		total++
	}
	if err := x.account.Reserve(48 * places); err != nil {
		return nil, err
	}
	class, members := make([]int32, places), make([][]int32, places)
	for p := range class {
		class[p] = -1
	}
	classes := int32(0)
	var queue []petri.Place
	for p := range petri.Place(places) {
		if class[p] >= 0 || len(neighbours[p]) == 0 {
			continue
		}
		first, err := x.firstMembers(p, neighbours, low)
		if err != nil {
			return nil, err
		}
		class[p], members[p] = classes, first
		for queue = append(queue[:0], p); len(queue) > 0; {
			q := queue[len(queue)-1]
			queue = queue[:len(queue)-1]
			if err := x.charge(32 * (1 + len(low))); err != nil {
				return nil, err
			}
			for exchange, a := range low {
				image := imageOf(neighbours, q, exchange)
				if image == q && !slices.Contains(members[q], a) && !slices.Contains(members[q], a+1) {
					continue
				}
				moved := exchanged(members[q], a)
				switch {
				case class[image] < 0:
					class[image], members[image] = classes, moved
					queue = append(queue, image)
				case class[image] != classes || !slices.Equal(members[image], moved):
					return nil, nil
				}
			}
		}
		classes++
	}
	return petri.NewComponents(places, sizes, class, members), nil
}

// exchanged returns the components of a place after the exchange of component a with the next one.
func exchanged(members []int32, a int32) []int32 {
	moved := slices.Clone(members)
	for i, e := range moved {
		switch e {
		case a:
			moved[i] = a + 1
		case a + 1:
			moved[i] = a
		}
	}
	return moved
}

// firstMembers returns the components of a place that certain exchanges move. They are those of a row whose exchanges with
// all others of the row move the place; of a row of two, the first. If all are, the last one follows from
// the others. An error is that of the account.
func (x *exchanges) firstMembers(p petri.Place, neighbours [][]neighbour, low []int32) (members []int32, err error) {
	start := 0 // number of the first exchange of a row
	for _, row := range x.rows {
		first, size := start, len(row)+1
		start += len(row)
		if !slices.ContainsFunc(neighbours[p], func(n neighbour) bool { return first <= int(n.exchange) && int(n.exchange) < start }) {
			continue
		}
		belongs := make([]bool, size)
		for i := range belongs {
			belongs[i] = true
		}
		for i := range size {
			// It looks at (size - i)² images, each in some nanoseconds.
			if err := x.charge(4 * (size - i) * (size - i)); err != nil {
				return nil, err
			}
			// The exchange of i and j is that of neighbours, from i up to j and back.
			for j := i + 1; j < size; j++ {
				image := p
				for k := i; k < j; k++ {
					image = imageOf(neighbours, image, first+k)
				}
				for k := j - 2; k >= i; k-- {
					image = imageOf(neighbours, image, first+k)
				}
				if image == p {
					belongs[i], belongs[j] = false, false
				}
			}
		}
		if !slices.Contains(belongs, false) {
			belongs[size-1] = false
		}
		for i, is := range belongs {
			if is {
				members = append(members, low[first]+int32(i))
			}
		}
	}
	return members, nil
}

// imageOf returns what an exchange maps a place to.
func imageOf(neighbours [][]neighbour, p petri.Place, exchange int) petri.Place {
	i, moved := slices.BinarySearchFunc(neighbours[p], exchange, func(n neighbour, e int) int { return cmp.Compare(int(n.exchange), e) })
	if moved {
		return neighbours[p][i].image
	}
	return p
}

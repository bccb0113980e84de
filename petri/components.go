package petri

import (
	"cmp"
	"math/big"
	"slices"
)

// Components are parts of a net that are alike, in rows: all permutations of the components of a row are
// symmetries of the net, of each row by itself. A place may belong to one component, or to components of
// several rows. For example, the place that thread 2 works on job 5 belongs to both.
//
// Places of a class are alike: each is told by its components. So a marking is a table of tokens by
// components, and its images are what becomes of the table when components get other numbers.
//
// Components do not change: several threads may use them.
type Components struct {
	first   []int32 // of each row, its first component; last, the number of all components
	row     []int32 // of a component
	moved   []Place // the places that belong to components, ascending
	class   []int32 // of a place; -1: it belongs to no component
	start   []int32 // of a place, in member; one more in the end
	member  []int32 // the components of a place
	base    []int32 // of a class, in placeAt
	placeAt []Place // by class and components

	symmetries *big.Int // how many
}

// NewComponents returns the components of a net with so many places. Rows says how many components each
// row has; components have numbers row by row. Of each place that some permutation moves, there are its
// class and its components, always of the same rows in a class. NewComponents returns nil if two places
// have the same, or if there are far more ways to choose components than places.
func NewComponents(places int, rows []int, class []int32, members [][]int32) *Components {
	c := &Components{class: class, start: make([]int32, places+1), symmetries: big.NewInt(1)}
	total := int32(0)
	for r, n := range rows {
		c.first = append(c.first, total)
		for range n {
			c.row = append(c.row, int32(r))
		}
		total += int32(n)
		c.symmetries.Mul(c.symmetries, new(big.Int).MulRange(1, int64(n)))
	}
	c.first = append(c.first, total)
	for p := range Place(places) {
		c.member = append(c.member, members[p]...)
		c.start[p+1] = int32(len(c.member))
		if class[p] >= 0 {
			c.moved = append(c.moved, p)
		}
	}
	size := 0
	for _, p := range c.moved {
		for int(class[p]) >= len(c.base) {
			c.base = append(c.base, -1)
		}
		if c.base[class[p]] >= 0 {
			continue
		}
		c.base[class[p]] = int32(size)
		ways := 1
		for _, e := range c.of(p) {
			if ways *= rows[c.row[e]]; ways > mostWays*places {
				return nil
			}
		}
		if size += ways; size > mostWays*places {
			return nil
		}
	}
	c.placeAt = make([]Place, size)
	for i := range c.placeAt {
		c.placeAt[i] = nowhere
	}
	for _, p := range c.moved {
		at := &c.placeAt[c.index(p, nil)]
		if *at != nowhere {
			return nil
		}
		*at = p
	}
	return c
}

// mostWays bounds the ways to choose components, for each place.
const mostWays = 64

// nowhere stands where components have no place.
const nowhere = ^Place(0)

// of returns the components of a place.
func (c *Components) of(p Place) []int32 { return c.member[c.start[p]:c.start[p+1]] }

// index returns where the image of a place lies in placeAt: of it itself if image is nil, otherwise that
// to whose components image leads.
func (c *Components) index(p Place, image []int32) int32 {
	at := int32(0)
	for _, e := range c.of(p) {
		first := c.first[c.row[e]]
		count := c.first[c.row[e]+1] - first
		if image != nil {
			e = image[e]
		}
		at = at*count + e - first
	}
	return c.base[c.class[p]] + at
}

// exchanged returns the image of a place if two components of a row change places.
func (c *Components) exchanged(p Place, a, b int32) Place {
	at := int32(0)
	for _, e := range c.of(p) {
		first := c.first[c.row[e]]
		count := c.first[c.row[e]+1] - first
		switch e {
		case a:
			e = b
		case b:
			e = a
		}
		at = at*count + e - first
	}
	return c.placeAt[c.base[c.class[p]]+at]
}

// Len returns the number of components.
func (c *Components) Len() int { return len(c.row) }

// Symmetries returns how many permutations there are.
func (c *Components) Symmetries() *big.Int { return new(big.Int).Set(c.symmetries) }

// sortRow sorts components by hashes. Rows are short, and mostly nearly in order.
func sortRow(components []int32, hash []uint64) {
	if len(components) > 24 {
		slices.SortFunc(components, func(a, b int32) int { return cmp.Or(cmp.Compare(hash[a], hash[b]), cmp.Compare(a, b)) })
		return
	}
	for i := 1; i < len(components); i++ {
		e := components[i]
		j := i
		for ; j > 0 && hash[components[j-1]] > hash[e]; j-- {
			components[j] = components[j-1]
		}
		components[j] = e
	}
}

// Pairs returns how many places belong to more than one component.
func (c *Components) Pairs() (pairs int) {
	for _, p := range c.moved {
		if len(c.of(p)) > 1 {
			pairs++
		}
	}
	return pairs
}

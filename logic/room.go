package logic

import (
	"slices"
	"strings"
	"unsafe"
)

// This file has what asks a limit before names that stand for very many nodes are made into sums and lists.

// lookBytes stands for the time that it may take to look up a name that no node has: a coloured net tries
// whether it ends in colours. That is a millisecond or so, of which a few go by until the limit looks.
const lookBytes = 1 << 17

// lookedUp returns the bytes to ask for after a name was looked up.
func lookedUp(name string, found []uint32) int {
	if len(found) > 0 || !strings.Contains(name, "_") {
		return 0
	}
	return lookBytes
}

const (
	termSize    = int(unsafe.Sizeof(Term{}))
	productSize = int(unsafe.Sizeof(Product{}))
)

// room asks for a copy of numbers.
func (r *resolver) room(numbers ...value) error {
	bytes := 0
	for _, v := range numbers {
		bytes += len(v.terms)*termSize + len(v.products)*productSize
	}
	return r.limit.Charge(bytes)
}

// roomBehind asks for what it takes to append the terms and products of right to those of left, which may copy all of them
// to a place that is a quarter larger.
func (r *resolver) roomBehind(left, right value) error {
	bytes := grown(len(left.terms), len(right.terms), cap(left.terms))*termSize +
		grown(len(left.products), len(right.products), cap(left.products))*productSize
	return r.limit.Charge(bytes)
}

// grown returns how many elements it takes to append more elements to a slice.
func grown(length, more, capacity int) int {
	if length+more <= capacity {
		return more
	}
	return (length+more)/4*5 + more
}

// fewTerms is how many terms of a sum may have places in common.
const fewTerms = 1 << 14

// together returns terms with one for each place, if they are more than most. The next time they are twice as many
// as then. So a sum that names places again and again takes no more room than twice that of its places, and sorting it at last
// is no more than sorting them. Where numbers get too large, the terms stay as they are: a comparison finds that out, too.
func (r *resolver) together(terms []Term, most *int) ([]Term, error) {
	if len(terms) <= *most {
		return terms, nil
	}
	if err := r.limit.Charge(len(terms) * termBytes); err != nil {
		return nil, err
	}
	if list, ok := merged(terms); ok {
		terms = list
	}
	*most = max(fewTerms, 2*len(terms))
	return terms, nil
}

// A NodeSet gathers the nodes that names stand for, within a limit. The zero value is empty.
type NodeSet struct {
	numbers []uint32
	names   map[string]bool
	most    int // numbers, until they are put in order
}

// Add adds the nodes of a name. Of a name that was added before it adds none.
func (s *NodeSet) Add(name string, nodes []uint32, limit Limit) error {
	if err := limit.Charge(len(name) + termBytes); err != nil || s.names[name] {
		return err
	}
	if len(s.numbers) > 0 || s.names != nil { // there are several names
		if s.names == nil {
			s.names = make(map[string]bool)
		}
		s.names[name] = true
	}
	const size = int(unsafe.Sizeof(uint32(0)))
	if err := limit.Charge(len(nodes)*termBytes + grown(len(s.numbers), len(nodes), cap(s.numbers))*size); err != nil {
		return err
	}
	if s.numbers = append(s.numbers, nodes...); len(s.numbers) > max(s.most, fewTerms) {
		s.numbers = s.Numbers()
		s.most = 2 * len(s.numbers)
	}
	return nil
}

// Numbers returns the nodes, ascending; nil if there are none.
func (s *NodeSet) Numbers() []uint32 {
	slices.Sort(s.numbers)
	return slices.Compact(s.numbers)
}

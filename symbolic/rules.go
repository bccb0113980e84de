package symbolic

import (
	"cmp"
	"math"
	"slices"

	"pnmc/internal/hashing"
)

// A ruleTable holds the rules of all relations over a forest. Rule 0 is the
// identity. A rule of the level levels[r] has the alternatives
// alternatives[starts[r]:starts[r+1]]. Equal rules of a relation are found in chains
// through next, as nodes are: large nets have hundreds of thousands of rules.
type ruleTable struct {
	relations    []uint32 // by rule: the relation that it is of
	levels       []uint32
	starts       []uint32
	alternatives []alternative
	exact        []bool   // by rule: each alternative is for one value, ascending
	next         []uint32 // by rule: the next one of the same bucket; 0 ends a chain
	buckets      []uint32 // heads of chains; a power of two of them
	fresh        uint32

	lists  int // levels of all relations
	listed int // events in them
}

// An alternative takes a value from low to high, adds delta, and goes on with next below. With
// the delta of an assignment, the value becomes the assigned one.
//
// A release goes back along an assignment, and its delta is that of the assignment, negated. The
// assigned value becomes any value v with high ≤ v < low. If the assignment has no upper guard,
// delta is lower by one assignment more, and v may be any value from high on. In a release low is
// above high, so that code that knows no releases skips it at no cost.
type alternative struct {
	delta     int64
	low, high uint32
	next      uint32 // rule
}

const identity = 0

// What the operations on a rule are; an operation's number is operationRules +
// ruleOperations*rule + one of these.
const (
	ruleFire         uint32 = iota // one step, nothing else
	ruleFireSaturate               // one step, then all events below
	ruleSaturate                   // of a Relation's own number: all events
	ruleImage                      // of a Relation's own number: one step of some event
	ruleOperations
)

// init makes the table with the one rule identity, at level 0.
func (t *ruleTable) init() {
	*t = ruleTable{
		relations: []uint32{math.MaxUint32}, levels: []uint32{0}, starts: []uint32{0, 0}, exact: []bool{false},
		next: []uint32{0}, buckets: make([]uint32, 1<<6), fresh: math.MaxUint32,
	}
}

// These are the bytes that the parts of relations take.
const (
	alternativeBytes = 24
	listBytes        = 24 // of a level
	listedBytes      = 32 // of an event in a list and in a map
)

// memory returns the number of bytes that the table takes, and the lists of the relations.
func (t *ruleTable) memory() int64 {
	return 4*int64(cap(t.relations)+cap(t.levels)+cap(t.starts)+cap(t.next)+cap(t.buckets)) + int64(cap(t.exact)) +
		alternativeBytes*int64(cap(t.alternatives)) + listBytes*int64(t.lists) + listedBytes*int64(t.listed)
}

// isFull reports whether one more rule, with so many alternatives, makes a part of the table
// grow, to twice its size at most.
func (t *ruleTable) isFull(alternatives int) bool {
	return len(t.levels) == cap(t.levels) || len(t.starts) == cap(t.starts) || len(t.exact) == cap(t.exact) ||
		len(t.alternatives)+alternatives > cap(t.alternatives) || len(t.levels) > len(t.buckets)
}

// freshOperation returns an operation number not in use before.
func (t *ruleTable) freshOperation() uint32 {
	t.fresh--
	return t.fresh
}

// of returns the alternatives of a rule.
func (t *ruleTable) of(rule uint32) []alternative {
	return t.alternatives[t.starts[rule]:t.starts[rule+1]]
}

// number returns the rule of that relation with these alternatives. It makes the rule if there is none.
func (t *ruleTable) number(relation, level uint32, alternatives []alternative) uint32 {
	exact := len(alternatives) > 1 && !slices.ContainsFunc(alternatives, func(a alternative) bool { return a.low != a.high || isRelease(a.delta) })
	if exact {
		alternatives = slices.Clone(alternatives)
		slices.SortStableFunc(alternatives, func(a, b alternative) int { return cmp.Compare(a.low, b.low) })
	}
	hash := hashRule(relation, level, alternatives)
	for r := t.buckets[hash&uint32(len(t.buckets)-1)]; r != 0; r = t.next[r] {
		if t.relations[r] == relation && t.levels[r] == level && slices.Equal(t.of(r), alternatives) {
			return r
		}
	}
	if len(t.levels) > len(t.buckets) {
		t.rehash()
	}
	r := uint32(len(t.levels))
	bucket := &t.buckets[hash&uint32(len(t.buckets)-1)]
	t.relations = append(t.relations, relation)
	t.levels = append(t.levels, level)
	t.exact = append(t.exact, exact)
	t.alternatives = append(t.alternatives, alternatives...)
	t.starts = append(t.starts, uint32(len(t.alternatives)))
	t.next = append(t.next, *bucket)
	*bucket = r
	return r
}

// rehash doubles the number of chains.
func (t *ruleTable) rehash() {
	t.buckets = make([]uint32, 2*len(t.buckets))
	for r := uint32(1); r < uint32(len(t.levels)); r++ {
		bucket := &t.buckets[hashRule(t.relations[r], t.levels[r], t.of(r))&uint32(len(t.buckets)-1)]
		t.next[r], *bucket = *bucket, r
	}
}

// hashRule mixes what makes a rule.
func hashRule(relation, level uint32, alternatives []alternative) uint32 {
	h := (uint64(relation)<<32 | uint64(level)) * hashing.Golden
	for _, a := range alternatives {
		for _, part := range [...]uint64{uint64(a.delta), uint64(a.low)<<32 | uint64(a.high), uint64(a.next)} {
			h = hashing.Add(h, part)
		}
	}
	return hashing.Sum(h)
}

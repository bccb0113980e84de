package symbolic

import (
	"encoding/binary"
	"slices"
)

// Events of one level are best merged into one rule with alternatives. Firing it unites the events'
// results level by level, and saturates each union once. Events that are fired one by one saturate
// every single result. On nets with many events a level that is worth two orders of magnitude.
//
// For example, let two events both take one from level 5, and let one add 1 to level 3, the other
// to level 2. The merged rule is "level 5, from 1 up, add -1, then R". R is of level 3 and has two
// alternatives: add 1, then nothing; or leave the value, then "level 2, add 1". The children of
// level 5 are visited once for both events.
//
// Rules that are chains merge into a tree that is no larger than they are together. Rules with
// alternatives, such as events under conditions, may grow beyond that when merged. Then the list is
// halved, and each half is merged by itself.

// merge joins the events of each level. It may stop if it runs within guarded; then r is of no use.
func (r *Relation) merge() {
	for level, rules := range r.top {
		if len(rules) > 1 {
			r.top[level] = r.mergeRules(rules)
		}
	}
}

// mergeRules returns a list of rules that together relate what the given ones relate. It is one
// rule if that is at most about twice as large, and otherwise the merged rules of two halves.
func (r *Relation) mergeRules(rules []uint32) []uint32 {
	rules = distinct(rules)
	m := merger{relation: r, done: map[string]uint32{}, limit: 2*r.ruleSize(rules) + 100}
	if merged, ok := m.merge(rules); ok {
		return []uint32{merged}
	}
	half := len(rules) / 2
	return append(r.mergeRules(rules[:half]), r.mergeRules(rules[half:])...)
}

// ruleSize returns the number of alternatives that the rules reach, shared ones once.
func (r *Relation) ruleSize(rules []uint32) int {
	t := &r.forest.rules
	seen := map[uint32]bool{identity: true}
	rest := slices.Clone(rules)
	size := 0
	for len(rest) > 0 {
		rule := rest[len(rest)-1]
		rest = rest[:len(rest)-1]
		if seen[rule] {
			continue
		}
		seen[rule] = true
		for _, a := range t.of(rule) {
			size++
			rest = append(rest, a.next)
		}
	}
	return size
}

// A merger merges rules unless that makes more than limit alternatives.
type merger struct {
	relation *Relation
	done     map[string]uint32 // by sorted rules
	limit    int
	made     int
}

// merge returns a rule that relates what any of the rules relates, which ascend. Where several do
// the same at a level, it goes on with their merged rests. It reports false if that makes too many
// alternatives.
func (m *merger) merge(rules []uint32) (merged uint32, ok bool) {
	if len(rules) == 1 {
		return rules[0], true
	}
	var key []byte
	for _, rule := range rules {
		key = binary.LittleEndian.AppendUint32(key, rule)
	}
	if merged, ok := m.done[string(key)]; ok {
		return merged, true
	}
	t := &m.relation.forest.rules
	level := uint32(0)
	for _, rule := range rules {
		level = max(level, t.levels[rule])
	}
	m.relation.forest.charge(ruleWork * len(rules))
	alternatives, rests := t.group(rules, level)
	if m.made += len(alternatives); m.made > m.limit {
		return 0, false
	}
	for i := range alternatives {
		next, ok := m.merge(distinct(rests[i]))
		if !ok {
			return 0, false
		}
		alternatives[i].next = next
	}
	merged = m.relation.rule(int(level), alternatives)
	m.done[string(key)] = merged
	return merged, true
}

// group lists what the rules do at a level, which is not below theirs, and for each of these things
// the rules that follow. Rules of lower levels leave the value there as it is.
func (t *ruleTable) group(rules []uint32, level uint32) (alternatives []alternative, rests [][]uint32) {
	at := map[alternative]int{}
	put := func(a alternative, rest uint32) {
		a.next = 0
		i, ok := at[a]
		if !ok {
			i = len(alternatives)
			at[a] = i
			alternatives, rests = append(alternatives, a), append(rests, nil)
		}
		rests[i] = append(rests[i], rest)
	}
	for _, rule := range rules {
		if t.levels[rule] < level {
			put(alternative{0, 0, noLimit, 0}, rule)
			continue
		}
		for _, a := range t.of(rule) {
			put(a, a.next)
		}
	}
	return alternatives, rests
}

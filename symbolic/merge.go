package symbolic

import (
	"encoding/binary"
	"slices"
)

// Events of one level are best merged into one rule with alternatives: firing
// it unites the events' results level by level and saturates each union once,
// where events fired one by one saturate every single result. On nets with many
// events a level that is worth two orders of magnitude. Rules that are chains
// merge into a tree no larger than they are together. Rules with alternatives,
// such as events under conditions, may grow beyond that when merged; those are
// left apart.

// merge joins the events of each level. Within guarded it may stop; r is then of no use.
func (r *Relation) merge() {
	for level, rules := range r.top {
		if len(rules) > 1 {
			r.top[level] = r.mergeRules(rules)
		}
	}
}

// mergeRules is a list, as short as may be, of rules that together relate what the
// rules relate.
func (r *Relation) mergeRules(rules []uint32) []uint32 {
	rules = distinct(rules)
	m := merger{relation: r, done: map[string]uint32{}, limit: 2*r.ruleSize(rules) + 100}
	if merged, ok := m.merge(rules); ok {
		return []uint32{merged}
	}
	half := len(rules) / 2
	return append(r.mergeRules(rules[:half]), r.mergeRules(rules[half:])...)
}

// ruleSize is the number of alternatives that the rules reach.
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

// merge is a rule that relates what any of the rules, ascending, relates. Where
// steps are equal it goes on with the merged rest.
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

// group lists what the rules do at that level, which is not below theirs, and for
// each the rules that follow. Rules of lower levels do nothing there.
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
			put(alternative{0, 0, NoLimit, 0}, rule)
			continue
		}
		for _, a := range t.of(rule) {
			put(a, a.next)
		}
	}
	return alternatives, rests
}

package automata

import "slices"

// MaxLivelockSets is the number of Büchi sets beside livelock acceptance up to
// which a condition is recognized: it is compared by its values.
const MaxLivelockSets = 10

// LivelockSets reports whether the condition is that of a testing automaton with livelock
// acceptance, and how many Büchi sets it has. There are n ≥ 1 of them, which come first; then
// come set n, that of livelocks, and set n+1, that of changes. The condition is Inf(0) & … &
// Inf(n-1) | Fin(n+1) & Inf(n), however that is written. More than ten Büchi sets are not
// recognized, nor are complements of sets.
func (a Acceptance) LivelockSets() (n int, ok bool) {
	n = a.Sets - 2
	if n < 1 || n > MaxLivelockSets || a.Condition.usesComplement() {
		return 0, false
	}
	buchi, livelock, change := uint64(1)<<n-1, uint64(1)<<n, uint64(1)<<(n+1)
	for union := range uint64(1) << a.Sets {
		want := union&buchi == buchi || union&livelock != 0 && union&change == 0
		// Without complements it does not matter which sets all edges are in.
		if a.Condition.Accepts(Marks{union}, Marks{union}) != want {
			return 0, false
		}
	}
	return n, true
}

// usesComplement reports whether c speaks of the edges that are not in some set.
func (c *Condition) usesComplement() bool {
	return c.Negated || slices.ContainsFunc(c.Operands, (*Condition).usesComplement)
}

// LivelockAcceptance returns the acceptance condition of testing automata with n sets
// beside those of livelocks and of changes.
func LivelockAcceptance(n int) Acceptance {
	literal := func(operator ConditionOperator, set int) *Condition {
		return &Condition{Operator: operator, Set: set}
	}
	livelock := &Condition{Operator: ConditionAnd, Operands: []*Condition{literal(Fin, n+1), literal(Inf, n)}}
	return Acceptance{Sets: n + 2, Condition: &Condition{Operator: ConditionOr, Operands: []*Condition{GeneralizedBuchi(n).Condition, livelock}}}
}

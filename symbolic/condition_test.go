package symbolic

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/account"
	"pnmc/logic"
)

// drawCondition draws a condition over three levels along with its meaning.
func drawCondition(t *rapid.T, table *conditions, depth int) (condition, func([]uint32) bool) {
	if depth == 0 || rapid.Bool().Draw(t, "leaf") {
		level := rapid.Uint32Range(1, 3).Draw(t, "level")
		low, high := rapid.Uint32Range(0, 4).Draw(t, "low"), rapid.Uint32Range(0, 4).Draw(t, "high")
		if rapid.Bool().Draw(t, "unlimited") {
			high = noLimit
		}
		return table.between(level, low, high), func(v []uint32) bool { return low <= v[level-1] && v[level-1] <= high }
	}
	a, holdsA := drawCondition(t, table, depth-1)
	b, holdsB := drawCondition(t, table, depth-1)
	switch rapid.IntRange(0, 2).Draw(t, "join") {
	case 0:
		return table.and(a, b), func(v []uint32) bool { return holdsA(v) && holdsB(v) }
	case 1:
		return table.or(a, b), func(v []uint32) bool { return holdsA(v) || holdsB(v) }
	}
	return table.not(a), func(v []uint32) bool { return !holdsA(v) }
}

// smallVectors returns all vectors of three values up to 5.
func smallVectors() [][]uint32 {
	var all [][]uint32
	for i := range uint32(6 * 6 * 6) {
		all = append(all, []uint32{i % 6, i / 6 % 6, i / 36})
	}
	return all
}

// TestConditions compares conditions with their meaning, and expects that equal
// ones have one number.
func TestConditions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table := newConditions(NewForest(3, 0))
		a, holdsA := drawCondition(t, table, 3)
		b, holdsB := drawCondition(t, table, 3)
		same := true
		for _, v := range smallVectors() {
			if table.holds(a, v) != holdsA(v) || table.holds(b, v) != holdsB(v) {
				t.Fatalf("conditions %d and %d are wrong for %v", a, b, v)
			}
			same = same && holdsA(v) == holdsB(v)
		}
		if same != (a == b) {
			t.Fatalf("conditions %d and %d: same meaning: %v", a, b, same)
		}
	})
}

// TestGuardedEvents fires random events under conditions before and after, also
// merged with each other, and compares with firing and asking one by one.
func TestGuardedEvents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := NewForest(3, 0)
		f.eager = rapid.Bool().Draw(t, "eager")
		table := newConditions(f)
		r := f.NewRelation()
		from, want := drawVectors(t, 3, "from"), vectorSet{}
		for range rapid.IntRange(1, 3).Draw(t, "events") {
			before, holdsBefore := drawCondition(t, table, 2)
			after, holdsAfter := drawCondition(t, table, 2)
			s := &System{Events: []Event{nil}}
			var steps []Step
			for level := 3; level > 0; level-- {
				if rapid.Bool().Draw(t, "step") {
					low := rapid.Uint32Range(0, 2).Draw(t, "low")
					delta := rapid.Int64Range(-int64(low), 2).Draw(t, "delta")
					steps = append(steps, Step{level, low, noLimit, delta})
					s.Events[0] = append(s.Events[0], Guard{uint32(level - 1), low, noLimit, delta})
				}
			}
			if rule := newGuardedEvent(r, table, steps).rule(0, before, after); rule.possible {
				r.addRule(rule.rule)
			}
			for _, v := range from {
				for _, w := range s.successors(v) {
					if holdsBefore(v) && holdsAfter(w) {
						want.add(w)
					}
				}
			}
		}
		if rapid.Bool().Draw(t, "merge") {
			r.merge()
		}
		got, err := r.Image(from.node(t, f))
		must(t, err)
		if g, w := vectorsOf(f, got).keys(), want.keys(); !slices.Equal(g, w) {
			t.Fatalf("got %v, want %v", g, w)
		}
	})
}

func TestDeadlocks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		space, states := drawSpace(t)
		space.Forest.eager = rapid.Bool().Draw(t, "eager")
		dead, err := space.Deadlocks(context.Background())
		must(t, err)
		want := 0
		for _, v := range states {
			if len(space.System.successors(v)) == 0 {
				want++
			}
		}
		if got := space.Forest.Count(dead); got.Int64() != int64(want) {
			t.Fatalf("%v deadlocks, want %d", got, want)
		}
	})
}

// TestHugeSums checks that huge sums are refused rather than computed wrongly.
func TestHugeSums(t *testing.T) {
	s := &System{Names: []string{"a"}, Initial: []uint32{3}}
	space, err := ExploreSystem(context.Background(), s, Options{})
	must(t, err)
	p := &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{
		Constant: math.MaxInt64, Terms: []logic.Term{{Place: 0, Coefficient: math.MaxInt64}},
	}}
	if n, err := space.Satisfying(p); !errors.Is(err, ErrCondition) {
		t.Errorf("got node %d and %v, want %v", n, err, ErrCondition)
	}
	large := logic.Sum{Constant: -1, Terms: []logic.Term{{Place: 0, Coefficient: 1 << 31}}}
	p = &logic.Predicate{Operator: logic.PolynomialAtMost, Products: []logic.Product{{Coefficient: 1, Factors: []logic.Sum{large, large}}}}
	if n, err := space.Satisfying(p); !errors.Is(err, ErrCondition) {
		t.Errorf("a product: got node %d and %v, want %v", n, err, ErrCondition)
	}
}

// TestRuleSharing expects that events with equal ends share them, and that
// merging makes one rule of chains that is no larger than they are.
func TestRuleSharing(t *testing.T) {
	f := NewForest(4, 0)
	r := f.NewRelation()
	for top := uint32(0); top < 5; top++ {
		must(t, r.Add([]Step{{1, 1, noLimit, -1}, {2, 0, noLimit, 1}, {4, top, top, 0}}))
	}
	if got := len(f.rules.levels); got != 1+1+2+5 { // identity, the relation, two shared, five
		t.Errorf("%d rules", got)
	}
	before := r.ruleSize(r.top[4])
	r.merge()
	if len(r.top[4]) != 1 || r.ruleSize(r.top[4]) > before {
		t.Errorf("merged to %d rules with %d alternatives, before %d", len(r.top[4]), r.ruleSize(r.top[4]), before)
	}
}

// TestManyConditionsAreJoinedInLine: guards of one event, each of a level of its own, are joined in as many steps, in whatever
// order they come.
func TestManyConditionsAreJoinedInLine(t *testing.T) {
	const guards = 2000
	for _, descending := range []bool{false, true} {
		var event Event
		space := &StateSpace{Forest: NewForest(guards, 0)}
		for i := range guards {
			event = append(event, Guard{Variable: uint32(i), Low: 1, High: noLimit})
			level := i + 1
			if descending {
				level = guards - i
			}
			space.Levels = append(space.Levels, level)
		}
		b := space.predicates()
		c := b.enabled(event)
		full := slices.Repeat([]uint32{1}, guards)
		if !b.table.holds(c, full) {
			t.Error("the event is not enabled where it is")
		}
		if full[guards/2] = 0; b.table.holds(c, full) {
			t.Error("the event is enabled where it is not")
		}
		if len(b.table.joined) > 2*guards {
			t.Errorf("descending: %t: %d joins of %d guards", descending, len(b.table.joined), guards)
		}
	}
}

// TestTablesOfConditionsAskForMemory: what tables take is charged beside the steps, and where the process has no room, making
// conditions stops.
func TestTablesOfConditionsAskForMemory(t *testing.T) {
	const many = 1 << 16
	f := NewForest(1, 0)
	makeMany := func() (*conditions, error) {
		table := newConditions(f)
		_, err := f.guarded(nil, func() Node {
			for i := range uint32(many) {
				table.between(1, i, 2*i)
			}
			return Empty
		})
		return table, err
	}
	if _, err := makeMany(); err != nil {
		t.Fatal(err)
	}
	if least := int64(many) * (stepWork + 24); f.account.Spent() < least {
		t.Errorf("charged %d for %d conditions, expected %d or more", f.account.Spent(), many, least)
	}
	f.limitedBy(account.Budget{MemoryBytes: 1 << 20})
	if table, err := makeMany(); !errors.Is(err, ErrMemory) || len(table.levels) > many/2 {
		t.Errorf("%d conditions, %v", len(table.levels), err)
	}
}

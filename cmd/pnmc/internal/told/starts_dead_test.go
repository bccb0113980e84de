package told

import (
	"testing"

	"pnmc/checker"
	"pnmc/logic"
	"pnmc/logic/ctl"
)

// TestNoneEnabledEnds: transitions are tried for as many steps as they need, as long as all together take no more than startSteps.
func TestNoneEnabledEnds(t *testing.T) {
	for _, c := range []struct {
		name         string
		transitions  int
		needs, hard  int // steps of each, and of the last
		lastIs, want bool
	}{
		{"none", 0, 0, 0, false, true},
		{"easy", 100_000, 1, 1, false, true},
		{"one is enabled", 100_000, 1, 60_000, true, false},
		{"one is hard", 10_000, 50, 1 << 17, false, true},
		{"one is too hard", 10, 50, 1 << 30, false, false},
		{"all are too hard", 10_000, 1 << 16, 1 << 16, false, false},
	} {
		taken := 0
		got := noneEnabled(c.transitions, func(transition, steps int) (enabled, certain bool) {
			needs := c.needs
			if transition == c.transitions-1 {
				needs = c.hard
			}
			taken += min(needs, steps)
			return needs <= steps && transition == c.transitions-1 && c.lastIs, needs <= steps
		})
		if got != c.want || taken > startSteps+startFirst*c.transitions {
			t.Errorf("%s: %v after %d steps, want %v", c.name, got, taken, c.want)
		}
	}
}

// TestDeadlockIsLookedForOnce: a formula that asks again and again whether the initial marking is a deadlock gets the first answer.
func TestDeadlockIsLookedForOnce(t *testing.T) {
	next := ctl.New(ctl.ExistsNext, ctl.Of(&logic.Predicate{Operator: logic.True}))
	f := ctl.New(logic.And, next, next, ctl.New(logic.Not, ctl.New(logic.Not, next)))
	asked := 0
	if showsInitially(f, false, func() bool { asked++; return false }) || asked != 1 {
		t.Errorf("asked %d times", asked)
	}
	d := Decided{Question: checker.Branching{Formula: f}, Problem: new(checker.Problem)}
	if d.isShownInitially() != showsInitially(f, d.Answer.Value.IsTrue(), func() bool { return startsDead(*d.Problem) }) {
		t.Error("another answer than that of the problem")
	}
}

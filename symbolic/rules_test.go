package symbolic

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// TestRuleNumbers compares the numbers of random rules with those that a map gives, while
// the table grows.
func TestRuleNumbers(t *testing.T) {
	type rule struct {
		relation, level uint32
		alternatives    []alternative
	}
	rapid.Check(t, func(t *rapid.T) {
		var table ruleTable
		table.init()
		twin := map[string]uint32{}
		small := rapid.Uint32Range(0, 3)
		draw := rapid.Custom(func(t *rapid.T) rule {
			r := rule{small.Draw(t, "relation"), small.Draw(t, "level"), nil}
			for low := range uint32(rapid.IntRange(0, 2).Draw(t, "alternatives")) {
				delta := rapid.Int64Range(-1, 1).Draw(t, "delta")
				r.alternatives = append(r.alternatives, alternative{delta, low, low + small.Draw(t, "width"), small.Draw(t, "next")})
			}
			return r
		})
		for _, r := range rapid.SliceOfN(draw, 0, 300).Draw(t, "rules") {
			before := table.memory()
			full := table.isFull(len(r.alternatives))
			n := table.number(r.relation, r.level, r.alternatives)
			switch {
			case !full && table.memory() != before:
				t.Fatalf("the table grew from %d to %d bytes though it was not full", before, table.memory())
			case table.memory() > 2*before+256:
				t.Fatalf("the table grew from %d to %d bytes at once", before, table.memory())
			}
			want, known := twin[fmt.Sprint(r)]
			if !known {
				want = uint32(len(twin)) + 1
				twin[fmt.Sprint(r)] = want
			}
			if n != want || table.levels[n] != r.level || fmt.Sprint(table.of(n)) != fmt.Sprint(r.alternatives) {
				t.Fatalf("rule %v has the number %d of a rule %v, want %d", r, n, table.of(n), want)
			}
		}
	})
}

package emptiness_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"pnmc/automata"
	"pnmc/automata/emptiness"
	"pnmc/internal/automatatest"
)

// TestIntersectSmallExperiment runs the experiment of Figure 6.3 of the same report: 100000
// pairs of random automata with 10 states over 3 propositions, by their strength. It
// runs if asked as TestIntersectExperiment is, and takes a minute.
func TestIntersectSmallExperiment(t *testing.T) {
	if *experimentDirectory == "" {
		t.Skip("runs with -experiment only")
	}
	const pairs, sets = 100_000, 8
	one := func(seed uint64) *automata.Automaton {
		return automatatest.Random(automatatest.RandomSettings{
			States: 10, Propositions: []string{"a", "b", "c"}, Density: *experimentDensity, LiteralProbability: 1,
			Sets: sets, MarkProbability: *experimentMarks, Condition: automatatest.RandomInf,
		}, seed)
	}
	// fastest is the least of three times.
	fastest := func(f func() error) time.Duration {
		return min(timed(t, f), timed(t, f), timed(t, f))
	}
	groups := map[string][]sample{}
	var all []sample
	for i := range uint64(pairs) {
		a, b := one(2*i), one(2*i+1)
		var s sample
		var viaProduct bool
		s.direct = fastest(func() (err error) {
			s.nonempty, err = emptiness.Intersects(emptiness.Explicit(a), emptiness.Explicit(b))
			return err
		})
		s.product = fastest(func() error {
			product, err := automata.Product(context.Background(), a, b)
			if err == nil {
				empty, err := emptiness.Empty(context.Background(), product)
				if err != nil {
					t.Fatal(err)
				}
				viaProduct = !empty
			}
			return err
		})
		if viaProduct != s.nonempty {
			t.Fatalf("pair %d: nonempty on the fly %v, by the product %v", i, s.nonempty, viaProduct)
		}
		strengths := []string{strengthName(a), strengthName(b)}
		slices.Sort(strengths)
		group := strengths[0] + " and " + strengths[1]
		groups[group] = append(groups[group], s)
		all = append(all, s)
	}
	for group, samples := range groups {
		faster, nonempty := 0, 0
		var direct, product time.Duration
		for _, s := range samples {
			direct, product = direct+s.direct, product+s.product
			if s.direct < s.product {
				faster++
			}
			if s.nonempty {
				nonempty++
			}
		}
		n := len(samples)
		t.Logf("%s: %d pairs, %d nonempty; on the fly faster in %d (%.1f%%); mean time %v, product %v", group, n, nonempty, faster,
			100*float64(faster)/float64(n), direct/time.Duration(n), product/time.Duration(n))
	}
	if err := scatter(all[:len(all)/10], filepath.Join(*experimentDirectory, fmt.Sprintf("intersect-10-%g.png", *experimentDensity))); err != nil {
		t.Fatal(err)
	}
}

// strengthName returns the strength of a, as the report tells them apart; an automaton without
// an accepting cycle is weak.
func strengthName(a *automata.Automaton) string {
	if automata.StrengthOf(context.Background(), a) == automata.Strong {
		return "strong"
	}
	return "weak"
}

package bdd

import (
	"math/rand/v2"
	"testing"
)

// TestCacheGrowsWithSteps: where few nodes are combined again and again, the cache gets more entries than
// there is room for nodes, and results are those of truth tables.
func TestCacheGrowsWithSteps(t *testing.T) {
	const propositions = 3
	f := New(propositions, 1<<16)
	random := rand.New(rand.NewPCG(1, 2))
	functions, tables := make([]Function, 60), make([]uint8, 60)
	for i := range functions {
		functions[i], tables[i] = FalseFunction, 0
		for valuation := range 1 << propositions {
			if random.IntN(2) == 0 {
				continue
			}
			row := TrueFunction
			for p := range propositions {
				if literal := f.Proposition(p); valuation>>p&1 == 1 {
					row = f.And(row, literal)
				} else {
					row = f.And(row, f.Not(literal))
				}
			}
			functions[i], tables[i] = f.Or(functions[i], row), tables[i]|1<<valuation
		}
	}
	of := map[uint8]Function{}
	for range 20 {
		for i, g := range functions {
			for j, h := range functions {
				for table, result := range map[uint8]Function{
					tables[i] & tables[j]: f.And(g, h), tables[i] | tables[j]: f.Or(g, h), tables[i] ^ tables[j]: f.Xor(g, h), tables[i] &^ tables[j]: f.Minus(g, h),
				} {
					if known, ok := of[table]; ok && known != result {
						t.Fatalf("%02x is %d and %d", table, known, result)
					}
					of[table] = result
				}
				if f.Implies(g, h) != (tables[i]&^tables[j] == 0) {
					t.Fatalf("%02x implies %02x: %v", tables[i], tables[j], f.Implies(g, h))
				}
			}
		}
	}
	if f.Err() != nil || len(f.cache) <= len(f.unique) || len(f.cache) > largestByRatio {
		t.Errorf("%d entries for %d nodes, %v", len(f.cache), f.Nodes(), f.Err())
	}
	if f.Reset(); len(f.cache) != len(f.unique) {
		t.Errorf("after a reset there are %d entries", len(f.cache))
	}
}

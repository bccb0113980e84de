package hoa

import (
	"fmt"
	"strings"
	"testing"

	"pnmc/automata"
)

// infinitely is the sets of a run, as bits, that it sees infinitely often.
type infinitely uint

func (r infinitely) has(set int) bool { return r>>set&1 == 1 }

// parityAccepts returns the definition of the parity conditions.
func (r infinitely) parityAccepts(maximum, odd bool, sets int) bool {
	extreme := -1
	for i := range sets {
		if r.has(i) && (maximum || extreme < 0) {
			extreme = i
		}
	}
	if extreme < 0 {
		// Nothing is seen: as if the set beyond those that there are were.
		if maximum {
			return odd // set -1
		}
		return (sets%2 == 1) == odd
	}
	return (extreme%2 == 1) == odd
}

// TestNamedConditions compares the conditions with the definitions of their
// names, on all sets of sets.
func TestNamedConditions(t *testing.T) {
	definitions := map[string]func(r infinitely, sets int) bool{
		"all":   func(infinitely, int) bool { return true },
		"none":  func(infinitely, int) bool { return false },
		"Buchi": func(r infinitely, _ int) bool { return r.has(0) }, "co-Buchi": func(r infinitely, _ int) bool { return !r.has(0) },
		"generalized-Buchi %d":    func(r infinitely, n int) bool { return r == 1<<n-1 },
		"generalized-co-Buchi %d": func(r infinitely, n int) bool { return r != 1<<n-1 },
		"Rabin": func(r infinitely, n int) bool {
			for i := 0; i < n; i += 2 {
				if !r.has(i) && r.has(i+1) {
					return true
				}
			}
			return false
		},
		"Streett": func(r infinitely, n int) bool {
			for i := 0; i < n; i += 2 {
				if r.has(i) && !r.has(i+1) {
					return false
				}
			}
			return true
		},
		"parity max odd %d":  func(r infinitely, n int) bool { return r.parityAccepts(true, true, n) },
		"parity max even %d": func(r infinitely, n int) bool { return r.parityAccepts(true, false, n) },
		"parity min odd %d":  func(r infinitely, n int) bool { return r.parityAccepts(false, true, n) },
		"parity min even %d": func(r infinitely, n int) bool { return r.parityAccepts(false, false, n) },
	}
	for pattern, accepts := range definitions {
		for sets := range 7 {
			name := pattern
			switch pattern {
			case "all", "none":
				if sets > 0 {
					continue
				}
			case "Buchi", "co-Buchi":
				if sets != 1 {
					continue
				}
			case "Rabin", "Streett":
				if sets%2 == 1 {
					continue
				}
				name = fmt.Sprintf("%s %d", pattern, sets/2)
			default:
				if sets == 0 {
					continue // the formats' versions differ about it
				}
				name = fmt.Sprintf(pattern, sets)
			}
			words := strings.Fields(name)
			forms, known := namedConditions(words[0], words[1:], sets)
			if !known || len(forms) == 0 {
				t.Errorf("%s: %d forms, known %t", name, len(forms), known)
				continue
			}
			for r := range infinitely(1) << sets {
				marks := automata.NewMarks(sets)
				marks[0] = uint64(r)
				if got := forms[0].Accepts(marks, marks); got != accepts(r, sets) {
					t.Errorf("%s as %v accepts %b: %t", name, forms[0], r, got)
				}
			}
			if found := acceptanceName(automata.Acceptance{Sets: sets, Condition: forms[0]}); found == "" {
				t.Errorf("%s as %v has no name", name, forms[0])
			}
		}
	}
}

// TestUnfitNames have a number of sets or parameters that no condition has.
func TestUnfitNames(t *testing.T) {
	for _, c := range []struct {
		name  string
		sets  int
		known bool
	}{
		{"Buchi", 2, true}, {"generalized-Buchi", 2, true}, {"generalized-Buchi x", 2, true}, {"Rabin 2", 2, true},
		{"parity max odd", 3, true}, {"parity max odd 2", 3, true}, {"generalized-Rabin", 0, true},
		{"Buchi 1", 1, true}, {"generalized-Buchi 2 2", 2, true}, {"all 0", 0, true},
		{"parity least even 2", 2, true}, {"parity min both 2", 2, true},
		{"generalized-Rabin 2 1", 2, true}, {"generalized-Rabin 1 9", 2, true}, {"generalized-Rabin 1 x", 2, true},
		{"something", 1, false},
	} {
		words := strings.Fields(c.name)
		if forms, known := namedConditions(words[0], words[1:], c.sets); len(forms) > 0 || known != c.known {
			t.Errorf("%s over %d sets: %v, known %t", c.name, c.sets, forms, known)
		}
	}
}

func TestDeepConditions(t *testing.T) {
	// Conditions as deep as allowed, the deepest with a name.
	const depth = 4000
	condition := parity(false, false, depth)
	text := fmt.Sprintf("HOA: v1 Acceptance: %d %v --BODY-- --END--", depth, condition)
	a, err := NewReader(strings.NewReader(text), "").Read()
	if err != nil || a.Acceptance.Name != "parity min even 4000" {
		t.Fatalf("%v", err)
	}
}

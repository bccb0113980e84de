// Package logictest has what tests of formulas share: names of places and transitions,
// golden files, and the definition of precedence.
package logictest

// Table is a Vocabulary of a few names.
type Table struct {
	PlaceIDs, TransitionIDs []string            // by number
	PlaceGroups             map[string][]uint32 // names of several places
	TransitionGroups        map[string][]uint32 // names of several transitions
}

func (v Table) Places(name string) []uint32 {
	return append(numbers(v.PlaceIDs, name), v.PlaceGroups[name]...)
}

func (v Table) Transitions(name string) []uint32 {
	return append(numbers(v.TransitionIDs, name), v.TransitionGroups[name]...)
}

func numbers(names []string, name string) []uint32 {
	for i, n := range names {
		if n == name {
			return []uint32{uint32(i)}
		}
	}
	return nil
}

func (v Table) PlaceName(p uint32) string      { return v.PlaceIDs[p] }
func (v Table) TransitionName(t uint32) string { return v.TransitionIDs[t] }
func (v Table) PlaceNames() []string           { return v.PlaceIDs }
func (v Table) TransitionNames() []string      { return v.TransitionIDs }

// Names is the vocabulary of the files in testdata.
var Names = Table{
	PlaceIDs: []string{"p", "p1", "p2", "P1", "Pout1", "Catch1_3", "i8.u82.p1630", "a-b", "b",
		"[x]", "deadlock", "tokens", "odd name", `say "hi"`, "7", "ns:q"},
	TransitionIDs:    []string{"t", "t1", "t-2", "odd transition", "7", "p"},
	PlaceGroups:      map[string][]uint32{"group": {1, 2}},
	TransitionGroups: map[string][]uint32{"all": {0, 1}},
}

// Small is a vocabulary for formulas that are drawn.
var Small = Table{PlaceIDs: []string{"p", "q", "r"}, TransitionIDs: []string{"t", "u"}}

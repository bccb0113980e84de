package inquiry

import (
	"fmt"
	"strings"
)

// Techniques is a set of ways by which an answer was found.
type Techniques uint32

// The techniques of the engines.
const (
	// ExplicitSearch: markings were explored one by one.
	ExplicitSearch Techniques = 1 << iota
	// DecisionDiagrams: sets of markings were.
	DecisionDiagrams
	// RandomWalk: a random run was found, and replayed.
	RandomWalk
	// LinearProgram: the state equation, with a certificate in integers.
	LinearProgram
	// StructuralReduction: the net was reduced before.
	StructuralReduction
	// InitialState: the initial marking showed it.
	InitialState
	// Topological: place invariants, bounds, or the structure of the net.
	Topological
	// StateCompression: markings were packed.
	StateCompression
	// QueryReduction: the question was simplified before.
	QueryReduction
	// Unfolding: the net is coloured and was unfolded.
	Unfolding
	// Skeleton: the net is coloured, and its net without colours was looked at.
	Skeleton
	// StubbornSets: firings were left out that the question does not need.
	StubbornSets
	// Symmetries: of markings that symmetries of the net map to each other, some stood for all.
	Symmetries
	// SolverModuloTheories: another program solved linear arithmetic. Its runs are replayed, and its
	// invariants are certified here.
	SolverModuloTheories
)

var techniqueWords = [...]string{
	"EXPLICIT", "DECISION_DIAGRAMS", "RANDOM_WALK", "LP_APPROX", "STRUCTURAL_REDUCTION", "INITIAL_STATE",
	"TOPOLOGICAL", "STATE_COMPRESSION", "QUERY_REDUCTION", "UNFOLDING_TO_PT", "CPN_APPROX",
	"STUBBORN_SETS", "SYMMETRIES", "SAT_SMT",
}

// String lists the techniques by the words of the Model Checking Contest, with a space
// between two.
func (t Techniques) String() string {
	var words []string
	for i, w := range techniqueWords {
		if t>>i&1 == 1 {
			words = append(words, w)
		}
	}
	return strings.Join(words, " ")
}

// avoidable are the techniques that a solver can do without.
const avoidable = ExplicitSearch | DecisionDiagrams | RandomWalk | LinearProgram | StructuralReduction |
	Topological | QueryReduction | Skeleton | StubbornSets | Symmetries | SolverModuloTheories

// Avoidable lists the techniques that a solver can do without, by their words in small letters, such
// as random-walk.
func Avoidable() (names []string) {
	for i, w := range techniqueWords {
		if avoidable>>i&1 == 1 {
			names = append(names, strings.ReplaceAll(strings.ToLower(w), "_", "-"))
		}
	}
	return names
}

// ParseTechniques reads techniques that a solver can do without, with a comma between two, such as
// "random-walk,lp-approx". Small and capital letters are the same, and so are - and _. The error
// lists the names.
func ParseTechniques(list string) (Techniques, error) {
	all := Techniques(0)
	for name := range strings.SplitSeq(list, ",") {
		word := strings.ReplaceAll(strings.ToUpper(strings.TrimSpace(name)), "-", "_")
		known := Techniques(0)
		for i, w := range techniqueWords {
			if w == word {
				known = 1 << i & avoidable
			}
		}
		if known == 0 {
			return 0, fmt.Errorf("expected some of %s, found %q", strings.Join(Avoidable(), ", "), name)
		}
		all |= known
	}
	return all, nil
}

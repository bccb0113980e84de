package mcc

import (
	"errors"
	"slices"

	"pnmc/checker"
	"pnmc/query"
)

// examination is one of the contest's thirteen: the questions it asks of each net, or how
// those of its property file are read.
type examination struct {
	name string
	// asks are its questions, if it comes without a property file.
	asks []checker.Question
	// compile, if it comes with one, resolves a formula of the file.
	compile func(*query.Resolver, *query.Formula) (checker.Question, error)
}

// examinations returns what Run can be asked for. There are two kinds. StateSpace and the global
// properties ask the same of each net. The others come with a file of properties, of which each
// formula becomes a question.
func examinations() []examination {
	return []examination{
		{"StateSpace", checker.Sizes(), nil},
		{"ReachabilityDeadlock", []checker.Question{checker.Deadlock{}}, nil},
		{"OneSafe", []checker.Question{checker.OneSafe{}}, nil},
		{"QuasiLiveness", []checker.Question{checker.QuasiLive{}}, nil},
		{"StableMarking", []checker.Question{checker.StableMarking{}}, nil},
		{"Liveness", []checker.Question{checker.Live{}}, nil},
		{"UpperBounds", nil, compileBound},
		{"ReachabilityCardinality", nil, compileBranching},
		{"ReachabilityFireability", nil, compileBranching},
		{"CTLCardinality", nil, compileBranching},
		{"CTLFireability", nil, compileBranching},
		{"LTLCardinality", nil, compileLinear},
		{"LTLFireability", nil, compileLinear},
	}
}

// Examinations returns the names of the examinations.
func Examinations() []string {
	var names []string
	for _, e := range examinations() {
		names = append(names, e.name)
	}
	return names
}

// HasPropertyFile reports whether an examination comes with a file of properties,
// which is named after it and ends in .xml.
func HasPropertyFile(name string) bool {
	return slices.ContainsFunc(examinations(), func(e examination) bool { return e.name == name && e.compile != nil })
}

// compileBound resolves place-bound(p, q, …), which asks for the most tokens in all of these together.
func compileBound(r *query.Resolver, f *query.Formula) (checker.Question, error) {
	sum, err := r.Bound(f)
	return checker.Bound{Sum: sum}, err
}

// compileBranching resolves a formula of CTL, or one of reachability, which is a formula of CTL too.
func compileBranching(r *query.Resolver, f *query.Formula) (checker.Question, error) {
	g, err := r.CTL(f)
	return checker.Branching{Formula: g}, err
}

// compileLinear resolves a formula of LTL. It refuses one that begins with E: the contest asks none.
func compileLinear(r *query.Resolver, f *query.Formula) (checker.Question, error) {
	l, err := r.LTL(f)
	if err != nil {
		return nil, err
	}
	if l.Exists {
		return nil, errExists
	}
	return checker.Linear{Formulas: l.Formulas, Formula: l.Formula, Predicates: l.Predicates}, nil
}

var errExists = errors.New("exists-path is not supported: LTL starts with all-paths")

// measureNames are the contest's words for the sizes that StateSpace asks for, in the
// order of checker.Sizes.
var measureNames = []string{"STATES", "TRANSITIONS", "MAX_TOKEN_PER_MARKING", "MAX_TOKEN_IN_PLACE"}

// Measures returns the names of the values that the examination StateSpace asks for.
func Measures() []string { return slices.Clone(measureNames) }

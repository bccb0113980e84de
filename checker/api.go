package checker

import (
	"math/big"

	"pnmc/checker/inquiry"
	"pnmc/logic"
	"pnmc/petri"
)

// The questions and answers are those of package inquiry, where engines find them.

// Answer is what was found out about one question.
type Answer = inquiry.Answer

// Witness is what shows an answer: a run that was replayed, or if no run can show it, the kind of
// proof.
type Witness = inquiry.Witness

// Ground is what an answer rests on.
type Ground = inquiry.Ground

// Problem is the net that questions are about: one of the two is set.
type Problem = inquiry.Problem

// Question is what is asked about a net.
type Question = inquiry.Question

// Techniques is a set of ways by which an answer was found.
type Techniques = inquiry.Techniques

// Value is the answer to a question: a truth value, a number, infinite, or unknown,
// which the zero Value is.
type Value = inquiry.Value

// The questions.
type (
	// Reachable asks whether some reachable marking satisfies Predicate: EF p.
	Reachable = inquiry.Reachable
	// Invariant asks whether all reachable markings satisfy Predicate: AG p.
	Invariant = inquiry.Invariant
	// Bound asks for the largest value that Sum has in a reachable marking.
	Bound = inquiry.Bound
	// Branching asks whether the initial marking satisfies a formula of CTL, for which a
	// deadlock ends the path.
	Branching = inquiry.Branching
	// Linear asks whether all runs satisfy a formula of linear temporal logic, for which a
	// deadlock repeats its marking.
	Linear = inquiry.Linear
	// Automaton asks whether no run is accepted by an automaton, that of the negated
	// property.
	Automaton = inquiry.Automaton
	// Deadlock asks whether a deadlock is reachable.
	Deadlock = inquiry.Deadlock
	// QuasiLive asks whether each transition can fire at some time.
	QuasiLive = inquiry.QuasiLive
	// Live asks whether each transition can always fire again.
	Live = inquiry.Live
	// OneSafe asks whether no place ever has two tokens.
	OneSafe = inquiry.OneSafe
	// StableMarking asks whether some place always has as many tokens as at first.
	StableMarking = inquiry.StableMarking
	// Size asks for a size of the state space.
	Size = inquiry.Size
)

// The grounds of answers.
const (
	NoGround         = inquiry.NoGround
	InitialMarking   = inquiry.InitialMarking
	ReachedMarking   = inquiry.ReachedMarking
	InfiniteRun      = inquiry.InfiniteRun
	Pump             = inquiry.Pump
	Branches         = inquiry.Branches
	DeadTransition   = inquiry.DeadTransition
	NetStructure     = inquiry.NetStructure
	Invariants       = inquiry.Invariants
	Equation         = inquiry.Equation
	Induction        = inquiry.Induction
	AllMarkings      = inquiry.AllMarkings
	AllProductStates = inquiry.AllProductStates
	TerminalStates   = inquiry.TerminalStates
	DiagramMarkings  = inquiry.DiagramMarkings
	DiagramProduct   = inquiry.DiagramProduct
)

// The techniques.
const (
	ExplicitSearch      = inquiry.ExplicitSearch
	DecisionDiagrams    = inquiry.DecisionDiagrams
	RandomWalk          = inquiry.RandomWalk
	LinearProgram       = inquiry.LinearProgram
	StructuralReduction = inquiry.StructuralReduction
	InitialState        = inquiry.InitialState
	Topological         = inquiry.Topological
	StateCompression    = inquiry.StateCompression
	QueryReduction      = inquiry.QueryReduction
	Unfolding           = inquiry.Unfolding
	Skeleton            = inquiry.Skeleton
	StubbornSets        = inquiry.StubbornSets
	Symmetries          = inquiry.Symmetries

	SolverModuloTheories = inquiry.SolverModuloTheories
)

// The sizes of a state space.
const (
	Markings         = inquiry.Markings
	Firings          = inquiry.Firings
	TokensPerMarking = inquiry.TokensPerMarking
	TokensInPlace    = inquiry.TokensInPlace
)

// Infinite is the value of what has no bound.
var Infinite = inquiry.Infinite

// Truth returns a truth value.
func Truth(holds bool) Value { return inquiry.Truth(holds) }

// Number returns a number of 64 bits.
func Number(n int64) Value { return inquiry.Number(n) }

// LargeNumber returns a number of any size.
func LargeNumber(n *big.Int) Value { return inquiry.LargeNumber(n) }

// ParseTechniques reads techniques that a solver can do without, such as "random-walk,lp-approx".
func ParseTechniques(list string) (Techniques, error) { return inquiry.ParseTechniques(list) }

// Sizes returns all of them.
func Sizes() []Question { return inquiry.Sizes() }

// Vocabulary returns the places and transitions of net as formulas name them: by
// identifier, or else by name.
func Vocabulary(net *petri.Net) logic.Vocabulary { return inquiry.Vocabulary(net) }

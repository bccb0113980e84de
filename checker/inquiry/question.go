package inquiry

import (
	"errors"

	"pnmc/checker/properties"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/logic/ltl"
	"pnmc/petri"
	"pnmc/petri/symmetric"
)

// Problem is the net that questions are about: one of the two is set.
//
// Questions speak of its own places and transitions by their numbers. Those of a
// coloured net are the positions in Places and Transitions. The tokens of a coloured
// place are those of all colours, and a coloured transition is enabled if one of its
// bindings is.
type Problem struct {
	Net      *petri.Net
	Coloured *symmetric.Net
}

// Check returns what is wrong with a problem: it has no net, or two.
func (p Problem) Check() error {
	if (p.Net == nil) == (p.Coloured == nil) {
		return errNoNet
	}
	return nil
}

var errNoNet = errors.New("a problem has one net")

// Question is what is asked about a net. The types that implement it are those of this
// file.
type Question interface{ Family() Family }

type (
	// Reachable asks whether some reachable marking satisfies Predicate: EF p.
	Reachable struct{ Predicate *logic.Predicate }

	// Invariant asks whether all reachable markings satisfy Predicate: AG p.
	Invariant struct{ Predicate *logic.Predicate }

	// Bound asks for the largest value that Sum and Products together have in a reachable
	// marking.
	Bound struct {
		Sum      logic.Sum
		Products []logic.Product
	}

	// Branching asks whether the initial marking satisfies a formula of CTL, for which a
	// deadlock ends the path.
	Branching struct{ Formula *ctl.Formula }

	// Linear asks whether all runs satisfy a formula of linear temporal logic, for which
	// a deadlock repeats its marking.
	Linear struct {
		// Formulas made Formula. Decide makes no formula with it.
		Formulas *ltl.Formulas
		Formula  *ltl.Formula
		// Predicates are what the propositions mean, by their numbers in Formulas.
		Predicates []*logic.Predicate
	}

	// Automaton asks whether no run is accepted by an automaton, that of the negated
	// property. It may be a testing automaton. Its claims about itself are not believed.
	Automaton struct{ properties.Property }

	// Deadlock asks whether a deadlock is reachable.
	Deadlock struct{}

	// QuasiLive asks whether each transition can fire at some time.
	QuasiLive struct{}

	// Live asks whether each transition can always fire again.
	Live struct{}

	// OneSafe asks whether no place ever has two tokens.
	OneSafe struct{}

	// StableMarking asks whether some place always has as many tokens as at first.
	StableMarking struct{}

	// Size asks for a size of the state space. Of a coloured net that is the size of
	// the one that it unfolds to.
	Size uint8
)

// The sizes of a state space.
const (
	// Markings are the reachable ones.
	Markings Size = iota
	// Firings are the pairs of a reachable marking and a transition that it enables.
	Firings
	// TokensPerMarking are the most tokens that a marking has.
	TokensPerMarking
	// TokensInPlace are the most tokens that a place has in a marking, in a coloured net
	// those of one colour.
	TokensInPlace
)

// Sizes returns all of them.
func Sizes() []Question { return []Question{Markings, Firings, TokensPerMarking, TokensInPlace} }

// Family groups the questions that the same engines decide.
type Family uint8

const (
	PlacesFamily Family = iota
	DeadlockFamily
	TransitionsFamily
	LivenessFamily
	BoundsFamily
	ReachabilityFamily
	BranchingFamily
	LinearFamily
	SizesFamily
	Families
)

func (Reachable) Family() Family     { return ReachabilityFamily }
func (Invariant) Family() Family     { return ReachabilityFamily }
func (Bound) Family() Family         { return BoundsFamily }
func (Branching) Family() Family     { return BranchingFamily }
func (Linear) Family() Family        { return LinearFamily }
func (Automaton) Family() Family     { return LinearFamily }
func (Deadlock) Family() Family      { return DeadlockFamily }
func (QuasiLive) Family() Family     { return TransitionsFamily }
func (Live) Family() Family          { return LivenessFamily }
func (OneSafe) Family() Family       { return PlacesFamily }
func (StableMarking) Family() Family { return PlacesFamily }
func (Size) Family() Family          { return SizesFamily }

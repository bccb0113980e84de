package diagram

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"pnmc/automata"
	"pnmc/automata/bdd"
	"pnmc/automata/complement"
	"pnmc/automata/reduce"
	"pnmc/automata/stutter"
	"pnmc/automata/testingautomata"
	"pnmc/checker/product"
	"pnmc/checker/properties"
	"pnmc/checker/witness"
	"pnmc/internal/account"
	"pnmc/petri"
	"pnmc/symbolic"
)

// Settings say how a property is checked on decision diagrams.
type Settings struct {
	// Approach is BySymbolicTGBA, BySymbolicTGTA or BySelfLoops.
	Approach product.Approach
	// NoSaturation computes fixpoints by chaining, for comparison.
	NoSaturation bool
	// StateVariable says where the automaton's state lies, unless it is explicit.
	StateVariable symbolic.StateVariable
	// Distrust: do not believe the automaton's claim that it is stutter-invariant, but find out.
	Distrust bool
	// Built: make the whole testing automaton before the product, and reduce it,
	// rather than observe the valuations on the model.
	Built bool
	// Memory is the budget of the product's diagrams in bytes; 0 stands for
	// symbolic.DefaultMemory.
	Memory int64
	// VerdictOnly: no counterexample is asked for.
	VerdictOnly bool
}

// Result is what a symbolic check found out.
type Result struct {
	Verdict properties.Verdict
	// Reason says why the verdict is Unknown.
	Reason string
	// Counterexample is an accepted run, if the verdict is Violated. Its
	// transitions are the numbers of events.
	Counterexample *witness.Counterexample
	// AutomatonStates is the number of states of the automaton in the product.
	AutomatonStates int
	// ProductStates is the number of reachable states of the product, or nil if it
	// is not known. Rounds, PeakNodes and DiagramBytes are those of the product.
	ProductStates     *big.Int
	Rounds, PeakNodes int
	DiagramBytes      int64
}

// Check decides whether the property's automaton accepts some run of a system whose reachable
// states are known. It goes by Fig. 2 of "Symbolic Model Checking of Stutter-Invariant Properties
// Using Generalized Testing Automata" (Ben Salem, Duret-Lutz, Kordon, Thierry-Mieg, 2014), as
// package symbolic explains it, or by self-loop aggregation.
//
// A condition that is not generalized Büchi is made so by complement.WithGeneralizedBuchi,
// and the counterexample is then one for that automaton.
//
// A counterexample is replayed on net, or, if net is nil, on the system. The
// verdict is Unknown, with a reason, when ctx ends or memory runs short. An error
// is an *UnsupportedError, or else internal.
//
// All else that is made keeps to the process's budget, which the space has.
func Check(ctx context.Context, space *symbolic.StateSpace, net *petri.Net, property properties.Property, s Settings) (Result, error) {
	var result Result
	ctx, stop := account.Within(ctx, space.Forest.Process())
	defer stop(nil)
	a := property.Automaton
	if len(property.Predicates) != len(a.Propositions) {
		return result, fmt.Errorf("%d predicates for %d propositions", len(property.Predicates), len(a.Propositions))
	}
	var used *automata.Automaton
	var options symbolic.ProductOptions
	var err error
	if a.Kind == automata.Plain {
		a, err = complement.WithGeneralizedBuchi(ctx, a)
		property.Automaton = a
	}
	if err == nil {
		used, options, err = symbolicAutomaton(ctx, a, s)
	}
	if err == nil {
		result.AutomatonStates = used.States()
		options.Witness = !s.VerdictOnly
		var found *symbolic.Emptiness
		found, err = symbolic.CheckEmptiness(ctx, space, used, property.Predicates, options)
		if found != nil {
			result.ProductStates, result.Rounds = found.States, found.Rounds
			result.PeakNodes, result.DiagramBytes = found.PeakNodes, found.Memory
		}
		switch {
		case err != nil:
		case found.Empty:
			result.Verdict = properties.Holds
		case s.VerdictOnly:
			result.Verdict = properties.Violated
		default:
			result.Counterexample, err = explainEvents(ctx, space.System, net, property, found.Run)
			switch {
			case err == nil:
				result.Verdict = properties.Violated
			case errors.Is(err, product.ErrNotAccepted) && product.Believed(property.Automaton, s.Distrust):
				err = &product.UnsupportedError{Reason: product.ErrFalseClaim.Error()}
			}
		}
	}
	var unsupported *product.UnsupportedError
	switch {
	case err == nil || errors.As(err, &unsupported):
		return result, err
	case errors.Is(err, product.ErrFalseClaim):
		return result, &product.UnsupportedError{Reason: err.Error()}
	case IsLimit(ctx, err):
		result.Reason = err.Error()
		return result, nil
	}
	return result, err
}

// symbolicAutomaton returns the automaton that takes part in the product, and how.
func symbolicAutomaton(ctx context.Context, a *automata.Automaton, s Settings) (*automata.Automaton, symbolic.ProductOptions, error) {
	options := symbolic.ProductOptions{Memory: s.Memory, NoSaturation: s.NoSaturation, StateVariable: s.StateVariable}
	switch {
	case !s.Approach.Symbolic():
		return nil, options, &product.UnsupportedError{Reason: fmt.Sprintf("approach %v is none of decision diagrams", s.Approach)}
	case !a.Acceptance.IsGeneralizedBuchi() || a.Kind == automata.TA:
		return nil, options, &product.UnsupportedError{Reason: "acceptance is not generalized Büchi: no symbolic approach applies"}
	case a.Kind == automata.TGTA && s.Approach != product.BySymbolicTGTA:
		return nil, options, &product.UnsupportedError{Reason: "the automaton is a TGTA, and is checked as such only"}
	case a.Kind == automata.TGTA:
		return a, options, nil
	}
	options.Aggregate = s.Approach == product.BySelfLoops
	pruned, err := reduce.Prune(ctx, a)
	if err != nil || s.Approach != product.BySymbolicTGTA {
		return pruned, options, err
	}
	if s.Built {
		prepared, v, err := product.PrepareTesting(ctx, a, s.Distrust)
		if err != nil {
			return nil, options, err
		}
		testing, err := testingautomata.NewTGTA(ctx, prepared, v)
		return testing, options, err
	}
	v := stutter.ClaimedInvariance(a)
	if product.Believed(a, s.Distrust) {
		refuted, err := stutter.RefutesInvariance(ctx, pruned)
		if err == nil && refuted {
			err = product.ErrFalseClaim
		}
		if err != nil {
			return nil, options, err
		}
	} else if v, err = stutter.DecideInvariance(ctx, pruned); err != nil {
		return nil, options, err
	}
	options.Testing = &v
	return pruned, options, nil
}

// IsLimit reports whether err is a reason to give up what diagrams were to tell, such as the end of
// ctx or a size, rather than a defect or nil.
func IsLimit(ctx context.Context, err error) bool {
	if err == nil {
		return false
	}
	if over := context.Cause(ctx); over != nil && errors.Is(err, over) {
		return true
	}
	for _, limit := range []error{
		symbolic.ErrMemory, symbolic.ErrNoOrder, symbolic.ErrRange, symbolic.ErrCondition, symbolic.ErrCells,
		testingautomata.ErrTooLarge, bdd.ErrTooLarge, complement.ErrConditionTooLarge, complement.ErrBuchiTooLarge,
		context.Canceled, context.DeadlineExceeded,
	} {
		if errors.Is(err, limit) {
			return true
		}
	}
	return errors.As(err, new(*petri.MemoryError)) || errors.As(err, new(*petri.OverflowError)) || errors.As(err, new(*petri.UnboundedError)) || errors.As(err, new(*symbolic.GrowthError))
}

// NoRun reports whether no run is accepted by the property's automaton; memory
// bounds the diagrams of the product, in bytes.
func (s *Space) NoRun(ctx context.Context, property properties.Property, memory int64) (bool, error) {
	a, err := property.Automaton, error(nil)
	if a.Kind == automata.Plain {
		a, err = complement.WithGeneralizedBuchi(ctx, a)
	}
	if err != nil {
		return false, err
	}
	used, options, err := symbolicAutomaton(ctx, a, Settings{Approach: product.BySelfLoops, Memory: memory})
	if err != nil {
		return false, err
	}
	e, err := symbolic.CheckEmptiness(ctx, s.space, used, property.Predicates, options)
	if err != nil {
		return false, err
	}
	return e.Empty, nil
}

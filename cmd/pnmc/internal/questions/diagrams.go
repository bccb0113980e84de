package questions

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"pnmc/checker/diagram"
	"pnmc/checker/properties"
	"pnmc/cmd/pnmc/internal/input"
	"pnmc/cmd/pnmc/internal/told"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/symbolic"
	"pnmc/symbolic/etf"
)

// symbolicSession is what a session has for approaches on decision diagrams: the
// reachable states are computed once, for all properties.
type symbolicSession struct {
	settings diagram.Settings
	model    *etf.Model
	space    *symbolic.StateSpace
}

// share gives what is free of the budget to the reachable states or, when these are known,
// to a product.
func (s *symbolicSession) share(budget petri.Budget) {
	debug.FreeOSMemory() // reading leaves garbage several times the net's size
	s.settings.Memory = budget.Free() / 4 * 3
}

// readETF reads the model that --etf names. Propositions speak of its variables
// by the values that the file has.
func (s *session) readETF() (err error) {
	if s.symbolic.model, err = input.ETF(s.c); err != nil {
		return err
	}
	m := s.symbolic.model
	s.vocabulary = m.Vocabulary()
	s.label = func(t petri.Transition) petri.Label {
		name := s.vocabulary.TransitionName(uint32(t))
		return petri.Label{ID: name, Name: name}
	}
	s.Phase("read %d variables, %d groups of transitions", len(m.Variables), len(m.Groups))
	return nil
}

// checkSymbolically checks one property. An error is one of writing.
//
// A model in ETF has values from any number on, and decision diagrams from 0 on: predicates are
// shifted first. If the time is over while the check runs, the worker is left behind, and what it
// finds later is not looked at. The states and firings that are reported are those of the model,
// counted after the verdict within what time is left.
func (s *session) checkSymbolically(ctx context.Context, start time.Time, property properties.Property, name, doubt string) (told.Report, error) {
	if m := s.symbolic.model; m != nil {
		shifted := make([]*logic.Predicate, len(property.Predicates))
		for i, p := range property.Predicates {
			var err error
			if shifted[i], err = m.Shifted(p); err != nil {
				s.bad = true
				s.Fail("%s: %v", name, err)
				return s.notUsable(name, err), nil
			}
		}
		property.Predicates = shifted
	}
	var found diagram.Result
	end := s.During(name, "checking with decision diagrams")
	ended, err := s.checking.do(ctx, func() (err error) {
		if reason := s.explore(ctx); reason != nil {
			found.Reason = reason.Error()
			return nil
		}
		settings := s.symbolic.settings
		settings.Distrust = settings.Distrust && !s.proven
		found, err = diagram.Check(ctx, s.symbolic.space, s.net, property, settings)
		return err
	})
	end()
	if err != nil {
		return s.failed(name, err), nil
	}
	result := diagram.Result{Reason: fmt.Sprint(context.Cause(ctx))}
	if ended {
		result = found
	}
	answer := doubted(doubt, properties.Result{Verdict: result.Verdict, Reason: result.Reason, Counterexample: result.Counterexample})
	s.Phase("%s: %v, %v product states, %d rounds, %d nodes", name, answer.Verdict, result.ProductStates, result.Rounds, result.PeakNodes)
	r := s.report(ctx, name, answer, time.Since(start))
	r.Techniques = told.SymbolicTechniques
	r.ProductStates, r.Rounds, r.PeakNodes = told.Count{Int: result.ProductStates}, result.Rounds, result.PeakNodes
	if ended && s.symbolic.space != nil {
		if states, err := s.symbolic.space.StatesWithin(ctx); err == nil {
			r.States = told.Count{Int: states}
		}
		if firings, err := s.symbolic.space.Firings(ctx); err == nil {
			r.Transitions = told.Count{Int: firings}
		} else {
			s.Phase("%s: firings not counted: %v", name, err)
		}
	}
	return r, s.tell(name, property, answer)
}

// explore computes the reachable states, by saturation in any case, unless a property
// before has. An error says why they are not known; the next property tries again.
func (s *session) explore(ctx context.Context) error {
	if s.symbolic.space != nil {
		return nil
	}
	o := symbolic.Options{Memory: s.symbolic.settings.Memory, Process: s.budget, Encoding: symbolic.PerGroup}
	var space *symbolic.StateSpace
	var err error
	if s.symbolic.model == nil {
		space, err = symbolic.Explore(ctx, s.net, o)
	} else {
		var system *symbolic.System
		if system, err = s.symbolic.model.System(); err == nil {
			space, err = symbolic.ExploreSystem(ctx, system, o)
		}
	}
	if err != nil {
		return err
	}
	s.Phase("explored with order %s: %d nodes", space.OrderName, space.Nodes)
	s.symbolic.space = space
	s.symbolic.share(s.budget) // of what the states leave
	return nil
}

package product

import (
	"context"
	"fmt"
	"time"

	"pnmc/automata"
	"pnmc/automata/degeneralize"
	"pnmc/automata/reduce"
	"pnmc/automata/statistics"
	"pnmc/checker/product/internal/stuttering"
	"pnmc/checker/properties"
	"pnmc/petri"
)

// Measurement is what a check by one approach cost. All approaches are measured by the same search, so
// that differences come from the automata.
type Measurement struct {
	Verdict properties.Verdict
	// Reason says why the verdict is Unknown.
	Reason string
	// AutomatonStates and AutomatonTransitions count the property's automaton, with one
	// transition for each valuation or changeset. Of an automaton built on the fly they
	// count what the check met, with one transition for each pair of classes of valuations.
	AutomatonStates      int
	AutomatonTransitions float64
	// FullStates and FullTransitions count the whole product. They are -1 where that was not
	// asked for, or took too long.
	FullStates, FullTransitions int64
	// Explored is what the emptiness check went through, until its verdict.
	Explored properties.Statistics
	// Duration is the time of the emptiness check. It includes exploring that part of the
	// state graph which nobody had explored before.
	Duration time.Duration
}

// Measure checks a property by one approach and returns what that cost. With full, the whole
// product is explored afterwards, until ctx ends. The property's acceptance must be generalized
// Büchi. Auto is measured as CheckBy decides it; the size of the whole product is known there only
// if the property holds, since then all of it was explored.
func Measure(ctx context.Context, k *petri.Kripke, property properties.Property, s Settings, full bool) (Measurement, error) {
	m := Measurement{FullStates: -1, FullTransitions: -1}
	if s.Approach == Auto {
		clock := s.clock()
		began := clock()
		result, err := CheckBy(ctx, k, property, s)
		m.Duration = clock() - began
		m.Verdict, m.Reason, m.Explored = result.Verdict, result.Reason, result.Statistics
		m.AutomatonStates, m.AutomatonTransitions = property.Automaton.States(), float64(property.Automaton.Edges())
		if result.Verdict == properties.Holds {
			m.FullStates, m.FullTransitions = m.Explored.ProductStates, m.Explored.ProductTransitions
		}
		return m, err
	}
	reader, err := readerFor(ctx, property.Automaton, s)
	if err != nil {
		r, err := unable(ctx, err)
		m.Reason = r.Reason
		return m, err
	}
	k.Begin(ctx)
	x, err := stuttering.New(k, property, reader)
	if err != nil {
		return m, err
	}
	clock := s.clock()
	began := clock()
	result, err := check(ctx, x, property, s)
	m.Duration = clock() - began
	m.Verdict, m.Reason, m.Explored = result.Verdict, result.Reason, result.Statistics
	if err != nil {
		return m, err
	}
	if err := m.measureAutomaton(reader, len(x.Product.Steps)); err != nil {
		return m, err
	}
	switch {
	case result.Verdict == properties.Holds: // the check went through the whole product
		m.FullStates, m.FullTransitions = m.Explored.ProductStates, m.Explored.ProductTransitions
	case full:
		k.Begin(ctx)
		if x, err = stuttering.New(k, property, reader); err != nil {
			return m, err
		}
		x.Exhaustive = true
		if _, err = x.Find(); err == nil {
			m.FullStates, m.FullTransitions = x.Statistics().ProductStates, x.Statistics().ProductTransitions
		} else if !isLimit(ctx, err) {
			return m, err
		}
	}
	return m, nil
}

// readerFor prepares the automaton of an approach.
func readerFor(ctx context.Context, a *automata.Automaton, s Settings) (stuttering.Reader, error) {
	if !a.Acceptance.IsGeneralizedBuchi() || a.Kind != automata.Plain {
		return nil, &UnsupportedError{Reason: "only plain automata with generalized Büchi acceptance are measured"}
	}
	switch s.Approach {
	case ByBA:
		b, err := degeneralize.Degeneralize(ctx, a)
		if err != nil {
			return nil, err
		}
		return stuttering.NewPlain(ctx, b)
	case ByTGBA:
		pruned, err := reduce.Prune(ctx, a)
		if err != nil {
			return nil, err
		}
		return stuttering.NewPlain(ctx, pruned)
	case ByTA, ByTGTA:
		return prepareTesting(ctx, a, s.Approach, s)
	}
	return nil, fmt.Errorf("no measurement by approach %v", s.Approach)
}

// measureAutomaton counts states and transitions, of testing automata without the
// initial state that stands for several. met are the transitions that a check met.
func (m *Measurement) measureAutomaton(reader stuttering.Reader, met int) error {
	m.AutomatonStates = reader.States()
	var a *automata.Automaton
	switch r := reader.(type) {
	case *stuttering.Built:
		a = r.Automaton
		m.AutomatonStates--
	case stuttering.Plain:
		a = r.Automaton
	default:
		m.AutomatonTransitions = float64(met)
		return nil
	}
	n, err := statistics.Transitions(a)
	if err != nil {
		return err
	}
	m.AutomatonTransitions, _ = n.Float64()
	return nil
}

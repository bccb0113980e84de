package product

import (
	"context"
	"errors"

	"pnmc/automata"
	"pnmc/automata/emptiness"
	"pnmc/checker/product/internal/states"
	"pnmc/checker/properties"
	"pnmc/checker/witness"
	"pnmc/internal/account"
	"pnmc/petri"
	"pnmc/petri/labelling"
)

// checkWithFin checks as Check does, for acceptance conditions with Fin. The search of emptiness.go
// is not enough for these: a component may have marks that rule each other out, and still have a
// part that is accepted. For Inf(0) & Fin(1) a component with edges of both sets must be searched
// again without those of set 1. Package automata/emptiness does that for any two operands; here one
// of them is the state graph of the net, explored as it is asked for, and the other the automaton.
func checkWithFin(ctx context.Context, k *petri.Kripke, property properties.Property, propositions []*labelling.Proposition, progress func(properties.Statistics)) (properties.Result, error) {
	a := property.Automaton
	k.Begin(ctx)
	n := &netStructure{
		kripke: k, labelling: labelling.New(k, propositions), names: a.Propositions, progress: progress,
	}
	x := automata.NewAlphabet(a.Propositions, a.Propositions, nil, a)
	left, right := emptiness.NewOperandSide(emptiness.Structure(n), &x, x.Left), emptiness.NewOperandSide(emptiness.Explicit(a), &x, x.Right)
	if err := right.Analyse(ctx, &x, false); err != nil {
		var result properties.Result
		result.GiveUp(context.Cause(ctx))
		return result, nil
	}
	s := emptiness.NewJointSearch[emptiness.KripkeKind, emptiness.ExplicitKind](left, right, emptiness.Options{Context: ctx, Word: true, Account: k.Account()}, 0)
	n.pairs = s.Pairs
	err := s.Run()
	var result properties.Result
	if err == nil && s.Found {
		telling, cancel := tellingTime(ctx)
		defer cancel()
		k.Account().Tell(telling)
		result.Counterexample, err = runOfNet(s, k)
	}
	result.Statistics = n.statistics()
	result.Statistics.ProductTransitions, result.Statistics.ExploredTransitions = s.Edges, s.Edges
	switch {
	case errors.Is(err, emptiness.ErrTooManyPairs):
		result.Reason = states.ErrTooMany.Error()
	case ctx.Err() != nil && err != nil:
		result.GiveUp(context.Cause(ctx))
	case err != nil && !isLimit(ctx, err):
		return result, err
	case err != nil:
		result.GiveUp(err)
	default:
		return concluded(ctx, k, property, result)
	}
	return result, nil
}

// runOfNet returns the run that the search found as steps of the net, which is its left side. An error is
// the account's, or says that the run is not found again.
func runOfNet[L, R emptiness.OperandKind](s *emptiness.JointSearch[L, R], k *petri.Kripke) (*witness.Counterexample, error) {
	prefix, cycle, err := s.AcceptedRun()
	if err != nil {
		return nil, err
	}
	work := walkWork + 16*k.Net().Transitions() + 8*k.Net().Places()
	tell := func(run []emptiness.WordStep) ([]witness.Step, error) {
		if err := k.Account().Reserve(stepBytes * len(run)); err != nil {
			return nil, err
		}
		steps := make([]witness.Step, len(run))
		for i, w := range run {
			from, _ := s.Pairs.At(w.From)
			to, _ := s.Pairs.At(w.To)
			if err := k.Account().Charge(work); err != nil {
				return nil, err
			}
			steps[i].Edge = w.RightEdge
			var fires bool
			if steps[i].Transition, fires = k.Firing(petri.StateID(from), petri.StateID(to)); !fires {
				if !k.Deadlock(petri.StateID(from)) {
					return nil, errors.New("a step of the net is not found again")
				}
				steps[i].Stutter = true
			}
		}
		return steps, nil
	}
	c := &witness.Counterexample{}
	_, c.Start = s.Pairs.At(append(prefix, cycle...)[0].From)
	if c.Prefix, err = tell(prefix); err != nil {
		return nil, err
	}
	c.Cycle, err = tell(cycle)
	return c, err
}

// netStructure presents the state graph of a net to package emptiness, as a Kripke structure.
type netStructure struct {
	kripke    *petri.Kripke
	labelling *labelling.Labels
	names     []string
	progress  func(properties.Statistics)
	pairs     *automata.Pairs
	steps     int
}

func (n *netStructure) Propositions() []string { return n.names }
func (n *netStructure) Initial() []uint32      { return []uint32{uint32(n.kripke.Initial())} }

// RecallsLabels marks a structure that keeps the labels it computed: the labelling does.
func (n *netStructure) RecallsLabels() {}

// Label writes to v which propositions hold in the marking s.
func (n *netStructure) Label(s uint32, v automata.Valuation) {
	copy(v, n.labelling.Label(n.labelling.Of(petri.StateID(s))))
}

// Successors appends the markings after s to to. It calls progress now and then.
func (n *netStructure) Successors(s uint32, to []uint32) ([]uint32, error) {
	if n.steps++; n.steps&states.PollMask == 0 && n.progress != nil {
		n.progress(n.statistics())
	}
	successors, err := n.kripke.Successors(petri.StateID(s))
	if err == nil {
		err = account.Room(n.kripke.Account(), to, len(successors))
	}
	if err != nil {
		return to, err
	}
	return append(to, successors...), err
}

// statistics returns what was met so far. Product states are the pairs that the search has
// numbered.
func (n *netStructure) statistics() properties.Statistics {
	_, transitions := n.kripke.Explored()
	return properties.Statistics{
		States: int64(n.kripke.Len()), Transitions: transitions,
		ProductStates: int64(n.pairs.Len()), ExploredStates: int64(n.pairs.Len()),
		LabelHits: n.labelling.Hits, LabelMisses: n.labelling.Misses, LabelLastHits: n.labelling.LastHits,
	}
}

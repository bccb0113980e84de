package coloured

import (
	"pnmc/checker/internal/rephrase"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/symmetric"
)

// approximation says predicates over coloured markings as predicates over the
// skeleton's markings, as far as that is possible. What they say of token counts
// is the same in both. A transition that a coloured marking enables is enabled in
// the skeleton, too; the reverse is true of exact transitions only.
type approximation struct {
	transitions, exact []uint32 // of the skeleton
}

func newApproximation(net *symmetric.Net) *approximation {
	a := new(approximation)
	for t, exact := range net.Exact() {
		a.transitions = append(a.transitions, uint32(t))
		if exact {
			a.exact = append(a.exact, uint32(t))
		}
	}
	return a
}

// over is a predicate over the skeleton's markings that holds wherever p, or if
// negated its negation, holds in a coloured marking with these counts.
func (a *approximation) over(p *logic.Predicate, negated bool) *logic.Predicate {
	switch p.Operator {
	case logic.Not:
		return a.over(p.Operands[0], !negated)
	case logic.And, logic.Or:
		q := &logic.Predicate{Operator: p.Operator}
		if negated {
			q.Operator = logic.And + logic.Or - p.Operator
		}
		for _, o := range p.Operands {
			q.Operands = append(q.Operands, a.over(o, negated))
		}
		return q
	case logic.Equivalent:
		x, y := p.Operands[0], p.Operands[1]
		either := func(first, second bool) *logic.Predicate {
			return &logic.Predicate{Operator: logic.And, Operands: []*logic.Predicate{a.over(x, first), a.over(y, second)}}
		}
		return &logic.Predicate{Operator: logic.Or, Operands: []*logic.Predicate{either(false, negated), either(true, !negated)}}
	case logic.Fireable:
		if !negated {
			return p
		}
		return rephrase.Not(rephrase.FireableAmong(a.exactOf(p.Transitions)))
	case logic.Deadlocked:
		if !negated {
			return rephrase.Not(rephrase.FireableAmong(a.exact))
		}
		return rephrase.FireableAmong(a.transitions)
	}
	if negated {
		return rephrase.Not(p)
	}
	return p
}

// under is a predicate over the skeleton's markings that holds only where p, or if
// negated its negation, holds in each coloured marking with these counts.
func (a *approximation) under(p *logic.Predicate, negated bool) *logic.Predicate {
	return rephrase.Not(a.over(p, !negated)).Simplify()
}

// exactOf are those of transitions, ascending, that are exact.
func (a *approximation) exactOf(transitions []uint32) []uint32 {
	var list []uint32
	k := 0
	for _, t := range transitions {
		for k < len(a.exact) && a.exact[k] < t {
			k++
		}
		if k < len(a.exact) && a.exact[k] == t {
			list = append(list, t)
		}
	}
	return list
}

// stoppable is the skeleton with a transition more, which stops all others for
// ever: its runs, and those that it ends, are all that the coloured net may do.
//
// For a coloured run that ends in a deadlock may end in a marking of the skeleton
// that enables transitions; there the skeleton stops. It stops elsewhere, too,
// but a coloured marking that enables an exact transition is no deadlock: where
// the skeleton has stopped and still enables one, that is a false end, as
// falseEnd tells, and such runs are left out by what is asked of it.
//
// So a coloured marking is simulated by the one with its counts in which nothing
// has stopped, and a deadlock by the one in which all has stopped, too: what one
// does, the other can do, and where a coloured run ends, the other's can. A
// predicate that under gives for p, of the skeleton's transitions in this net,
// holds in either only if p holds in the coloured marking: where all has stopped,
// no transition is enabled, as in the deadlock. Hence what is so in all runs of
// the stoppable net that have no false end is so in all runs of the coloured net.
//
// If all transitions are exact, no end but a deadlock of the skeleton would be
// true, and it remains as it is.
func (a *approximation) stoppable(skeleton *petri.Net) (net *petri.Net, falseEnd *logic.Predicate, err error) {
	falseEnd = &logic.Predicate{Operator: logic.False}
	if len(a.exact) == len(a.transitions) {
		return skeleton, falseEnd, nil
	}
	b := &petri.Builder{ID: skeleton.ID, Name: skeleton.Name}
	for p := range petri.Place(skeleton.Places()) {
		if _, err := b.AddPlace(skeleton.PlaceLabel(p).ID, "", skeleton.InitialTokens(p)); err != nil {
			return nil, nil, err
		}
	}
	running, err := b.AddPlace(" running", "", 1)
	if err != nil {
		return nil, nil, err
	}
	for t := range petri.Transition(skeleton.Transitions() + 1) {
		id, pre, post := " stop", []petri.Arc(nil), []petri.Arc(nil)
		if int(t) < skeleton.Transitions() {
			id, pre, post = skeleton.TransitionLabel(t).ID, skeleton.Pre(t), skeleton.Post(t)
		}
		number, err := b.AddTransition(id, "")
		if err != nil {
			return nil, nil, err
		}
		for _, arc := range pre {
			if err := b.AddInput(arc.Place, number, arc.Weight); err != nil {
				return nil, nil, err
			}
		}
		for _, arc := range post {
			if err := b.AddOutput(number, arc.Place, arc.Weight); err != nil {
				return nil, nil, err
			}
		}
		if int(t) < skeleton.Transitions() {
			for _, arc := range skeleton.Inhibitors(t) {
				if err := b.AddInhibitor(arc.Place, number, arc.Weight); err != nil {
					return nil, nil, err
				}
			}
		}
		if err := b.AddInput(running, number, 1); err != nil {
			return nil, nil, err
		}
		if int(t) < skeleton.Transitions() {
			if err := b.AddOutput(number, running, 1); err != nil {
				return nil, nil, err
			}
		}
	}
	if len(a.exact) > 0 {
		// Said in the places of the skeleton: in this net, none is enabled.
		stopped := &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Terms: []logic.Term{{Place: uint32(running), Coefficient: 1}}}}
		enabled := rephrase.OverPlaces(skeleton, rephrase.FireableAmong(a.exact))
		falseEnd = &logic.Predicate{Operator: logic.And, Operands: []*logic.Predicate{stopped, enabled}}
	}
	net, err = b.Build()
	return net, falseEnd, err
}

package coloured

import (
	"pnmc/checker/internal/rephrase"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/symmetric"
	"pnmc/petri/symmetric/colourless"
)

// approximation translates predicates over coloured markings into predicates over the skeleton's
// markings, as far as that is possible. Token counts are the same in both. A transition that a
// coloured marking enables is enabled in the skeleton, too. The reverse is true of exact
// transitions only.
//
// For example, let t take a token of the same colour x from p and from q. With red on p and blue on
// q, t is disabled; the skeleton sees one token on each, and enables it. If t took x from p and y
// from q, any two tokens would do: then it is exact.
//
// So each predicate gets two translations. over holds wherever the predicate may hold: what it
// forbids is impossible. under holds only where the predicate surely holds: what it allows is
// certain. For "t is fireable" over is t fireable in the skeleton; under is the same if t is exact,
// and else false.
type approximation struct {
	transitions, exact []uint32 // of the skeleton
}

// newApproximation lists the transitions, and those for which the skeleton is exact.
func newApproximation(net *symmetric.Net) *approximation {
	a := new(approximation)
	for t, exact := range colourless.Exact(net) {
		a.transitions = append(a.transitions, uint32(t))
		if exact {
			a.exact = append(a.exact, uint32(t))
		}
	}
	return a
}

// over returns a predicate over the skeleton's markings. It holds wherever p, or if negated its
// negation, holds in some coloured marking with these counts.
func (a *approximation) over(p *logic.Predicate, negated bool) *logic.Predicate {
	t := translation{a, mostTranslated}
	return t.over(p, negated)
}

// mostTranslated bounds the nodes of a translation. An equivalence that looks at transitions has each
// operand in it twice, once negated, so that nested ones grow exponentially.
const mostTranslated = 1 << 14

// translation is that of one predicate.
type translation struct {
	*approximation
	left int // nodes that it may still have
}

// over returns the predicate that approximation.over describes. Beyond the nodes that are left it
// returns true, which holds everywhere.
func (a *translation) over(p *logic.Predicate, negated bool) *logic.Predicate {
	if a.left--; a.left < 0 {
		return &logic.Predicate{Operator: logic.True}
	}
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
		if !looksAtTransitions(p) && !rephrase.LooksAtDeadlock(p) {
			break // exact
		}
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

// under returns a predicate over the skeleton's markings. It holds only where p, or if negated its
// negation, holds in every coloured marking with these counts: where the opposite may not hold.
func (a *approximation) under(p *logic.Predicate, negated bool) *logic.Predicate {
	return rephrase.Not(a.over(p, !negated)).Simplify()
}

// exactOf returns those of transitions that are exact. Both lists ascend.
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

// stoppable returns the skeleton with one more transition, which stops all others for ever.
// falseEnd holds where the net has stopped though the coloured net could not have.
//
// The problem. What holds of all runs of the skeleton should hold of all runs of the coloured net.
// But a coloured run may end where the skeleton goes on: with red on p and blue on q, say, and a
// transition that needs two of a colour. To the skeleton that run is only the beginning of another.
//
// The idea. Let the skeleton stop whenever it likes. A place " running" has a token that every
// transition needs and gives back. The transition " stop" takes it. Then each coloured run is a run
// of this net: what the coloured net fires, the skeleton fires, and where a coloured run ends, the
// skeleton stops.
//
// That gives too many ends. A coloured marking that enables an exact transition is no deadlock. So
// if the net has stopped and the skeleton still enables an exact transition, that is a false end.
// falseEnd says so, and questions to this net leave such runs out.
//
// Why predicates carry over. A coloured marking corresponds to the marking with its counts in which
// nothing has stopped, and a deadlock also to the one in which all has stopped. Where all has
// stopped, no transition is enabled, as in the deadlock. So a predicate that under returns for p,
// with the skeleton's transitions in this net, holds in either only if p holds in the coloured
// marking. Hence what holds of all runs of the stoppable net without a false end holds of all runs
// of the coloured net.
//
// If all transitions are exact, only a deadlock of the skeleton would be a true end. Then nothing
// is added, and the skeleton is returned as it is.
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

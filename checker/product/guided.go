package product

import (
	"context"

	"pnmc/automata"
	"pnmc/checker/internal/rephrase"
	"pnmc/internal/account"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/stubborn"
)

// Some states of an automaton only wait for something. Let the property be that each request is granted:
// the automaton of its violations waits in its first state, by a loop that every marking allows, until
// there is a request that it takes for the one without a grant. How the net gets to such a request does not
// matter to it, only to which ones it gets, and in how many steps. So as long as the automaton waits, the
// firings suffice that a search for requests would need: a stubborn set for goals.
//
// A state waits if it has loops, all with the same acceptance marks, and an accepted run can't stay there
// for ever by these. Its goal is that some edge to another state may be taken. Then:
//
//   - Each stay of an accepted run in the state comes to an end. It leads from a marking m in n steps to a
//     marking where an edge to another state is taken, and on the way the label of some loop holds.
//   - With what package stubborn selects (Waiting), there is such a way of n steps between the same
//     markings. It meets the same marks, those of n loops.
//   - Where an edge to another state may be taken, all is fired. So the run leaves the state as before.
//
// Done with each stay, that makes an accepted run of the product with fewer firings, through the same
// automaton states. The other direction is clear: what is fired is fired by the net. Nothing is asked of the
// language. It need not be closed under stuttering, since no way becomes longer or shorter, and nothing is to
// be done about cycles: each step is one nearer to leaving. The graph of a state that waits is one of its own
// on the same markings (petri.Kripke.View).
//
// The state of the automaton also leads what is fired in Jensen, Srba, Ulrik, Virenfeldt, "Automata-driven partial
// order reduction and guided search for LTL model checking" (VMCAI 2022); the rules here are those proved above.

const (
	// mostWaiting is how many states of an automaton get graphs of their own.
	mostWaiting = 4
	// mostLeavingCubes bounds the goal of a state, as each cube is looked at in each marking.
	mostLeavingCubes = 64
)

// guide gives states that wait their graphs. If ctx ends meanwhile, some or all have none.
func (p *product) guide(ctx context.Context, predicates []*logic.Predicate) {
	if net := p.kripke.Net(); !net.Plain() || net.Transitions() < 2 || p.kripke.Selects() {
		return
	}
	work := account.Of(ctx)
	var waits []automata.State
	for q := range automata.State(p.automaton.States()) {
		if work.Charge(0) != nil || len(waits) == mostWaiting {
			break
		}
		if p.useful[q] && p.waits(q) {
			waits = append(waits, q)
		}
	}
	for _, q := range waits {
		selection := p.waiting(ctx, q, predicates)
		if selection == nil {
			continue
		}
		if p.guided == nil {
			p.guided = make([]*petri.Kripke, p.automaton.States())
		}
		p.guided[q] = p.kripke.View(selection, 2*int64(len(waits)))
	}
}

// waits reports whether q has loops, all with the same marks, that are not accepted by themselves, and
// other edges that may be.
func (p *product) waits(q automata.State) bool {
	if p.strength[q] == automata.Terminal {
		return false
	}
	loops, leaving := 0, 0
	var marks []uint64
	first, end := p.automaton.Out(q)
	for e := first; e < end; e++ {
		p.account.Add(matchWork)
		switch to := p.automaton.Destination(e); {
		case p.automaton.Cubes(e) == 0:
		case to == q:
			if loops++; loops == 1 {
				marks = p.acceptance.of(e)
			}
			for i, m := range p.acceptance.of(e) {
				if m != marks[i] {
					return false
				}
			}
		case p.useful[to]:
			leaving += p.automaton.Cubes(e)
		}
	}
	return loops > 0 && leaving > 0 && leaving <= mostLeavingCubes && !p.acceptance.holds(marks)
}

// waiting returns the selection for q, which waits, or nil if there can't be one, it is too large, or ctx
// ends.
func (p *product) waiting(ctx context.Context, q automata.State, predicates []*logic.Predicate) petri.Selection {
	net := p.kripke.Net()
	leave, kept, anywhere := &logic.Predicate{Operator: logic.Or}, make([]bool, len(predicates)), false
	over := make([]*logic.Predicate, len(predicates)) // places
	first, end := p.automaton.Out(q)
	for e := first; e < end; e++ {
		to := p.automaton.Destination(e)
		if to != q && !p.useful[to] {
			continue
		}
		for c := range p.automaton.Cubes(e) {
			cube := p.automaton.Cube(e, c)
			anywhere = anywhere || to == q && cube.Literals() == 0
			all := &logic.Predicate{Operator: logic.And}
			for i, predicate := range predicates {
				occurs, positive := cube.Literal(i)
				if !occurs {
					continue
				}
				if over[i] == nil {
					if account.Of(ctx).Charge(rephrase.BytesOverPlaces(net, predicate)) != nil {
						return nil
					}
					over[i] = rephrase.OverPlaces(net, predicate)
				}
				kept[i] = kept[i] || to == q
				literal := over[i]
				if !positive {
					literal = rephrase.Not(literal)
				}
				all.Operands = append(all.Operands, literal)
			}
			if to != q {
				leave.Operands = append(leave.Operands, all)
			}
		}
	}
	var observed []petri.Place
	if !anywhere {
		looks := make([]bool, net.Places())
		for i, predicate := range over {
			if kept[i] { // where it asks for deadlocks, it sees none before the last marking, in any order
				rephrase.Protect(predicate, looks)
			}
		}
		for place, does := range looks {
			if does {
				observed = append(observed, petri.Place(place))
			}
		}
	}
	selection, err := stubborn.NewWaiting(ctx, net, p.kripke.Facts(), stubborn.Goal{Predicate: leave}, observed)
	if err != nil {
		return nil
	}
	return selection
}

// forgetEdges gives up the edges that are kept, to make room.
func (p *product) forgetEdges() {
	p.kripke.ForgetEdges()
	for _, k := range p.guided {
		if k != nil {
			k.ForgetEdges()
		}
	}
}

// saved notes in the graph what was left out.
func (p *product) saved() {
	for _, k := range p.guided {
		if k != nil {
			p.kripke.AddSavings(k.Savings())
		}
	}
}

package asking

import (
	"context"
	"slices"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/ledger"
	"pnmc/checker/internal/rephrase"
	"pnmc/checker/witness"
	"pnmc/internal/account"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/automorphism"
	"pnmc/petri/invariant"
)

// sumOver returns the number of tokens in places, plus a constant.
func sumOver(places []uint32, constant int64) logic.Sum {
	s := logic.Sum{Constant: constant}
	for _, p := range places {
		s.Terms = append(s.Terms, logic.Term{Place: p, Coefficient: 1})
	}
	return s
}

// askOneSafe asks for each place whether it can have two tokens. A place of a coloured net has two
// if its instances have together: the net is one-safe if none of these sums can exceed one.
func askOneSafe(ctx context.Context, r *core.Task, number int) {
	var atoms []*ledger.Atom
	places, _, by := unlike(ctx, r)
	if !hasRoomForGoals(r, places, number) {
		return
	}
	for _, g := range places {
		atMostOne := &logic.Predicate{Operator: logic.AtMost, Sum: sumOver(g, -1)}
		atoms = append(atoms, &ledger.Atom{Goal: rephrase.Not(atMostOne).Simplify()})
	}
	askAll(r, &ledger.Question{Number: number, OnReached: inquiry.Truth(false), Finally: inquiry.Truth(true), FinallyBy: by}, atoms)
}

// askAll asks about all atoms, and answers at once what is finally so if there is no atom at all.
func askAll(r *core.Task, q *ledger.Question, atoms []*ledger.Atom) {
	r.Ledger.Ask(q, atoms...)
	if len(atoms) == 0 {
		r.Ledger.AnswerNow(q, q.Finally, inquiry.Topological, inquiry.Witness{Ground: inquiry.NetStructure})
	}
}

// askStableMarking asks for each place whether its count can change.
func askStableMarking(ctx context.Context, r *core.Task, number int, initial petri.Marking) {
	var atoms []*ledger.Atom
	places, _, by := unlike(ctx, r)
	if !hasRoomForGoals(r, places, number) {
		return
	}
	for _, g := range places {
		all := sumOver(g, 0)
		total, ok := witness.ValueOf(&all, initial)
		if !ok {
			r.Ledger.Answers.Give(inquiry.Answer{Question: number, Reason: errLargeNumbers})
			return
		}
		same := &logic.Predicate{Operator: logic.Equal, Sum: sumOver(g, -total)}
		atoms = append(atoms, &ledger.Atom{Goal: rephrase.Not(same).Simplify()})
	}
	askAll(r, &ledger.Question{Number: number, OnUnreachable: inquiry.Truth(true), Finally: inquiry.Truth(false), FinallyBy: by}, atoms)
}

// askQuasiLive asks for each transition whether it can ever fire.
func askQuasiLive(ctx context.Context, r *core.Task, number int) {
	_, transitions, by := unlike(ctx, r)
	if !hasRoomForGoals(r, transitions, number) {
		return
	}
	askAll(r, &ledger.Question{Number: number, OnUnreachable: inquiry.Truth(false), Finally: inquiry.Truth(true), FinallyBy: by}, transitionAtoms(transitions))
}

// transitionAtoms asks for each group of transitions whether one can ever fire.
func transitionAtoms(groups [][]uint32) []*ledger.Atom {
	var atoms []*ledger.Atom
	for _, g := range groups {
		atoms = append(atoms, &ledger.Atom{Goal: &logic.Predicate{Operator: logic.Fireable, Transitions: slices.Clone(g)}})
	}
	return atoms
}

// askLive asks whether every transition can always fire again. A transition that can never fire
// refutes that, and so does a reachable deadlock. Where every firing can be undone, a transition that
// can fire can always fire again: that all can fire is enough then. Otherwise engines for liveness
// prove it. A net without transitions is live; a coloured transition without instances never fires.
func askLive(ctx context.Context, r *core.Task, number int) {
	if !hasRoomForGoals(r, r.Groups.Transitions, number) {
		return
	}
	q := &ledger.Question{Number: number, OnUnreachable: inquiry.Truth(false)}
	atoms := transitionAtoms(r.Groups.Transitions)
	if provesByArcs(r) && invariant.Undoes(ctx, r.Net, undoWork) {
		r.Note("every firing can be undone")
		q.Finally, q.FinallyBy = inquiry.Truth(true), inquiry.Topological
	}
	r.Ledger.Ask(q, atoms...)
	if len(atoms) == 0 {
		r.Ledger.AnswerNow(q, inquiry.Truth(true), inquiry.Topological, inquiry.Witness{Ground: inquiry.NetStructure})
		return
	}
	refuter := &ledger.Question{Number: number, OnReached: inquiry.Truth(false), SilentTwin: q}
	r.Ledger.Ask(refuter, &ledger.Atom{Goal: &logic.Predicate{Operator: logic.Deadlocked}})
}

// askDeadlock asks whether a deadlock can be reached. If something fires at first, and after each
// firing, none can.
func askDeadlock(ctx context.Context, r *core.Task, number int, initial petri.Marking) {
	q := &ledger.Question{Number: number, OnReached: inquiry.Truth(true), OnUnreachable: inquiry.Truth(false)}
	r.Ledger.Ask(q, &ledger.Atom{Goal: &logic.Predicate{Operator: logic.Deadlocked}})
	if provesByArcs(r) && !r.Net.Deadlock(initial) && invariant.GoesOn(ctx, r.Net, undoWork) {
		r.Ledger.AnswerNow(q, inquiry.Truth(false), inquiry.Topological, inquiry.Witness{Ground: inquiry.NetStructure})
	}
}

// provesByArcs reports whether what the arcs of the task's net show counts: on the skeleton of a coloured
// net, what can fire need not fire there.
func provesByArcs(r *core.Task) bool {
	return r.Shared.Uses(inquiry.Topological) && !r.Folded && r.Ledger.Sink == nil
}

// undoWork is how many arcs are looked at to find transitions that undo others: some tens of
// milliseconds.
const undoWork = 10_000_000

// orbitWork is the work that may be done to find places and transitions that are alike, in about
// nanoseconds.
const orbitWork = 50_000_000

// unlike returns the places and the transitions that questions about all of them have to ask for: one
// of those that symmetries of the net map to each other. Either all of them can have a second token,
// change or fire, or none can. by is what some are left out by. Nodes of coloured nets are all asked
// for, and so are all nodes where time or memory does not do to find out.
func unlike(ctx context.Context, r *core.Task) (places, transitions [][]uint32, by inquiry.Techniques) {
	places, transitions = r.Groups.Places, r.Groups.Transitions
	if r.Folded || !r.Groups.Same() || !r.Shared.Uses(inquiry.Symmetries) {
		return places, transitions, 0
	}
	within, stop := account.Within(ctx, r.Budget)
	leastPlaces, leastTransitions, err := automorphism.Orbits(within, r.Net, orbitWork)
	stop(nil)
	if err != nil {
		return places, transitions, 0
	}
	var somePlaces, someTransitions [][]uint32
	for p, least := range leastPlaces {
		if least == petri.Place(p) {
			somePlaces = append(somePlaces, places[p])
		}
	}
	for t, least := range leastTransitions {
		if least == petri.Transition(t) {
			someTransitions = append(someTransitions, transitions[t])
		}
	}
	if len(somePlaces)+len(someTransitions) == len(places)+len(transitions) {
		return places, transitions, 0
	}
	r.Note("%d of %d places and %d of %d transitions are unlike each other", len(somePlaces), len(places), len(someTransitions), len(transitions))
	return somePlaces, someTransitions, inquiry.Symmetries
}

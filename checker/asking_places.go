package checker

import (
	"slices"

	"pnmc/checker/internal/rephrase"
	"pnmc/checker/witness"
	"pnmc/logic"
	"pnmc/petri"
)

func sumOver(places []uint32, constant int64) logic.Sum {
	s := logic.Sum{Constant: constant}
	for _, p := range places {
		s.Terms = append(s.Terms, logic.Term{Place: p, Coefficient: 1})
	}
	return s
}

// askOneSafe: no place ever has two tokens.
func (r *task) askOneSafe(number int) {
	var atoms []*atom
	for _, g := range r.groups.Places {
		atMostOne := &logic.Predicate{Operator: logic.AtMost, Sum: sumOver(g, -1)}
		atoms = append(atoms, &atom{goal: rephrase.Not(atMostOne).Simplify()})
	}
	r.askAll(&question{number: number, onReached: Truth(false), finally: Truth(true)}, atoms)
}

// askAll answers at once what is finally so if there is no atom at all.
func (r *task) askAll(q *question, atoms []*atom) {
	r.ledger.ask(q, atoms...)
	if len(atoms) == 0 {
		r.ledger.answerNow(q, q.finally, Topological, Witness{Ground: NetStructure})
	}
}

// askStableMarking: some place keeps its initial count.
func (r *task) askStableMarking(number int, initial petri.Marking) {
	var atoms []*atom
	for _, g := range r.groups.Places {
		all := sumOver(g, 0)
		total, ok := witness.ValueOf(&all, initial)
		if !ok {
			r.ledger.answers.give(Answer{Question: number, Reason: errLargeNumbers})
			return
		}
		same := &logic.Predicate{Operator: logic.Equal, Sum: sumOver(g, -total)}
		atoms = append(atoms, &atom{goal: rephrase.Not(same).Simplify()})
	}
	r.askAll(&question{number: number, onUnreachable: Truth(true), finally: Truth(false)}, atoms)
}

// transitionAtoms ask whether each transition can ever fire.
func (r *task) transitionAtoms() []*atom {
	var atoms []*atom
	for _, g := range r.groups.Transitions {
		atoms = append(atoms, &atom{goal: &logic.Predicate{Operator: logic.Fireable, Transitions: slices.Clone(g)}})
	}
	return atoms
}

// askLive: every transition can always fire again. That one can never fire,
// or that a deadlock is reachable, refutes it. A net without transitions is live;
// a coloured transition without instances never fires.
func (r *task) askLive(number int) {
	q := &question{number: number, onUnreachable: Truth(false)}
	atoms := r.transitionAtoms()
	r.ledger.ask(q, atoms...)
	if len(atoms) == 0 {
		r.ledger.answerNow(q, Truth(true), Topological, Witness{Ground: NetStructure})
		return
	}
	refuter := &question{number: number, onReached: Truth(false), silentTwin: q}
	r.ledger.ask(refuter, &atom{goal: &logic.Predicate{Operator: logic.Deadlocked}})
}

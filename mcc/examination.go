package mcc

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"pnmc/checker"
	"pnmc/logic"
	"pnmc/petri/symmetric"
)

// examination is one of the contest's thirteen: whether it comes with a property
// file, and how its questions are put.
type examination struct {
	name string
	file bool
	// simplify: predicates are simplified by the state equation before the
	// questions are put. Where the questions are reachability itself, the engines
	// do that.
	simplify bool
	ask      func(*run) error
	plan     []phase
}

// examinations is what Run can be asked for.
func examinations() []examination {
	return []examination{
		{"StateSpace", false, false, askStateSpace, stateSpacePlan},
		{"ReachabilityDeadlock", false, false, askDeadlock, deadlockPlan},
		{"OneSafe", false, false, askOneSafe, placesPlan},
		{"QuasiLiveness", false, false, askQuasiLiveness, transitionsPlan},
		{"StableMarking", false, false, askStableMarking, placesPlan},
		{"Liveness", false, false, askLiveness, livenessPlan},
		{"UpperBounds", true, false, askBounds, boundsPlan},
		{"ReachabilityCardinality", true, false, askBranching, reachabilityPlan},
		{"ReachabilityFireability", true, false, askBranching, reachabilityPlan},
		{"CTLCardinality", true, true, askBranching, branchingPlan},
		{"CTLFireability", true, true, askBranching, branchingPlan},
		{"LTLCardinality", true, true, askLinear, linearPlan},
		{"LTLFireability", true, true, askLinear, linearPlan},
	}
}

// Examinations are the names of the examinations.
func Examinations() []string {
	var names []string
	for _, e := range examinations() {
		names = append(names, e.name)
	}
	return names
}

// looksAtPlacesOnly tells whether all that is asked is how many tokens places have.
func (e *examination) looksAtPlacesOnly() bool {
	return e.name == "OneSafe" || e.name == "StableMarking" || e.name == "UpperBounds"
}

func askDeadlock(r *run) error {
	r.board.ask(&question{id: r.examination, onReached: "TRUE", onUnreachable: "FALSE"},
		&atom{goal: &logic.Predicate{Operator: logic.Deadlocked}})
	return nil
}

func sumOver(places []uint32, constant int64) logic.Sum {
	s := logic.Sum{Constant: constant}
	for _, p := range slices.Sorted(slices.Values(places)) {
		s.Terms = append(s.Terms, logic.Term{Place: p, Coefficient: 1})
	}
	return s
}

// askOneSafe: no place ever has two tokens.
func askOneSafe(r *run) error {
	var atoms []*atom
	for _, g := range r.names.placeGroups {
		atMostOne := &logic.Predicate{Operator: logic.AtMost, Sum: sumOver(g, -1)}
		atoms = append(atoms, &atom{goal: not(atMostOne).Simplify()})
	}
	r.askAll(&question{id: r.examination, onReached: "FALSE", finally: "TRUE"}, atoms)
	return nil
}

// askAll answers at once what is finally so if there is no atom at all.
func (r *run) askAll(q *question, atoms []*atom) {
	r.board.ask(q, atoms...)
	if len(atoms) == 0 {
		r.board.answerNow(q, q.finally, Topological, "the net has no such node")
	}
}

// askStableMarking: some place keeps its initial count.
func askStableMarking(r *run) error {
	var atoms []*atom
	initial := r.net.Initial()
	for _, g := range r.names.placeGroups {
		all := sumOver(g, 0)
		total, ok := checker.ValueOf(&all, initial)
		if !ok {
			return errors.New("numbers beyond 63 bits")
		}
		same := &logic.Predicate{Operator: logic.Equal, Sum: sumOver(g, -total)}
		atoms = append(atoms, &atom{goal: not(same).Simplify()})
	}
	r.askAll(&question{id: r.examination, onUnreachable: "TRUE", finally: "FALSE"}, atoms)
	return nil
}

// transitionAtoms ask whether each transition can ever fire.
func (r *run) transitionAtoms() []*atom {
	var atoms []*atom
	for _, g := range r.names.transitionGroups {
		g = slices.Sorted(slices.Values(g))
		atoms = append(atoms, &atom{goal: &logic.Predicate{Operator: logic.Fireable, Transitions: g}})
	}
	return atoms
}

// askQuasiLiveness: every transition can fire at some time.
func askQuasiLiveness(r *run) error {
	r.askAll(&question{id: r.examination, onUnreachable: "FALSE", finally: "TRUE"}, r.transitionAtoms())
	return nil
}

// askLiveness: every transition can always fire again. That one can never fire,
// or that a deadlock is reachable, refutes it. A net without transitions is live;
// a coloured transition without instances never fires.
func askLiveness(r *run) error {
	q := &question{id: r.examination, onUnreachable: "FALSE"}
	atoms := r.transitionAtoms()
	r.board.ask(q, atoms...)
	if len(atoms) == 0 {
		r.board.answerNow(q, "TRUE", Topological, "the net has no transition")
		return nil
	}
	refuter := &question{id: r.examination, onReached: "FALSE", silentTwin: q}
	r.board.ask(refuter, &atom{goal: &logic.Predicate{Operator: logic.Deadlocked}})
	return nil
}

func askBounds(r *run) error {
	return r.eachProperty(func(p Property) error {
		sum, err := r.compiler.bound(p.Formula)
		if err != nil {
			return err
		}
		r.board.ask(&question{id: p.ID}, &atom{maximum: &sum})
		return nil
	})
}

// eachProperty puts the questions of the property file. What cannot be put is
// left unanswered, and remembered.
func (r *run) eachProperty(ask func(Property) error) error {
	unread := new(UnreadError)
	for _, p := range r.properties {
		r.compiler.changedBy = 0
		if err := ask(p); err != nil {
			unread.IDs = append(unread.IDs, p.ID)
			unread.Err = errors.Join(unread.Err, fmt.Errorf("%s: property %s: %w", p.Position(), p.ID, err))
		}
	}
	if unread.Err != nil {
		r.notAsked = unread
	}
	return nil
}

// sortOut gives up the properties that could not be put to a coloured net, before
// anything else: what comes may find no time or room to put any.
func (r *run) sortOut(net *symmetric.Net) {
	r.compiler = &compiler{names: nodeNames(net)}
	kept := r.properties[:0:0]
	_ = r.eachProperty(func(p Property) error { // its errors are noted
		var err error
		switch {
		case r.examination == "UpperBounds":
			_, err = r.compiler.bound(p.Formula)
		case strings.HasPrefix(r.examination, "LTL"):
			_, err = r.compiler.ltl(p.Formula)
		default:
			_, err = r.compiler.ctl(p.Formula)
		}
		if err == nil {
			kept = append(kept, p)
		}
		return err
	})
	r.answers.giveUp(r.notAsked)
	r.properties, r.notAsked = kept, nil
}

// askBranching puts the questions of the reachability and CTL examinations.
func askBranching(r *run) error {
	initial := r.net.Initial()
	return r.eachProperty(func(p Property) error {
		f, err := r.compiler.ctl(p.Formula)
		if err != nil {
			return err
		}
		r.askCTL(p.ID, f, initial)
		return nil
	})
}

// HasPropertyFile tells whether an examination comes with a file of properties,
// which is named after it and ends in .xml.
func HasPropertyFile(name string) bool {
	return slices.ContainsFunc(examinations(), func(e examination) bool { return e.name == name && e.file })
}

package branching

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"pnmc/checker/witness"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/petri"
	"pnmc/petri/symmetric"
)

// Replay follows what a Search found on the original net, by the
// definitions alone: the run to a marking that EF promises, the cycle of an EG,
// the predicates along them. What is true of all runs no run can show, so that
// the search is believed there.
type Replay struct {
	Net *petri.Net
	// Sequence appends to run what a transition of the search's net stands for. It reports
	// false if that is longer than limit.
	Sequence func(run []petri.Transition, t petri.Transition, limit int) (_ []petri.Transition, ok bool)
	// Initially, unless nil, is what Net fires before it is where the search's net begins, and
	// changes no place that predicates look at. It reports false if that is longer than limit.
	Initially func(limit int) (_ []petri.Transition, ok bool)
	// Predicates are those of the original net, by the state formulas that the
	// search was asked about.
	Predicates map[*ctl.Formula]*logic.Predicate

	// Runs are the first of those that the last confirmation replayed, each told in
	// transitions of Net. The first begins in the initial marking; one for a
	// subformula begins where a marking of another satisfies it.
	Runs []*Run

	search    *Search
	Current   *Run // in whose last marking so far the confirmation is, or nil
	firings   int
	initially []petri.Transition
	support   []bool // places that some predicate looks at; nil: all
}

// Run is a run that was replayed for one operator: to the marking that EF, EX or
// EU promises, or, for EG, a path that ends in a deadlock or goes on in a cycle.
type Run struct {
	Prefix, Cycle []petri.Transition
	// From is the run in whose marking after At firings this one begins; nil is the
	// initial marking.
	From *Run
	At   int
	// Bindings is the prefix in a coloured net that was not unfolded.
	Bindings []symmetric.Firing
}

// mostRuns bounds the runs that are remembered.
const mostRuns = 3

// Begin is a new run to remember, or to forget if there are enough.
func (r *Replay) Begin() *Run {
	run := &Run{From: r.Current}
	if r.Current != nil {
		run.At = len(r.Current.Prefix) + len(r.Current.Cycle)
	} else {
		run.Prefix = slices.Clone(r.initially)
	}
	if r.Current = run; len(r.Runs) < mostRuns {
		r.Runs = append(r.Runs, run)
	}
	return run
}

// Within goes back to a run when a subformula's are over.
func (r *Replay) Within(run *Run) { r.Current = run }

// mostReplayed bounds the firings of one replay. A nested formula can need the
// product of the lengths of its runs.
const mostReplayed = 2_000_000

// ErrLongReplay tells that a replay was given up, with no error so far.
var ErrLongReplay = errors.New("the witness is too long to be replayed to its end")

// Confirm replays why the formula that s decided last has this value. A nil error
// says that all that runs can show was shown.
func (r *Replay) Confirm(s *Search, value bool) error {
	r.search = s
	m, err := r.Start()
	if err != nil {
		return err
	}
	return r.confirm(s.root, value, s.kripke.Initial(), m)
}

// Start starts a confirmation. It gives the marking of the original net in which the
// search's net begins.
func (r *Replay) Start() (petri.Marking, error) {
	r.reset()
	m := r.Net.Initial()
	if r.Initially != nil {
		var ok bool
		if r.initially, ok = r.Initially(mostReplayed); !ok {
			return nil, ErrLongReplay
		}
	}
	r.firings = len(r.initially)
	for _, t := range r.initially {
		if err := r.unseen(m, t); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// unseen fires t, which is to change no place that predicates look at.
func (r *Replay) unseen(m petri.Marking, t petri.Transition) error {
	touched := slices.Clone(r.Net.Resets(t))
	for _, a := range slices.Concat(r.Net.Pre(t), r.Net.Post(t)) {
		touched = append(touched, a.Place)
	}
	before := make([]int64, len(touched))
	for i, p := range touched {
		before[i] = m[p]
	}
	if !r.Net.Fire(m, t) {
		return fmt.Errorf("transition %q is not enabled", r.Net.TransitionLabel(t).ID)
	}
	for i, p := range touched {
		if m[p] != before[i] && (r.support == nil || r.support[p]) {
			return fmt.Errorf("transition %q changes place %q", r.Net.TransitionLabel(t).ID, r.Net.PlaceLabel(p).ID)
		}
	}
	return nil
}

// reset forgets the last confirmation.
func (r *Replay) reset() {
	r.firings, r.initially, r.Runs, r.Current = 0, nil, nil, nil
	r.support = make([]bool, r.Net.Places())
	places := make(map[uint32]bool)
	for _, p := range r.Predicates {
		if !witness.SupportOf(r.Net, p, places) {
			r.support = nil
			break
		}
	}
	if r.support != nil {
		for p := range places {
			r.support[p] = true
		}
	}
}

// confirm shows that a subformula has the value in the state at, whose marking in
// the original net is m. It does not change m.
func (r *Replay) confirm(i int32, value bool, at petri.StateID, m petri.Marking) error {
	defer r.Within(r.Current)
	n := &r.search.nodes[i]
	switch n.operator {
	case basisState:
		p := r.Predicates[n.source]
		if p == nil { // not in the formula, but true, as in EF p = true U p
			p = n.source.Predicate
			if p.Operator != logic.True {
				return errors.New("a state predicate is not one of the original net")
			}
		}
		if witness.Satisfies(r.Net, m, p) != value {
			return fmt.Errorf("a state predicate is not %t as it should be", value)
		}
		return nil
	case basisNot:
		return r.confirm(n.operands[0], !value, at, m)
	case basisAnd, basisOr:
		return r.combination(n, value, at, m)
	}
	if !value {
		return nil // that there is no run no run shows
	}
	m = slices.Clone(m)
	switch n.operator {
	case basisNext:
		return r.next(n, at, m)
	case basisUntil:
		return r.until(n, at, m)
	}
	return r.globally(n, at, m)
}

func (r *Replay) combination(n *ctlNode, value bool, at petri.StateID, m petri.Marking) error {
	all := value == (n.operator == basisAnd)
	for _, o := range n.operands {
		if !all && r.search.evaluate(o, at) != value {
			continue
		}
		if err := errors.Join(r.search.err, r.confirm(o, value, at, m)); err != nil || !all {
			return err
		}
	}
	if !all {
		return errors.New("no operand decides")
	}
	return nil
}

// step fires a transition that leads from one state to the next, changes m, and appends
// the transition to told.
func (r *Replay) step(from, to petri.StateID, m petri.Marking, told *[]petri.Transition) error {
	t, ok := r.search.kripke.Firing(from, to)
	if !ok {
		return errors.New("no transition leads from a state to the next one")
	}
	return r.Fire(t, m, told)
}

// Fire fires what t of the search's net stands for.
func (r *Replay) Fire(t petri.Transition, m petri.Marking, told *[]petri.Transition) error {
	r.firings++ // even if it stands for nothing
	first := len(*told)
	run, ok := r.Sequence(*told, t, mostReplayed-r.firings)
	if !ok {
		return ErrLongReplay
	}
	*told = run
	r.firings += len(run) - first
	for _, u := range run[first:] {
		if !r.Net.Fire(m, u) {
			return fmt.Errorf("transition %q is not enabled", r.Net.TransitionLabel(u).ID)
		}
	}
	return nil
}

func (r *Replay) next(n *ctlNode, at petri.StateID, m petri.Marking) error {
	found, _ := r.search.successors(at)
	for _, u := range slices.Clone(found) {
		if !r.search.evaluate(n.operands[0], u) {
			continue
		}
		if err := r.step(at, u, m, &r.Begin().Prefix); err != nil {
			return err
		}
		return r.confirm(n.operands[0], true, u, m)
	}
	return errors.Join(r.search.err, errors.New("no successor shows it"))
}

// until goes through states known to satisfy the formula: each of them has one of
// them as a successor until the second operand holds.
func (r *Replay) until(n *ctlNode, at petri.StateID, m petri.Marking) error {
	states := []petri.StateID{at}
	parent := map[petri.StateID]petri.StateID{at: at}
	goal := petri.StateID(math.MaxUint32)
	for head := 0; head < len(states) && goal == math.MaxUint32; head++ {
		if r.search.evaluate(n.operands[1], states[head]) {
			goal = states[head]
			break
		}
		found, ok := r.search.successors(states[head])
		if !ok {
			return r.search.err
		}
		for _, u := range slices.Clone(found) {
			if _, met := parent[u]; !met && n.known(u) == memoTrue {
				parent[u] = states[head]
				states = append(states, u)
			}
		}
	}
	if goal == math.MaxUint32 {
		return errors.Join(r.search.err, errors.New("no run to the marking that is promised"))
	}
	run := []petri.StateID{goal}
	for s := goal; s != at; run = append(run, s) {
		s = parent[s]
	}
	slices.Reverse(run)
	told := r.Begin()
	for i, s := range run[:len(run)-1] {
		if err := r.confirm(n.operands[0], true, s, m); err != nil {
			return err
		}
		if err := r.step(s, run[i+1], m, &told.Prefix); err != nil {
			return err
		}
	}
	return r.confirm(n.operands[1], true, goal, m)
}

// globally follows states known to satisfy the formula to a deadlock or to one it
// was in before.
func (r *Replay) globally(n *ctlNode, at petri.StateID, m petri.Marking) error {
	met := make(map[petri.StateID]int)
	var states []petri.StateID
	for s := at; ; {
		if first, ok := met[s]; ok {
			return r.lasso(n, states, first, m)
		}
		met[s] = len(states)
		states = append(states, s)
		next, ok := r.search.successors(s)
		if !ok {
			return r.search.err
		}
		if len(next) == 0 {
			return r.lasso(n, states, -1, m)
		}
		i := slices.IndexFunc(next, func(u petri.StateID) bool { return n.known(u) == memoTrue })
		if i < 0 {
			return errors.New("no run goes on as promised")
		}
		s = next[i]
	}
}

// lasso replays the run along states, which goes on from the one numbered loop,
// or ends in a deadlock if that is -1.
func (r *Replay) lasso(n *ctlNode, states []petri.StateID, loop int, m petri.Marking) error {
	var before petri.Marking
	run := r.Begin()
	told := &run.Prefix
	for i, s := range states {
		if i == loop {
			before, told = slices.Clone(m), &run.Cycle
		}
		if err := r.confirm(n.operands[0], true, s, m); err != nil {
			return err
		}
		if i+1 < len(states) {
			if err := r.step(s, states[i+1], m, told); err != nil {
				return err
			}
		}
	}
	if loop < 0 {
		return r.EndsHere(m, told)
	}
	if err := r.step(states[len(states)-1], states[loop], m, told); err != nil {
		return err
	}
	return r.Returns(before, m)
}

// EndsHere confirms that m is a deadlock, or that what can still fire leads to one and is seen
// by no predicate: what a reduced net puts off until it is of use. It changes m, and appends
// what it fires to told.
func (r *Replay) EndsHere(m petri.Marking, told *[]petri.Transition) error {
	for t, idle := petri.Transition(0), 0; idle < r.Net.Transitions(); {
		if !r.Net.Enabled(m, t) {
			t, idle = petri.Transition((int(t)+1)%r.Net.Transitions()), idle+1
			continue
		}
		if r.firings++; r.firings > mostReplayed {
			return ErrLongReplay
		}
		if err := r.unseen(m, t); err != nil {
			return fmt.Errorf("the run ends in a marking that is no deadlock: %w", err)
		}
		*told = append(*told, t)
		idle = 0
	}
	return nil
}

// Returns confirms that a cycle that led from before to m can be repeated for ever
// and looks the same each time.
func (r *Replay) Returns(before, m petri.Marking) error {
	p, hindered := r.Net.Hindrance(before, m)
	for q := 0; q < len(m) && !hindered; q++ {
		p, hindered = petri.Place(q), m[q] != before[q] && (r.support == nil || r.support[q])
	}
	if hindered {
		return fmt.Errorf("the cycle does not return on place %q", r.Net.PlaceLabel(p).ID)
	}
	return nil
}

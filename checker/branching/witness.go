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

// Replay repeats on the original net what a Search found, by the definitions alone.
//
// The problem. A Search works on a reduced net, with compressed markings and memos. If any of that
// were wrong, so might its answer be. A run of the original net does not share these errors: it is
// fired transition by transition, and predicates are evaluated in its markings.
//
// The idea. Confirm goes down the formula, together with a state of the search and the marking of
// the original net that belongs to it:
//
//   - A state predicate is evaluated in the marking of the original net.
//   - ¬p asks for the opposite of p. A conjunction that holds asks for all operands, one that
//     fails for one that fails; a disjunction the other way round.
//   - EX p fires to a successor where p holds. E(p U q) fires along a shortest path of states that
//     the search knows to satisfy the until; p is confirmed on the way, and q at its end.
//   - EG p follows such states to a deadlock, or until one comes again, with p confirmed in each.
//   - An EX, EU or EG that fails says something of all runs. No run can show that: there the
//     search is believed.
//
// An example: EF (p ∧ EG q) holds. The first run leads from the initial marking to one with p. There
// EG q needs a run of its own: its From is the first run, and At says after how many firings it
// begins. It ends in a deadlock, or with a Cycle, and q is evaluated in each of its markings.
//
// A firing of the reduced net may stand for several of the original one, which Sequence appends.
// Markings between them are not looked at: the reduction keeps what the formula can see.
//
// Where states of the search stand for images by symmetries (petri.Kripke.Folded), a run through them is not one of the
// search's net. So each marking m has behind it that which the search's net has really reached, an image of the state's. Of the transitions
// that are enabled there, one leads to an image of the next state. A cycle of states may lead to another image of the
// first one. Then it is followed again, until some image comes back.
//
// What it costs. Nested formulas are confirmed again in each marking on the way, so that the firings
// can be as many as the product of the lengths of the runs. After mostReplayed firings Confirm gives
// up with ErrLongReplay, and the answer is reported as not shown to its end.
type Replay struct {
	Net *petri.Net
	// Sequence appends to run the transitions of Net that t, one of the search's net, stands
	// for. It reports false if these are more than limit.
	Sequence func(run []petri.Transition, t petri.Transition, limit int) (_ []petri.Transition, ok bool)
	// Initially, unless nil, returns what Net fires to come to the marking where the search's
	// net begins. It changes no place that predicates look at. It reports false if these are
	// more than limit firings.
	Initially func(limit int) (_ []petri.Transition, ok bool)
	// Predicates maps the state formulas that the search was asked about to the predicates of
	// the original net that they come from.
	Predicates map[*ctl.Formula]*logic.Predicate

	// Runs are the first mostRuns runs that the last confirmation replayed, in transitions of
	// Net. The first begins in the initial marking. One for a subformula begins in a marking of
	// another run.
	Runs []*Run

	search    *Search
	Current   *Run // the confirmation is in its last marking so far; nil: in the initial one
	firings   int
	initially []petri.Transition
	support   []bool // places that some predicate looks at; nil: all
}

// Run is a run that was replayed for one operator. For EX and EU it leads to the marking that they
// promise. For EG it ends in a deadlock, or goes on with Cycle for ever. Where the replay was given up,
// it has the firings until then.
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

// Begin starts a new run where Current ends, and makes it Current. It is remembered in Runs only if
// there are fewer than mostRuns.
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

// Within makes run Current again, once the runs of a subformula are over.
func (r *Replay) Within(run *Run) { r.Current = run }

// mostReplayed bounds the firings of one replay.
const mostReplayed = 2_000_000

// mostRounds bounds the rounds that a cycle of images is followed.
const mostRounds = 1 << 10

// mostRoundTokens bounds the numbers of tokens that are remembered of these rounds, 16 MB of them.
const mostRoundTokens = 1 << 21

// ErrLongReplay says that a replay was given up. The firings until then were as promised.
var ErrLongReplay = errors.New("the witness is too long to be replayed to its end")

// Confirm replays why the formula that s decided last has this value. It returns nil if all that
// runs can show was shown, and ErrLongReplay if there was no time for it. Any other error says that
// the original net does something else than the search found.
func (r *Replay) Confirm(s *Search, value bool) error {
	r.search = s
	m, err := r.Start()
	if err != nil {
		return err
	}
	if s.kripke.Folded() {
		m = append(m, s.kripke.Net().Initial()...)
	}
	return r.confirm(s.root, value, s.kripke.Initial(), m)
}

// Start starts a confirmation. It returns the marking of the original net in which the search's net
// begins.
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

// unseen fires t in m. It returns an error if t is not enabled, or changes a place that predicates
// look at.
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

// reset forgets the last confirmation, and finds the places that predicates look at.
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

// confirm shows that subformula i has the value in state at, whose marking in the original net is m.
// It does not change m.
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
		return nil // no run can show that there is none
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

// combination confirms a conjunction or disjunction: all operands if all of them are needed, else the
// first with the value.
func (r *Replay) combination(n *ctlNode, value bool, at petri.StateID, m petri.Marking) error {
	all := value == (n.operator == basisAnd)
	for _, o := range n.operands {
		if !all && r.search.evaluate(o, at) != truthOf(value) {
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

// step fires a transition that leads from one state of the search to the next. It changes m, and
// appends to told what was fired in the original net.
func (r *Replay) step(from, to petri.StateID, m petri.Marking, told *[]petri.Transition) error {
	k := r.search.kripke
	var t petri.Transition
	var ok bool
	if k.Folded() {
		var err error
		if t, ok, err = k.Follow(m[r.Net.Places():], to); err != nil {
			return err
		}
	} else {
		t, ok = k.Firing(from, to)
	}
	if !ok {
		return errors.New("no transition leads from a state to the next one")
	}
	return r.Fire(t, m, told)
}

// Fire fires what t, a transition of the search's net, stands for. It changes m, and appends what it
// fires to told.
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

// next fires to a successor that satisfies the operand.
func (r *Replay) next(n *ctlNode, at petri.StateID, m petri.Marking) error {
	found, _ := r.search.successors(at)
	for _, u := range slices.Clone(found) {
		if r.search.evaluate(n.operands[0], u) != memoTrue {
			continue
		}
		if err := r.step(at, u, m, &r.Begin().Prefix); err != nil {
			return err
		}
		return r.confirm(n.operands[0], true, u, m)
	}
	return errors.Join(r.search.err, errors.New("no successor shows it"))
}

// until goes through states that the search knows to satisfy the formula. Each of them has a
// successor among them, until the second operand holds.
func (r *Replay) until(n *ctlNode, at petri.StateID, m petri.Marking) error {
	states := []petri.StateID{at}
	parent := map[petri.StateID]petri.StateID{at: at}
	goal := petri.StateID(math.MaxUint32)
	for head := 0; head < len(states) && goal == math.MaxUint32; head++ {
		if r.search.evaluate(n.operands[1], states[head]) == memoTrue {
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

// globally follows states that the search knows to satisfy the formula, to a deadlock or to a state
// that it was in before.
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

// lasso replays the run along states. After the last one it goes on with states[loop]; if loop is -1,
// it ends in a deadlock.
func (r *Replay) lasso(n *ctlNode, states []petri.StateID, loop int, m petri.Marking) error {
	run := r.Begin()
	for i, s := range states {
		if i == loop {
			return r.cycle(n, states[loop:], m, run)
		}
		if err := r.confirm(n.operands[0], true, s, m); err != nil {
			return err
		}
		if i+1 < len(states) {
			if err := r.step(s, states[i+1], m, &run.Prefix); err != nil {
				return err
			}
		}
	}
	return r.EndsHere(m, &run.Prefix)
}

// cycle replays a cycle of states until it comes back to a marking in which a round began before: without symmetries, that
// is the first one.
func (r *Replay) cycle(n *ctlNode, states []petri.StateID, m petri.Marking, run *Run) (err error) {
	defer func() {
		if err != nil { // what has not come back is no cycle
			run.Prefix, run.Cycle = append(run.Prefix, run.Cycle...), nil
		}
	}()
	var begun []petri.Marking // each round
	var lengths []int         // of what was fired before it
	for {
		begun, lengths = append(begun, slices.Clone(m)), append(lengths, len(run.Cycle))
		for i, s := range states {
			if err := r.confirm(n.operands[0], true, s, m); err != nil {
				return err
			}
			if err := r.step(s, states[(i+1)%len(states)], m, &run.Cycle); err != nil {
				return err
			}
		}
		round := slices.IndexFunc(begun, func(before petri.Marking) bool {
			return slices.Equal(before[r.Net.Places():], m[r.Net.Places():])
		})
		if round < 0 && (len(begun) == mostRounds || len(begun)*len(m) > mostRoundTokens) {
			return ErrLongReplay
		}
		if round < 0 {
			continue
		}
		run.Prefix = append(run.Prefix, run.Cycle[:lengths[round]]...)
		run.Cycle = slices.Clone(run.Cycle[lengths[round]:])
		return r.Returns(begun[round], m)
	}
}

// EndsHere confirms that the run ends in m, or after firings that no predicate sees. A reduced net
// may put such firings off until they are of use; they are fired here as long as any is enabled. It
// changes m, and appends what it fires to told.
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

// Returns confirms that a cycle from before to m can be repeated for ever and looks the same each
// time. The net hinders no repetition, and the places that predicates look at have their tokens
// back.
func (r *Replay) Returns(before, m petri.Marking) error {
	before, m = before[:r.Net.Places()], m[:r.Net.Places()]
	p, hindered := r.Net.Hindrance(before, m)
	for q := 0; q < len(m) && !hindered; q++ {
		p, hindered = petri.Place(q), m[q] != before[q] && (r.support == nil || r.support[q])
	}
	if hindered {
		return fmt.Errorf("the cycle does not return on place %q", r.Net.PlaceLabel(p).ID)
	}
	return nil
}

package view

import (
	"fmt"
	"math"
	"slices"
	"unsafe"

	"pnmc/internal/account"
	"pnmc/logic"
	"pnmc/petri"
)

// replay is a run that was fired again, with what is true in its markings. Position i is
// the marking after i steps; with a cycle that returns, the last marking is left out, since
// it is that of position loop.
type replay struct {
	run       *Run
	steps     []Step
	loop      int // the position that follows the last one, or -1
	cycle     int // steps of the cycle; 0 in a finite run
	grows     bool
	ended     bool // the last position is a deadlock
	big       bool // some number exceeds largestExact
	positions int

	start   petri.Marking // where the run begins
	atoms   [][]truth
	values  [][]truth // of subformulas
	visited *automatonRun
}

// truth is what is known of a formula at a position.
type truth uint8

const (
	no truth = iota
	yes
	unknown
)

// mostSteps bounds the steps that are shown one by one where single steps matter.
const mostSteps = 1_000_000

// replay fires a run on the net, and finds out what holds in its markings. The error says why it
// does not fire. A cycle must come back to its first marking, or at least not lose tokens. If it
// gains some, it must still be possible to repeat it: more tokens may disable a transition that
// asks for few.
//
// For example, the cycle of a run fires t alone, which puts a token into p and takes none. The
// run grows: each round has more tokens than the one before, and the page says so. If another arc
// asks for fewer than five tokens in p, the fifth round may not be possible, and the run is
// refused.
//
// An error may also be the reason to stop.
func (n *Net) replay(a *Answer, run *Run, before []*replay, work *account.Account) (*replay, error) {
	r := &replay{run: run, loop: -1, cycle: len(run.Cycle)}
	r.start = n.Net.Initial()
	if run.From >= 0 && run.From < len(before) {
		var err error
		if r.start, err = before[run.From].marking(n, run.At, work); err != nil {
			return nil, err
		}
	}
	prefix, err := singly(run.Prefix, work)
	if err != nil {
		return nil, err
	}
	cycle, err := singly(run.Cycle, work)
	if err != nil {
		return nil, err
	}
	r.cycle = len(cycle)
	if r.steps = prefix; len(cycle) > 0 {
		if err := work.Reserve(stepBytes * (len(prefix) + len(cycle))); err != nil {
			return nil, err
		}
		r.steps = slices.Concat(prefix, cycle)
	}
	judge := n.newJudge(a)
	r.atoms = make([][]truth, len(a.Atoms))
	m := slices.Clone(r.start)
	judge.begin(m)
	var atLoop petri.Marking
	for i := 0; ; i++ {
		if i == len(prefix) && len(cycle) > 0 {
			atLoop = slices.Clone(m)
		}
		if i == len(r.steps) {
			break
		}
		if err := work.Charge(judge.work); err != nil {
			return nil, err
		}
		r.look(judge, m)
		if err := n.fire(m, r.steps[i]); err != nil {
			return nil, fmt.Errorf("step %d: %w", i+1, err)
		}
		judge.fired(r.steps[i])
		r.noteSize(m, r.steps[i])
	}
	switch {
	case len(cycle) > 0 && slices.Equal(m, atLoop):
		r.loop = len(prefix)
	case len(cycle) > 0:
		r.grows = true
		repeats := n.Net.RepeatsBy(atLoop, m, func(yield func(petri.Transition) bool) {
			for _, s := range r.steps[len(prefix):] {
				if !s.Stays && !yield(s.Transition) {
					return
				}
			}
		})
		for p := range m {
			if m[p] < atLoop[p] {
				return nil, fmt.Errorf("the cycle takes tokens from %q", n.Net.PlaceLabel(petri.Place(p)).ID)
			}
			if m[p] > atLoop[p] && n.Net.Watched(petri.Place(p)) && !repeats {
				return nil, fmt.Errorf("the cycle adds tokens to %q, which may then disable or lose something", n.Net.PlaceLabel(petri.Place(p)).ID)
			}
		}
		fallthrough
	default:
		r.look(judge, m)
		r.ended = run.Ends || !n.Partial && n.Net.Deadlock(m)
	}
	r.positions = len(r.steps)
	if r.loop < 0 {
		r.positions++
	}
	if err := r.evaluate(a, work); err != nil {
		return nil, err
	}
	if err := r.follow(a, work); err != nil {
		return nil, err
	}
	return r, nil
}

// singly has each firing by itself, unless there are too many. A single deadlock that stays
// is no step of a finite run. An error is that of work.
func singly(steps []Step, work *account.Account) ([]Step, error) {
	total := int64(0)
	for _, s := range steps {
		if total += max(s.Times, 1); total > mostSteps || total < 0 {
			return steps, nil
		}
	}
	if total == int64(len(steps)) {
		return steps, nil
	}
	if err := work.Reserve(stepBytes * int(total)); err != nil {
		return nil, err
	}
	list := make([]Step, 0, total)
	for _, s := range steps {
		for range max(s.Times, 1) {
			list = append(list, Step{Transition: s.Transition, Times: 1, Stays: s.Stays})
		}
	}
	return list, nil
}

// stepBytes is what a step takes.
const stepBytes = int(unsafe.Sizeof(Step{}))

// marking returns the marking after so many firings of the run. An error may be that of work.
func (r *replay) marking(n *Net, firings int, work *account.Account) (petri.Marking, error) {
	m := slices.Clone(r.start)
	for i := range firings {
		if err := work.Charge(account.StateWork); err != nil {
			return nil, err
		}
		if i >= len(r.steps) {
			return nil, fmt.Errorf("a run begins after %d firings of one that has %d", firings, len(r.steps))
		}
		if err := n.fire(m, r.steps[i]); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// fire changes m to the marking after a step, by the definition of firing. A step may be many
// firings of one transition in a row. They are not fired one by one. From one to the next, the
// tokens of a place only rise, or only fall. So all are possible if the first and the last are.
// Those in between are added by multiplication.
func (n *Net) fire(m petri.Marking, s Step) error {
	if s.Stays {
		return nil
	}
	if int(s.Transition) >= n.Net.Transitions() {
		return fmt.Errorf("transition number %d does not exist", s.Transition)
	}
	id := n.Net.TransitionLabel(s.Transition).ID
	if !n.Net.Fire(m, s.Transition) {
		return fmt.Errorf("transition %q is not enabled", id)
	}
	if s.Times <= 1 {
		return nil
	}
	// Of equal firings in a row the last needs the most, or the first did.
	rest := s.Times - 2
	for _, e := range n.Net.Effect(s.Transition) {
		if n.Net.Empties(s.Transition, e.Place) {
			continue // it has the same count after each
		}
		if e.Weight > 0 && rest+1 > (math.MaxInt64-m[e.Place])/e.Weight || e.Weight < 0 && rest > math.MaxInt64/-e.Weight {
			return fmt.Errorf("transition %q fires too often", id)
		}
		m[e.Place] += rest * e.Weight
		if m[e.Place] < 0 {
			return fmt.Errorf("transition %q is not enabled %d times", id, s.Times)
		}
	}
	if !n.Net.Fire(m, s.Transition) {
		return fmt.Errorf("transition %q is not enabled %d times", id, s.Times)
	}
	return nil
}

// noteSize notes whether a number is larger than the page can hold exactly.
func (r *replay) noteSize(m petri.Marking, s Step) {
	if r.big {
		return
	}
	r.big = s.Times > largestExact
	if s.Times > 1 || len(r.steps) < 1000 {
		for _, tokens := range m {
			r.big = r.big || tokens > largestExact
		}
	}
}

// look notes which atoms hold in m, the next position.
func (r *replay) look(j *judge, m petri.Marking) {
	for i := range r.atoms {
		r.atoms[i] = append(r.atoms[i], j.holds(i, m))
	}
}

// judge evaluates atoms along a run.
type judge struct {
	net     *Net
	answer  *Answer
	drawn   bool    // atoms speak of the coloured net
	sums    []int64 // of the tokens of each coloured place
	placeOf []uint32
	asks    []bool // of each atom, whether it asks what is enabled
	work    int    // about what a marking takes to be judged
}

// newJudge prepares what atoms of an answer need. For a coloured net it notes the coloured place
// of each cell, so that a marking is summed up in one pass.
func (n *Net) newJudge(a *Answer) *judge {
	j := &judge{net: n, answer: a, drawn: n.Unfolding != nil && !a.Cells, work: account.StateWork}
	for i, atom := range a.Atoms {
		j.asks = append(j.asks, asksEnabled(atom.Predicate))
		j.work += account.EdgeWork
		if j.asks[i] {
			j.work += account.EdgeWork * n.Net.Transitions()
		}
	}
	if j.drawn {
		// The last sum is that of cells of no place.
		j.sums, j.placeOf = make([]int64, len(n.Unfolding.Places)+1), make([]uint32, n.Net.Places())
		for _, s := range n.Unfolding.Sums {
			j.placeOf[s] = uint32(len(n.Unfolding.Places))
		}
		for p, cells := range n.Unfolding.Places {
			for _, c := range cells {
				j.placeOf[c] = uint32(p)
			}
		}
	}
	return j
}

// asksEnabled reports whether p asks which transitions are enabled, and not only for tokens.
func asksEnabled(p *logic.Predicate) bool {
	return p.Operator == logic.Fireable || p.Operator == logic.Deadlocked || slices.ContainsFunc(p.Operands, asksEnabled)
}

// begin starts in a marking.
func (j *judge) begin(m petri.Marking) {
	clear(j.sums)
	for c, p := range j.placeOf {
		j.sums[p] += m[c]
	}
}

// fired follows a step.
func (j *judge) fired(s Step) {
	if !j.drawn || s.Stays {
		return
	}
	for _, e := range j.net.Net.Effect(s.Transition) {
		j.sums[j.placeOf[e.Place]] += e.Weight * max(s.Times, 1)
	}
}

// holds evaluates an atom in m, by its definition.
func (j *judge) holds(atom int, m petri.Marking) truth {
	p := j.answer.Atoms[atom].Predicate
	net := j.net.Net
	if j.asks[atom] && j.net.Partial {
		return unknown
	}
	var holds bool
	if j.drawn {
		modes := j.net.Unfolding.Transitions
		holds = p.Holds(j.sums, len(modes), func(t uint32) bool {
			return slices.ContainsFunc(modes[t], func(mode petri.Transition) bool { return net.Enabled(m, mode) })
		})
	} else {
		holds = p.Holds(m, net.Transitions(), func(t uint32) bool { return net.Enabled(m, petri.Transition(t)) })
	}
	if holds {
		return yes
	}
	return no
}

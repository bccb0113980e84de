package checker

import (
	"errors"
	"fmt"
	"slices"
	"sort"

	"pnmc/automata"
	"pnmc/checker/witness"
	"pnmc/internal/account"
	"pnmc/logic"
	"pnmc/petri"
)

// path is a run: markings, the transitions fired from each to the next, and where it goes on
// after the last for ever. Loop is -1 if that is not known: then the path is how some infinite
// runs begin.
type path struct {
	markings []petri.Marking
	fired    []petri.Transition // one less than markings if the last is a deadlock, or loop is -1
	loop     int
}

// violates reports whether the run violates l, or each run that begins so. Judged is then
// the run, or the shortest beginning. An error is that of the account, or tells of an
// automaton that can't be asked.
func (p *path) violates(work *account.Account, net *petri.Net, l *linear) (judged *path, violated bool, err error) {
	w := &word{linear: l, net: net, loop: p.loop}
	each := 0
	for _, predicate := range l.predicates {
		each += predicateWork(net, predicate)
	}
	for _, m := range p.markings {
		if err := work.Charge(each); err != nil {
			return nil, false, err
		}
		w.add(m)
	}
	if p.loop >= 0 {
		violated, err = w.violates()
		return p, violated, err
	}
	length, err := w.doomed(work)
	if err != nil {
		return nil, false, err
	}
	if length > 0 {
		return &path{markings: p.markings[:length], fired: p.fired[:length-1], loop: -1}, true, nil
	}
	return nil, false, nil
}

// predicateWork is about what it costs to evaluate a predicate, in nanoseconds.
func predicateWork(net *petri.Net, p *logic.Predicate) int {
	work := 8 + 4*len(p.Sum.Terms) + 16*len(p.Transitions)
	if p.Operator == logic.Deadlocked {
		work += 8 * net.Transitions()
	}
	for _, o := range p.Operands {
		work += predicateWork(net, o)
	}
	return work
}

// doomed is the length of the shortest beginning of the word after which the formula is
// violated, or the automaton accepts, whatever follows; 0 if none is known.
func (w *word) doomed(work *account.Account) (int, error) {
	switch {
	case len(w.letters) == 0:
		return 0, nil
	case w.linear.formula == nil:
		return w.acceptedAnyhow(work)
	}
	if err := work.Charge(len(w.letters) * int(min(w.linear.formula.Length(), longestAsked))); err != nil {
		return 0, err
	}
	letters := make(map[*logic.Predicate][]truth)
	for i, p := range w.linear.predicates {
		truths := make([]truth, len(w.letters))
		for j, letter := range w.letters {
			if truths[j] = no; letter[i] {
				truths[j] = yes
			}
		}
		letters[p] = truths
	}
	surely := func(length int) bool {
		e := &evidence{length: length, loop: -1, letters: make(map[*logic.Predicate][]truth)}
		for p, all := range letters {
			e.letters[p] = all[:length]
		}
		return e.surely(w.linear, w.linear.negated)
	}
	if !surely(len(w.letters)) {
		return 0, nil
	}
	return 1 + sort.Search(len(w.letters)-1, func(i int) bool { return surely(i + 1) }), nil
}

// longestAsked bounds what the length of a formula counts as, whose parts are shared.
const longestAsked = 1 << 16

// acceptedAnyhow is the length of the shortest beginning that leads the automaton to a state
// which accepts every word by a loop of its own; 0 if none does.
func (w *word) acceptedAnyhow(work *account.Account) (int, error) {
	a := w.linear.automaton
	if a.Kind != automata.Plain {
		return 0, nil
	}
	present, next, asked := make([]bool, a.States()), make([]bool, a.States()), make([]bool, a.States())
	for _, s := range a.Initial() {
		present[s] = true
	}
	for i, letter := range w.letters {
		v := valuationOf(letter)
		clear(next)
		for s := range automata.State(a.States()) {
			if !present[s] {
				continue
			}
			first, end := a.Out(s)
			if err := work.Charge(16 + 8*int(end-first)); err != nil {
				return 0, err
			}
			for e := first; e < end; e++ {
				if a.Matches(e, v) {
					next[a.Destination(e)] = true
				}
			}
		}
		present, next = next, present
		for s, is := range present {
			if !is || asked[s] {
				continue
			}
			if asked[s] = true; loopsForever(a, automata.State(s)) {
				return i + 1, nil
			}
		}
	}
	return 0, nil
}

// replay fires the run from the initial marking on, by the definitions, and judges it
// again.
func (p *path) replay(work *account.Account, net *petri.Net, l *linear) (Witness, error) {
	again := path{loop: p.loop, fired: p.fired}
	m := net.Initial()
	for _, t := range p.fired {
		if err := work.Charge(tokenBytes * len(m)); err != nil {
			return Witness{}, err
		}
		again.markings = append(again.markings, slices.Clone(m))
		if !net.Fire(m, t) {
			return Witness{}, fmt.Errorf("a random run does not replay: transition %q is not enabled", net.TransitionLabel(t).ID)
		}
	}
	shown := Witness{Ground: InfiniteRun, Net: net, Run: witness.Bursts(p.fired)}
	if p.loop < 0 {
		again.markings = append(again.markings, slices.Clone(m))
	} else {
		shown.Run, shown.Cycle = witness.Bursts(p.fired[:p.loop]), witness.Bursts(p.fired[p.loop:])
		if shown.Ends = len(p.fired) == p.loop; shown.Ends {
			again.markings = append(again.markings, slices.Clone(m))
		}
		if shown.Ends != net.Deadlock(m) || !shown.Ends && !slices.Equal(m, again.markings[p.loop]) {
			return Witness{}, errors.New("a random run does not replay: it does not go on for ever so")
		}
	}
	if _, violated, err := again.violates(work, net, l); err != nil || !violated {
		return Witness{}, errors.Join(errors.New("a random run does not replay: it is no violation"), err)
	}
	return shown, nil
}

// tokenBytes are those of a place's tokens in a marking.
const tokenBytes = 8

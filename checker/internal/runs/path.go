package runs

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sort"

	"pnmc/automata"
	"pnmc/checker/inquiry"
	"pnmc/checker/witness"
	"pnmc/internal/account"
	"pnmc/logic"
	"pnmc/petri"
)

// Path is a run: its markings, and the transitions fired from each to the next. After the last
// marking it goes back to the one numbered Loop, for ever. Loop is -1 if that is not known: then
// the path is the beginning of some infinite runs.
type Path struct {
	Markings []petri.Marking
	Fired    []petri.Transition // one less than markings if the last is a deadlock, or loop is -1
	Loop     int
}

// Violates reports whether the run violates l, or if Loop is -1, whether each run that begins so
// does. judged is then the run, or its shortest beginning of that kind. An error is that of the
// account, or says that the automaton cannot be asked. The cost is linear in the run, times the
// size of the formula.
func (p *Path) Violates(work *account.Account, net *petri.Net, l *Question) (judged *Path, violated bool, err error) {
	w := &Word{Question: l, Net: net, Loop: p.Loop}
	each := letterWork(net, l)
	for _, m := range p.Markings {
		if err := work.Charge(each); err != nil {
			return nil, false, err
		}
		w.Add(m)
	}
	length, violated, err := w.judge(work)
	switch {
	case err != nil:
		return nil, false, err
	case p.Loop >= 0:
		return p, violated, nil
	case violated:
		return &Path{Markings: p.Markings[:length], Fired: p.Fired[:length-1], Loop: -1}, true, nil
	}
	return nil, false, nil
}

// judge reports whether the word violates its question, or if it has no loop, whether each word
// that begins so does. length is then that of the shortest beginning that shows it.
func (w *Word) judge(work *account.Account) (length int, violated bool, err error) {
	if w.Loop >= 0 {
		violated, err = w.Violates(work)
		return len(w.Letters), violated, err
	}
	length, err = w.doomed(work)
	return length, length > 0, err
}

// replayed fires the steps of p from m on. m is afterwards the marking they lead to, at is the one
// where the loop begins, and stuck is the step that is not enabled, or -1. The letters of the word
// are made on the way, and no other marking is kept: all markings of a long run of a large net
// would take as much memory as engines have.
func (p *Path) replayed(work *account.Account, net *petri.Net, l *Question, m petri.Marking) (w *Word, at petri.Marking, stuck int, err error) {
	w = &Word{Question: l, Net: net, Loop: p.Loop}
	each := letterWork(net, l)
	for i, t := range p.Fired {
		if err := work.Charge(each); err != nil {
			return nil, nil, -1, err
		}
		if i == p.Loop {
			at = slices.Clone(m)
		}
		w.Add(m)
		if !net.Fire(m, t) {
			return nil, nil, i, nil
		}
	}
	if p.Loop < 0 || p.Loop == len(p.Fired) { // otherwise it is the loop's first letter again
		at = m
		w.Add(m)
	}
	return w, at, -1, nil
}

// letterWork returns about the cost of a letter, that is, of evaluating all predicates of l in a
// marking, in nanoseconds.
func letterWork(net *petri.Net, l *Question) int { return witness.EvaluationWork(net, l.Predicates...) }

// doomed returns the length of the shortest beginning of the word after which the formula is
// violated, or the automaton accepts, whatever follows. It returns 0 if none is known. As a
// beginning that is doomed stays so when it gets longer, the shortest is found by halving.
func (w *Word) doomed(work *account.Account) (int, error) {
	switch {
	case len(w.Letters) == 0:
		return 0, nil
	case w.Question.Formula == nil:
		return w.acceptedAnyhow(work)
	}
	if err := work.Reserve(len(w.Letters) * len(w.Question.Predicates)); err != nil {
		return 0, err
	}
	letters := make(map[*logic.Predicate][]Truth)
	for i, p := range w.Question.Predicates {
		truths := make([]Truth, len(w.Letters))
		for j, letter := range w.Letters {
			if truths[j] = No; letter[i] {
				truths[j] = Yes
			}
		}
		letters[p] = truths
	}
	surely := func(length int) (bool, error) {
		e := &Evidence{Length: length, Loop: -1, Letters: make(map[*logic.Predicate][]Truth)}
		for p, all := range letters {
			e.Letters[p] = all[:length]
		}
		return e.Surely(work, w.Question, w.Question.Negated)
	}
	if all, err := surely(len(w.Letters)); err != nil || !all {
		return 0, err
	}
	var ended error
	length := 1 + sort.Search(len(w.Letters)-1, func(i int) bool {
		enough, err := surely(i + 1)
		ended = cmp.Or(ended, err)
		return enough || err != nil
	})
	return length, ended
}

// acceptedAnyhow returns the length of the shortest beginning that leads the automaton to a state
// from where it is known to accept every word, or 0 if none does.
func (w *Word) acceptedAnyhow(work *account.Account) (int, error) {
	a := w.Question.Automaton
	if a.Kind != automata.Plain {
		return 0, nil
	}
	present, next, asked := Start(a), make([]bool, a.States()), make([]bool, a.States())
	for i, letter := range w.Letters {
		if err := work.Charge(Read(a, present, next, valuationOf(letter))); err != nil {
			return 0, err
		}
		present, next = next, present
		for s, is := range present {
			if !is || asked[s] {
				continue
			}
			if asked[s] = true; w.Question.AcceptsAll(automata.State(s)) {
				return i + 1, nil
			}
		}
	}
	return 0, nil
}

// Replay fires the run from the initial marking on, by the definitions, and judges it again. The
// error says what went wrong; then the run is no violation.
func (p *Path) Replay(work *account.Account, net *petri.Net, l *Question) (inquiry.Witness, error) {
	m := net.Initial()
	w, at, stuck, err := p.replayed(work, net, l, m)
	switch {
	case err != nil:
		return inquiry.Witness{}, err
	case stuck >= 0:
		return inquiry.Witness{}, fmt.Errorf("a random run does not replay: transition %q is not enabled", net.TransitionLabel(p.Fired[stuck]).ID)
	}
	shown := inquiry.Witness{Ground: inquiry.InfiniteRun, Net: net, Run: witness.Bursts(p.Fired)}
	if p.Loop >= 0 {
		shown.Run, shown.Cycle = witness.Bursts(p.Fired[:p.Loop]), witness.Bursts(p.Fired[p.Loop:])
		shown.Ends = len(p.Fired) == p.Loop
		if shown.Ends != net.Deadlock(m) || !slices.Equal(m, at) {
			return inquiry.Witness{}, errors.New("a random run does not replay: it does not go on for ever so")
		}
	}
	if _, violated, err := w.judge(work); err != nil || !violated {
		return inquiry.Witness{}, errors.Join(errors.New("a random run does not replay: it is no violation"), err)
	}
	return shown, nil
}

// TokenBytes is the size of a place's tokens in a marking, in bytes.
const TokenBytes = 8

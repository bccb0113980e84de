package reachability

import (
	"context"
	"slices"
	"sync"

	"pnmc/checker/internal/lanes"
	"pnmc/checker/walk"
	"pnmc/checker/witness"
	"pnmc/petri"
	"pnmc/petri/multicore"
)

// This file is a search for goals with several threads. Each of them looks at markings that it takes
// from the store that all share (package multicore), with what it knows of the goals:
//
//   - which of them are open. A thread asks that now and then, and whenever it finds one. It may
//     take a goal for open for a while that another thread has found; then it fires more than is
//     needed, never less.
//   - the best value of each maximum in the markings that it has looked at itself. They are compared
//     at the end.
//   - its own selection, which narrows with the goals that it takes for open. Which transitions a
//     stubborn set has depends on the marking and on these goals alone. So for each goal that is open
//     at the end, all that it needs was fired everywhere, by whichever thread.
//
// Who calls Open or Found, or writes to what they may read, holds the mutex.

// together is what threads of a search share.
type together struct {
	*GoalSearch
	conditions []*walk.Condition // nil for maxima
	charge     int               // for looking at a marking
	watches    []*watch

	mutex sync.Mutex
}

// watch is what a thread has for itself.
type watch struct {
	_      [lineBytes]byte
	all    *together
	thread *multicore.Thread
	narrow func(open []int)
	open   []int // goals that may be open
	best   []int64
	bestAt []petri.StateID
	looked int           // markings
	told   int           // of these, in States
	saved  petri.Savings // that are in Savings
	_      [lineBytes]byte
}

// lineBytes is two cache lines: what different threads write to lies so far apart.
const lineBytes = 128

// runTogether explores with several threads, each with another selection like the given one.
func (g *GoalSearch) runTogether(ctx context.Context, selection petri.Selection) error {
	all := &together{GoalSearch: g, conditions: make([]*walk.Condition, len(g.Goals)), charge: g.work()}
	for i, goal := range g.Goals {
		if goal.Predicate != nil {
			all.conditions[i] = walk.NewCondition(goal.Predicate)
		}
	}
	g.States, g.Savings = 0, petri.Savings{}
	search := multicore.Search{
		Net: g.Net, Facts: g.Facts, Budget: g.Budget, Threads: g.Threads, Others: lanes.Plain(ctx), Symmetries: g.symmetries,
		Begin: func(t *multicore.Thread) (multicore.Look, petri.Selection) {
			w := all.newWatch(t)
			own, narrow := another(selection)
			w.narrow = narrow
			return w.look, own
		},
	}
	complete, err := search.Run(ctx)
	for _, w := range all.watches {
		w.tell()
	}
	if complete {
		all.tellMaxima()
	}
	return err
}

// newWatch returns what another thread has for itself.
func (s *together) newWatch(t *multicore.Thread) *watch {
	w := &watch{all: s, thread: t}
	room := make([]int64, len(s.Goals)+2*lineBytes/8)
	w.best = room[lineBytes/8:][:len(s.Goals)]
	w.bestAt = make([]petri.StateID, len(s.Goals)) // is seldom written to
	for i := range s.Goals {
		w.open = append(w.open, i)
		w.best[i] = -1 << 63
	}
	s.watches = append(s.watches, w)
	return w
}

// look looks for open goals in a marking.
func (w *watch) look(id petri.StateID, m petri.Marking) error {
	s := w.all
	a := w.thread.Account()
	a.Add(s.charge)
	due := w.looked%pollStates == 0 || a.Due() // Charge looks, and then nothing is due any more
	if err := a.Charge(0); err != nil {
		return err
	}
	if due && s.mutex.TryLock() { // who has it may take long
		w.askAndUnlock()
	}
	w.looked++
	met := false
	for _, i := range w.open {
		if c := s.conditions[i]; c != nil {
			if c.HoldsIn(s.Net, m) {
				met = true
				if err := w.found(i, id); err != nil {
					return err
				}
			}
		} else if v, ok := s.Goals[i].Value(m); !ok {
			return errTooLarge
		} else if v > w.best[i] {
			w.best[i], w.bestAt[i] = v, id
		}
	}
	if met {
		s.mutex.Lock()
		w.askAndUnlock()
	}
	if len(w.open) == 0 {
		return multicore.ErrEnough
	}
	return nil
}

// askAndUnlock asks which goals are open, and gives the mutex back, which is held.
func (w *watch) askAndUnlock() {
	defer w.all.mutex.Unlock()
	w.tell()
	before := len(w.open)
	w.open = slices.DeleteFunc(w.open, func(i int) bool { return !w.all.Open(i) })
	if len(w.open) < before {
		w.narrow(w.open)
	}
}

// found tells that goal i holds in the marking id, unless another thread has found it. An error is
// that of the account.
func (w *watch) found(i int, id petri.StateID) error {
	w.all.mutex.Lock()
	defer w.all.mutex.Unlock()
	if !w.all.Open(i) {
		return nil
	}
	run, err := w.thread.Run(id)
	if err != nil {
		return err
	}
	w.tell()
	w.all.GoalSearch.found[i] = true
	w.all.Found(i, 0, bursts(run))
	return nil
}

// tell brings States and Savings up to date. The mutex is held, or no thread is at work.
func (w *watch) tell() {
	g := w.all.GoalSearch
	g.States += w.looked - w.told
	w.told = w.looked
	saved := w.thread.Savings()
	g.Savings.States += saved.States - w.saved.States
	g.Savings.Part += saved.Part - w.saved.Part
	g.Savings.Left += saved.Left - w.saved.Left
	w.saved = saved
}

// tellMaxima tells the largest values, when all markings were looked at.
func (s *together) tellMaxima() {
	for i, goal := range s.Goals {
		if goal.Predicate != nil || !s.Open(i) {
			continue
		}
		best := s.watches[0]
		for _, w := range s.watches[1:] {
			if w.best[i] > best.best[i] {
				best = w
			}
		}
		var known []witness.Burst
		if run, err := best.thread.Run(best.bestAt[i]); err == nil {
			known = bursts(run)
		}
		s.Found(i, best.best[i], known)
	}
}

// bursts returns a run in which each firing is told by itself.
func bursts(run []petri.Transition) []witness.Burst {
	each := make([]witness.Burst, len(run))
	for i, t := range run {
		each[i] = witness.Burst{Transition: t, Times: 1}
	}
	return each
}

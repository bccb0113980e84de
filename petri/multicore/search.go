package multicore

import (
	"context"
	"errors"
	"slices"

	"pnmc/internal/account"
	"pnmc/petri"
	"pnmc/petri/internal/store"
)

// Search looks at all reachable markings with several threads, and knows for each how it was
// reached. Any marking may be the last one to be looked at, and none is looked at twice.
//
// If a place is found to be unbounded, or to overflow, Run says so; which one it is, and what was
// looked at before, differs from run to run.
type Search struct {
	Net     *petri.Net
	Facts   petri.Facts
	Budget  petri.Budget
	Threads int
	// Others, unless nil, is the context of the threads other than the caller's.
	Others context.Context
	// Symmetries, unless nil, has one marking stand for all its images. The net must be plain.
	Symmetries *petri.Symmetries
	// Begin is called once for each thread, by the caller of Run before any of them begins. It
	// returns what the thread calls with each marking that it goes on from, and the selection of
	// what is fired there, unless all is: one for this thread alone. A marking
	// is valid during the call.
	Begin func(t *Thread) (look Look, selection petri.Selection)
}

// Look is called with a marking. An error ends the search: ErrEnough without being a failure.
type Look func(id petri.StateID, m petri.Marking) error

// ErrEnough says that enough was seen, and nothing is to be looked at any more.
var ErrEnough = errors.New("enough was seen")

// Thread is one of those of a search. Its methods are for what the thread itself calls, and for
// the caller when all threads have ended.
type Thread struct{ worker *worker }

// Account returns what the thread's work is charged to.
func (t *Thread) Account() *account.Account { return &t.worker.account }

// Savings returns what the selection of the thread has left out.
func (t *Thread) Savings() petri.Savings {
	if c := t.worker.sight.chooser; c != nil {
		return c.Savings()
	}
	return petri.Savings{}
}

// Run returns firings that lead to a marking from the initial one, along the markings from which
// each was first reached. It need not be a shortest run. An error is that of the account.
func (t *Thread) Run(to petri.StateID) (run []petri.Transition, err error) {
	x, a := t.worker.x, &t.worker.account
	work := 16*x.net.Transitions() + 8*x.net.Places()
	if t.worker.x.symmetries != nil {
		return t.straightRun(to)
	}
	run = []petri.Transition{}
	before, after, scratch := x.room(), x.room(), x.room()
	x.Marking(to, after)
	for {
		if err := a.Charge(work); err != nil {
			return nil, err
		}
		parent, ok := x.Parent(to)
		if !ok {
			slices.Reverse(run)
			return run, nil
		}
		x.Marking(parent, before)
		fired, ok := x.net.FiringBetween(before, after, scratch)
		if !ok {
			panic("multicore: nothing leads to a marking from its parent")
		}
		run = append(run, fired)
		to, before, after = parent, after, before
	}
}

// straightRun returns a run to an image of a marking that stands for others.
func (t *Thread) straightRun(to petri.StateID) (run []petri.Transition, err error) {
	x, a := t.worker.x, &t.worker.account
	var states []petri.StateID
	for s, ok := to, true; ok; s, ok = x.Parent(s) {
		if err := account.Room(a, states, 1); err != nil {
			return nil, err
		}
		states = append(states, s)
	}
	trail := petri.NewTrail(x.net, x.symmetries)
	run = []petri.Transition{}
	before, after := x.room(), x.room()
	x.Marking(states[len(states)-1], before)
	for _, s := range slices.Backward(states[:len(states)-1]) {
		if err := a.Charge(trail.Work()); err != nil {
			return nil, err
		}
		x.Marking(s, after)
		fired, ok := trail.Follow(before, after)
		if !ok {
			panic("multicore: nothing leads to a marking from its parent")
		}
		run = append(run, fired)
		before, after = after, before
	}
	return run, nil
}

// room returns room for a marking.
func (x *exploration) room() petri.Marking { return make(petri.Marking, x.net.Places()) }

// Run looks at markings until all were looked at, or a look ends it. complete reports whether all
// were. An error is that of a look other than ErrEnough, that of the context or the budget, or says
// that a place grows too far. No thread is left when it returns.
func (s *Search) Run(ctx context.Context) (complete bool, err error) {
	x, err := newExploration(ctx, s.Net, s.Facts, s.Budget, max(1, s.Threads), true, nil)
	if err != nil {
		return false, err
	}
	for i, w := range x.workers {
		if i > 0 && s.Others != nil {
			w.account.Begin(s.Others)
		}
		w.sight = &sight{marking: store.Apart[int64](s.Net.Places())}
		if s.Symmetries != nil {
			w.sight.folder = petri.NewFolder(s.Symmetries, s.Net.Places())
			x.symmetries = s.Symmetries
		}
		look, selection := s.Begin(&Thread{w})
		if w.sight.look = look; selection != nil {
			w.sight.chooser = petri.NewChooser(s.Net, selection)
		}
	}
	x.run()
	if errors.Is(x.reason, ErrEnough) {
		return false, nil
	}
	return x.reason == nil, x.reason
}

// Endless reports whether an error says that a place grows too far: then what was looked at before
// differs from run to run.
func Endless(err error) bool {
	return errors.As(err, new(*petri.UnboundedError)) || errors.As(err, new(*petri.OverflowError))
}

// sight is what a thread of a search has to look at markings.
type sight struct {
	look    Look
	marking petri.Marking
	chooser *petri.Chooser // nil: all is fired
	folder  *petri.Folder  // nil: each marking stands for itself
}

// fold makes the packed successors of packed that lie in out from a position on those that stand for
// them. It returns -1, or the number of a field that is too narrow for one of them; out is then what it
// was before.
func (w *worker) fold(from int) (narrow int) {
	s := w.sight
	if s == nil || s.folder == nil {
		return -1
	}
	w.account.Add((len(w.out) - from) / len(w.packed) * s.folder.Work())
	narrow = s.folder.Fold(w.game.Layout(), w.packed, w.out[from:])
	if narrow >= 0 {
		w.out = w.out[:from]
	}
	return narrow
}

// lookAt looks at id, and finds the successors that are chosen there. It reports whether these are
// all that are to be found; ok is false if the exploration is over.
func (w *worker) lookAt(id petri.StateID) (done, ok bool) {
	s := w.sight
	w.x.store.Load(id, w.packed)
	w.game.Layout().Unpack(w.packed, s.marking)
	if err := s.look(id, s.marking); err != nil {
		w.x.end(err)
		return false, false
	}
	if s.chooser == nil {
		return false, true
	}
	part, err := s.chooser.Choose(&w.account, &w.player, w.packed, s.marking)
	if err != nil {
		w.x.end(err)
		return false, false
	}
	if !part {
		return false, true
	}
	firings := 0
	for game := w.game; !s.chooser.Done(); {
		if game != w.game { // the rules that were chosen are those of another one
			s.chooser.GiveUp()
			return false, true
		}
		before := len(w.out)
		narrow := s.chooser.Successors(&w.player, w.packed, &w.out)
		if narrow < 0 {
			narrow = w.fold(before)
		}
		if narrow >= 0 {
			if !w.widen(id, narrow) {
				return false, false
			}
			s.chooser.GiveUp()
			return false, true
		}
		found, ok := w.take(id, before)
		if !ok {
			return false, false
		}
		firings += found
	}
	s.chooser.Keep()
	return true, w.count(firings)
}

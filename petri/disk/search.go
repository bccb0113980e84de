package disk

import (
	"context"
	"errors"
	"slices"

	"pnmc/internal/account"
	"pnmc/petri"
)

// Search looks at all reachable markings of a net, layer by layer, with sorted runs in a folder from
// the first marking on, so that memory need not hold them. What was written is given up at the end.
//
// A marking is looked at once, and all those nearer to the initial one before. So a run that Path
// returns is a shortest one.
type Search struct {
	Net    *petri.Net
	Facts  petri.Facts
	Budget petri.Budget
	// Folder is used by one search at a time.
	Folder *Folder
	// Tell, unless nil, is called with what is done from now on.
	Tell func(format string, arguments ...any)
	// Look is called with each marking, valid during the call, and Work is about what that costs, in
	// nanoseconds. An error ends the search: ErrEnough without being a failure.
	Look func(m petri.Marking) error
	Work int
	// States counts the markings known so far.
	States int64

	fixed *sizes // of tests
	now   *exploration
}

// ErrEnough says that enough was seen, and nothing is to be looked at any more.
var ErrEnough = errors.New("enough was seen")

// Run looks at markings until all were looked at, or a look ends it. complete reports whether all
// were. An error is that of a look other than ErrEnough, that of the context or the budget, a
// *FullError or a *FileError, or says that a place grows too far.
func (s *Search) Run(ctx context.Context) (complete bool, err error) {
	if !s.Folder.searching.TryLock() {
		return false, errBusy
	}
	defer s.Folder.searching.Unlock()
	defer s.Folder.clear()
	work := account.New(s.Budget)
	work.Begin(ctx)
	layout, initial := s.Net.InitialLayout(work, s.Facts)
	rest := &petri.Rest{Layout: layout, Measure: layout.Measure(), Found: petri.Statistics{States: 1}}
	rest.Markings = func(visit func([]uint64, bool) error) error { return visit(initial, false) }
	e := &exploration{
		Options: Options{Tell: s.Tell}, net: s.Net, folder: s.Folder, account: work, measure: rest.Measure, found: rest.Found,
		fixed: s.fixed, looks: &looks{search: s, marking: make(petri.Marking, s.Net.Places())}, share: searchShare,
	}
	if err := e.adopt(layout); err != nil {
		return false, err
	}
	s.now = e
	_, err = e.run(ctx, rest)
	s.States = e.found.States
	s.now = nil
	if errors.Is(err, ErrEnough) {
		return false, nil
	}
	return err == nil, err
}

// errNoFiring says that nothing leads from a layer to a marking of the next one, which would be a defect here.
var errNoFiring = errors.New("nothing leads to a marking from the layer before it")

// errBusy says that a folder has a search already.
var errBusy = errors.New("the folder is that of another search")

// searchShare: a search takes one part of so many of the free memory, as others work beside it.
const searchShare = 2

// Path returns a shortest run from the initial marking to the one that is looked at. It is for Look.
//
// It goes backwards: some marking of the layer before leads to the marking, so that layer is read until
// one is found, then the layer before that, and so on. No marking is read twice.
func (s *Search) Path() ([]petri.Transition, error) {
	e := s.now
	target := slices.Clone(e.looks.marking)
	path := []petri.Transition{}
	for _, l := range slices.Backward(e.looks.layers) {
		t, err := e.stepTo(l, target)
		if err != nil {
			return nil, err
		}
		path = append(path, t)
	}
	slices.Reverse(path)
	return path, nil
}

// looks are what a search has beside the exploration: the layers apart, each as its markings were packed
// when it was met, since the history merges them. They lie one after the other in one file, or one for
// each layout.
type looks struct {
	search  *Search
	marking petri.Marking
	writer  *writer // of the last file
	layout  *petri.Layout
	layers  []layer // that were looked at
}

// layer is the blocks of a file from first on, before end.
type layer struct {
	in         *run
	layout     *petri.Layout
	first, end int
}

// lookAtOpen looks at the open markings, and then keeps them as a layer.
func (e *exploration) lookAtOpen() error {
	x := e.looks
	if layout := e.game.Layout(); x.writer == nil || x.layout != layout {
		var err error
		if x.writer, err = newWriter(e.folder, e.width, e.sizes, e.account); err != nil {
			return err
		}
		x.layout = layout
	}
	w := x.writer
	first := w.run.blocks()
	streams, err := e.openAll([]*run{e.open})
	if err != nil {
		return err
	}
	defer e.closeAll(streams)
	for s := streams[0]; !s.over(); {
		if err := w.add(s.current); err != nil {
			return err
		}
		x.layout.Unpack(s.current, x.marking)
		if err := x.search.Look(x.marking); err != nil {
			return err
		}
		if err := e.account.Charge(x.search.Work + 4*len(x.marking)); err != nil {
			return err
		}
		if err := s.next(); err != nil {
			return err
		}
	}
	if err := w.end(); err != nil {
		return err
	}
	if err := account.Room(e.account, x.layers, 1); err != nil {
		return err
	}
	x.layers = append(x.layers, layer{w.run, x.layout, first, w.run.blocks()})
	e.count()
	x.search.States = e.found.States
	return nil
}

// stepTo returns a firing that leads from a marking of a layer to the target, and makes that marking the
// target. There is one if the target is in the next layer.
func (e *exploration) stepTo(l layer, target petri.Marking) (petri.Transition, error) {
	before, scratch := make(petri.Marking, len(target)), make(petri.Marking, len(target))
	work := 16*e.net.Transitions() + 8*len(target)
	s := e.begin([]*run{l.in})[0]
	defer func() { e.closeAll([]*stream{s}) }()
	for s.block = l.first; s.block < l.end; {
		err := s.fill()
		for more := true; more; {
			if err == nil {
				err = e.account.Charge(work)
			}
			if err != nil {
				return 0, err
			}
			l.layout.Unpack(s.current, before)
			if t, ok := e.net.FiringBetween(before, target, scratch); ok {
				copy(target, before)
				return t, nil
			}
			if more = s.left > 0; more {
				err = s.decode()
			}
		}
	}
	return 0, errNoFiring
}

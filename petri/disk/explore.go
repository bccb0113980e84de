package disk

import (
	"context"
	"errors"
	"fmt"

	"pnmc/internal/account"
	"pnmc/petri"
)

// Options are how to explore.
type Options struct {
	Folder *Folder
	// Progress, unless nil, is called now and then with the statistics so far.
	Progress func(petri.Statistics)
	// Tell, unless nil, is called with what is done from now on.
	Tell func(format string, arguments ...any)
	// Uncounted are places whose tokens are left out of the most tokens.
	Uncounted []petri.Place
}

// Explore explores as petri.Explore does, and goes on in a folder once memory is full. Two
// more errors are possible: a *FullError, and a *FileError if files can't be read or
// written.
func Explore(ctx context.Context, net *petri.Net, facts petri.Facts, budget petri.Budget, o Options) (petri.Statistics, error) {
	further := func(rest *petri.Rest) (petri.Statistics, error) {
		return explore(ctx, net, budget, rest, o, nil)
	}
	return net.ExploreFurther(ctx, facts, budget, further, o.Progress, o.Uncounted...)
}

// exploration is one on disk.
type exploration struct {
	Options
	net     *petri.Net
	folder  *Folder
	account *account.Account
	game    *petri.Game
	player  *petri.Player
	measure *petri.Measure
	width   int // of a key, in words
	found   petri.Statistics
	told    int // markings explored since progress was told

	fixed   *sizes // of tests
	sizes   sizes
	buffer  *buffer
	out     []uint64 // successors on their way to the buffer
	waiting []uint64 // successors of earlier markings, which the next layer is to have
	pieces  []*run   // what the buffer had
	idle    []*stream

	// history has all markings met but the open ones, which are not explored yet.
	history history
	open    *run // nil: none

	// grown is a place whose field turned out too narrow, or empty.
	grown string

	looks *looks // of a search; nil: nobody looks at markings
	share int64  // the exploration takes one part of so many of the free memory; 0 is 1
}

// explore goes on with what is left. Fixed, unless nil, are sizes for tests.
func explore(ctx context.Context, net *petri.Net, budget petri.Budget, rest *petri.Rest, o Options, fixed *sizes) (petri.Statistics, error) {
	e := &exploration{Options: o, net: net, folder: o.Folder, account: account.New(budget), found: rest.Found, measure: rest.Measure, fixed: fixed}
	e.account.Begin(ctx)
	if err := e.adopt(rest.Layout); err != nil {
		return e.found, err
	}
	return e.run(ctx, rest)
}

// run goes on with what is left until there are no open markings.
func (e *exploration) run(ctx context.Context, rest *petri.Rest) (petri.Statistics, error) {
	err := e.takeOver(ctx, rest)
	for err == nil && (e.open != nil || len(e.waiting) > 0) {
		err = e.layer()
	}
	e.count()
	e.found.Complete = err == nil
	e.found.BytesPerState = float64(e.folder.Most()) / float64(max(1, e.found.States))
	if err == nil {
		e.tell("had %s on disk at most", sizeText(e.folder.Most()))
	} else if e.grown != "" && (errors.As(err, new(*FullError)) || errors.As(err, new(*petri.MemoryError))) {
		err = fmt.Errorf("%w; no bound is known for place %q, and on disk it isn't found out whether it has none", err, e.grown)
	}
	return e.found, err
}

// tell passes on what is done from now on, if anybody listens.
func (e *exploration) tell(format string, arguments ...any) {
	if e.Tell != nil {
		e.Tell(format, arguments...)
	}
}

// adopt begins to play with a layout. An error is that of the account.
func (e *exploration) adopt(l *petri.Layout) error {
	game, err := l.Game(e.account)
	if err != nil {
		return err
	}
	e.game = game
	e.player, e.width = e.game.Player(), l.Words()
	if e.measure.Layout() != l {
		e.measure = e.measure.Relaid(l)
	}
	e.out, e.idle = nil, nil
	return nil
}

// count writes what is known so far to the statistics. While markings are on their way from memory to
// files, or from one file to another, runs have fewer than are known: so the number never falls.
func (e *exploration) count() {
	inRuns := e.history.count
	if e.open != nil {
		inRuns += e.open.count
	}
	e.found.States = max(e.found.States, inRuns)
	e.measure.Report(&e.found)
}

// layer explores the open markings. Those that are met for the first time are open then.
func (e *exploration) layer() error {
	if e.looks != nil && e.open != nil {
		if err := e.lookAtOpen(); err != nil {
			return err
		}
	}
	before := e.found
	for {
		narrow, key, err := e.expand()
		if err != nil {
			return err
		}
		if narrow < 0 {
			break
		}
		// The explored part of the layer is explored again.
		e.found.Firings, e.found.Deadlocks = before.Firings, before.Deadlocks
		if err := e.widen(narrow, key); err != nil {
			return err
		}
	}
	e.waiting = nil
	if e.open != nil {
		explored := e.open
		e.open = nil
		if err := e.remember(explored); err != nil {
			return err
		}
	}
	var err error
	e.open, err = e.collectedIfAny(true)
	return err
}

const (
	// tellEvery is the number of markings explored between two tellings of progress.
	tellEvery = 1 << 10
	// batchKeys is how many successors go to the buffer at a time.
	batchKeys = 256
)

// expand collects the successors of all open markings. If a field is too narrow for one of them,
// it returns that field and the marking, otherwise -1.
func (e *exploration) expand() (narrow int, of []uint64, err error) {
	if err := e.collect(e.waiting); err != nil || e.open == nil {
		return -1, nil, err
	}
	streams, err := e.openAll([]*run{e.open})
	if err != nil {
		return -1, nil, err
	}
	defer e.closeAll(streams)
	words, work := e.width, e.game.Work()
	for s := streams[0]; !s.over(); err = s.next() {
		if err != nil {
			return -1, nil, err
		}
		key, firings := s.current, 0
		for e.player.Begin(); !e.player.Done(); {
			before := len(e.out)
			if narrow := e.player.Successors(key, &e.out); narrow >= 0 {
				return narrow, append([]uint64(nil), key...), nil
			}
			firings += (len(e.out) - before) / words
			if len(e.out) >= batchKeys*words {
				if err := e.flush(); err != nil {
					return -1, nil, err
				}
			}
		}
		e.measure.Observe(key)
		e.found.Firings += int64(firings)
		if firings == 0 {
			e.found.Deadlocks++
		}
		if err := e.account.Charge(work); err != nil {
			return -1, nil, err
		}
		if e.told++; e.Progress != nil && e.told%tellEvery == 0 {
			e.count()
			e.Progress(e.found)
		}
	}
	if err == nil {
		err = e.flush()
	}
	return -1, nil, err
}

// flush collects the successors that are on their way.
func (e *exploration) flush() error {
	err := e.collect(e.out)
	e.out = e.out[:0]
	return err
}

// collect puts keys into the buffer, and what it has into a run whenever it is full.
func (e *exploration) collect(keys []uint64) error {
	if err := e.account.Charge(16 * len(keys)); err != nil {
		return err
	}
	for {
		if keys = e.buffer.add(keys); keys == nil {
			return nil
		}
		if err := e.spill(); err != nil {
			return err
		}
	}
}

// spill writes what the buffer has as a run.
func (e *exploration) spill() error {
	streams, err := e.buffer.sorted(e.account)
	if err != nil {
		return err
	}
	piece, err := e.write(newMerger(e.width, streams), false)
	if err != nil {
		return err
	}
	e.buffer.reset()
	if e.pieces = append(e.pieces, piece); len(e.pieces) >= e.sizes.fanIn {
		e.pieces, err = e.mergeLast(e.pieces, e.sizes.fanIn/2)
	}
	return err
}

// collected returns a run of all keys that were collected. If only new ones are wanted, it leaves
// out those of the history.
func (e *exploration) collected(onlyNew bool) (*run, error) {
	if !onlyNew && e.buffer.count == 0 && len(e.pieces) == 1 {
		only := e.pieces[0]
		e.pieces = nil
		return only, nil
	}
	inMemory, err := e.buffer.sorted(e.account)
	if err != nil {
		return nil, err
	}
	streams, err := e.openAll(e.pieces)
	if err != nil {
		return nil, err
	}
	all, err := e.write(newMerger(e.width, append(inMemory, streams...)), onlyNew)
	if err != nil {
		return nil, err
	}
	e.closeAll(streams)
	e.forgetCollected()
	return all, nil
}

// collectedIfAny returns what collected returns, or nil if nothing was collected.
func (e *exploration) collectedIfAny(onlyNew bool) (*run, error) {
	all, err := e.collected(onlyNew)
	if err != nil || all.count > 0 {
		return all, err
	}
	all.remove()
	return nil, nil
}

// forgetCollected gives up what was collected.
func (e *exploration) forgetCollected() {
	for _, r := range e.pieces {
		r.remove()
	}
	e.pieces = nil
	e.buffer.reset()
}

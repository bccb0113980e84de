package multicore

import (
	"sync/atomic"

	"pnmc/internal/account"
	"pnmc/petri"
	"pnmc/petri/internal/store"
)

// worker is what a thread has for itself. What is written for each marking lies here or apart from all
// else: small allocations of several threads would share cache lines.
type worker struct {
	_       [line]byte
	x       *exploration
	arena   *store.Arena
	account account.Account
	game    *petri.Game // that player, measure and packed markings are of
	player  petri.Player
	measure petri.Measure
	sight   *sight   // nil: markings are counted only
	rows    *rowList // nil: edges are not kept

	at     petri.StateID   // the marking that is gone on from, or was last
	packed []uint64        // the same
	out    []uint64        // packed successors, some to be interned yet
	from   []petri.StateID // what they are successors of, where parents are tracked
	recent *store.Recent   // the thread has interned these, or they are in out
	sifted int             // how many successors are left of those that were sifted
	hashes []uint64        // of these
	done   int             // how many of them are interned
	ids    [store.Batch]petri.StateID

	expanded, firings, deadlocks int64
	told                         told
	_                            [line]byte
}

// told are the figures that another thread may read.
type told struct{ states, firings atomic.Int64 }

const (
	// claimed is how many markings a thread takes at a time to go on from.
	claimed = 64
	// tellEvery is the number of markings between two tellings of progress.
	tellEvery = 1 << 10
)

// run works until the exploration is over.
func (w *worker) run() {
	for {
		if w.x.halt.Load() && !w.meet() {
			return
		}
		first, n := w.arena.Claim(claimed)
		if n == 0 && len(w.out) > 0 {
			if !w.flush() {
				return
			}
			continue
		}
		if n == 0 {
			first, n = w.arena.Steal(claimed)
		}
		w.giveWay()
		if n == 0 && !w.rest() {
			return
		}
		for i := range n {
			if !w.visit(first + i) {
				return
			}
		}
	}
}

// visit finds the successors of id, and interns what waits for that if it is much. It reports
// false if the exploration is over.
func (w *worker) visit(id petri.StateID) bool {
	if w.rows != nil {
		return w.visitRow(id)
	}
	if w.x.halt.Load() && !w.meet() {
		return false
	}
	w.at = id
	if w.sight != nil {
		if done, ok := w.lookAt(id); done || !ok {
			return ok
		}
	}
	var game *petri.Game
	firings := 0
	for {
		if game != w.game {
			// The first time, or markings are packed in another way since: what was met
			// already is met again.
			game, firings = w.game, 0
			w.x.store.Load(id, w.packed)
			w.player.Begin()
		}
		if w.player.Done() {
			break
		}
		before := len(w.out)
		narrow := w.player.Successors(w.packed, &w.out)
		if narrow < 0 {
			narrow = w.fold(before)
		}
		if narrow >= 0 {
			if !w.widen(id, narrow) {
				return false
			}
			continue // with another game
		}
		found, ok := w.take(id, before)
		if !ok {
			return false
		}
		firings += found
	}
	return w.count(firings)
}

// widen has all meet since a successor of id does not fit field narrow. It reports false if the
// exploration is over.
func (w *worker) widen(id petri.StateID, narrow int) bool {
	w.giveWay()
	w.x.ask(func(m *meeting) { m.widen(id, narrow) })
	return w.meet()
}

// take takes over the successors of id that were put into out since it had length before, and
// interns what waits for that if it is much. It returns their number; ok is false if the
// exploration is over.
func (w *worker) take(id petri.StateID, before int) (found int, ok bool) {
	found = (len(w.out) - before) / len(w.packed)
	if w.x.tracked {
		for range found {
			w.from = append(w.from, id)
		}
	}
	if len(w.out) >= (w.sifted+w.x.batch)*len(w.packed) {
		if !w.sift() || w.sifted >= w.x.batch && !w.flush() {
			return found, false
		}
	}
	return found, true
}

// giveWay lets other threads go on, in tests.
func (w *worker) giveWay() {
	if w.x.yield != nil {
		w.x.yield()
	}
}

// count counts the marking that was gone on from. It reports false if the exploration is over.
func (w *worker) count(firings int) bool {
	if w.sight == nil && w.rows == nil {
		w.measure.Observe(w.packed)
	}
	w.firings += int64(firings)
	w.expanded++
	w.account.Add(w.game.Work())
	if firings == 0 {
		w.deadlocks++
		if err := w.account.Charge(0); err != nil { // nothing is interned, which would ask
			w.x.end(err)
			return false
		}
	}
	if w.x.progress != nil && w == w.x.workers[0] && w.expanded%tellEvery == 0 {
		w.tell()
	}
	return true
}

// tell calls progress.
func (w *worker) tell() {
	var s petri.Statistics
	w.measure.Report(&s)
	for _, other := range w.x.workers {
		s.States += other.told.states.Load()
		s.Firings += other.told.firings.Load()
	}
	w.x.progress(s)
}

// sift leaves out successors that the thread has met lately. It reports false if the exploration
// is over.
func (w *worker) sift() bool {
	words := len(w.packed)
	packed := w.out[w.sifted*words:]
	if err := w.account.Charge(16 * len(packed)); err != nil {
		w.x.end(err)
		return false
	}
	if short := len(w.out)/words - len(w.hashes); short > 0 {
		w.hashes = append(w.hashes, make([]uint64, short)...)
	}
	var from []petri.StateID
	if w.x.tracked {
		from = w.from[w.sifted:]
	}
	w.sifted += w.recent.Sift(packed, from, w.hashes[w.sifted:])
	w.out = w.out[:w.sifted*words]
	if w.x.tracked {
		w.from = w.from[:w.sifted]
	}
	return true
}

// flush interns the successors that wait. It reports false if the exploration is over.
func (w *worker) flush() bool {
	if w.rows != nil {
		return w.internRows()
	}
	w.giveWay()
	for {
		// If markings were packed anew at a meeting, those that wait are sifted once more.
		if !w.sift() {
			return false
		}
		if w.done == w.sifted {
			break
		}
		n := min(w.sifted-w.done, w.x.batch)
		if !w.arena.Reserve(n) {
			w.x.ask(func(m *meeting) { m.full = true })
			if !w.meet() {
				return false
			}
			continue
		}
		first, end := w.done, w.done+n
		var from []petri.StateID
		if w.x.tracked {
			from = w.from[first:end]
		}
		words := len(w.packed)
		w.arena.InternHashed(w.out[first*words:end*words], from, w.hashes[first:end], w.ids[:n])
		w.done = end
	}
	w.out, w.from, w.sifted, w.done = w.out[:0], w.from[:0], 0, 0
	w.publish()
	return true
}

// publish lets others go on from what was interned, and tells how much it is.
func (w *worker) publish() {
	w.arena.Publish()
	w.told.states.Store(w.arena.Count())
	w.told.firings.Store(w.firings)
	w.share()
}

// adopt has the worker pack markings as game does: those that wait, too.
func (w *worker) adopt(game *petri.Game) {
	if w.game == game {
		return
	}
	if w.game != nil && len(w.out) > 0 {
		convert := converter(w.x.net, w.game.Layout(), game.Layout())
		var out []uint64
		packed, words := make([]uint64, game.Layout().Words()), len(w.packed)
		for i := w.done * words; i < len(w.out); i += words {
			convert(w.out[i:i+words], packed)
			out = append(out, packed...)
		}
		w.out, w.done = out, 0
		if w.x.tracked {
			w.from = w.from[len(w.from)-len(out)/len(packed):]
		}
	}
	w.game, w.player = game, *game.Player()
	w.packed = store.Apart[uint64](game.Layout().Words())
	w.measure = *w.measure.Relaid(game.Layout())
	known := make([]uint64, len(w.packed))
	game.Layout().Pack(w.x.net.Initial(), known)
	w.recent, w.sifted = store.NewRecent(known), 0
}

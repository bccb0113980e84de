package multicore

import (
	"pnmc/internal/account"
	"pnmc/petri"
	"pnmc/petri/internal/deltas"
	"pnmc/petri/internal/store"
)

// rowList is the list of the rows that a thread has found: of each state that it went on from its
// number, how many edges it has, and where they lead. A deadlock has none.
//
// Most numbers are close to each other, so a list has them as deltas (package deltas): an edge takes
// two to three bytes. A chunk of a list can be read by itself.
//
// Rows wait until their successors are interned, a batch at a time. So the list lags behind: ids and
// then worker.out have, in order, the successors of the states that wait, and after them those of the
// state at hand as far as they are found.
type rowList struct {
	chunks [][]byte      // full ones
	chunk  []byte        // is being filled
	before petri.StateID // whose row was written there last, 0 for none

	waiting []waitingRow
	edges   int             // of all rows that wait
	ids     []petri.StateID // of the successors that are interned
	_       [line]byte
}

// waitingRow is a row that waits for its successors to be interned.
type waitingRow struct {
	of    petri.StateID
	edges int
}

// mostWaiting is how many rows wait at most.
const mostWaiting = 1 << 12

// rowChunk is how many bytes a chunk of a list has, unless a single row takes more.
const rowChunk = 1 << 18

// visitRow finds the successors of id, as visit does, and keeps them as a row. It reports false if the
// exploration is over.
func (w *worker) visitRow(id petri.StateID) bool {
	if w.x.halt.Load() && !w.meet() {
		return false
	}
	w.at = id
	var game *petri.Game
	firings := 0
	for {
		if game != w.game {
			// The first time, or markings are packed in another way since: all is found anew.
			w.giveUpRow()
			game, firings = w.game, 0
			w.x.store.Load(id, w.packed)
			w.player.Begin()
		}
		if w.player.Done() {
			break
		}
		before := len(w.out)
		if narrow := w.player.Successors(w.packed, &w.out); narrow >= 0 {
			if !w.widen(id, narrow) {
				return false
			}
			continue
		}
		found := (len(w.out) - before) / len(w.packed)
		firings += found
		if w.x.tracked {
			for range found {
				w.from = append(w.from, id)
			}
		}
		if len(w.out) >= (w.done+w.x.batch)*len(w.packed) && !w.internRows() {
			return false
		}
	}
	w.rows.waiting = append(w.rows.waiting, waitingRow{id, firings})
	w.rows.edges += firings
	if len(w.rows.waiting) >= mostWaiting && !w.internRows() { // there may be few edges
		return false
	}
	return w.count(firings)
}

// giveUpRow gives up what was found of the row at hand.
func (w *worker) giveUpRow() {
	r := w.rows
	if len(r.ids) >= r.edges {
		r.ids = r.ids[:r.edges]
		w.out = w.out[:w.done*len(w.packed)]
	} else {
		w.out = w.out[:(w.done+r.edges-len(r.ids))*len(w.packed)]
	}
	if w.x.tracked {
		w.from = w.from[:len(w.out)/len(w.packed)]
	}
}

// internRows interns the successors that wait, and writes the rows that waited for them. It reports
// false if the exploration is over.
func (w *worker) internRows() bool {
	w.giveWay()
	for {
		words := len(w.packed)
		n := min(len(w.out)/words-w.done, w.x.batch)
		if n == 0 {
			break
		}
		if err := w.account.Charge(16 * n * words); err != nil {
			w.x.end(err)
			return false
		}
		if !w.arena.Reserve(n) {
			w.x.ask(func(m *meeting) { m.full = true })
			if !w.meet() {
				return false
			}
			continue // perhaps with wider markings
		}
		first, end := w.done, w.done+n
		var from []petri.StateID
		if w.x.tracked {
			from = w.from[first:end]
		}
		w.arena.InternAll(w.out[first*words:end*words], from, w.ids[:n])
		if err := account.Room(&w.account, w.rows.ids, n); err != nil {
			w.x.end(err)
			return false
		}
		w.rows.ids = append(w.rows.ids, w.ids[:n]...)
		w.done = end
	}
	w.out, w.from, w.done = w.out[:0], w.from[:0], 0
	if err := w.rows.write(&w.account); err != nil {
		w.x.end(err)
		return false
	}
	w.publish()
	return true
}

// write writes the rows that wait, all of whose successors are interned. An error is that of a.
func (r *rowList) write(a *account.Account) error {
	first := 0
	for _, row := range r.waiting {
		end := first + row.edges
		// A number has five bytes at most.
		if need := 5 * (row.edges + 2); len(r.chunk)+need > cap(r.chunk) {
			if len(r.chunk) > 0 {
				r.chunks = append(r.chunks, r.chunk)
			}
			size := max(rowChunk, need)
			if err := a.Reserve(size); err != nil {
				return err
			}
			r.chunk, r.before = make([]byte, 0, size), 0
		}
		r.chunk = deltas.Append(r.chunk, r.before, row.of)
		r.chunk = deltas.AppendCount(r.chunk, uint64(row.edges))
		r.chunk = deltas.Append(r.chunk, row.of, r.ids[first:end]...)
		r.before, first = row.of, end
	}
	r.ids = append(r.ids[:0], r.ids[first:]...)
	r.waiting, r.edges = r.waiting[:0], 0
	return nil
}

// rewrite writes the rows of a chunk of a list to out, with the numbers that f gives. An error is that
// of a.
func rewrite(a *account.Account, chunk []byte, f *store.Finished, out *petri.EdgeWriter) error {
	var row []petri.StateID
	before := petri.StateID(0)
	for len(chunk) > 0 {
		row, chunk = deltas.Read(chunk, before, 1, row[:0])
		before = row[0]
		var n uint64
		n, chunk = deltas.ReadCount(chunk)
		if err := a.Charge(4 * int(n+1)); err != nil {
			return err
		}
		row, chunk = deltas.Read(chunk, before, int(n), row[:0])
		for i, to := range row {
			row[i] = f.Of(to)
		}
		of := f.Of(before)
		if n == 0 {
			row = append(row, of)
		}
		out.Write(of, row, n == 0)
	}
	return nil
}

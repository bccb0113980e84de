package petri

import (
	"pnmc/internal/account"
	"pnmc/internal/growing"
	"pnmc/petri/internal/deltas"
)

// edges keep the edges of the states of a Kripke structure, a row for each state. A row is found by
// the number of its chunk and a position there. A chunk has rows in one of two forms:
//
//   - As words: how many edges there are, and where they lead, 4 bytes each. Who asks gets the row
//     as it lies there.
//   - As deltas: the same numbers, each as its difference to the one before, in as few bytes as that
//     takes. Successors of a state have numbers that are close to each other, so that an edge takes
//     two to three bytes. Who asks gets a copy, valid until the next row is asked for.
//
// Rows are written as words at first. Once these have used up their share of memory, all are written
// anew as deltas. To read a row is then four times as dear. That is still a twentieth of what it costs
// to find it anew, which is all that remains without room.
//
// For example, edges from 70 to 71, 72, 40 and 40 are 4, 71, 72, 40, 40 as words, which take 20
// bytes, and 8, 2, 2, 63, 0 as deltas, which take 5: the number of edges is doubled for the mark of
// deadlocks, the differences 1, 1, -32 and 0 for their sign.
type edges struct {
	row    growing.Numbers // of each state: the position of its row plus one; 0: it is not known
	chunks []edgeChunk
	large  map[StateID][]StateID // rows too long for a chunk
	most   int64                 // bytes that rows may take
	used   int64                 // bytes that they take
	packed bool                  // rows are written as deltas
	// missing: some row that is known is not kept.
	missing bool

	words, deltas edgeFill

	unpacked StateID // whose row copied has, plus one, or 0
	copied   []StateID
}

// edgeChunk has rows as words, or else as deltas.
type edgeChunk struct {
	words  []uint32
	deltas []byte
}

// edgeFill is a chunk that is being filled. The zero value is none.
type edgeFill struct {
	edgeChunk
	first uint32 // the position of its first word or byte; that of the first chunk is 0
	end   int
	code  []byte // room for a row as deltas
}

const (
	// edgesPerChunk is how many words, or bytes of deltas, a chunk has.
	edgesPerChunk = 1 << 16
	// largeRow marks in edges.row that the edges are in edges.large, and notKept that they were
	// found but are not kept. Positions are smaller, as there are mostChunks.
	largeRow   = 1<<32 - 1
	notKept    = 1<<32 - 2
	mostChunks = 1<<16 - 2
	// deadlockBit marks in a row's length that its only edge fires nothing.
	deadlockBit = 1 << 31
)

// edgeShare returns how many bytes of a budget are for edges.
func edgeShare(b Budget) int64 {
	switch {
	case b.EdgeBytes > 0:
		return b.EdgeBytes
	case b.MemoryBytes > 0:
		return b.MemoryBytes / 3
	}
	return 1 << 62
}

// known reports whether the edges of s were found, kept or not.
func (e *edges) known(s StateID) bool { return int(s) < e.row.Length && e.row.At(s) != 0 }

// kept returns the row of s, and whether its only edge is that of a deadlock; nil if it is not kept.
func (e *edges) kept(s StateID) (row []StateID, deadlock bool) {
	if int(s) >= e.row.Length {
		return nil, false
	}
	at := e.row.At(s)
	if at == 0 || at >= notKept {
		if at == largeRow {
			return e.large[s], false
		}
		return nil, false
	}
	at--
	chunk, i := &e.chunks[at/edgesPerChunk], at%edgesPerChunk
	if chunk.words != nil {
		n := chunk.words[i] &^ deadlockBit
		return chunk.words[i+1 : i+1+n], chunk.words[i]&deadlockBit != 0
	}
	code := chunk.deltas[i:]
	if e.unpacked != s+1 {
		e.copied = unpackRow(s, code, e.copied[:0])
		e.unpacked = s + 1
	}
	return e.copied, code[0]&1 != 0
}

// keep keeps the row of s, if there is room, and returns it as it is valid then. An error is that of
// a; the row is not kept.
func (e *edges) keep(a *account.Account, s StateID, ids []StateID, deadlock bool) ([]StateID, error) {
	size := 4 * int64(len(ids)+1)
	if !e.packed && e.used+size > e.most {
		if err := e.pack(a); err != nil {
			return nil, err
		}
	}
	switch {
	case e.packed && e.encoded(s, ids, deadlock):
		return ids, nil
	case e.used+size > e.most:
	case len(ids)+1 > edgesPerChunk:
		if e.large == nil {
			e.large = map[StateID][]StateID{}
		}
		kept := append([]StateID(nil), ids...)
		e.large[s] = kept
		e.used += size - 4 // it has no number of edges
		e.row.Set(s, largeRow)
		return kept, nil
	case e.words.holds(len(ids)+1) || e.begin(&e.words, false):
		e.used += size
		row, at := e.words.put(ids, deadlock)
		e.row.Set(s, at)
		return row, nil
	}
	e.leaveOut(s)
	return ids, nil
}

// leaveOut notes that the row of s is not kept.
func (e *edges) leaveOut(s StateID) {
	e.row.Set(s, notKept)
	e.missing = true
}

// encoded keeps the row of s as deltas, if there is room.
func (e *edges) encoded(s StateID, ids []StateID, deadlock bool) (ok bool) {
	f := &e.deltas
	f.encode(s, ids, deadlock)
	size := int64(len(f.code))
	if len(f.code) > edgesPerChunk || e.used+size > e.most || !f.holds(len(f.code)) && !e.begin(f, true) {
		return false
	}
	e.used += size
	e.row.Set(s, f.putCode())
	return true
}

// begin begins another chunk. It reports false if there are as many as there may be.
func (e *edges) begin(f *edgeFill, deltas bool) bool {
	if len(e.chunks) == mostChunks {
		return false
	}
	*f = edgeFill{first: uint32(len(e.chunks) * edgesPerChunk), code: f.code}
	if deltas {
		f.deltas = make([]byte, edgesPerChunk)
	} else {
		f.words = make([]uint32, edgesPerChunk)
	}
	e.chunks = append(e.chunks, f.edgeChunk)
	return true
}

// holds reports whether n more words or bytes fit into the chunk.
func (f *edgeFill) holds(n int) bool { return f.end+n <= max(len(f.words), len(f.deltas)) }

// put writes a row as words, which fit, and returns it and what is to be its entry in edges.row.
func (f *edgeFill) put(ids []StateID, deadlock bool) (row []StateID, at uint32) {
	i, end := f.end, f.end+1+len(ids)
	f.words[i] = uint32(len(ids))
	if deadlock {
		f.words[i] |= deadlockBit
	}
	row = f.words[i+1 : end]
	copy(row, ids)
	f.end = end
	return row, f.first + uint32(i) + 1
}

// putCode writes the row that encode has encoded, which fits, and returns what is to be its entry in
// edges.row.
func (f *edgeFill) putCode() (at uint32) {
	at = f.first + uint32(f.end) + 1
	f.end += copy(f.deltas[f.end:], f.code)
	return at
}

// encode makes code the row of s as deltas.
func (f *edgeFill) encode(s StateID, ids []StateID, deadlock bool) {
	head := uint64(len(ids)) << 1
	if deadlock {
		head++
	}
	f.code = deltas.Append(deltas.AppendCount(f.code[:0], head), s, ids...)
}

// unpackRow appends the row of s, which code begins with, to row. The result is not nil, even of no
// edges.
func unpackRow(s StateID, code []byte, row []StateID) []StateID {
	if row == nil {
		row = []StateID{}
	}
	n, code := deltas.ReadCount(code)
	row, _ = deltas.Read(code, s, int(n>>1), row)
	return row
}

// pack writes all rows anew as deltas, and further ones so. A chunk of words is given up when all its
// rows were written anew. An error is that of a: then some rows are still words, and the next call
// goes on.
func (e *edges) pack(a *account.Account) error {
	e.words = edgeFill{}
	left := e.wordRows()
	for s := range StateID(e.row.Length) {
		at := e.row.At(s)
		if at == 0 || at >= notKept || e.chunks[(at-1)/edgesPerChunk].words == nil {
			continue
		}
		row, deadlock := e.kept(s)
		if err := a.Charge(4 * (len(row) + 1)); err != nil {
			return err
		}
		f := &e.deltas
		f.encode(s, row, deadlock)
		if len(f.code) > edgesPerChunk || !f.holds(len(f.code)) && !e.begin(f, true) {
			continue // it stays where it is
		}
		e.used += int64(len(f.code)) - 4*int64(len(row)+1)
		e.row.Set(s, f.putCode())
		chunk := (at - 1) / edgesPerChunk
		if left[chunk]--; left[chunk] == 0 {
			e.chunks[chunk] = edgeChunk{}
		}
	}
	e.packed = true
	return nil
}

// wordRows returns how many rows each chunk has as words.
func (e *edges) wordRows() []int32 {
	rows := make([]int32, len(e.chunks))
	for s := range StateID(e.row.Length) {
		if at := e.row.At(s); at != 0 && at < notKept {
			rows[(at-1)/edgesPerChunk]++
		}
	}
	return rows
}

// forget gives up all rows. That they were known is remembered.
func (e *edges) forget() {
	for s := range StateID(e.row.Length) {
		if e.row.At(s) != 0 {
			e.leaveOut(s)
		}
	}
	*e = edges{row: e.row, most: e.most, missing: e.missing}
}

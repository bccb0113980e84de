package disk

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"

	"pnmc/internal/account"
	"pnmc/internal/lazy"
)

// A run is a file of packed markings, ascending, each once. It consists of blocks. Each has its
// length, the number of its keys, and a checksum, and can be read without the others.
type run struct {
	folder  *Folder
	file    *os.File
	words   int
	count   int64
	offsets []int64  // of blocks, and the end of the last one
	firsts  []uint64 // keys of blocks
}

// headBytes is what a block has before its keys.
const headBytes = 12

var castagnoli = lazy.Value[*crc32.Table]{Make: func() *crc32.Table {
	return crc32.MakeTable(crc32.Castagnoli)
}}

// blocks returns the number of blocks.
func (r *run) blocks() int { return len(r.offsets) - 1 }

// first returns the first key of a block, which is in memory.
func (r *run) first(block int) []uint64 { return r.firsts[block*r.words : (block+1)*r.words] }

// bytes returns what the run takes on disk.
func (r *run) bytes() int64 { return r.offsets[len(r.offsets)-1] }

// remove gives the run up.
func (r *run) remove() { r.folder.give(r.file, r.bytes()) }

// read reads a block into raw, which grows if need be.
func (r *run) read(block int, raw []byte) ([]byte, error) {
	from, size := r.offsets[block], int(r.offsets[block+1]-r.offsets[block])
	if cap(raw) < size {
		raw = make([]byte, size)
	}
	raw = raw[:size]
	if n, err := r.file.ReadAt(raw, from); n < size {
		return raw, &FileError{fmt.Errorf("%s: at byte %d expected %d more, found %d: %w", r.file.Name(), from, size, n, err)}
	}
	sum := crc32.Update(crc32.Checksum(raw[:8], castagnoli.Get()), castagnoli.Get(), raw[headBytes:])
	if int(binary.LittleEndian.Uint32(raw)) != size || sum != binary.LittleEndian.Uint32(raw[8:]) {
		return raw, r.damaged(block)
	}
	return raw, nil
}

// damaged returns the error that a block is not what was written.
func (r *run) damaged(block int) error {
	return &FileError{fmt.Errorf("%s: at byte %d expected what was written there: the disk returns something else", r.file.Name(), r.offsets[block])}
}

// A writer writes a run.
type writer struct {
	run      *run
	sizes    sizes
	account  *account.Account
	block    []byte
	inBlock  int // keys
	previous []uint64
}

// newWriter begins a run of keys of so many words, in a new file.
func newWriter(f *Folder, words int, s sizes, a *account.Account) (*writer, error) {
	file, err := f.newFile()
	if err != nil {
		return nil, err
	}
	w := &writer{run: &run{folder: f, file: file, words: words, offsets: []int64{0}}, sizes: s, account: a, previous: make([]uint64, words)}
	w.begin()
	return w, nil
}

// begin begins a block.
func (w *writer) begin() {
	clear(w.previous)
	w.block, w.inBlock = append(w.block[:0], make([]byte, headBytes)...), 0
}

// add writes a key that is greater than all before.
func (w *writer) add(key []uint64) error {
	if w.inBlock == 0 {
		w.run.firsts = append(w.run.firsts, key...)
	}
	w.block = appendKey(w.block, w.previous, key)
	copy(w.previous, key)
	w.inBlock++
	w.run.count++
	if len(w.block) >= w.sizes.blockBytes {
		return w.end()
	}
	return nil
}

// end ends a block.
func (w *writer) end() error {
	if w.inBlock == 0 {
		return nil
	}
	binary.LittleEndian.PutUint32(w.block, uint32(len(w.block)))
	binary.LittleEndian.PutUint32(w.block[4:], uint32(w.inBlock))
	sum := crc32.Update(crc32.Checksum(w.block[:8], castagnoli.Get()), castagnoli.Get(), w.block[headBytes:])
	binary.LittleEndian.PutUint32(w.block[8:], sum)
	if err := w.run.folder.write(w.run.file, w.block); err != nil {
		return err
	}
	w.run.offsets = append(w.run.offsets, w.run.bytes()+int64(len(w.block)))
	err := w.account.Charge(len(w.block) + writeWork*w.inBlock)
	w.begin()
	return err
}

// writeWork and readWork are about what it costs to write and to read a key, in nanoseconds.
const (
	writeWork = 16
	readWork  = 8
)

// finish ends the run. After an error it is removed.
func (w *writer) finish() (*run, error) {
	if err := w.end(); err != nil {
		w.run.remove()
		return nil, err
	}
	return w.run, nil
}

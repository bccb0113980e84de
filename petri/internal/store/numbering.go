package store

import (
	"math/bits"
	"sync"
)

// numbering gives numbers to words, equal ones the same, for several threads. Whoever has
// got a number may ask for its word without a lock.
//
// The upper bits of a word's hash say to which part it belongs. A part has a lock, gives numbers
// from 0 on, and grows by itself. The number of a word is that of its part, in the last bits, and
// the one that it has there, before them. So numbers are small while there are few.
//
// A Store does the same for one thread, and moves the list of its chunks while it grows. Here
// words never move: they lie in blocks, to which a directory of fixed size leads. So who asks for a
// word reads what was written before its number was told, and nothing that may be
// written now. A word costs its eight bytes, and five to seven for slots.
type numbering struct {
	parts    []numbered
	partBits uint8
}

// numbered is a part of a numbering.
type numbered struct {
	_       [cacheLine]byte
	mutex   sync.Mutex
	count   uint32
	most    uint32 // numbers there may be
	grow    uint32 // number of words at which the table grows
	idMask  uint32 // the bits of a slot that hold a number plus one; the others hold bits of the hash
	table   []*[slotPage]uint32
	touched uint32 // keeps loads from being optimized away
	words   [directory]*[directory]*[wordBlock]uint64
}

const (
	slotPage  = 1 << 10
	wordBlock = 1 << 8
	// directory squared blocks have 2^26 words, as many as a part may have.
	directory = 1 << 9
	// leastPart is the binary logarithm of the fewest parts: so a table that grows is small.
	leastPart = 6
)

// newNumbering returns an empty one for so many threads.
func newNumbering(threads int) *numbering {
	n := &numbering{partBits: uint8(max(leastPart, bits.Len(uint(4*threads-1))))}
	n.parts = make([]numbered, 1<<n.partBits)
	for i := range n.parts {
		n.parts[i].resize(1, n.partBits)
	}
	n.limit(1<<32 - 1) // no number has all bits set
	return n
}

// limit has there be so many numbers at most, as many in each part.
func (n *numbering) limit(most uint64) {
	for i := range n.parts {
		n.parts[i].most = uint32(most >> n.partBits)
	}
}

// word returns the word that has a number.
func (n *numbering) word(number uint32) uint64 {
	p, at := &n.parts[number&(1<<n.partBits-1)], number>>n.partBits
	return p.word(at)
}

// word returns the word with a number of this part.
func (p *numbered) word(at uint32) uint64 {
	block := at / wordBlock
	return p.words[block/directory][block%directory][at%wordBlock]
}

// memoryBytes returns what the numbering takes. Nobody may ask for numbers meanwhile.
func (n *numbering) memoryBytes() int64 {
	sum := int64(0)
	for i := range n.parts {
		p := &n.parts[i]
		blocks := int64(p.count+wordBlock-1) / wordBlock
		sum += 8*directory + blocks*8*wordBlock + (blocks+directory-1)/directory*8*directory + int64(len(p.table))*4*slotPage
	}
	return sum
}

// wanted is a word whose number is asked for.
type wanted struct {
	word, hash uint64
	to         uint32 // which of the numbers it is
}

// numbers writes the numbers of words of one part, whose lock is held, to where they are wanted. It asks
// reserve before anything grows; its error ends it, as does ErrFull.
func (n *numbering) numbers(part int, list []wanted, to []uint32, reserve func(bytes int) error) error {
	p := &n.parts[part]
	for len(list) > 0 {
		batch := list[:min(overlapped, len(list))]
		list = list[len(batch):]
		p.touched = p.touch(batch, n.partBits)
		for i := range batch {
			w := &batch[i]
			at, err := p.number(w.word, w.hash, n.partBits, reserve)
			if err != nil {
				return err
			}
			to[w.to] = at<<n.partBits | uint32(part)
		}
	}
	return nil
}

// touch reads the slots of words, and the words that these lead to, so that cache misses overlap.
// The result means nothing.
func (p *numbered) touch(batch []wanted, partBits uint8) (touched uint32) {
	var entries [overlapped]uint32
	for i := range batch {
		slot := p.position(batch[i].hash << partBits)
		entries[i] = p.table[slot/slotPage][slot%slotPage]
	}
	for i := range batch {
		if e := entries[i]; e != 0 && e&^p.idMask == uint32(batch[i].hash<<partBits)&^p.idMask {
			touched += uint32(p.word(e&p.idMask - 1))
		}
	}
	return touched
}

// position spreads the upper bits of a hash over the slots.
func (p *numbered) position(hash uint64) uint64 {
	slot, _ := bits.Mul64(hash, uint64(len(p.table))*slotPage)
	return slot
}

// number returns the number of a word, new or not.
func (p *numbered) number(word, hash uint64, partBits uint8, reserve func(bytes int) error) (uint32, error) {
	hash <<= partBits
	for {
		slot, tag := p.position(hash), uint32(hash)&^p.idMask
		e := &p.table[slot/slotPage][slot%slotPage]
		for *e != 0 {
			if *e&^p.idMask == tag {
				if at := *e&p.idMask - 1; p.word(at) == word {
					return at, nil
				}
			}
			if slot++; slot == uint64(len(p.table))*slotPage {
				slot = 0
			}
			e = &p.table[slot/slotPage][slot%slotPage]
		}
		if p.count < p.grow {
			return p.append(e, tag, word, reserve)
		}
		more := max(1, len(p.table)/3)
		if err := reserve(more * 4 * slotPage); err != nil {
			return 0, err
		}
		p.resize(len(p.table)+more, partBits)
	}
}

// append gives a word the next number, and writes it to the free slot e.
func (p *numbered) append(e *uint32, tag uint32, word uint64, reserve func(bytes int) error) (uint32, error) {
	at := p.count
	if at == p.most {
		return 0, ErrFull
	}
	block := at / wordBlock
	if at%wordBlock == 0 {
		if err := reserve(8 * wordBlock); err != nil {
			return 0, err
		}
		if block%directory == 0 {
			p.words[block/directory] = new([directory]*[wordBlock]uint64)
		}
		p.words[block/directory][block%directory] = new([wordBlock]uint64)
	}
	p.words[block/directory][block%directory][at%wordBlock] = word
	p.count++
	*e = tag | (at + 1)
	return at, nil
}

// resize gives the table so many pages, and files all words anew.
func (p *numbered) resize(pages int, partBits uint8) {
	for _, page := range p.table {
		clear(page[:])
	}
	for len(p.table) < pages {
		p.table = append(p.table, new([slotPage]uint32))
	}
	slots := uint64(pages) * slotPage
	p.grow = uint32(min(slots*maxLoad/16, MaxStates))
	p.idMask = idMask(uint64(p.grow))
	var hashes [overlapped]uint64
	for first := uint32(0); first < p.count; first += overlapped {
		batch := hashes[:min(overlapped, p.count-first)]
		touched := uint32(0)
		for i := range batch { // slots are touched before any is filled
			batch[i] = mix(0, p.word(first+uint32(i))) << partBits
			slot := p.position(batch[i])
			touched += p.table[slot/slotPage][slot%slotPage]
		}
		p.touched = touched
		for i, hash := range batch {
			p.file(first+uint32(i), hash)
		}
	}
}

// file enters a number that the table does not have.
func (p *numbered) file(at uint32, hash uint64) {
	slot := p.position(hash)
	for p.table[slot/slotPage][slot%slotPage] != 0 {
		if slot++; slot == uint64(len(p.table))*slotPage {
			slot = 0
		}
	}
	p.table[slot/slotPage][slot%slotPage] = uint32(hash)&^p.idMask | (at + 1)
}

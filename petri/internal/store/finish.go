package store

// A Finished store is a Shared one that is made a Store, whose numbers are dense: each chunk but the
// last is full. Full chunks come first, in their order; the markings of the others, one for each
// arena at most, lie together after them. Nothing is written twice but these.
type Finished struct {
	*Store
	shift uint8
	first []Number // of the markings of each chunk
}

// FinishBytes returns the space that Finish takes in addition.
func (s *Shared) FinishBytes() int { return (s.threads + 1) * (s.bytes<<s.shift + spare) }

// Finish makes s a Store, once nothing is interned any more; s is void then. Renumber is to be called
// for each chunk of the table. Arenas are all there are.
func (s *Shared) Finish(arenas []*Arena) *Finished {
	count := gather(arenas)
	f := &Finished{Store: &Store{words: s.words, bytes: s.bytes, shift: s.shift, table: s.table, slots: s.slots, idMask: s.idMask}, shift: s.shift}
	f.count = uint32(count)
	f.grow = uint32(min(s.slots*maxLoad/16, uint64(s.idMask)-1, MaxStates))
	f.lastMask = lastMask(s.words, s.bytes)
	used := s.used.Load()
	f.first = make([]Number, used)
	for c := range used {
		if s.shares[c].filled == 1<<s.shift {
			f.first[c] = Number(len(f.chunks)) << s.shift
			f.chunks = append(f.chunks, s.chunks[c][spare:])
		}
	}
	next := Number(len(f.chunks)) << s.shift
	for c := range used {
		if n := s.shares[c].filled; n < 1<<s.shift {
			f.first[c] = next
			f.copyTo(next, s.chunks[c][spare:spare+int(n)*s.bytes])
			next += n
		}
	}
	return f
}

// copyTo copies markings that lie one after the other to where numbers from n on lie, which is behind
// all that are there.
func (s *Store) copyTo(n Number, markings []byte) {
	size := s.bytes << s.shift
	for len(markings) > 0 {
		at := int(n&(1<<s.shift-1)) * s.bytes
		if at == 0 {
			s.chunks = append(s.chunks, make([]byte, size+spare))
		}
		copied := copy(s.chunks[n>>s.shift][at:size], markings)
		markings = markings[copied:]
		n += Number(copied / s.bytes)
	}
}

// Of returns what has become of the number n of the shared store.
func (f *Finished) Of(n Number) Number { return f.first[n>>f.shift] + n&(1<<f.shift-1) }

// Tables returns how many chunks the table has.
func (f *Finished) Tables() int { return len(f.table) }

// Renumber writes the new numbers to chunk i of the table. Each thread may do so for other chunks.
func (f *Finished) Renumber(i int) {
	table, mask := f.table[i], f.idMask
	for slot, e := range table {
		if e != 0 {
			table[slot] = e&^mask | (f.Of(e&mask-1) + 1)
		}
	}
}

package subsets

import (
	"math/bits"

	"pnmc/internal/bitset"
)

// Both lie on the stack while something is asked.
const (
	wordsAtATime = 64  // of a row
	mostLikely   = 256 // sets that were looked at and not refuted
)

// Within appends the numbers of all sets that lie within the given one to found, in no order. It also returns about
// how many words and sets it looked at.
func (x *Index) Within(given []uint64, found []uint32) (_ []uint32, looks int) {
	found, looks = x.usual.within(given, found)
	var likely [mostLikely]uint32
	n := 0
	for i, word := range x.firsts {
		for word &= given[i]; word != 0; word &= word - 1 {
			from := (i*64 + bits.TrailingZeros64(word)) * x.words
			looks += x.words
			for j, of := range x.partners[from : from+x.words] {
				for both := of.set & given[j]; both != 0; both &= both - 1 {
					group := of.before + uint32(bits.OnesCount64(of.set&(both&-both-1)))
					first, end := x.group[group], x.group[group+1]
					looks += int(end - first)
					for first < end {
						if n > mostLikely/2 {
							found, n = x.check(likely[:n], given, found), 0
						}
						last := min(end, first+mostLikely/2)
						for k, p := range x.further[first:last] { // a branch here would be guessed wrongly too often
							likely[n] = first + uint32(k)
							n += int(bitset.Bit(given, p[0]) & bitset.Bit(given, p[1]))
						}
						first = last
					}
				}
			}
		}
	}
	return x.check(likely[:n], given, found), looks
}

// check appends those of the likely sets that lie within the given one.
func (x *Index) check(likely []uint32, given []uint64, found []uint32) []uint32 {
next:
	for _, i := range likely {
		m := &x.sets[i]
		for _, p := range x.rest[m.first:m.end] {
			if !bitset.Has(given, p) {
				continue next
			}
		}
		found = append(found, m.set)
	}
	return found
}

// within appends the usual sets that lie within the given one.
func (u *usual) within(given []uint64, found []uint32) (_ []uint32, looks int) {
	for from := 0; from < len(u.all); from += wordsAtATime {
		var words [wordsAtATime]uint64
		left := words[:copy(words[:], u.all[from:])]
		rows := u.takeAway(left, from, given)
		looks += rows * len(left)
		for w, word := range left {
			for ; word != 0; word &= word - 1 {
				found = append(found, u.sets[(from+w)*64+bits.TrailingZeros64(word)])
			}
		}
	}
	return found, looks
}

// takeAway takes sets off left that have numbers which are not given, until none is left. It returns how many rows it
// looked at. Left begins with that word of the rows.
func (u *usual) takeAway(left []uint64, from int, given []uint64) (rows int) {
	for i, word := range u.needed {
		for word &^= given[i]; word != 0; word &= word - 1 {
			some := uint64(0)
			row := u.rows[int(u.row[i*64+bits.TrailingZeros64(word)])+from:][:len(left)]
			for w := range row {
				left[w] &^= row[w]
				some |= left[w]
			}
			if rows++; some == 0 {
				return rows
			}
		}
	}
	return rows
}

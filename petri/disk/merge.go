package disk

import "slices"

// A merger gives the keys of several streams in one order, each once.
type merger struct {
	heads []head // a heap, the least first
	last  []uint64
	begun bool
}

// head is a stream that is not over, with the first word of its next key.
type head struct {
	first uint64
	*stream
}

// less compares the next keys of two streams, word by word.
func (a *head) less(b *head) bool {
	if a.first != b.first {
		return a.first < b.first
	}
	return a.words > 1 && slices.Compare(a.current[1:], b.current[1:]) < 0
}

// newMerger makes a heap of the streams that have a key.
func newMerger(words int, streams []*stream) *merger {
	m := &merger{last: make([]uint64, words)}
	for _, s := range streams {
		if !s.over() {
			m.heads = append(m.heads, head{s.current[0], s})
		}
	}
	for i := len(m.heads)/2 - 1; i >= 0; i-- {
		m.sink(i)
	}
	return m
}

// sink restores the heap below i.
func (m *merger) sink(i int) {
	for {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(m.heads); child++ {
			if m.heads[child].less(&m.heads[least]) {
				least = child
			}
		}
		if least == i {
			return
		}
		m.heads[i], m.heads[least] = m.heads[least], m.heads[i]
		i = least
	}
}

// next returns the next key, valid until the one after it, or nil if there is none.
func (m *merger) next() ([]uint64, error) {
	for len(m.heads) > 0 {
		h := &m.heads[0]
		isNew := !m.begun || !slices.Equal(m.last, h.current)
		if isNew {
			copy(m.last, h.current)
			m.begun = true
		}
		if err := h.next(); err != nil {
			return nil, err
		}
		if h.over() {
			last := len(m.heads) - 1
			m.heads[0] = m.heads[last]
			m.heads = m.heads[:last]
		} else {
			h.first = h.current[0]
		}
		m.sink(0)
		if isNew {
			return m.last, nil
		}
	}
	return nil, nil
}

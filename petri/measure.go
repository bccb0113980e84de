package petri

// measure sums up and compares token counts of packed markings, field by field.
type measure struct {
	layout *Layout
	counts []measuredField
	groups []measuredField
	// fixed is the tokens that all markings have in groups always marked.
	fixed   int64
	implied []int64
}

type measuredField struct {
	mask  uint64
	word  uint32
	shift uint32
}

func newMeasure(l *Layout) *measure {
	m := &measure{layout: l, implied: make([]int64, len(l.implied))}
	for i := range l.fields {
		f := &l.fields[i]
		x := measuredField{mask: f.mask(), word: uint32(f.word), shift: uint32(f.shift)}
		switch {
		case !f.group():
			m.counts = append(m.counts, x)
		case f.offset == 0:
			m.fixed++
		default:
			m.groups = append(m.groups, x)
		}
	}
	return m
}

// observe raises the maxima of r to those of a marking.
func (m *measure) observe(packed []uint64, r *Statistics) {
	sum, most := m.fixed, min(m.fixed, 1)
	for _, f := range m.counts {
		v := int64(packed[f.word] & f.mask >> f.shift)
		sum = saturatingAdd(sum, v)
		most = max(most, v)
	}
	for _, f := range m.groups {
		if packed[f.word]&f.mask != 0 {
			sum = saturatingAdd(sum, 1)
			most = max(most, 1)
		}
	}
	for i := range m.implied {
		v := m.layout.impliedTokens(packed, i)
		sum = saturatingAdd(sum, v)
		most = max(most, v)
	}
	r.MaxTokensPerMarking = max(r.MaxTokensPerMarking, sum)
	r.MaxTokensInPlace = max(r.MaxTokensInPlace, most)
}

// saturatingAdd is a+b for non-negative numbers, 2^63-1 if that is less.
func saturatingAdd(a, b int64) int64 {
	if a+b < 0 {
		return 1<<63 - 1
	}
	return a + b
}

package pnml

import "unsafe"

// meter asks Reader.Limit while a net is made of elements. Once the limit has said no, it is not asked
// again, and all that reads ends soon (findings.full).
//
// A short text may stand for much. A partition has a number for each of a million colours, the name
// of a part stands for all colours in it, and tuples of sums are multiplied out. So whatever makes
// more than the text is long asks for its bytes before it makes them. Work is asked for, too, a
// nanosecond as a byte: the limit is that of time as well, and looks at its clock after so many
// bytes.
type meter struct {
	limit func(bytes int) error // that of the Reader, or nil
	ended error                 // what it has said
}

// room asks for bytes, or for work. It reports whether to go on.
func (m *meter) room(bytes int) bool {
	if m.ended == nil && m.limit != nil {
		m.ended = m.limit(bytes)
	}
	return m.ended == nil
}

// roomFor asks m for room to append n elements to s: for what they take, or for what the slice grows
// to if they don't fit.
func roomFor[T any](m *meter, s []T, n int) bool {
	size := int(unsafe.Sizeof(*new(T)))
	if len(s)+n <= cap(s) {
		return m.room(n * size)
	}
	return m.room((len(s) + len(s)/4 + n) * size)
}

package dot

// bytesBetweenAsks is how much may be made before the limit is asked: some tens of microseconds.
const bytesBetweenAsks = 1 << 16

// room asks the limit of a reader for what is made of a drawing.
type room struct {
	limit   func(bytes int) error // or nil
	unasked int                   // bytes made since limit was asked
	full    error                 // what limit said
}

// ask asks for so many bytes before they are made, for small amounts once they have come together.
func (r *room) ask(bytes int) error {
	if r.limit == nil || r.full != nil {
		return r.full
	}
	if r.unasked += bytes; r.unasked >= bytesBetweenAsks {
		r.full = r.limit(r.unasked)
		r.unasked = 0
	}
	return r.full
}

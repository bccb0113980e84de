// Package longtoken keeps single tokens of texts within the memory.
//
// In comes how long the present token of a text has become; out goes the reason to read no further.
// Readers keep a token in a buffer that doubles, and copy it once it is there. A file, or some
// kilobytes of a compressed one, can have a token that fills all memory that way: a name, a comment,
// blanks. So whoever collects a token asks here before its buffer grows, and no token is longer than
// Most. The readers of nets, automata and properties, packages pnml, hoa, dot and query, are next.
package longtoken

import "fmt"

const (
	// Most is the length of the longest token that is read, in bytes. It is beyond any name or
	// comment that was ever written in earnest, and what copies one needs is within what a process
	// may be larger than its limit of memory.
	Most = 16 << 20
	// Short is the length of tokens that are not asked for, in bytes.
	Short = 64 << 10
)

// Error says that a token is too long.
type Error struct{}

// Error says how long a token may be.
func (*Error) Error() string {
	return fmt.Sprintf("a name, text or comment longer than %d bytes, expected a shorter one", Most)
}

// Room is what a buffer of tokens has. The zero value has that of short tokens, and no limit.
type Room struct {
	// Limit, unless nil, is asked for the bytes that the buffer takes when it grows.
	Limit func(bytes int) error
	held  int // the length up to which was asked
}

// Next returns the length at which a token has to ask again.
func (r *Room) Next() int { return min(max(r.held, Short), Most) }

// Grow asks for room for a token that has that length and goes on. An error is that of the limit, or
// says that the token is too long.
//
// What is asked for is four times the length. Nobody knows when exactly a buffer that doubles does
// so until the token is twice as long as now: with almost twice the length, to almost four times
// of it.
func (r *Room) Grow(length int) error {
	switch {
	case length >= Most:
		return &Error{}
	case length < r.Next():
		return nil
	}
	if r.Limit != nil {
		if err := r.Limit(4 * length); err != nil {
			return err
		}
	}
	r.held = 2 * length
	return nil
}

// Copy asks for a copy of a token of that length, before it is made. Short ones are not asked for.
func (r *Room) Copy(length int) error {
	if length < Short || r.Limit == nil {
		return nil
	}
	return r.Limit(length)
}

// Shorten returns text for a message: if it is long, its beginning and dots.
func Shorten(text string) string {
	const most = 200
	if len(text) <= most {
		return text
	}
	return text[:most] + "…"
}

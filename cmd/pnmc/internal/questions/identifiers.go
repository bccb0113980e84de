package questions

import (
	"context"
	"maps"
	"slices"

	"pnmc/petri/symmetric"
)

// identifiers are those of a coloured net's nodes, by their lengths.
//
// A text of a megabyte may be asked about a net of a hundred thousand nodes, so that it is not searched for each of them. For each
// underscore in it, the bytes before that are looked up, as many as identifiers have: of most nets these are a few lengths. What
// is left of hostile ones, many underscores and many long identifiers, looks at the time.
type identifiers struct {
	known   map[string]struct{}
	lengths []int // ascending
}

// identifiersOf returns those of all places and transitions.
func identifiersOf(net *symmetric.Net) *identifiers {
	i := &identifiers{known: make(map[string]struct{}, len(net.Places)+len(net.Transitions))}
	lengths := make(map[int]struct{})
	add := func(id string) { i.known[id], lengths[len(id)] = struct{}{}, struct{}{} }
	for p := range net.Places {
		add(net.Places[p].ID)
	}
	for t := range net.Transitions {
		add(net.Transitions[t].ID)
	}
	i.lengths = slices.Sorted(maps.Keys(lengths))
	return i
}

// lookBytes is how many bytes are looked up between two looks at the time, a millisecond or so; each identifier counts
// for some more, as it takes time to find a short one, too.
const (
	lookBytes        = 1 << 18
	bytesOfLookingUp = 64
)

// beforeUnderscore reports whether one of them stands in text before an underscore. It reports false if ctx ends.
func (i *identifiers) beforeUnderscore(ctx context.Context, text string) bool {
	looked := 0
	for at := range len(text) {
		if looked++; text[at] == '_' {
			for _, length := range i.lengths {
				if length > at {
					break
				}
				if _, known := i.known[text[at-length:at]]; known {
					return true
				}
				if looked += length + bytesOfLookingUp; looked > lookBytes && ctx.Err() != nil {
					return false
				}
				looked %= lookBytes
			}
		}
	}
	return false
}

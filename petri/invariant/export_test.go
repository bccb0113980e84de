package invariant

import "pnmc/petri"

// MixBadly has all places count alike in sums of effects until the result is called.
func MixBadly() (end func()) {
	well := mixed
	mixed = func(petri.Place) uint64 { return 1 }
	return func() { mixed = well }
}

package petri

import "sync/atomic"

// NUPN is a nested-unit Petri net structure (Garavel, "Nested-unit Petri nets",
// 2019): places belong to units, units nest.
type NUPN struct {
	// Units in document order; Root is the index of the unit that holds all.
	Units []Unit
	Root  int
	// Safe is the document's claim that the net is unit-safe. Then no unit has two
	// marked places at a time, and a marked place of a unit excludes marked places in
	// the units nested in it. It is a claim: whoever relies on it says so.
	Safe bool
	// Likely says of a net that was made of one with this claim that nobody claims it of this net, but
	// that it is likely: nearly all of its places have the tokens that they have there. Decision diagrams
	// are laid out by it, and what is found is checked; where it fails nobody is told.
	Likely bool

	refuted atomic.Pointer[FalseClaim]
}

// Unit is one unit of a NUPN: the places that are its own, and the indices of
// the units nested directly in it.
type Unit struct {
	ID       string
	Places   []Place
	Subunits []int
}

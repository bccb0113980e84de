package checker

// What steps of a product cost, in bytes or nanoseconds, whichever is more: an edge that is
// looked at, and a state that is met.
const (
	edgeWork  = 8
	stateWork = 256
)

// edgesBetweenCharges is how many edges a product looks at before it charges them.
const edgesBetweenCharges = 1 << 12

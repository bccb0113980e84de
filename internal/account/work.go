package account

// What steps of a product cost, in bytes or nanoseconds, whichever is more: an edge that is
// looked at, and a state that is met.
const (
	EdgeWork  = 8
	StateWork = 256
)

// EdgesBetweenCharges is how many edges a product looks at before it charges them.
const EdgesBetweenCharges = 1 << 12

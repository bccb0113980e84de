// Package bounds decides questions by proven facts of a net. In come place invariants and
// bounds of places, and sums and state predicates; out come bounds of the sums, and whether a
// predicate can hold, or fail, in a marking within the bounds. The first engine that looks at
// atoms asks it, and predicates are simplified by it.
package bounds

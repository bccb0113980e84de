// Package replay fires runs of symmetric nets by the definitions alone.
//
// In comes a symmetric.Net, and the bindings that an engine says can be fired one after the other. A Run
// fires them, or tells why that cannot be; it also tells which transitions are enabled in its marking, and
// whether two runs ended in the same one. It shares no code with symmetric.Walk, whose runs it confirms, but
// for what expressions and guards come to. Package checker shows no run of a coloured net before it is replayed.
//
//	replay.go   markings, and how bindings are fired
//	enabled.go  a search for an enabled binding
//
// Firing is defined in ISO/IEC 15909-1, "High-level Petri nets" (2019).
package replay

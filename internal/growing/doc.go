// Package growing has slices that grow without being copied, for paths and tables of
// millions of entries. In come entries, one at a time or by number; out they go by the same number.
// Stores, products and searches keep states, edges and paths in them.
package growing

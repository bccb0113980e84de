// Package growing has slices that grow without being copied, for paths and tables of
// millions of entries. Searches put their states on them; it imports nothing of the module.
package growing

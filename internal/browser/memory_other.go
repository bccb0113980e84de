//go:build !linux

package browser

// MemoryBytes returns unknown here.
func (b *Browser) MemoryBytes() (all, page float64) { return 0, 0 }

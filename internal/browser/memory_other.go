//go:build !linux

package browser

// MemoryBytes is unknown here.
func (b *Browser) MemoryBytes() (all, page float64) { return 0, 0 }

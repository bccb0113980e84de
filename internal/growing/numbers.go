package growing

// Numbers is a growing sequence of 32-bit numbers in chunks that never move, so
// that growth neither copies nor holds old and new at once. A slice of a hundred million numbers
// needs 400 MB, and up to 900 MB for the moment in which append makes it larger; a sequence needs a
// chunk of 256 KB more.
type Numbers struct {
	chunks [][]uint32
	Length int
}

const numbersPerChunk = 1 << 16

// Append adds v at the end.
func (c *Numbers) Append(v uint32) {
	if c.Length%numbersPerChunk == 0 {
		c.chunks = append(c.chunks, make([]uint32, numbersPerChunk))
	}
	c.chunks[c.Length/numbersPerChunk][c.Length%numbersPerChunk] = v
	c.Length++
}

// At returns the i-th number.
func (c *Numbers) At(i uint32) uint32 { return c.chunks[i/numbersPerChunk][i%numbersPerChunk] }

// Set makes the i-th number v.
func (c *Numbers) Set(i, v uint32) { c.chunks[i/numbersPerChunk][i%numbersPerChunk] = v }

// GrowTo makes the length at least n, with zeros.
func (c *Numbers) GrowTo(n int) {
	for len(c.chunks)*numbersPerChunk < n {
		c.chunks = append(c.chunks, make([]uint32, numbersPerChunk))
	}
	c.Length = max(c.Length, n)
}

// MemoryBytes returns what the chunks take.
func (c *Numbers) MemoryBytes() int64 { return int64(len(c.chunks)) * numbersPerChunk * 4 }

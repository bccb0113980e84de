package petri

// chunked is a growing sequence of 32-bit numbers in chunks that never move, so
// that growth neither copies nor holds old and new at once.
type chunked struct {
	chunks [][]uint32
	length int
}

const numbersPerChunk = 1 << 16

func (c *chunked) append(v uint32) {
	if c.length%numbersPerChunk == 0 {
		c.chunks = append(c.chunks, make([]uint32, numbersPerChunk))
	}
	c.chunks[c.length/numbersPerChunk][c.length%numbersPerChunk] = v
	c.length++
}

func (c *chunked) at(i uint32) uint32 { return c.chunks[i/numbersPerChunk][i%numbersPerChunk] }

func (c *chunked) set(i, v uint32) { c.chunks[i/numbersPerChunk][i%numbersPerChunk] = v }

// growTo makes the length at least n, with zeros.
func (c *chunked) growTo(n int) {
	for len(c.chunks)*numbersPerChunk < n {
		c.chunks = append(c.chunks, make([]uint32, numbersPerChunk))
	}
	c.length = max(c.length, n)
}

func (c *chunked) memoryBytes() int64 { return int64(len(c.chunks)) * numbersPerChunk * 4 }

package multicore

// SetYield has f called where another thread may come between, until the function that it
// returns is called.
func SetYield(f func()) (reset func()) {
	yield = f
	return func() { yield = nil }
}

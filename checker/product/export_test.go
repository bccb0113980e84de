package product

// ForTests has f called where another thread may come between, and threads meet after each step
// markings, of which at most batch are interned at a time. With far, no run is looked for near the
// initial states.
func (t *Threads) ForTests(f func(), step, batch int, far bool) {
	t.knobs.yield, t.knobs.step, t.knobs.batch, t.knobs.far = f, step, batch, far
}

package multicore

// ForTests has f called where another thread may come between, the table filled anew after
// each step markings, and at most batch markings interned at a time. It lasts until the function
// that it returns is called.
func ForTests(f func(), step, batch int) (reset func()) {
	knobs = forTests{f, step, batch}
	return func() { knobs = forTests{} }
}

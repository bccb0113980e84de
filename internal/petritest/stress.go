package petritest

import (
	"flag"
	"time"

	"pgregory.net/rapid"
)

// Flags of tests that go on for as long as one likes.
var (
	stress        = flag.Duration("stress", 0, "compare with naive twins for so long, in tests that are left out else")
	stressThreads = flag.Int("stress-threads", 0, "with so many threads each time, instead of 2 to 8")
)

// Stress returns a function that reports whether a test is to go on, as -stress says. It skips the test without that flag.
func Stress(t interface {
	Helper()
	Skip(args ...any)
	Failed() bool
}) (goesOn func() bool) {
	t.Helper()
	if *stress == 0 {
		t.Skip("runs for as long as -stress says")
	}
	end := time.Now().Add(*stress)
	return func() bool { return time.Now().Before(end) && !t.Failed() }
}

// Threads draws how many threads there are: 2 to 8, or as many as -stress-threads says.
func Threads(t *rapid.T) int { return ThreadsOr(rapid.IntRange(2, 8).Draw(t, "threads")) }

// ThreadsOr returns as many threads as -stress-threads says, or else those drawn.
func ThreadsOr(drawn int) int {
	if *stressThreads > 0 {
		return *stressThreads
	}
	return drawn
}

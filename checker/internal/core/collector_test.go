package core

import (
	"runtime/debug"
	"testing"
)

// TestLimitOfTheCollector: while solvers with a limit are at work the collector's limit is the
// sum of theirs, and afterwards what it was.
func TestLimitOfTheCollector(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	first := limitCollector(1 << 30)
	second := limitCollector(2 << 30)
	if got := debug.SetMemoryLimit(-1); got != min(before, 3<<30) {
		t.Errorf("the limit of two is %d", got)
	}
	first()
	if got := debug.SetMemoryLimit(-1); got != min(before, 2<<30) {
		t.Errorf("the limit of one is %d", got)
	}
	second()
	if got := debug.SetMemoryLimit(-1); got != before {
		t.Errorf("the limit is %d afterwards, was %d", got, before)
	}
}

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

// TestCollectorOfUnlimitedSolvers: one solver without a limit is not held to that of another, in
// whatever order they begin and end.
func TestCollectorOfUnlimitedSolvers(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	limited, unlimited := NewShared(Settings{MemoryBytes: 1 << 30}, 0), NewShared(Settings{}, 0)
	held := func() bool { return debug.SetMemoryLimit(-1) != before }
	first := limited.LimitCollector()
	if !held() {
		t.Error("a limit is not kept")
	}
	second, third := unlimited.LimitCollector(), unlimited.LimitCollector()
	if held() {
		t.Error("solvers without a limit are held to one")
	}
	second()
	if held() {
		t.Error("a solver without a limit is held to one")
	}
	if third(); !held() {
		t.Error("the limit is not kept after a solver without one")
	}
	if first(); held() {
		t.Error("a limit is left")
	}
}

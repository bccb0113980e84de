package turns

import "testing"

// TestRoom: what failed is tried again with a quarter more memory, not with less.
func TestRoom(t *testing.T) {
	free := int64(1000)
	m := &Room[int]{free: func() int64 { return free }, had: make(map[int]int64), drop: func() {}}
	if !m.suffices(1) {
		t.Error("what never failed may not be tried")
	}
	m.failed(1, free)
	for _, step := range []struct {
		free int64
		want bool
	}{{500, false}, {1000, false}, {1250, false}, {1251, true}} {
		if free = step.free; m.suffices(1) != step.want {
			t.Errorf("with %d bytes after %d: %t", free, m.had[1], !step.want)
		}
	}
	if free = 0; !m.suffices(2) {
		t.Error("another search waits too")
	}
}

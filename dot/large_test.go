package dot_test

import (
	"strings"
	"testing"

	"pnmc/dot"
)

// TestTooManyStatesWithoutEdges: a drawing that is too large for its states, and has no edge, is told
// with the place of a state.
func TestTooManyStatesWithoutEdges(t *testing.T) {
	r := dot.NewReader(strings.NewReader("digraph G {\n 0 [style=invis]\n 0 -> 1\n 1 [label=\"init\"]\n 2 [label=\"2\"]\n 3 [label=\"3\"]\n}\n"), "")
	r.AssumeSets(1 << 30)
	if _, err := r.Read(); err == nil || !strings.HasPrefix(err.Error(), "6:2: too large: 3 states and edges") {
		t.Errorf("%v", err)
	}
}

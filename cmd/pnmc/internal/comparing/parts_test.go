package comparing

import (
	"slices"
	"testing"
)

// TestCrossParts: the line of progress tells which formula is at hand, and how many
// translations of it there are, or that they are compared.
func TestCrossParts(t *testing.T) {
	if parts := crossParts(2, 5, 3, 6); !slices.Equal(parts, []string{"formula 2 of 5", "3 of 6 translations"}) {
		t.Errorf("%q", parts)
	}
	if parts := crossParts(2, 5, 6, 6); !slices.Equal(parts, []string{"formula 2 of 5", "comparing"}) {
		t.Errorf("%q", parts)
	}
}

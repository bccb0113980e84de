package page

import (
	"math"
	"slices"
	"testing"

	"pnmc/petri/symmetric"
)

// TestBindingOfHugeClasses: colours are found by their names at once, however many a class
// has.
func TestBindingOfHugeClasses(t *testing.T) {
	numbers := &symmetric.Class{Name: "numbers", Start: -5, Size: math.MaxInt64 / 2}
	names := &symmetric.Class{Name: "names", Size: 3, Constants: []string{"red", "green", "blue"}}
	transition := &symmetric.Transition{Variables: []symmetric.VariableDeclaration{{Name: "x", Class: numbers}, {Name: "y", Class: names}}}
	binding := []int64{math.MaxInt64/2 - 1, 2}
	got, ok := readBinding(transition, transition.Binding(binding))
	if !ok || !slices.Equal(got, binding) {
		t.Errorf("%s is %v, expected %v", transition.Binding(binding), got, binding)
	}
	for _, wrong := range []string{"x=-6,y=red", "x=1,y=pink", "x=+1,y=red", "x=1"} {
		if got, ok := readBinding(transition, wrong); ok {
			t.Errorf("%s is %v", wrong, got)
		}
	}
}

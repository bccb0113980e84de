package suggest

import (
	"fmt"
	"slices"
	"strings"
)

// Names are the names of a small enumeration, each at the place of its value.
type Names[T ~uint8] []string

// Of returns the name of a value.
func (n Names[T]) Of(v T) string { return n[v] }

// All returns the names in the order of their values.
func (n Names[T]) All() []string { return slices.Clone(n) }

// Parse returns the inverse of Of. An error lists the names there are.
func (n Names[T]) Parse(name string) (T, error) {
	if i := slices.Index(n, name); i >= 0 {
		return T(i), nil
	}
	return 0, fmt.Errorf("expected one of %s, found %q", strings.Join(n, ", "), name)
}

package firstword_test

import (
	"fmt"
	"io"
	"strings"

	"pnmc/internal/firstword"
)

func ExampleOf() {
	text, first := firstword.Of(strings.NewReader("/* Spot */ digraph G {}"))
	all, err := io.ReadAll(text)
	fmt.Println(first == firstword.Drawing, string(all), err)
	// Output:
	// true /* Spot */ digraph G {} <nil>
}

package suggest_test

import (
	"fmt"

	"pnmc/internal/suggest"
)

func ExampleDidYouMean() {
	fmt.Println("no place eatnig" + suggest.DidYouMean("eatnig", []string{"eating", "thinking"}))
	// Output:
	// no place eatnig; did you mean "eating"?
}

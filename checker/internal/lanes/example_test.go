package lanes_test

import (
	"context"
	"fmt"
	"sync/atomic"

	"pnmc/checker/internal/lanes"
)

// Three lanes share two threads; all of them are done when Run returns.
func ExampleTurnstile() {
	var done atomic.Int32
	lane := func(context.Context) { done.Add(1) }
	lanes.NewTurnstile(2).Run(context.Background(), lane, lane, lane)
	fmt.Println(done.Load())
	// Output: 3
}

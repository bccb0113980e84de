package turns_test

import (
	"context"
	"fmt"
	"slices"
	"time"

	"pnmc/checker/internal/turns"
)

// What is easy is decided in the first round, what is hard in a later one, with longer slices.
func ExampleQueue() {
	need := map[string]time.Duration{"easy": time.Second, "hard": 5 * time.Second}
	open := []string{"hard", "easy"}
	queue := turns.Queue[string]{First: time.Second, Growth: 2}
	queue.Open = func() []string { return slices.Clone(open) }
	queue.IsOpen = func(name string) bool { return slices.Contains(open, name) }
	queue.Try = func(_ context.Context, name string, slice time.Duration) (turns.Outcome, error) {
		fmt.Println(name, slice)
		if slice >= need[name] {
			open = slices.DeleteFunc(open, func(s string) bool { return s == name })
		}
		return turns.Again, nil
	}
	fmt.Println(queue.Run(context.Background()))
	// Output:
	// hard 1s
	// easy 1s
	// hard 2s
	// hard 4s
	// hard 8s
	// <nil>
}

package exit_test

import (
	"errors"
	"fmt"
	"testing"

	"pnmc/cmd/pnmc/internal/exit"
)

func ExampleUsageError() {
	err := fmt.Errorf("net.pnml: %w", exit.UsageError("--threads: expected a number from 1 on, found %d", 0))
	var failure *exit.Failure
	fmt.Println(errors.As(err, &failure), failure.Code, failure)
	// Output: true 3 --threads: expected a number from 1 on, found 0
}

// TestOutcome: of several codes the largest is taken, but that a violation outweighs an
// unknown verdict.
func TestOutcome(t *testing.T) {
	for outcome, want := range map[exit.Outcome]int{
		{Unknown: true}:                            exit.Unknown,
		{Violated: true, Unknown: true}:            exit.Violated,
		{Bad: true, Violated: true, Unknown: true}: exit.Input,
		{Bug: true, Bad: true, Violated: true}:     exit.Internal,
	} {
		var failure *exit.Failure
		if err := outcome.Err(); !errors.As(err, &failure) || failure.Code != want || failure.Error() != "" {
			t.Errorf("%+v: %v, expected code %d and nothing to say", outcome, err, want)
		}
	}
	if err := (exit.Outcome{}).Err(); err != nil {
		t.Errorf("nothing is wrong: %v", err)
	}
}

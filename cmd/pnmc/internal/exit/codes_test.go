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

// TestOutcomeAndFailure: the codes of what ended a command and of its outcome are weighed as those
// of the outcome are, and the message stays.
func TestOutcomeAndFailure(t *testing.T) {
	late := errors.New("time limit reached while it was read")
	for _, x := range []struct {
		outcome exit.Outcome
		code    int
		want    int
	}{
		{exit.Outcome{}, exit.Unknown, exit.Unknown},
		{exit.Outcome{Violated: true}, exit.Unknown, exit.Violated},
		{exit.Outcome{Violated: true}, exit.Input, exit.Input},
		{exit.Outcome{Bug: true}, exit.Input, exit.Internal},
		{exit.Outcome{Violated: true}, exit.Usage, exit.Usage},
	} {
		for _, err := range []error{exit.With(x.code, late), fmt.Errorf("file: %w", exit.With(x.code, late))} {
			var failure *exit.Failure
			if got := x.outcome.And(err); !errors.As(got, &failure) || failure.Code != x.want || got.Error() != err.Error() {
				t.Errorf("%+v and %v of code %d: %v, expected code %d", x.outcome, err, x.code, got, x.want)
			}
		}
	}
	if err := (exit.Outcome{Violated: true}).And(late); err != late {
		t.Errorf("an error without code became %v", err)
	}
	var failure *exit.Failure
	if err := (exit.Outcome{Violated: true}).And(exit.With(exit.Unknown, nil)); !errors.As(err, &failure) || failure.Err != nil || failure.Code != exit.Violated {
		t.Errorf("with nothing to say: %v", err)
	}
}

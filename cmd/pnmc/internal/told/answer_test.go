package told_test

import (
	"fmt"
	"os"

	"pnmc/cmd/pnmc/internal/told"
)

func ExampleAnswer_Line() {
	deadlock := told.Answer{Name: "deadlock", Kind: told.Deadlock, Verdict: told.Holds, Techniques: []string{"RANDOM_WALK"}}
	bound := told.Answer{Name: "bound p", Kind: told.Bound, Verdict: told.Value, Value: "infinite", Techniques: []string{"EXPLICIT"}}
	open := told.Answer{Name: "live", Kind: told.Live, Verdict: told.Unknown}
	fmt.Print(deadlock.Line(), bound.Line(), open.Line())
	// Output:
	// FORMULA deadlock TRUE TECHNIQUES RANDOM_WALK
	// FORMULA bound p +inf TECHNIQUES EXPLICIT
	// FORMULA live CANNOT_COMPUTE
}

func ExampleWriteRun() {
	run := told.Run{
		Prefix: []told.Step{{Transition: "t1", Times: 2}, {Transition: "t2", Name: "leave"}},
		Cycle:  []told.Step{{Deadlock: true}},
	}
	if err := told.WriteRun(os.Stdout, "counterexample to G p", &run); err != nil {
		fmt.Println(err)
	}
	// Output:
	// # counterexample to G p: 2 steps, then a cycle of 1
	// prefix
	//   t1  *2
	//   t2  # leave
	// cycle
	//   # deadlock: nothing fires
}

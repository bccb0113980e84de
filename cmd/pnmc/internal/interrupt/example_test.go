package interrupt_test

import (
	"context"
	"fmt"
	"os"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/interrupt"
	"pnmc/cmd/pnmc/internal/output"
)

// A command ends by itself soon after a signal, as its context does: then its exit code counts, and
// it has told what it knows.
func ExampleSupervise() {
	ctx, files := output.WithUnfinished(context.Background())
	ctx, cancel := context.WithCancelCause(ctx)
	signals := make(chan os.Signal, 1)
	signals <- os.Interrupt
	command := func() int {
		<-ctx.Done()
		fmt.Println("the user ended it:", interrupt.WasInterrupted(ctx))
		return exit.Unknown
	}
	stop := func() { cancel(interrupt.ErrInterrupted) }
	fmt.Println("exit code", interrupt.Supervise(command, signals, stop, files, "", os.Stderr))
	// Output:
	// the user ended it: true
	// exit code 2
}

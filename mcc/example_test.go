package mcc_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"pnmc/internal/petritest"
	"pnmc/mcc"
	"pnmc/pnml"
)

// Three philosophers at a table may all take the fork to their left.
func ExampleRun() {
	folder, err := os.MkdirTemp("", "philosophers")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	model, err := os.Create(filepath.Join(folder, "model.pnml"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer model.Close()
	if err := pnml.Write(model, petritest.Philosophers(3)); err != nil {
		fmt.Println(err)
		return
	}
	var lines strings.Builder
	err = mcc.Run(context.Background(), folder, "ReachabilityDeadlock", mcc.Options{Start: time.Now(), Time: time.Minute}, &lines)
	verdict, _, _ := strings.Cut(lines.String(), " TECHNIQUES")
	fmt.Println(verdict, err)
	// Output: FORMULA ReachabilityDeadlock TRUE <nil>
}

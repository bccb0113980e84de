package disk_test

import (
	"context"
	"fmt"
	"os"

	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/petri/disk"
)

// Markings go to files in a folder once they do not fit into memory any more. The figures are
// those of an exploration in memory.
func ExampleExplore() {
	below, err := os.MkdirTemp("", "states-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(below)
	folder, err := disk.NewFolder(below, 1<<30)
	if err != nil {
		panic(err)
	}
	defer folder.Remove()
	net := petritest.Philosophers(5)
	found, err := disk.Explore(context.Background(), net, petri.Facts{}, petri.Budget{}, disk.Options{Folder: folder})
	if err != nil {
		panic(err)
	}
	fmt.Println(found.States, "markings,", found.Deadlocks, "deadlocks,", found.Firings, "firings")
	// Output: 243 markings, 2 deadlocks, 945 firings
}

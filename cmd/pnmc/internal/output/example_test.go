package output_test

import (
	"fmt"
	"os"
	"path/filepath"

	"pnmc/cmd/pnmc/internal/output"
)

// A file that is being written is not there yet. It appears when it is kept, and never if it is
// discarded.
func ExampleCreate() {
	folder, err := os.MkdirTemp("", "output-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "table.csv")
	shown := func() string {
		text, err := os.ReadFile(path)
		if os.IsNotExist(err) {
			return "nothing"
		}
		return string(text)
	}
	for _, text := range []string{"half a table", "a table"} {
		file, err := output.Create(path)
		if err != nil {
			panic(err)
		}
		fmt.Fprint(file, text)
		fmt.Println("while it is written:", shown())
		if text == "a table" {
			err = file.Keep()
		} else {
			file.Discard()
		}
		fmt.Println("at the end:", shown(), err)
	}
	// Output:
	// while it is written: nothing
	// at the end: nothing <nil>
	// while it is written: nothing
	// at the end: a table <nil>
}

//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package process_test

import (
	"fmt"
	"os"
	"path/filepath"

	"pnmc/internal/process"
)

// A file that one has taken nobody else can, until it is closed or the process ends.
func ExampleLock() {
	folder, err := os.MkdirTemp("", "lock-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "journal")
	mine, err := os.Create(path)
	if err != nil {
		panic(err)
	}
	defer mine.Close()
	other, err := os.Open(path)
	if err != nil {
		panic(err)
	}
	defer other.Close()
	taken, err := process.Lock(mine)
	fmt.Println("taken by another:", taken, err)
	fmt.Println("free:", process.Free(other))
	mine.Close()
	fmt.Println("free:", process.Free(other))
	// Output:
	// taken by another: false <nil>
	// free: false
	// free: true
}

//go:build !race

package account

import (
	"os"
	"sync"
)

// statm is the file with the sizes of the process in pages, which stays open; nil if it can't be read.
var statm = sync.OnceValue(func() *os.File {
	f, err := os.Open("/proc/self/statm")
	if err != nil {
		return nil
	}
	return f
})

var pageSize = int64(os.Getpagesize())

// InUse returns the memory that the process has now: what is resident. It takes about a
// microsecond.
func InUse() int64 {
	var text [64]byte
	f := statm()
	if f == nil {
		return goMemory() + programBytes
	}
	n, _ := f.ReadAt(text[:], 0)
	pages, field := int64(0), 0
	for _, c := range text[:n] {
		switch {
		case c == ' ':
			field++
		case field == 1:
			pages = 10*pages + int64(c-'0')
		}
	}
	if pages == 0 {
		return goMemory() + programBytes
	}
	return pages * pageSize
}

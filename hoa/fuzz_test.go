package hoa

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// FuzzRead reads any text; what it reads must survive being written. The bounds
// on sizes are what keeps a short text from using much memory.
func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/*.hoa")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
		for part := range bytes.SplitAfterSeq(text, []byte("--END--\n")) {
			f.Add(part)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r := NewReader(bytes.NewReader(text), "")
		for {
			a, err := r.Read()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				continue
			}
			if a.States() > 1000 {
				continue // more than the text mentions
			}
			if err := roundTrip(a); err != nil {
				t.Fatal(err)
			}
		}
	})
}

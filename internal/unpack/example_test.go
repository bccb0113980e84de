package unpack_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"

	"pnmc/internal/unpack"
)

func ExampleReader() {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	io.WriteString(w, "G F p")
	w.Close()

	r, err := unpack.Reader(&packed, 1<<20)
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := io.ReadAll(r)
	fmt.Println(string(text), err)
	// Output:
	// G F p <nil>
}

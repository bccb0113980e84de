package pnml

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// FuzzRead reads any bytes. What is read must survive writing and reading
// again, but for white space and characters that cannot be written.
func FuzzRead(f *testing.F) {
	files, _ := filepath.Glob("testdata/accept/*.pnml")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte("\xfe\xff\x00<\x00p"))
	f.Fuzz(func(t *testing.T, text []byte) {
		document, err := Reader{}.ReadDocument(bytes.NewReader(text), "fuzz")
		if err != nil {
			if err.Error() == "" {
				t.Fatal("empty message")
			}
			return
		}
		net := document.Net
		if net == nil { // symmetric: FuzzReadSymmetric unfolds
			return
		}
		var first bytes.Buffer
		if err := Write(&first, net); err != nil {
			return
		}
		again, err := Reader{}.Read(bytes.NewReader(first.Bytes()), "again")
		if err != nil {
			t.Fatalf("%v in\n%s", err, first.String())
		}
		if !reflect.DeepEqual(net, again) {
			t.Fatalf("wrote\n%sread\n%s", describe(net), describe(again))
		}
	})
}

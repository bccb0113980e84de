package dot_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pnmc/automata"
	"pnmc/dot"
	"pnmc/hoa"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// compare compares text with a golden file.
func compare(t *testing.T, golden string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s: got\n%s\nwant\n%s", golden, got, want)
	}
}

// readHOA reads all automata of some text.
func readHOA(t testing.TB, r io.Reader, file string) (all []*automata.Automaton) {
	t.Helper()
	for reader := hoa.NewReader(r, file); ; {
		a, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, a)
	}
}

// TestWrite draws automata of each kind, whose HOA form is in testdata.
func TestWrite(t *testing.T) {
	files, err := filepath.Glob("testdata/*.hoa")
	if err != nil || len(files) == 0 {
		t.Fatal("no testdata", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		for _, a := range readHOA(t, bytes.NewReader(text), file) {
			if err := (dot.Style{}).Write(context.Background(), &got, a); err != nil {
				t.Fatal(err)
			}
		}
		compare(t, strings.TrimSuffix(file, ".hoa")+".golden", got.Bytes())
	}
}

func TestWriteErrorIsReturned(t *testing.T) {
	a := readHOA(t, strings.NewReader(`HOA: v1 Acceptance: 0 t --BODY-- --END--`), "")[0]
	broken := errors.New("disk full")
	if err := (dot.Style{}).Write(context.Background(), failing{broken}, a); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func Example() {
	const text = `HOA: v1 name: "G F a" Start: 0 AP: 1 "a" Acceptance: 1 Inf(0) --BODY-- State: 0 [0] 0 {0} [!0] 0 --END--`
	a, err := hoa.NewReader(strings.NewReader(text), "").Read()
	if err == nil {
		err = dot.Style{}.Write(context.Background(), os.Stdout, a)
	}
	if err != nil {
		panic(err)
	}
	// Output:
	// digraph "G F a" {
	//   rankdir=LR
	//   node [shape=circle]
	//   I0 [label="", style=invis, width=0]
	//   I0 -> 0
	//   0 [label="0"]
	//   0 -> 0 [label="a\n{0}"]
	//   0 -> 0 [label="!a"]
	// }
}

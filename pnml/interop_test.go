package pnml

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pnmc/internal/petritest"
)

// TestInterop reads nets that other tools keep in their repositories: each is read, or refused
// with the message that the golden file has.
func TestInterop(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(petritest.Shared(t, "interop"), "*.pnml"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	var got bytes.Buffer
	for _, path := range files {
		name := filepath.Base(path)
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		told := "read"
		if _, err := (Reader{}).ReadDocument(f, name); err != nil {
			told = strings.ReplaceAll(strings.ReplaceAll(err.Error(), name+":", ""), "\n", "; ")
		}
		f.Close()
		got.WriteString(name + "\t" + told + "\n")
	}
	const golden = "testdata/interop.golden"
	if *update {
		if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("got\n%s\nwant\n%s", &got, want)
	}
}

package logictest

import (
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Golden runs describe on the lines of a file in testdata that are neither
// empty, nor indented, nor comments, and compares the result with the indented
// line that follows.
func Golden(t *testing.T, file string, describe func(line string) string) {
	t.Helper()
	old, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, line := range strings.Split(strings.TrimSuffix(string(old), "\n"), "\n") {
		if strings.HasPrefix(line, "\t") {
			continue
		}
		b.WriteString(line + "\n")
		if line != "" && line[0] != '#' {
			b.WriteString("\t" + describe(line) + "\n")
		}
	}
	if *update {
		if err := os.WriteFile("testdata/"+file, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want := strings.Split(string(old), "\n")
	for i, line := range strings.Split(b.String(), "\n") {
		if i >= len(want) || line != want[i] {
			t.Fatalf("%s:%d: got %q, not what the file says", file, i+1, line)
		}
	}
}

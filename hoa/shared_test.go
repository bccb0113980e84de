package hoa

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pnmc/automata"
)

// sharedFiles returns the HOA files of the reference data, or skips the test.
func sharedFiles(t testing.TB) []string {
	t.Helper()
	var files []string
	for _, pattern := range []string{"../../shared/hoa/*/*.hoa", "../../shared/ltl/*/*.hoa"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	if len(files) == 0 {
		t.Skip("no reference data in ../shared")
	}
	return files
}

// readFile reads all automata of a file; errors are of single automata.
func readFile(t testing.TB, file string) (all []*automata.Automaton, errs []error) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := NewReader(f, file)
	for {
		a, err := r.Read()
		if errors.Is(err, io.EOF) {
			return all, errs
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		all = append(all, a)
	}
}

func TestSharedFilesAreRead(t *testing.T) {
	for _, file := range sharedFiles(t) {
		automata, errs := readFile(t, file)
		if filepath.Base(file) == "aut11.hoa" { // an alternating automaton
			if len(errs) != 1 || !strings.Contains(errs[0].Error(), "universal branching is not supported") {
				t.Errorf("%v", errs)
			}
			continue
		}
		for _, err := range errs {
			t.Errorf("%v", err)
		}
		if len(automata) == 0 {
			t.Errorf("%s: no automaton", file)
		}
	}
}

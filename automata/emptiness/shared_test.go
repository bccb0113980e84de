package emptiness_test

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pnmc/automata"
	"pnmc/automata/emptiness"
	"pnmc/hoa"
)

const sharedRandom = "../../checker/../../shared/hoa/random"

// readAutomata reads a stream of automata that is not part of the project.
func readAutomata(t *testing.T, path string) []*automata.Automaton {
	t.Helper()
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		t.Skipf("%s is not here", path)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var all []*automata.Automaton
	for r := hoa.NewReader(file, path); ; {
		a, err := r.Read()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, a)
	}
}

// readMatrix reads lines of 0 and 1; a line that starts with # is a comment.
func readMatrix(t *testing.T, path string) []string {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var lines []string
	for s := bufio.NewScanner(file); s.Scan(); {
		if line := strings.TrimSpace(s.Text()); line != "" && line[0] != '#' {
			lines = append(lines, line)
		}
	}
	return lines
}

// TestIntersectMatrices compares all pairs of a stream with what another tool
// found, and has each word judged by both automata.
func TestIntersectMatrices(t *testing.T) {
	for _, name := range []string{"gba", "sets20", "generic"} {
		t.Run(name, func(t *testing.T) {
			all := readAutomata(t, filepath.Join(sharedRandom, name+".hoa"))
			matrix := readMatrix(t, filepath.Join(sharedRandom, name+".intersect.txt"))
			if len(matrix) != len(all) || len(all) < 10 {
				t.Fatalf("%d automata, %d lines", len(all), len(matrix))
			}
			words := 0
			for i, a := range all {
				for j, b := range all {
					for _, wanted := range []bool{false, true} {
						r, err := emptiness.Intersect(emptiness.Explicit(a), emptiness.Explicit(b), emptiness.Options{Word: wanted})
						if err != nil {
							t.Fatalf("%d and %d: %v", i, j, err)
						}
						if r.Nonempty != (matrix[i][j] == '1') {
							t.Errorf("%d and %d: nonempty %v, in the matrix %c", i, j, r.Nonempty, matrix[i][j])
						}
						if wanted != (r.Word != nil) && r.Nonempty {
							t.Errorf("%d and %d: word %v", i, j, r.Word)
						}
						if r.Word == nil {
							continue
						}
						words++
						for _, x := range []*automata.Automaton{a, b} {
							if accepted, err := automata.Accepts(x, *r.Word); err != nil || !accepted {
								t.Errorf("%d and %d: %v is not accepted by both (%v)", i, j, r.Word, err)
							}
						}
					}
				}
			}
			t.Logf("%d pairs, %d words", len(all)*len(all), words)
		})
	}
}

package main

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pnmc/cmd/pnmc/internal/exit"
)

// TestReadmeMap: the README lists each package, and no other.
func TestReadmeMap(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z/]+)` \\| ").FindAllStringSubmatch(string(readme), -1) {
		listed = append(listed, m[1])
	}
	var found []string
	err = filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		switch name := d.Name(); {
		case err != nil:
			return err
		case d.IsDir() && (name == "testdata" || strings.HasPrefix(name, ".") && name != ".."):
			return filepath.SkipDir
		case strings.HasSuffix(name, ".go"):
			folder, err := filepath.Rel("../..", filepath.Dir(path))
			if folder = filepath.ToSlash(folder); err == nil && !slices.Contains(found, folder) {
				found = append(found, folder)
			}
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(found)
	slices.Sort(listed)
	if !slices.Equal(found, listed) {
		t.Errorf("the tree has %v, the README lists %v", found, listed)
	}
}

// TestReadmeCheck: the README's first command prints what the README says.
func TestReadmeCheck(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	command := regexp.MustCompile(`(?m)^go run ./cmd/(pnmc --pnml .*)$`).FindSubmatch(readme)
	if command == nil {
		t.Fatal("no command found")
	}
	t.Chdir("../..")
	var stdout, stderr bytes.Buffer
	code := run(context.Background(), strings.Fields(string(command[1])), nil, &stdout, &stderr)
	if code != exit.Violated || stderr.Len() > 0 {
		t.Errorf("exit code %d, %s", code, &stderr)
	}
	racing := "pnmc --"
	if shown, got := masked(racing, string(readme)), masked(racing, stdout.String()); !strings.Contains(shown, "```\n"+got+"```") {
		t.Errorf("the README does not show\n%s", &stdout)
	}
}

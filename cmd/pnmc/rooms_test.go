package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What a room may hold, so that one can keep it in the head.
const (
	mostFiles = 25
	mostLines = 4000
	mostAlike = 2 // files whose names begin with the same word
)

// largeRooms are those that hold more, with the reason.
var largeRooms = map[string]string{
	"petri":    "successors are lowered by symmetries as they are packed, with the fields of the layout",
	"symbolic": "the core of the diagrams would have to export 76 names to rooms of their own",
}

// alikeRooms are the words of rooms with which more files begin, with the reason.
var alikeRooms = map[string]map[string]string{
	"symbolic": {
		"product":     "products are made of the same relations and nodes as all else, of which a folder would see nothing",
		"aggregation": "as product: aggregates are closed by saturation, with the same relations and nodes",
	},
}

// eachProductFile calls use with each Go file of the module that is no test: its folder from the
// module's root on, with slashes, its name there, and its text.
func eachProductFile(t *testing.T, use func(folder, name string, text []byte) error) {
	t.Helper()
	seen := 0
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		switch name := d.Name(); {
		case err != nil:
			return err
		case d.IsDir() && (name == "testdata" || strings.HasPrefix(name, ".") && name != ".."):
			return filepath.SkipDir
		case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path) // which the cache of tests takes note of
		if err != nil {
			return err
		}
		folder, err := filepath.Rel("../..", filepath.Dir(path))
		if err != nil {
			return err
		}
		seen++
		return use(filepath.ToSlash(folder), d.Name(), text)
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 100 {
		t.Errorf("only %d files seen", seen)
	}
}

// systems end the names of files for one system only, which are one file in the head.
var systems = []string{"linux", "unix", "windows", "darwin", "other"}

// TestRoomsAreSmall: no package has more files or lines than one can keep in the head, nor
// files whose names begin with the same word, which could be a folder.
func TestRoomsAreSmall(t *testing.T) {
	type room struct {
		files, lines int
		words        map[string][]string
	}
	rooms := map[string]*room{}
	eachProductFile(t, func(folder, name string, text []byte) error {
		r := rooms[folder]
		if r == nil {
			r = &room{words: map[string][]string{}}
			rooms[folder] = r
		}
		r.files++
		r.lines += bytes.Count(text, []byte("\n"))
		words := strings.Split(strings.TrimSuffix(name, ".go"), "_")
		if last := len(words) - 1; last > 0 && slices.Contains(systems, words[last]) {
			words = words[:last]
		}
		if whole := strings.Join(words, "_"); !slices.Contains(r.words[words[0]], whole) {
			r.words[words[0]] = append(r.words[words[0]], whole)
		}
		return nil
	})
	if len(rooms) < 20 {
		t.Errorf("only %d packages seen", len(rooms))
	}
	for folder, r := range rooms {
		if largeRooms[folder] == "" && (r.files > mostFiles || r.lines > mostLines) {
			t.Errorf("%s has %d files and %d lines, expected %d and %d at most", folder, r.files, r.lines, mostFiles, mostLines)
		}
		for word, files := range r.words {
			if len(files) > mostAlike && alikeRooms[folder][word] == "" {
				t.Errorf("%s: %q could be a folder, of %q", folder, word, files)
			}
		}
	}
}

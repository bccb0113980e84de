package output

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// TestOutputFile: what is there keeps its permissions, links stay links, and what
// is no regular file is written to as it is.
func TestOutputFile(t *testing.T) {
	folder := t.TempDir()
	kept, link := filepath.Join(folder, "kept"), filepath.Join(folder, "link")
	if err := os.WriteFile(kept, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(kept, link); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	if err := Write(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(kept)
	if text, _ := os.ReadFile(kept); err != nil || string(text) != "new" || info.Mode() != 0o600 {
		t.Errorf("%q with mode %v, %v", text, info.Mode(), err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", info, err)
	}
	if err := Write(os.DevNull, []byte("lost")); err != nil {
		t.Error(err)
	}
	if err := Write(filepath.Join(folder, "none", "file"), nil); err == nil {
		t.Error("a file was made in a folder that does not exist")
	}
	if entries, _ := os.ReadDir(folder); len(entries) != 2 {
		t.Errorf("%v is left", entries)
	}
}

// Files without a name are none; the first that cannot be made is told, and none is made.
func TestTryAll(t *testing.T) {
	folder := t.TempDir()
	good := filepath.Join(folder, "good")
	if err := TryAll("", good, ""); err != nil {
		t.Error(err)
	}
	if err := TryAll(good, filepath.Join(folder, "none", "bad")); err == nil {
		t.Error("no error of a file in a folder that is not there")
	}
	if list, err := os.ReadDir(folder); err != nil || len(list) != 0 {
		t.Errorf("files left behind: %v, %v", list, err)
	}
}

// TestKeepAll: files that belong together appear together, or not at all if something of one could not
// be written.
func TestKeepAll(t *testing.T) {
	folder := t.TempDir()
	create := func(names ...string) (files []*File) {
		for _, name := range names {
			o, err := Create(filepath.Join(folder, name))
			if err == nil {
				_, err = o.Write([]byte(name))
			}
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, o)
		}
		return files
	}
	files := create("first", "second")
	files[1].File.Close() // what is written next is lost
	if _, err := files[1].Write([]byte("more")); err == nil {
		t.Error("nothing is wrong with a file that is closed")
	}
	if err := KeepAll(files...); err == nil {
		t.Error("files are kept of which one is cut")
	}
	if list, err := os.ReadDir(folder); err != nil || len(list) != 0 {
		t.Errorf("files left behind: %v, %v", list, err)
	}
	if err := KeepAll(create("first", "second")...); err != nil {
		t.Error(err)
	}
	if list, err := os.ReadDir(folder); err != nil || len(list) != 2 {
		t.Errorf("%v, %v", list, err)
	}
	if err := KeepAll(); err != nil {
		t.Error(err)
	}
}

// TestKeptWithinAPart: a file that is kept while a part of it is being written, as on an interruption, has
// what was there before that part.
func TestKeptWithinAPart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	o, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	one := func(w io.Writer) error {
		_, err := io.WriteString(w, "one\n")
		return err
	}
	if err := o.Part(one); err != nil {
		t.Fatal(err)
	}
	err = o.Part(func(w io.Writer) error { return errors.Join(one(w), o.Keep(), one(w)) })
	if text, readErr := os.ReadFile(path); err == nil || readErr != nil || string(text) != "one\n" {
		t.Errorf("%q, %v, %v", text, err, readErr)
	}
}

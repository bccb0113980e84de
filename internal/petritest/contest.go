package petritest

import (
	"archive/tar"
	"compress/gzip"
	"io"
	"iter"
	"os"
	"path"
	"path/filepath"
	"testing"
)

// Shared returns the path of a file beside the repository, among contest models and
// reference answers. The test is skipped where it is absent.
func Shared(t testing.TB, elements ...string) string {
	t.Helper()
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			break
		}
		up := filepath.Dir(folder)
		if up == folder {
			t.Skip("not in the repository")
		}
		folder = up
	}
	file := filepath.Join(append([]string{folder, "..", "shared"}, elements...)...)
	if _, err := os.Stat(file); err != nil {
		t.Skipf("no reference data here: %v", err)
	}
	return file
}

// ContestModel returns the path of the model of a Model Checking Contest instance,
// extracted for the test, which is skipped where the instance is absent.
func ContestModel(t testing.TB, instance string) string {
	t.Helper()
	model := filepath.Join(t.TempDir(), "model.pnml")
	text, err := io.ReadAll(ModelIn(t, Shared(t, "mcc", "inputs", instance+".tgz")))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(model, text, 0o644); err != nil {
		t.Fatal(err)
	}
	return model
}

// ModelIn returns the text of model.pnml in the archive of a contest instance.
func ModelIn(t testing.TB, archive string) io.Reader {
	t.Helper()
	for name, text := range Archive(t, archive) {
		if path.Base(name) == "model.pnml" {
			return text
		}
	}
	t.Fatalf("%s: no model.pnml", archive)
	return nil
}

// Archive yields the files in a packed archive, each with its name and its text, which is to be
// read before the next one comes. The test fails where the archive is damaged.
func Archive(t testing.TB, archive string) iter.Seq2[string, io.Reader] {
	t.Helper()
	f, err := os.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	return func(yield func(string, io.Reader) bool) {
		for files := tar.NewReader(unzipped); ; {
			header, err := files.Next()
			if err == io.EOF {
				return
			}
			if err != nil {
				t.Fatalf("%s: %v", archive, err)
			}
			if header.Typeflag == tar.TypeReg && !yield(path.Clean(header.Name), files) {
				return
			}
		}
	}
}

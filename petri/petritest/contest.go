package petritest

import (
	"archive/tar"
	"compress/gzip"
	"io"
	"os"
	"path"
	"path/filepath"
	"testing"
)

// Shared is the path of a file beside the repository, among contest models and
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

// ContestModel is the path of the model of a Model Checking Contest instance,
// extracted for the test, which is skipped where the instance is absent.
func ContestModel(t testing.TB, instance string) string {
	t.Helper()
	f, err := os.Open(Shared(t, "mcc", "inputs", instance+".tgz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for archive := tar.NewReader(unzipped); ; {
		header, err := archive.Next()
		if err != nil {
			t.Fatalf("%s: no model.pnml: %v", instance, err)
		}
		if path.Base(header.Name) != "model.pnml" {
			continue
		}
		text, err := io.ReadAll(archive)
		if err != nil {
			t.Fatal(err)
		}
		model := filepath.Join(t.TempDir(), "model.pnml")
		if err := os.WriteFile(model, text, 0o644); err != nil {
			t.Fatal(err)
		}
		return model
	}
}

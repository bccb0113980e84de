package pnml

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// contestModels are the archives of the Model Checking Contest's instances.
const contestModels = "../../shared/mcc/inputs/*.tgz"

// contestModel opens model.pnml in an archive of an instance.
func contestModel(t testing.TB, archive string) io.Reader {
	t.Helper()
	file, err := os.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	members := tar.NewReader(unzipped)
	for {
		header, err := members.Next()
		if err != nil {
			t.Fatalf("%s: no model.pnml: %v", archive, err)
		}
		if path.Base(header.Name) == "model.pnml" {
			return members
		}
	}
}

// TestContestModels reads the models of the contest: a sample of small archives
// unless PNML_ALL is set.
func TestContestModels(t *testing.T) {
	archives, _ := filepath.Glob(contestModels)
	if len(archives) == 0 {
		t.Skipf("no contest models at %s", contestModels)
	}
	all := os.Getenv("PNML_ALL") != ""
	for i, archive := range archives {
		name := strings.TrimSuffix(filepath.Base(archive), ".tgz")
		info, err := os.Stat(archive)
		if err != nil {
			t.Fatal(err)
		}
		if !all && (i%4 != 0 || info.Size() > 200_000) {
			continue
		}
		net, err := Read(contestModel(t, archive), name, Options{})
		switch {
		case strings.Contains(name, "-COL-"):
			if !errors.Is(err, ErrSymmetric) {
				t.Errorf("%s: %v, expected a high-level net to be told", name, err)
			}
		case err != nil:
			t.Error(err)
		case net.Places() == 0 || net.Transitions() == 0 || net.Arcs() == 0:
			t.Errorf("%s: net without nodes or arcs", name)
		}
	}
}

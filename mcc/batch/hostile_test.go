package batch

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pnmc/internal/batchtest"
	"pnmc/mcc/batch/history"
)

// gzipped returns what write writes, compressed.
func gzipped(t *testing.T, write func(w io.Writer) error) []byte {
	t.Helper()
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if err := errors.Join(write(w), w.Close()); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

// TestHostilePropertyFiles: a batch reads names alone from property files, so what a file stands for takes
// no memory of it, and says why a run could not begin.
func TestHostilePropertyFiles(t *testing.T) {
	folder, results := batchtest.Instances(t, "Blank-PT-1", "Deep-PT-1", "Many-PT-1", "Long-PT-1"), t.TempDir()
	write := func(instance string, element func(i int) string, times int) {
		name := filepath.Join(folder, instance, "UpperBounds.xml")
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
		packed := gzipped(t, func(w io.Writer) (err error) {
			for i := 0; i < times && err == nil; i++ {
				_, err = io.WriteString(w, element(i))
			}
			return err
		})
		if err := os.WriteFile(name+".gz", packed, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	blanks := strings.Repeat(" ", 1<<20)
	property := `<property><id>p-%d</id><formula><place-bound><place>p</place></place-bound></formula></property>`
	write("Blank-PT-1", func(int) string { return blanks }, 64)
	write("Deep-PT-1", func(i int) string { return "<property-set>" }, 1<<20)
	write("Many-PT-1", func(i int) string { return strings.Repeat("<property-set>", 1-min(i, 1)) + fmt.Sprintf(property, i) }, 200_000)
	formula := strings.Repeat("<integer-le><integer-constant>1</integer-constant></integer-le>", 1000)
	write("Long-PT-1", func(i int) string {
		switch i {
		case 0:
			return "<property-set><property><id>long</id><formula><conjunction>"
		case 300:
			return "</conjunction></formula></property></property-set>"
		}
		return formula
	}, 301)
	want := map[string]string{
		"Blank-PT-1": "a name, text or comment longer than 16777216 bytes, expected a shorter one",
		"Deep-PT-1":  "elements nest deeper than expected: the limit is 100000",
		"Many-PT-1":  "the ids of its properties take more than 4 MB, expected fewer properties",
		"Long-PT-1":  "",
	}
	for _, r := range execute(t, planOf(t, folder, results, "UpperBounds"), results) {
		if w := want[r.Instance]; !strings.HasSuffix(r.End, w) || r.NotRun() != (w != "") {
			t.Errorf("%s: %s", r.Instance, r.End)
		}
		if r.Instance == "Long-PT-1" && (len(r.Questions) != 1 || r.Questions[0] != "long") {
			t.Errorf("%s: questions %q", r.Instance, r.Questions)
		}
	}
}

// archiveOf makes an archive of files of that many bytes without end, which readers of it never come to.
func archiveOf(t *testing.T, path string, files int, bytes int64) {
	t.Helper()
	packed := gzipped(t, func(w io.Writer) error {
		out := tar.NewWriter(w)
		for i := range files {
			if err := out.WriteHeader(&tar.Header{Name: fmt.Sprintf("a/%d", i), Mode: 0o600, Size: bytes, Typeflag: tar.TypeReg}); err != nil {
				return err
			}
			if _, err := io.CopyN(out, zeros{}, bytes); err != nil {
				return err
			}
		}
		return out.Close()
	})
	if err := os.WriteFile(path, packed, 0o600); err != nil {
		t.Fatal(err)
	}
}

// zeros is a text of zeros without end.
type zeros struct{}

// Read fills p.
func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// TestHostileArchives: an archive of very many files, or of more bytes than one may have, ends alone.
func TestHostileArchives(t *testing.T) {
	folder, results := batchtest.Instances(t, "A-PT-1"), t.TempDir()
	archiveOf(t, filepath.Join(folder, "Many-PT-1.tgz"), mostFiles+1, 0)
	skipped := gzipped(t, func(w io.Writer) error { // what is no regular file is left out, and counts
		return tar.NewWriter(w).WriteHeader(&tar.Header{Name: "a/skipped", Size: mostUnpacked + 1, Typeflag: '7'})
	})
	if err := os.WriteFile(filepath.Join(folder, "Skipped-PT-1.tgz"), skipped, 0o600); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"A-PT-1": "", "Many-PT-1": "it has more than 1000 files", "Skipped-PT-1": "it unpacks to more than 8589934592 bytes"}
	for _, r := range execute(t, planOf(t, folder, results, "UpperBounds"), results) {
		w, ok := want[r.Instance]
		if !ok || r.NotRun() != (w != "") || !strings.HasSuffix(r.End, w) {
			t.Errorf("%s: %s", r.Instance, r.End)
		}
		delete(want, r.Instance)
	}
	if len(want) > 0 {
		t.Errorf("no run of %v", want)
	}
}

// TestReadingEndsWithTheBatch: neither an archive nor a property file is read to its end once the batch is over, and the
// run is not in the journal as one that failed.
func TestReadingEndsWithTheBatch(t *testing.T) {
	folder, results := batchtest.Instances(t), t.TempDir()
	archiveOf(t, filepath.Join(folder, "Large-PT-1.tgz"), 2, 64<<20)
	p := planOf(t, folder, results, "UpperBounds")
	over := errors.New("over")
	ctx, cancel := context.WithCancelCause(context.Background())
	p.Begin = func(history.Job) { cancel(over) }
	j, err := history.Open(filepath.Join(results, "journal"), p.Settings)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if err := Execute(ctx, p, j); !errors.Is(err, over) {
		t.Error(err)
	}
	if runs := j.Runs(); len(runs) != 0 {
		t.Errorf("%+v", runs[0])
	}
	if err := extract(ctx, filepath.Join(folder, "Large-PT-1.tgz"), results); !errors.Is(err, over) {
		t.Errorf("extract: %v", err)
	}
	properties := batchtest.Instances(t, "A-PT-1")
	if ids, err := questions(ctx, filepath.Join(properties, "A-PT-1"), "UpperBounds"); !errors.Is(err, over) || len(ids) > 0 {
		t.Errorf("questions %q, %v", ids, err)
	}
}

// TestRunsThatReadForTooLong: a property file is read, and an archive unpacked, for as long as a run may take.
func TestRunsThatReadForTooLong(t *testing.T) {
	late, cancel := context.WithTimeoutCause(context.Background(), -time.Second, errLate)
	defer cancel()
	folder := batchtest.Instances(t, "A-PT-1")
	_, err := questions(late, filepath.Join(folder, "A-PT-1"), "UpperBounds")
	if !errors.Is(err, errLate) || !strings.HasSuffix(err.Error(), "UpperBounds.xml: time limit reached while it was read") {
		t.Error(err)
	}
	archive := filepath.Join(folder, "A-PT-1.tgz")
	archiveOf(t, archive, 2, 1<<20)
	_, _, err = Instance{Name: "A-PT-1", Path: archive, Packed: true}.open(late, t.TempDir())
	if !errors.Is(err, errLate) || !strings.HasSuffix(err.Error(), "A-PT-1.tgz: time limit reached while it was unpacked") {
		t.Error(err)
	}
}

// TestInstancesOfOneName: the same instance may be named more than once, and two of one name are refused.
func TestInstancesOfOneName(t *testing.T) {
	one, two := batchtest.Instances(t, "A-PT-1", "B-PT-1"), batchtest.Instances(t, "A-PT-1")
	batchtest.Pack(t, filepath.Join(one, "A-PT-1"), filepath.Join(one, "A-PT-1.tgz"))
	list, err := Find([]string{one, filepath.Join(one, "A-PT-1"), filepath.Join(one, "A-PT-1", modelFile), filepath.Join(one, "A-PT-1.tgz")})
	if err != nil || len(list) != 2 || list[0].Name != "A-PT-1" {
		t.Errorf("%+v, %v", list, err)
	}
	list, err = Find([]string{one, two})
	if err == nil || !strings.HasPrefix(err.Error(), "two instances are called A-PT-1, which answers could not tell apart: ") {
		t.Errorf("%+v, %v", list, err)
	}
}

// TestJobsAreNoMoreThanRuns: a batch has no more workers than it has runs, however many may run at a time.
func TestJobsAreNoMoreThanRuns(t *testing.T) {
	folder, results := batchtest.Instances(t, "A-PT-1"), t.TempDir()
	p := planOf(t, folder, results, "UpperBounds", "OneSafe")
	p.Parallel = math.MaxInt // would take all memory
	if runs := execute(t, p, results); len(runs) != 2 {
		t.Errorf("%d runs", len(runs))
	}
}

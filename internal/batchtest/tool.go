// Package batchtest stands in for a tool of the contest, with instances for it: tests of batches run
// their own binary as the tool, which behaves as well or as badly as a variable says.
//
// In come names of instances; out go folders and archives of them, and lines of answers. It is for
// tests only: of pnmc/mcc/batch and pnmc/cmd/pnmc/internal/batches/tasks.
package batchtest

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"
	"time"

	"pnmc/mcc"
)

// Variables of the environment: how the tool behaves, and a file to which it adds a line for each of
// its starts.
const (
	ToolVariable   = "BATCH_TEST_TOOL"
	StartsVariable = "BATCH_TEST_STARTS"
)

// IsTool reports whether this process was started as the tool.
func IsTool() bool { return os.Getenv("BK_EXAMINATION") != "" }

// Main runs tests, or is the tool.
func Main(m *testing.M) {
	if IsTool() {
		answer(os.Getenv(ToolVariable))
		return
	}
	os.Exit(m.Run())
}

// answer answers the questions of the files in the current directory, TRUE
// for all of them; how well it behaves depends on the mode.
func answer(mode string) {
	starts, err := os.OpenFile(os.Getenv(StartsVariable), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		fmt.Fprintln(starts, os.Getenv("BK_INPUT"), os.Getenv("BK_EXAMINATION"))
		starts.Close()
	}
	list, err := questions(os.Getenv("BK_EXAMINATION"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(4)
	}
	for i, q := range list {
		switch {
		case mode == "slow":
			time.Sleep(40 * time.Millisecond)
		case mode == "hang" && i == 2:
			time.Sleep(time.Hour)
		case mode == "large" && i == 2:
			hog := make([]byte, 300<<20)
			for j := 0; j < len(hog); j += 1 << 10 {
				hog[j] = 1
			}
			time.Sleep(time.Hour)
			fmt.Println(hog[0])
		case mode == "killed" && i == 2:
			endBy(os.Kill)
		case mode == "terminated" && i == 2:
			endBy(syscall.SIGTERM)
		case mode == "interrupted" && i == 2:
			_ = os.WriteFile(os.Getenv(StartsVariable)+".ended", nil, 0o600) // or the test waits in vain
			os.Exit(2)
		case mode == "fail" && i == 2:
			fmt.Fprintln(os.Stderr, "first line\nthe reason")
			os.Exit(5)
		case mode == "limited" && i == 2:
			fmt.Fprintln(os.Stderr, "time limit reached")
			os.Exit(2)
		case mode == "stopped" && i == 2:
			fmt.Fprintln(os.Stderr, "pnmc: interrupted: answers are missing that have no line\npnmc: the same command begins anew; --time TIME ends it by itself, with what is known then")
			os.Exit(2)
		case mode == "misread" && i == 2:
			fmt.Fprintln(os.Stderr, "cannot read")
			os.Exit(4)
		}
		fmt.Printf("FORMULA %s TRUE TECHNIQUES NONE AT_ALL\nsomething else\n", q)
	}
	fmt.Println("FORMULA given-up CANNOT_COMPUTE")
}

// endBy sends a signal to this process, which ends it.
func endBy(signal os.Signal) {
	if self, err := os.FindProcess(os.Getpid()); err == nil {
		_ = self.Signal(signal) // or the test fails
	}
	time.Sleep(time.Minute)
}

// questions returns what the files in the current directory ask for an examination: Properties of a
// property file of Instances, four measures of a state space, and else one.
func questions(examination string) ([]string, error) {
	text, err := os.ReadFile(examination + ".xml")
	switch {
	case examination == "StateSpace":
		return mcc.Measures(), nil
	case !mcc.HasPropertyFile(examination):
		return []string{examination}, nil
	case err != nil:
		return nil, err
	}
	var list []string
	for _, id := range identifier.FindAllSubmatch(text, -1) {
		list = append(list, string(id[1]))
	}
	return list, nil
}

// identifier matches the name of a property.
var identifier = regexp.MustCompile(`<id>([^<]*)</id>`)

// Properties is the number of questions in the property file of an instance.
const Properties = 6

// Instances makes folders as the contest has them, with the property file of one
// examination.
func Instances(t *testing.T, names ...string) string {
	t.Helper()
	folder := t.TempDir()
	for _, name := range names {
		if err := os.MkdirAll(filepath.Join(folder, name), 0o755); err != nil {
			t.Fatal(err)
		}
		text := `<property-set xmlns="http://mcc.lip6.fr/">`
		for i := range Properties {
			text += fmt.Sprintf(`<property><id>%s-%02d</id><formula><place-bound><place>p</place></place-bound></formula></property>`, name, i)
		}
		for file, text := range map[string]string{"model.pnml": "<pnml/>", "UpperBounds.xml": text + "</property-set>"} {
			if err := os.WriteFile(filepath.Join(folder, name, file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	return folder
}

// Pack makes an archive of a folder.
func Pack(t *testing.T, folder, archive string) {
	t.Helper()
	var text bytes.Buffer
	zipped := gzip.NewWriter(&text)
	writer := tar.NewWriter(zipped)
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		source, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		header := &tar.Header{Name: filepath.Base(folder) + "/" + e.Name(), Mode: 0o644, Size: int64(len(source)), Typeflag: tar.TypeReg}
		if err := writer.WriteHeader(header); err != nil {
			t.Fatal(err)
		}
		if _, err := writer.Write(source); err != nil {
			t.Fatal(err)
		}
	}
	for _, close := range []func() error{writer.Close, zipped.Close} {
		if err := close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(archive, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

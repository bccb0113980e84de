package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/input"
)

// compress returns text compressed by gzip.
func compress(t *testing.T, text []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestCompressedInput: each command reads a file that gzip compressed as it reads the
// file, whatever its name, and from standard input; of a folder, an archive, a truncated
// file and one that unpacks to more than may be used it says what they are.
func TestCompressedInput(t *testing.T) {
	folder := t.TempDir()
	path := func(name string) string { return filepath.Join(folder, name) }
	texts := map[string][]byte{"empty.ltl": compress(t, nil)}
	formulas := path("formulas")
	if err := os.WriteFile(formulas, []byte("fed: G F \"eats0>=1\"\nF deadlock\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, source := range map[string]string{
		"net": "../../testdata/philosophers.pnml", "hoa": "../../testdata/philosophers.hoa",
		"ltl": formulas, "etf": "testdata/unnamed.etf", "dot": "testdata/gta.dot", "ap": "testdata/opaque.ap",
		"opaque": "testdata/opaque.hoa",
	} {
		text, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		var archive bytes.Buffer
		w := tar.NewWriter(&archive)
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(text)), Typeflag: tar.TypeReg}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(text); err != nil || w.Close() != nil {
			t.Fatal(err)
		}
		texts[name], texts[name+".packed"] = text, compress(t, text)
		texts[name+".tar"], texts[name+".tgz"] = archive.Bytes(), compress(t, archive.Bytes())
		texts[name+".cut"] = texts[name+".packed"][:len(texts[name+".packed"])-20]
	}
	for name, text := range texts {
		if err := os.WriteFile(path(name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	try := func(line, name, ending, given string) (int, string, string) {
		var stdout, stderr bytes.Buffer
		var stdin io.Reader = strings.NewReader("")
		words := strings.Fields(line)
		for i, word := range words {
			switch plain, isFile := strings.CutPrefix(word, "@"); {
			case isFile && plain == name && given == "-":
				words[i], stdin = "-", bytes.NewReader(texts[name+ending])
			case isFile && plain == name:
				words[i] = path(name + ending)
			case isFile:
				words[i] = path(plain)
			}
		}
		code := run(context.Background(), append([]string{"pnmc"}, words...), stdin, &stdout, &stderr)
		return code, masked("pnmc "+line, stdout.String()), stderr.String()
	}
	for _, test := range []struct{ line, name string }{
		{"--pnml @net --hoa @hoa", "net"},
		{"--pnml @net --hoa @hoa", "hoa"},
		{"--pnml @net --tgta @dot", "dot"},
		{"--pnml @net --ltl-file @ltl", "ltl"},
		{"--pnml @net --hoa @opaque --ap @ap", "ap"},
		{"states --pnml @net", "net"},
		{"states --etf @etf", "etf"},
		{"convert --hoa @hoa", "hoa"},
		{"convert --tgta @dot --to hoa", "dot"},
		{"unfold --pnml @net", "net"},
		{"translate --ltl-file @ltl", "ltl"},
		{"intersect @hoa @hoa", "hoa"},
		{"include @opaque @hoa", "opaque"},
	} {
		code, want, told := try(test.line, test.name, "", "")
		if code > exit.Unknown || want == "" && test.name != "dot" {
			t.Errorf("%s: exit code %d, %s", test.line, code, told)
		}
		for _, given := range []string{"", "-"} {
			if strings.Count(test.line, "@"+test.name) > 1 && given == "-" {
				continue
			}
			got, text, complaints := try(test.line, test.name, ".packed", given)
			normal := func(s string) string {
				return strings.NewReplacer(path(test.name+".packed"), "F", path(test.name), "F", input.StandardInput, "F").Replace(s)
			}
			if got != code || normal(text) != normal(want) || normal(complaints) != normal(told) {
				t.Errorf("%s of %s%s: exit code %d, %s%s", test.line, test.name, given, got, complaints, text)
			}
			for ending, message := range map[string]string{
				".tar": "this is a tar archive: expected it unpacked, or compressed by gzip",
				".tgz": "this is a tar archive, compressed by gzip: expected it unpacked",
				".cut": "compressed by gzip, and cut off",
			} {
				got, text, complaints := try(test.line, test.name, ending, given)
				file := path(test.name + ending)
				if given == "-" {
					file = input.StandardInput
				}
				if got != exit.Input || complaints != "pnmc: "+file+": "+message+"\n" {
					t.Errorf("%s of %s%s: exit code %d, %s%s", test.line, test.name, ending, got, complaints, text)
				}
			}
		}
		if err := os.Mkdir(path(test.name+".folder"), 0o755); err != nil && !os.IsExist(err) {
			t.Fatal(err)
		}
		if got, _, complaints := try(test.line, test.name, ".folder", ""); got != exit.Input || complaints != "pnmc: "+path(test.name)+".folder: is a directory, expected a file\n" {
			t.Errorf("%s of a folder: exit code %d, %s", test.line, got, complaints)
		}
	}
	if code, _, complaints := try("translate --ltl-file @empty.ltl", "", "", ""); code != exit.Input || !strings.Contains(complaints, "expected a formula, found none") {
		t.Errorf("nothing, compressed: exit code %d, %s", code, complaints)
	}
}

// TestCompressedTooMuch: a small file that unpacks to a large one ends with a message, and
// within the memory there is.
func TestCompressedTooMuch(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of megabytes, by one goroutine")
	}
	folder := t.TempDir()
	write := func(name, begin, repeated string) string {
		path := filepath.Join(folder, name)
		file, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		w := gzip.NewWriter(file)
		block := []byte(strings.Repeat(repeated, 1<<20/len(repeated)))
		if _, err := io.WriteString(w, begin); err != nil {
			t.Fatal(err)
		}
		for range 80 {
			if _, err := w.Write(block); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return path
	}
	text := write("text.gz", "<pnml>", "text")
	spaces := write("spaces.gz", "", "\n")
	letters := write("letters.gz", "", "a")
	for _, arguments := range [][]string{
		{"states", "--pnml", text},
		{"unfold", "--pnml", text},
		{"states", "--pnml", spaces},
		{"--pnml", "../../testdata/philosophers.pnml", "--hoa", spaces},
		{"--pnml", "../../testdata/philosophers.pnml", "--tgta", letters},
		{"translate", "--ltl-file", letters},
	} {
		var stdout, stderr bytes.Buffer
		code := run(context.Background(), slices.Concat([]string{"pnmc"}, arguments, []string{"--max-memory", "60MB"}), nil, &stdout, &stderr)
		if code != exit.Unknown || !strings.Contains(stderr.String(), "memory limit of 60 MB") && !strings.Contains(stderr.String(), "unpacks to more than 60 MB") {
			t.Errorf("%v: exit code %d, %s", arguments, code, &stderr)
		}
	}
}

// TestNoBinaryBytesInMessages: whatever a file has, messages are text.
func TestNoBinaryBytesInMessages(t *testing.T) {
	path := filepath.Join(t.TempDir(), "binary")
	if err := os.WriteFile(path, []byte("\x7fELF\x02\x01\x00\x1b[31m\xff\xfe \x07 HOA: v1\n\x00"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, arguments := range [][]string{
		{"states", "--pnml", path}, {"states", "--etf", path}, {"convert", "--hoa", path}, {"convert", "--tgta", path},
		{"translate", "--ltl-file", path}, {"intersect", path, path}, {"translate", "\x1b[31m\xff"},
		{"cross", "--formulas", path, "--", "false %f"}, {"--pnml", "../../testdata/philosophers.pnml", "--ltl-file", path},
		{"--pnml", "../../testdata/philosophers.pnml", "--ltl", "F \"\x1b\xff\""},
	} {
		var stdout, stderr bytes.Buffer
		code := run(context.Background(), append([]string{"pnmc"}, arguments...), nil, &stdout, &stderr)
		printed := stdout.String() + stderr.String()
		if code != exit.Input || !utf8.ValidString(printed) || strings.ContainsFunc(printed, func(r rune) bool {
			return r != '\n' && !unicode.IsPrint(r)
		}) {
			t.Errorf("%q: exit code %d, %q", arguments, code, printed)
		}
	}
}

// TestMCCOfTheModelFile: the model names its folder, also compressed.
func TestMCCOfTheModelFile(t *testing.T) {
	folder := contestFolder(t)
	mcc := func(arguments ...string) (int, string) {
		var stdout, stderr bytes.Buffer
		code := run(context.Background(), append([]string{"pnmc", "mcc", "--time", "20", "--examination"}, arguments...), nil, &stdout, &stderr)
		return code, stdout.String() + stderr.String()
	}
	model := filepath.Join(folder, "model.pnml")
	check := func(paths ...string) {
		t.Helper()
		for _, path := range paths {
			if code, text := mcc("OneSafe", path); code != exit.Holds || !strings.HasPrefix(text, "FORMULA OneSafe TRUE ") {
				t.Errorf("%s: exit code %d, %s", path, code, text)
			}
			if code, text := mcc("ReachabilityCardinality", path); code != exit.Input || !strings.Contains(text, "FORMULA P-03 FALSE ") {
				t.Errorf("%s: exit code %d, %s", path, code, text)
			}
		}
	}
	check(folder, model)
	for _, name := range []string{model, filepath.Join(folder, "ReachabilityCardinality.xml")} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name+".gz", compress(t, text), 0o600); err != nil || os.Remove(name) != nil {
			t.Fatal(err)
		}
	}
	check(folder, model, model+".gz")
	archive := filepath.Join(folder, "Philosophers.tgz")
	if err := os.WriteFile(archive, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if code, text := mcc("OneSafe", archive); code != exit.Input || !strings.Contains(text, "CANNOT_COMPUTE\n") || !strings.Contains(text, "archives are for pnmc batch") {
		t.Errorf("an archive: exit code %d, %s", code, text)
	}
	var stdout, stderr bytes.Buffer
	if code := run(context.Background(), []string{"pnmc", "batch", "--examinations", "OneSafe", "--time", "20", "--memory", "1G",
		"--out", filepath.Join(t.TempDir(), "out"), model + ".gz"}, nil, &stdout, &stderr); code != exit.Holds || !strings.Contains(stdout.String(), "all      1      0      0        0        1") {
		t.Errorf("batch of the model: exit code %d, %s%s", code, &stdout, &stderr)
	}
}

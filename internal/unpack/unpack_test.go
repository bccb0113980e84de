package unpack

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// zipped returns text compressed by gzip.
func zipped(text string) string {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	io.WriteString(w, text)
	w.Close()
	return out.String()
}

// archived returns a tar archive of one file with text.
func archived(text string) string {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	w.WriteHeader(&tar.Header{Name: "net.pnml", Mode: 0o644, Size: int64(len(text)), Typeflag: tar.TypeReg})
	io.WriteString(w, text)
	w.Close()
	return out.String()
}

// read returns what Reader makes of input: its text, or the error.
func read(input string, most int64) string {
	r, err := Reader(strings.NewReader(input), most)
	var text []byte
	if err == nil {
		text, err = io.ReadAll(r)
	}
	if err != nil {
		return "error: " + err.Error()
	}
	return string(text)
}

func TestReader(t *testing.T) {
	net := "<pnml>\n" + strings.Repeat("<net/>", 20_000) + "</pnml>"
	for _, test := range []struct{ name, input, want string }{
		{"nothing", "", ""},
		{"text", net, net},
		{"one byte of gzip's", "\x1f", "\x1f"},
		{"a zero", "a\x00b", "a\x00b"},
		{"text in 16 bits", "\xff\xfe<\x00p\x00", "\xff\xfe<\x00p\x00"},
		{"gzip", zipped(net), net},
		{"gzip of nothing", zipped(""), ""},
		{"gzip in two parts", zipped("HOA: ") + zipped("v1"), "HOA: v1"},
		{"truncated gzip", zipped(net)[:100], "error: compressed by gzip, and cut off"},
		{"truncated header", zipped(net)[:5], "error: compressed by gzip, and cut off"},
		{"damaged gzip", zipped(net)[:len(zipped(net))-5] + "nonsense", "error: compressed by gzip, and damaged"},
		{"tar", archived(net), "error: this is a tar archive: expected it unpacked, or compressed by gzip"},
		{"tar and gzip", zipped(archived(net)), "error: this is a tar archive, compressed by gzip: expected it unpacked"},
		{"gzip twice", zipped(zipped(net)), "error: this is compressed by gzip, compressed by gzip: expected it unpacked"},
		{"zip", "PK\x03\x04\x14\x00", "error: this is a zip archive: expected it unpacked, or compressed by gzip"},
		{"xz", "\xfd7zXZ\x00\x00", "error: this is compressed by xz: expected it unpacked, or compressed by gzip"},
		{"zstd", "\x28\xb5\x2f\xfd\x04", "error: this is compressed by zstd: expected it unpacked, or compressed by gzip"},
		{"bzip2", "BZh91AY&SYx", "error: this is compressed by bzip2: expected it unpacked, or compressed by gzip"},
	} {
		if got := read(test.input, 1<<20); got != test.want {
			t.Errorf("%s: %.100q, expected %.100q", test.name, got, test.want)
		}
	}
}

// TestBound: text of up to so many bytes is unpacked, and not one more.
func TestBound(t *testing.T) {
	text := strings.Repeat(" ", 1<<20)
	if got := read(zipped(text), 1<<20); got != text {
		t.Errorf("%d bytes of %d", len(got), len(text))
	}
	if got := read(zipped(text), 0); got != text {
		t.Errorf("%d bytes of %d without a bound", len(got), len(text))
	}
	r, err := Reader(strings.NewReader(zipped(text+" ")), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	var large *TooLargeError
	if n, err := io.Copy(io.Discard, r); !errors.As(err, &large) || large.Most != 1<<20 || n > 1<<20 {
		t.Errorf("%d bytes, %v", n, err)
	}
}

// TestReaderWaitsForTheFirstBytesOnly: what a pipe has is read before there is more.
func TestReaderWaitsForTheFirstBytesOnly(t *testing.T) {
	reader, writer := io.Pipe()
	go io.WriteString(writer, "HOA: v1")
	r, err := Reader(reader, 0)
	if err != nil {
		t.Fatal(err)
	}
	text := make([]byte, 100)
	if n, err := r.Read(text); string(text[:n]) != "HOA: v1" || err != nil {
		t.Errorf("%q, %v", text[:n], err)
	}
}

// TestTextIsItself: whatever is no archive comes out as it went in, plain or compressed.
func TestTextIsItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[ -~\n]{0,600}`).Draw(t, "text")
		for _, k := range kinds {
			if strings.HasPrefix(text, k.magic) {
				t.Skip("an archive")
			}
		}
		if plain, unzipped := read(text, 1000), read(zipped(text), 1000); plain != text || unzipped != text {
			t.Errorf("%q, unzipped %q", plain, unzipped)
		}
	})
}

// TestReadFile reads a file, or one that is compressed beside it.
func TestReadFile(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "model.pnml")
	if _, _, err := ReadFile(path, 0); !errors.Is(err, os.ErrNotExist) || strings.Contains(err.Error(), ".gz") {
		t.Errorf("no file: %v", err)
	}
	if _, _, err := ReadFile(folder, 0); err == nil || err.Error() != folder+": is a directory, expected a file" {
		t.Errorf("a folder: %v", err)
	}
	for _, test := range []struct{ file, content, text, name, problem string }{
		{path + ".gz", zipped("packed"), "packed", path + ".gz", ""},
		{path, "plain", "plain", path, ""},
		{path, zipped("packed all the same"), "packed all the same", path, ""},
		{path, zipped("net")[:9], "", path, path + ": compressed by gzip, and cut off"},
		{path, archived("net"), "", path, path + ": this is a tar archive: expected it unpacked, or compressed by gzip"},
	} {
		if err := os.WriteFile(test.file, []byte(test.content), 0o600); err != nil {
			t.Fatal(err)
		}
		text, name, err := ReadFile(path, 0)
		problem := ""
		if err != nil {
			problem = err.Error()
		}
		if string(text) != test.text || name != test.name || problem != test.problem {
			t.Errorf("%.20q: %q of %s, %s", test.content, text, name, problem)
		}
	}
}

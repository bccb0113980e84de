// Package unpack reads files that may be compressed.
//
// In comes what a file or a pipe has, and out goes its text. If gzip compressed the
// file, whatever its name, that is the unpacked text. It is never more than the caller
// has memory for. Other archives and compressed files are called by their names, so
// that nobody sees a parser's complaint about their bytes. The readers of nets,
// automata and formulas come next.
package unpack

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
)

// TooLargeError says that a compressed file unpacks to more than is allowed: some
// kilobytes of it can stand for gigabytes.
type TooLargeError struct {
	// Most is the number of bytes that are allowed.
	Most int64
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("the file unpacks to more than %d MB, which is all that may be used", e.Most>>20)
}

// Reader returns the text of r: r as it is or, if gzip compressed it, unpacked, up to
// most bytes, if that is positive. An error says what else r is. Reader waits for the
// first bytes of r only.
func Reader(r io.Reader, most int64) (io.Reader, error) {
	b := bufio.NewReaderSize(r, bufferSize)
	if !begins(b, gzipMagic) {
		if kind := packedKind(b); kind != "" {
			return nil, fmt.Errorf("this is %s: expected it unpacked, or compressed by gzip", kind)
		}
		return b, nil
	}
	unzipped, err := gzip.NewReader(b)
	if err != nil {
		return nil, gzipError(err)
	}
	text := bufio.NewReaderSize(&bounded{r: unzipped, left: most, most: most}, bufferSize)
	if kind := packedKind(text); kind != "" {
		return nil, fmt.Errorf("this is %s, compressed by gzip: expected it unpacked", kind)
	}
	return text, nil
}

// A File is the text of a file, to be closed.
type File struct {
	io.Reader
	// Name is where the file was found.
	Name string

	file *os.File
}

// Open opens the text of the file at path; see Reader. Where there is no such file, one
// of that name and .gz is taken.
func Open(path string, most int64) (*File, error) {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		if packed, failed := os.Open(path + ".gz"); failed == nil {
			f, err = packed, nil
		}
	}
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, errors.Join(DirectoryError(f.Name()), f.Close())
	}
	text, err := Reader(f, most)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", f.Name(), err), f.Close())
	}
	return &File{text, f.Name(), f}, nil
}

// Close closes the file.
func (f *File) Close() error { return f.file.Close() }

// ReadFile reads the text of the file at path; see Open.
func ReadFile(path string, most int64) (text []byte, name string, err error) {
	f, err := Open(path, most)
	if err != nil {
		return nil, path, err
	}
	defer f.Close()
	if text, err = io.ReadAll(f); err != nil {
		err = fmt.Errorf("%s: %w", f.Name, err)
	}
	return text, f.Name, err
}

// DirectoryError says that path is a directory, where a file is expected.
func DirectoryError(path string) error {
	return fmt.Errorf("%s: is a directory, expected a file", path)
}

// bufferSize is as much as a pipe gives at once.
const bufferSize = 64 << 10

const gzipMagic = "\x1f\x8b"

// kinds are the archives and compressed files that are told apart, by what they begin with.
var kinds = []struct{ magic, name string }{
	{"PK\x03\x04", "a zip archive"},
	{"BZh91AY&SY", "compressed by bzip2"},
	{"\xfd7zXZ\x00", "compressed by xz"},
	{"\x28\xb5\x2f\xfd", "compressed by zstd"},
	{"7z\xbc\xaf\x27\x1c", "a 7z archive"},
	{"\x1f\x9d", "compressed by compress"},
	{gzipMagic, "compressed by gzip"},
}

// A tar archive has this word at this place of its first header, behind a name that is
// filled up with zeros.
const (
	tarMagic = "ustar"
	tarPlace = 257
)

// packedKind returns what b is, if it is an archive or a compressed file, and nothing if not.
func packedKind(b *bufio.Reader) string {
	for _, k := range kinds {
		if begins(b, k.magic) {
			return k.name
		}
	}
	if head, _ := b.Peek(b.Buffered()); bytes.IndexByte(head[:min(len(head), tarPlace)], 0) < 0 {
		return ""
	}
	header, _ := b.Peek(tarPlace + len(tarMagic))
	if bytes.HasSuffix(header, []byte(tarMagic)) && len(header) > tarPlace {
		return "a tar archive"
	}
	return ""
}

// begins reports whether b begins with magic. It never waits for a byte that cannot matter. If a
// pipe has written "p" and waits for an answer, it is not asked for a second byte, as no archive
// begins with "p".
func begins(b *bufio.Reader, magic string) bool {
	for i := range len(magic) {
		head, _ := b.Peek(i + 1)
		if len(head) <= i || head[i] != magic[i] {
			return false
		}
	}
	return true
}

// bounded reads r up to a bound, and says of errors that they are gzip's.
type bounded struct {
	r          io.Reader
	left, most int64 // most: 0 if there is no bound
}

// Read reads on until there is more than the most that is allowed, and fails with a TooLargeError
// then.
func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if b.left -= int64(n); b.most > 0 && b.left < 0 {
		return 0, &TooLargeError{b.most}
	}
	if err != nil && err != io.EOF {
		err = gzipError(err)
	}
	return n, err
}

// gzipError returns an error in a compressed file. That the file ends early is no end of its
// text.
func gzipError(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("compressed by gzip, and cut off")
	}
	if errors.Is(err, gzip.ErrChecksum) || errors.Is(err, gzip.ErrHeader) {
		return errors.New("compressed by gzip, and damaged")
	}
	return fmt.Errorf("compressed by gzip: %w", err)
}

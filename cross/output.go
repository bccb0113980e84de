package cross

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"pnmc/internal/account"
	"pnmc/internal/unpack"
)

// errOutput says that a program gave more than is read.
var errOutput = fmt.Errorf("more than %d bytes of output", maxOutput)

// outputFile is what a program wrote into the file that %O names, of which at most maxOutput bytes are
// read. The program may have made anything in place of the file, and something that it left behind may
// write on: so neither kind nor length are taken for granted.
type outputFile struct {
	file    *os.File
	account *account.Account
	left    int // bytes
}

// openOutput opens the file, if it is one and not too long. The reader charges the account, and ends with it.
func openOutput(path string, a *account.Account) (*outputFile, error) {
	file, err := unpack.OpenRegular(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, errors.New("no automaton was written to %O")
	case err != nil:
		return nil, errors.New(strings.ReplaceAll(err.Error(), path, "%O")) // that path is another one each time
	}
	if info, err := file.Stat(); err == nil && info.Size() > maxOutput {
		return nil, errors.Join(errOutput, file.Close())
	}
	return &outputFile{file, a, maxOutput}, nil
}

// Read reads on, up to the first byte that is too many.
func (f *outputFile) Read(p []byte) (int, error) {
	n, err := f.file.Read(p[:min(len(p), f.left+1)])
	if f.left -= n; f.left < 0 {
		return 0, errOutput
	}
	if full := f.account.Charge(n); full != nil {
		return 0, full
	}
	return n, err
}

// limitedBuffer keeps the beginning of what is written to it.
type limitedBuffer struct {
	bytes.Buffer
	limit int
	over  bool
}

// Write keeps p as far as there is room, and takes the rest without an error: the program that
// writes it must not notice.
func (b *limitedBuffer) Write(p []byte) (int, error) {
	if room := b.limit - b.Len(); len(p) > room {
		b.over = true
		b.Buffer.Write(p[:room])
		return len(p), nil
	}
	return b.Buffer.Write(p)
}

// ReadFrom would bypass Write.
func (b *limitedBuffer) ReadFrom(r io.Reader) (int64, error) {
	return io.Copy(struct{ io.Writer }{b}, r)
}

// firstLine returns the beginning of the first line that is not empty.
func (b *limitedBuffer) firstLine() string {
	line, _, _ := strings.Cut(strings.TrimSpace(string(b.Bytes()[:min(b.Len(), maxComplaint)])), "\n")
	return line
}

// outputBuffer is a limitedBuffer for an automaton, that stops the program when it
// can't become one: at the limit, where something else begins, and where the account has no room.
type outputBuffer struct {
	limitedBuffer
	account *account.Account
	full    error // the account's reason to stop
	stop    func()
}

// Write keeps p, and stops the program if no automaton can come of it any more. It drops all once there
// is no room.
func (b *outputBuffer) Write(p []byte) (int, error) {
	if b.full == nil {
		if b.full = b.room(len(p)); b.full != nil {
			b.Buffer = bytes.Buffer{}
			b.stop()
		}
	}
	if b.full != nil {
		return len(p), nil
	}
	n, err := b.limitedBuffer.Write(p)
	if b.over || b.isRubbish() {
		b.stop()
	}
	return n, err
}

// ReadFrom would bypass Write.
func (b *outputBuffer) ReadFrom(r io.Reader) (int64, error) {
	return io.Copy(struct{ io.Writer }{b}, r)
}

// room asks for room for n bytes more: where they don't fit, a buffer doubles.
func (b *outputBuffer) room(n int) error {
	if n <= b.Available() {
		return b.account.Charge(n)
	}
	return b.account.Reserve(2*b.Cap() + n)
}

// isRubbish reports whether what was written begins with something that can begin neither
// an automaton nor a comment before one.
func (b *outputBuffer) isRubbish() bool {
	text := bytes.TrimLeft(b.Bytes()[:min(b.Len(), maxComplaint)], " \t\r\n")
	for _, start := range []string{"HOA:", "/*", "//", "#", "digraph", "strict"} {
		n := min(len(text), len(start))
		if string(text[:n]) == start[:n] {
			return false
		}
	}
	return true
}

package grading

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
)

// longestRow bounds the bytes of a row of a table, and of a line with an answer: what has no ends of lines is
// not read into memory.
const longestRow = 1 << 20

// longestName bounds the bytes that a message has of a line.
const longestName = 200

// errLongRow says that a row or a line is longer.
var errLongRow = fmt.Errorf("expected rows and lines of at most %d MB, found a longer one", longestRow>>20)

// rowReader reads r until its context ends, and no row that is too long. Failed is why it ended early.
type rowReader struct {
	ctx    context.Context
	r      io.Reader
	left   int64 // bytes until a row is too long
	failed error
}

// Read reads what comes next.
func (r *rowReader) Read(text []byte) (int, error) {
	switch {
	case r.ctx.Err() != nil:
		r.failed = context.Cause(r.ctx)
	case r.left <= 0:
		r.failed = errLongRow
	}
	if r.failed != nil {
		return 0, r.failed
	}
	n, err := r.r.Read(text)
	r.left -= int64(n)
	return n, err
}

// next notes that a new row begins.
func (r *rowReader) next() { r.left = longestRow }

// lineReader reads lines as a tool printed them. Tools print long lines of other things between answers:
// these are passed.
type lineReader struct {
	r      *bufio.Reader
	number int // of the line that was read last
}

// next returns the next line, or the beginning of one that is too long and no answer. With io.EOF comes
// the last one.
func (l *lineReader) next() (string, error) {
	l.number++
	var line []byte
	long := false
	for {
		part, err := l.r.ReadSlice('\n')
		if long = long || len(line)+len(part) > longestRow; !long {
			line = append(line, part...)
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		text := string(line)
		if begin := strings.TrimSpace(text); long && (strings.HasPrefix(begin, "FORMULA") || strings.HasPrefix(begin, "STATE_SPACE")) {
			return "", errLongRow
		} else if long {
			text = ""
		}
		return text, err
	}
}

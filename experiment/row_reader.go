package experiment

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"

	"pnmc/internal/account"
)

// rowReader passes on the text of a file, and keeps what follows the rows that were read. It asks
// for room for a row before more of it is read, and fails where one is too long.
type rowReader struct {
	r      io.Reader
	work   *account.Account
	most   int    // bytes of a row
	rest   []byte // what was passed on, from the end of the last row on
	at     int64  // where that begins
	lines  int    // before that
	atEnd  bool   // nothing follows rest
	failed error  // why reading ended before
}

// errLongRow says that a row is longer than any that is written.
var errLongRow = fmt.Errorf("a row of more than %d MB", longestRow>>20)

// rowCopies is about how often there is a row while it is read: in rest and in two buffers, which
// are twice as large after they have grown, and in its fields.
const rowCopies = 6

// freeBytes is how much of a file is read in any case: what else the process holds is no reason not
// to go on with a small one.
const freeBytes = 1 << 16

// room asks for so many bytes.
func (r *rowReader) room(bytes int) error {
	if r.at+int64(len(r.rest)) <= freeBytes {
		return nil
	}
	return r.work.Reserve(bytes)
}

// Read reads on.
func (r *rowReader) Read(p []byte) (int, error) {
	if r.failed == nil && len(r.rest) > r.most {
		r.failed = errLongRow
	}
	r.failed = cmp.Or(r.failed, r.room(rowCopies*(len(r.rest)+len(p))))
	if r.failed != nil {
		return 0, r.failed
	}
	n, err := r.r.Read(p)
	r.rest = append(r.rest, p[:n]...)
	if r.atEnd = err == io.EOF; err != nil && !r.atEnd {
		r.failed = err
	}
	return n, err
}

// passed notes that all rows up to an offset were read.
func (r *rowReader) passed(offset int64) {
	n := int(offset - r.at)
	r.lines += bytes.Count(r.rest[:n], []byte("\n"))
	r.rest = r.rest[:copy(r.rest, r.rest[n:])]
	r.at, r.most = offset, longestRow
}

// isCut reports whether an interruption cut off the row read last, which ends at the offset. Then no
// end of line follows it, or it ends within quotes. If what follows the rows before has several
// lines, it is not the beginning of a single one, and the file is wrong in some other way.
func (r *rowReader) isCut(offset int64, err error) bool {
	n := offset - r.at
	if n < int64(len(r.rest)) || bytes.ContainsRune(bytes.TrimSuffix(r.rest, []byte("\n")), '\n') {
		return false
	}
	if err == nil {
		return n > 0 && r.rest[n-1] != '\n'
	}
	return errors.Is(err, csv.ErrQuote) && bytes.Count(r.rest, []byte(`"`))%2 == 1 && r.ends()
}

// ends reports whether nothing follows what was passed on. It reads on to find out, after an error.
func (r *rowReader) ends() bool {
	var more [512]byte
	for !r.atEnd {
		if n, err := r.Read(more[:]); n > 0 || err != nil && err != io.EOF {
			return false
		}
	}
	return true
}

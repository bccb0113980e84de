package experiment

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"pnmc/internal/account"
)

// Contents are what a file of measurements has.
type Contents[R any] struct {
	Records []R
	// Length is that of the lines that are whole. The text after that is the beginning
	// of a line that an interruption cut off. It has no measurement.
	Length int64
	// Earlier reports whether the file is of an earlier version, which lacks the columns
	// of Conditions, or the last of them.
	Earlier bool
}

// AnyRecord is a Record or a SymbolicRecord: a row of a file with columns of its own.
type AnyRecord[R any] interface {
	Key() Key
	columns() []string
	fields() []string // in the order of columns
	// parse reads fields that are as many as the columns.
	parse(fields []string) (R, error)
}

// longestRow bounds a row, and longestHeading the first one, in bytes: a file that is none of
// measurements may have no end of a line at all.
const (
	longestRow     = 16 << 20
	longestHeading = 1 << 16
)

// ReadRecords reads what WriteRecords wrote. A last line without its end, which an
// interruption cut off, is left out. Errors carry the line, or are the reason to stop if the context
// ends or the budget of memory in it is spent.
//
// The heading may be repeated, as in files that were put together. Rows of an earlier version lack
// the last columns, which are then empty.
func ReadRecords[R AnyRecord[R]](ctx context.Context, r io.Reader, file string) (Contents[R], error) {
	var c Contents[R]
	var none R
	columns, parse := none.columns(), none.parse
	earlier, previous := columns[:len(columns)-len(conditionColumns.Get())], columns[:len(columns)-len(machineColumns)]
	text := &rowReader{r: r, work: account.Of(ctx), most: longestHeading}
	reader := csv.NewReader(text)
	reader.FieldsPerRecord = -1
	noHeading := func(line int) error {
		return fmt.Errorf("%s:%d:1: expected the columns %s", file, line, strings.Join(columns, ","))
	}
	for {
		fields, err := reader.Read()
		whole := reader.InputOffset()
		if text.failed == nil && err != io.EOF && text.isCut(whole, err) {
			rest := text.rest
			if c.Length == 0 && !isBeginning(rest, columns) && !isBeginning(rest, earlier) && !isBeginning(rest, previous) {
				return c, noHeading(1)
			}
			return c, nil
		}
		switch {
		case errors.Is(text.failed, errLongRow) && c.Length == 0:
			return c, noHeading(1)
		case errors.Is(text.failed, errLongRow):
			return c, fmt.Errorf("%s:%d:1: %w", file, text.lines+1, errLongRow)
		case text.failed != nil:
			return c, text.failed
		case err == io.EOF:
			return c, nil
		case err != nil:
			return c, fmt.Errorf("%s: %w", file, err)
		}
		line, _ := reader.FieldPos(0)
		isHeading := slices.Equal(fields, columns) || slices.Equal(fields, earlier) || slices.Equal(fields, previous)
		if c.Length == 0 && !isHeading {
			return c, noHeading(line)
		}
		if c.Length == 0 {
			c.Earlier = len(fields) < len(columns)
		}
		c.Length = whole
		text.passed(whole)
		if isHeading {
			continue
		}
		if n := len(fields); n == len(earlier) || n == len(previous) {
			fields = append(fields, make([]string, len(columns)-n)...)
		}
		if len(fields) != len(columns) {
			return c, fmt.Errorf("%s:%d:1: %d fields, expected %d", file, line, len(fields), len(columns))
		}
		record, err := parse(fields)
		if err != nil {
			return c, fmt.Errorf("%s:%d:1: %w", file, line, err)
		}
		if err := text.room(recordBytes + slotBytes[R](c.Records)); err != nil {
			return c, err
		}
		c.Records = append(c.Records, record)
	}
}

// recordBytes is about what a record takes beside its place in a list.
const recordBytes = 256

// slotBytes returns what a list takes when it grows for one more element, 0 if it need not.
func slotBytes[R any](list []R) int {
	if len(list) < cap(list) {
		return 0
	}
	return (len(list) + len(list)/4 + 1) * int(unsafe.Sizeof(*new(R)))
}

// row is a row whose fields are read one by one; failure reports the last that is wrong.
type row struct {
	columns, fields []string
	failure         error
}

// whole returns a field that is a whole number.
func (r *row) whole(i int) int64 {
	n, err := strconv.ParseInt(r.fields[i], 10, 64)
	if err != nil {
		r.failure = fmt.Errorf("%s: %q is no whole number", r.columns[i], r.fields[i])
	}
	return n
}

// number returns a field that is a number.
func (r *row) number(i int) float64 {
	x, err := strconv.ParseFloat(r.fields[i], 64)
	if err != nil {
		r.failure = fmt.Errorf("%s: %q is no number", r.columns[i], r.fields[i])
	}
	return x
}

// isBeginning reports whether text may become a line of columns.
func isBeginning(text []byte, columns []string) bool {
	return strings.HasPrefix(strings.Join(columns, ","), string(text))
}

// WriteRecords writes records as comma-separated values, first the names of the
// columns if head is set. All are written at once, so that those who write to the
// end of the same file do not get between.
func WriteRecords[R AnyRecord[R]](w io.Writer, head bool, records ...R) error {
	var text bytes.Buffer
	c := csv.NewWriter(&text)
	if head {
		var none R
		if err := c.Write(none.columns()); err != nil {
			return err
		}
	}
	for _, r := range records {
		if err := c.Write(r.fields()); err != nil {
			return err
		}
	}
	c.Flush()
	if err := c.Error(); err != nil {
		return err
	}
	_, err := w.Write(text.Bytes())
	return err
}

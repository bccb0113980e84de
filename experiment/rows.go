package experiment

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
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

// ReadRecords reads what WriteRecords wrote. A last line without its end, which an
// interruption cut off, is left out. Errors carry the line.
//
// The heading may be repeated, as in files that were put together. Rows of an earlier version lack
// the last columns, which are then empty.
func ReadRecords[R AnyRecord[R]](r io.Reader, file string) (Contents[R], error) {
	var c Contents[R]
	var none R
	columns, parse := none.columns(), none.parse
	text, err := io.ReadAll(r)
	if err != nil {
		return c, err
	}
	earlier, previous := columns[:len(columns)-len(conditionColumns.Get())], columns[:len(columns)-len(machineColumns)]
	reader := csv.NewReader(bytes.NewReader(text))
	reader.FieldsPerRecord = -1
	for {
		fields, err := reader.Read()
		rest := text[c.Length:]
		switch whole := reader.InputOffset(); {
		case err == io.EOF:
			return c, nil
		case isCut(text, whole, rest, err):
			if c.Length == 0 && !isBeginning(rest, columns) && !isBeginning(rest, earlier) && !isBeginning(rest, previous) {
				return c, fmt.Errorf("%s:1:1: expected the columns %s", file, strings.Join(columns, ","))
			}
			return c, nil
		case err != nil:
			return c, fmt.Errorf("%s: %w", file, err)
		default:
			line, _ := reader.FieldPos(0)
			isHeading := slices.Equal(fields, columns) || slices.Equal(fields, earlier) || slices.Equal(fields, previous)
			if c.Length == 0 && !isHeading {
				return c, fmt.Errorf("%s:%d:1: expected the columns %s", file, line, strings.Join(columns, ","))
			}
			if c.Length == 0 {
				c.Earlier = len(fields) < len(columns)
			}
			c.Length = whole
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
			c.Records = append(c.Records, record)
		}
	}
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

// isCut reports whether an interruption cut off the row read last, which ends at the offset in
// text. Then no end of line follows it, or it ends within quotes. rest is what follows the rows
// before. If that has several lines, it is not the beginning of a single one, and the file is
// wrong in some other way.
func isCut(text []byte, offset int64, rest []byte, err error) bool {
	if offset < int64(len(text)) || bytes.ContainsRune(bytes.TrimSuffix(rest, []byte("\n")), '\n') {
		return false
	}
	quotes := bytes.Count(rest, []byte(`"`))
	return err != nil && errors.Is(err, csv.ErrQuote) && quotes%2 == 1 || err == nil && text[offset-1] != '\n'
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

package etf

import (
	"errors"
	"strings"
	"testing"
)

// refusing is a file that takes nothing.
type refusing struct{}

var errRefused = errors.New("refused")

func (refusing) Write([]byte) (int, error) { return 0, errRefused }

// TestWriteEndsWithTheFile: rows, of which each has an entry a variable, are printed only as long
// as the file takes them.
func TestWriteEndsWithTheFile(t *testing.T) {
	const rows = 10_000
	m := &Model{Variables: []Typed{{Name: "x", Sort: "int"}}, Initial: []int32{0}, Groups: []Group{nil}, Maps: []Map{{Typed: Typed{Name: "y", Sort: "int"}}}}
	for i := range rows {
		m.Groups[0] = append(m.Groups[0], Row{Entries: []Entry{{Before: 1000 + int32(i), After: 1000}}})
		m.Maps[0].Rows = append(m.Maps[0].Rows, MapRow{Entries: []Entry{{Before: 1000 + int32(i)}}})
	}
	printed := testing.AllocsPerRun(1, func() { // each number is one
		if err := m.Write(refusing{}); !errors.Is(err, errRefused) {
			t.Errorf("written: %v", err)
		}
	})
	if printed > rows {
		t.Errorf("%.0f numbers are printed to a file that takes none", printed)
	}
	var text strings.Builder
	if err := m.Write(&text); err != nil || strings.Count(text.String(), "\n") < 2*rows {
		t.Errorf("%d lines of %d rows: %v", strings.Count(text.String(), "\n"), 2*rows, err)
	}
}

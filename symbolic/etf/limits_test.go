package etf

import (
	"context"
	"errors"
	"runtime/debug"
	"strings"
	"testing"

	"pnmc/internal/account"
	"pnmc/petri"
)

// TestNetsOfModelsHaveLimits: making a net of a large table ends with the context, and is not begun
// where there is no memory for it.
func TestNetsOfModelsHaveLimits(t *testing.T) {
	m := &Model{Variables: []Typed{{Name: "x"}}, EdgeLabels: []Typed{{Name: "a"}}, Initial: []int32{0}, Groups: []Group{nil}}
	const rows = 200_000
	for i := range int32(rows) {
		m.Groups[0] = append(m.Groups[0], Row{Entries: []Entry{{0, i, i + 1}}, Labels: []int32{0}})
	}
	for _, looks := range []int{1, 10, 50} {
		if _, err := m.Net(account.EndsAfter(looks)); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("after %d looks: %v", looks, err)
		}
	}
	debug.FreeOSMemory()
	ctx, stop := account.Within(t.Context(), petri.Budget{MemoryBytes: account.InUse() + 16<<20})
	defer stop(nil)
	before := account.InUse()
	var full *petri.MemoryError
	if _, err := m.Net(ctx); !errors.As(err, &full) {
		t.Errorf("%v, expected that there is no memory", err)
	}
	if made := account.InUse() - before; made > 32<<20 {
		t.Errorf("%d MB were taken before", made>>20)
	}
}

// TestLinesHaveLimits: the limit hears of lines, of their fields and of what is made of them, and its
// error ends the reading before they are there.
func TestLinesHaveLimits(t *testing.T) {
	const head, variables = "begin state\nx:int\nend state\nbegin init\n0\nend init\n", 1 << 17
	for name, test := range map[string]struct {
		text string
		most int // asked for
	}{
		"fields":    {head + "begin " + strings.Repeat("- ", variables) + "\n", variables * fieldBytes},
		"long word": {head + "begin " + strings.Repeat("-", 16*variables) + "\n", 16 * variables},
		"names":     {"begin state\n" + strings.Repeat("_:a ", variables) + "\nend state\n", variables * nameBytes},
		"numbers":   {head + "begin init\n" + strings.Repeat("0 ", variables) + "\n", variables * numberBytes},
	} {
		enough := errors.New("enough")
		asked := 0
		limit := func(bytes int) error {
			if asked += bytes; asked > test.most {
				return enough
			}
			return nil
		}
		if _, err := (Reader{Limit: limit}).Read(strings.NewReader(test.text), "x"); !errors.Is(err, enough) {
			t.Errorf("%s: %v after %d bytes", name, err, asked)
		}
	}
}

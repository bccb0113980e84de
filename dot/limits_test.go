package dot_test

import (
	"errors"
	"io"
	"runtime/debug"
	"strings"
	"testing"

	"pnmc/dot"
	"pnmc/internal/account"
)

// TestLabelsAskForRoom: labels of propositions with long names are not made where there is no room
// for them.
func TestLabelsAskForRoom(t *testing.T) {
	const edges, propositions, length = 200, 4, 1 << 18
	var text strings.Builder
	text.WriteString("HOA: v1 States: 1 Start: 0 Acceptance: 0 t AP: 4")
	for p := range propositions {
		text.WriteString(` "` + strings.Repeat(string(rune('a'+p)), length) + `"`)
	}
	text.WriteString("\n--BODY-- State: 0\n")
	for range edges {
		text.WriteString("[0&!1&2&!3] 0\n")
	}
	text.WriteString("--END--\n")
	a := readHOA(t, strings.NewReader(text.String()), "long.hoa")[0]
	debug.FreeOSMemory()
	ctx, stop := account.Within(t.Context(), account.Budget{MemoryBytes: account.InUse() + 24<<20})
	defer stop(nil)
	before := account.InUse()
	var full *account.MemoryError
	if err := (dot.Style{}).Picture(ctx, io.Discard, a); !errors.As(err, &full) {
		t.Errorf("%v, expected that there is no memory", err)
	}
	if made := account.InUse() - before; made > 64<<20 {
		t.Errorf("%d MB were taken before", made>>20)
	}
}

package dot_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"pnmc/automata"
	"pnmc/dot"
	"pnmc/internal/automatatest"
)

// parity returns a formula of a few thousand characters that is true if an odd number of these
// propositions are, or an even one: half of the valuations, none of which is next to another.
func parity(names []string, odd bool) string {
	if len(names) == 1 && odd {
		return names[0]
	}
	if len(names) == 1 {
		return "!" + names[0]
	}
	a, b := names[:len(names)/2], names[len(names)/2:]
	return fmt.Sprintf("(%s & %s | %s & %s)", parity(a, false), parity(b, odd), parity(a, true), parity(b, !odd))
}

// severalParities returns a drawing whose first valuations are in so many labels the parity of so many propositions.
func severalParities(propositions, labels int) string {
	names := make([]string, propositions)
	for i := range names {
		names[i] = fmt.Sprintf("a%d", i)
	}
	f := parity(names, true)
	var b strings.Builder
	b.WriteString("digraph G {\n 0 [style=invis]\n 0 -> 1\n 1 [label=\"init\"]\n 2 [label=\"2\"]\n")
	for i := range labels {
		fmt.Fprintf(&b, " 1 -> 2 [label=\"%s%s\\n{0}\"]\n", strings.Repeat(" ", i), f)
	}
	b.WriteString(" 2 -> 2 [label=\"{a0}\\n{0}\"]\n}\n")
	return b.String()
}

// readWithin reads an automaton within a limit.
func readWithin(text string, limit func(bytes int) error) (*automata.Automaton, error) {
	r := dot.NewReader(strings.NewReader(text), "")
	r.LimitBy(limit)
	a, err := r.Read()
	if err != nil {
		if _, again := r.Read(); again != err {
			return nil, fmt.Errorf("%w, and then %w", err, again)
		}
	}
	return a, err
}

// TestLimitOfDrawings: the valuations of labels, formulas, changesets, and sets of states are asked for
// before they are made, and so is the automaton. Reading ends with the reason when there is no more.
func TestLimitOfDrawings(t *testing.T) {
	var changes, formulas strings.Builder
	changes.WriteString("digraph G {\n 0 [style=invis]\n 0 -> 1\n 1 [label=\"init\"]\n 2 [label=\"2\"]\n 1 -> 2 [label=\"a0")
	for p := range 999 {
		fmt.Fprintf(&changes, " & a%d", p+1)
	}
	changes.WriteString("\\n{}\"]\n")
	for c := range 4000 {
		fmt.Fprintf(&changes, " 2 -> 2 [label=\"{a%d, a%d}\\n{}\"]\n", c%1000, (c+1+c/1000)%1000)
	}
	changes.WriteString("}\n")
	formulas.WriteString("digraph G {\n 0 [style=invis]\n 0 -> 1\n 1 [label=\"init\"]\n 2 [label=\"2\"]\n")
	for i := range 100 {
		formulas.WriteString(" 1 -> 2 [label=\"a" + strings.Repeat(" | !a", 200+i) + "\\n{0}\"]\n")
	}
	formulas.WriteString(" 2 -> 2 [label=\"{}\\n{0}\"]\n}\n")
	full := errors.New("full")
	for name, test := range map[string]struct {
		text string
		made int // at least
	}{
		"valuations": {severalParities(12, 8), 8 * 1 << 11 * (16 + 24 + 16)},
		"formulas":   {formulas.String(), 100 * 200 * 100},
		"changesets": {changes.String(), 4000 * 32 * 8 * 2},
	} {
		asked := 0
		if _, err := readWithin(test.text, func(bytes int) error { asked += bytes; return nil }); err != nil || asked < test.made {
			t.Errorf("%s: asked for %d bytes, of %d that are made: %v", name, asked, test.made, err)
		}
		whole, after := asked, 0
		asked = 0
		_, err := readWithin(test.text, func(bytes int) error {
			if asked += bytes; asked > whole/2 {
				after++
				return full
			}
			return nil
		})
		if !errors.Is(err, full) || after != 1 {
			t.Errorf("%s: %v, expected the error of the limit, which was asked %d times after that", name, err, after-1)
		}
	}
	text := severalParities(14, 5)
	automatatest.EndsAtEachLook(t, "valuations", 12, func(ctx context.Context) (any, error) {
		a, err := readWithin(text, func(int) error { return ctx.Err() })
		if err != nil {
			return nil, err
		}
		return a.Edges(), nil
	})
	automatatest.EndsAtEachLook(t, "changesets", 20, func(ctx context.Context) (any, error) {
		a, err := readWithin(changes.String(), func(int) error { return ctx.Err() })
		if err != nil {
			return nil, err
		}
		return a.Edges(), nil
	})
}

// TestValuationsAskFirst: where there is no room for the valuations of labels, they are not made.
func TestValuationsAskFirst(t *testing.T) {
	full := errors.New("full")
	text := severalParities(16, 20)
	asked, before := 0, allocated()
	if _, err := readWithin(text, func(bytes int) error {
		if asked += bytes; asked > 4<<20 {
			return full
		}
		return nil
	}); !errors.Is(err, full) {
		t.Errorf("%v, expected the error of the limit", err)
	}
	if made := allocated() - before; made > 16<<20 {
		t.Errorf("%d MB were made where there is room for 4", made>>20)
	}
}

// allocated returns how many bytes were allocated so far.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

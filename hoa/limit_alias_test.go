package hoa_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"pnmc/hoa"
	"pnmc/internal/automatatest"
)

// doubling returns an automaton with the aliases @a0 to @a13, of which each has twice as many cubes
// as the one before, more aliases, and an edge with this label.
func doubling(more []string, label string) string {
	var b strings.Builder
	b.WriteString("HOA: v1 States: 1 Start: 0 AP: 1 \"p\" Acceptance: 0 t\nAlias: @a0 t\n")
	for i := 1; i < 14; i++ {
		fmt.Fprintf(&b, "Alias: @a%d @a%d | @a%d\n", i, i-1, i-1)
	}
	for i, alias := range more {
		fmt.Fprintf(&b, "Alias: @b%d %s\n", i, alias)
	}
	fmt.Fprintf(&b, "--BODY-- State: 0 [%s] 0 --END--\n", label)
	return b.String()
}

// TestLimitOfAliases: the cubes that are kept for aliases are asked for before they are made, and so are
// those of a label of many aliases, and what is only copied. Reading ends with the reason when
// there is no more, and asks for nothing then.
func TestLimitOfAliases(t *testing.T) {
	const aliases, operands, each = 200, 100, 8 << 12 // bytes
	for name, text := range map[string]string{
		"aliases":       doubling(repeated("@a12 | @a0", aliases), "t"),
		"label":         doubling(nil, strings.Join(repeated("@a12", operands), " | ")),
		"conjunctions":  doubling(nil, "@a12"+strings.Repeat(" & t", aliases)),
		"diagrams":      doubling(repeated("(@a12 & 0 | !0) & (@a12 | 0)", aliases), "!@b199"),
		"other headers": manyHeaders(8 * aliases),
	} {
		made, asked := operands*each, 0
		read := func(limit func(int) error) error {
			r := hoa.NewReader(strings.NewReader(text), "")
			r.LimitBy(limit)
			_, err := r.Read()
			return err
		}
		if read(func(bytes int) error { asked += bytes; return nil }); asked < made && name != "other headers" || asked < made/4 {
			t.Errorf("%s: asked for %d bytes, of %d that are made", name, asked, made)
		}
		whole, full := asked, errors.New("full")
		asked, after := 0, 0
		err := read(func(bytes int) error {
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
	text := doubling(repeated("@a12 | @a0", aliases), "@a13 | "+strings.Join(repeated("@b7", operands), " | "))
	automatatest.EndsAtEachLook(t, "aliases", 200, func(ctx context.Context) (any, error) {
		r := hoa.NewReader(strings.NewReader(text), "")
		r.LimitBy(func(int) error { return ctx.Err() })
		a, err := r.Read()
		if err != nil {
			return nil, err
		}
		return a.Cubes(0), nil
	})
}

// TestLabelsAskFirst: where there is no room for the cubes of a label, they are not made.
func TestLabelsAskFirst(t *testing.T) {
	full := errors.New("full")
	text := doubling(nil, strings.Join(repeated("@a13", 200), " | "))
	allocated := func() uint64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.TotalAlloc
	}
	asked, before := 0, allocated()
	r := hoa.NewReader(strings.NewReader(text), "")
	r.LimitBy(func(bytes int) error {
		if asked += bytes; asked > 4<<20 {
			return full
		}
		return nil
	})
	if _, err := r.Read(); !errors.Is(err, full) {
		t.Errorf("%v, expected the error of the limit", err)
	}
	if made := allocated() - before; made > 8<<20 {
		t.Errorf("%d MB were made where there is room for 4", made>>20)
	}
}

// TestOtherNames: an alias that is another name for one with many cubes takes none of its own.
func TestOtherNames(t *testing.T) {
	asked := [2]int{}
	for i, aliases := range []int{0, 200} {
		r := hoa.NewReader(strings.NewReader(doubling(repeated("@a13", aliases), "t")), "")
		r.LimitBy(func(bytes int) error { asked[i] += bytes; return nil })
		if _, err := r.Read(); err != nil {
			t.Fatal(err)
		}
	}
	if more := asked[1] - asked[0]; more > 2<<20 {
		t.Errorf("200 other names for an alias take %d bytes more than %d", more, asked[0])
	}
}

// manyHeaders returns an automaton with so many headers that are not known and differ.
func manyHeaders(n int) string {
	var b strings.Builder
	b.WriteString("HOA: v1 Acceptance: 0 t ")
	for i := range n {
		fmt.Fprintf(&b, "x: %d ", i)
	}
	return b.String() + "--BODY-- --END--\n"
}

// repeated returns a list of n equal texts.
func repeated(text string, n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = text
	}
	return list
}

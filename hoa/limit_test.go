package hoa_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pnmc/hoa"
)

// aliased returns an automaton of so many edges, each with a label of so many cubes that takes
// four characters.
func aliased(edges, cubes int) string {
	var b strings.Builder
	b.WriteString(`HOA: v1 States: 1 Start: 0 AP: 12`)
	for p := range 12 {
		fmt.Fprintf(&b, ` "p%d"`, p)
	}
	b.WriteString(" Alias: @a ")
	for c := range cubes {
		if c > 0 {
			b.WriteString("|")
		}
		for p := range 12 {
			if p > 0 {
				b.WriteString("&")
			}
			if c>>p&1 == 0 {
				b.WriteString("!")
			}
			fmt.Fprint(&b, p)
		}
	}
	b.WriteString(" Acceptance: 0 t --BODY-- State: 0\n")
	b.WriteString(strings.Repeat("[@a] 0\n", edges))
	b.WriteString("--END--\n")
	return b.String()
}

// TestLimitOfWhatIsMade: a text of few bytes that makes a large automaton asks for what it
// makes, and reading ends with the reason when there is no more.
func TestLimitOfWhatIsMade(t *testing.T) {
	const edges, cubes, words = 4000, 300, 2
	made := 8 * edges * cubes * words // 19 MB of 30 KB
	asked := 0
	r := hoa.NewReader(strings.NewReader(aliased(edges, cubes)), "a.hoa")
	r.LimitBy(func(bytes int) error { asked = max(asked, bytes); return nil })
	if a, err := r.Read(); err != nil || a.Edges() != edges || asked < made {
		t.Errorf("%d bytes are made, %d were asked for: %v", made, asked, err)
	}
	full := errors.New("no more")
	r = hoa.NewReader(strings.NewReader(aliased(edges, cubes)+aliased(1, 1)), "a.hoa")
	r.LimitBy(func(bytes int) error {
		if bytes > made/2 {
			return full
		}
		return nil
	})
	for range 2 {
		if a, err := r.Read(); !errors.Is(err, full) || !strings.HasPrefix(err.Error(), "a.hoa: ") || a != nil {
			t.Errorf("beyond the limit: %v, %v", a, err)
		}
	}
}

// TestLongHeaders: a reader asks before the grammar makes a tree of a header of many words,
// and takes only so many.
func TestLongHeaders(t *testing.T) {
	header := func(words int) string {
		return "HOA: v1 States: 1 Start: 0 AP: 0 Acceptance: 0 t properties:" + strings.Repeat(" x", words) + "\n--BODY-- State: 0 [t] 0 --END--\n"
	}
	full := errors.New("full")
	r := hoa.NewReader(strings.NewReader(header(100_000)), "long.hoa")
	asked := 0
	r.LimitBy(func(bytes int) error {
		if asked = max(asked, bytes); bytes < 100_000*500 {
			return nil
		}
		return full
	})
	if _, err := r.Read(); !errors.Is(err, full) {
		t.Errorf("error %v, expected that of the limit; asked for %d bytes", err, asked)
	}
	r = hoa.NewReader(strings.NewReader(header(1<<19)), "long.hoa")
	if _, err := r.Read(); err == nil || !strings.Contains(err.Error(), "words") {
		t.Errorf("error %v, expected that there are too many words", err)
	}
}

// TestLimitWithinHeaders: where the limit stops the reader at a header, whichever it is, that is
// the error: what the header says is not missed.
func TestLimitWithinHeaders(t *testing.T) {
	full := errors.New("full")
	for _, header := range []string{
		"Acceptance: 1 " + strings.Repeat("Inf(0)&", 20_000) + "Inf(0)",
		"AP: 20000" + strings.Repeat(` "p"`, 20_000),
		"acc-name: Buchi" + strings.Repeat(" x", 20_000),
		"Alias: @a " + strings.Repeat("0&", 20_000) + "0",
	} {
		for _, rest := range []string{"", "Acceptance: 0 t ", "AP: 0 "} {
			text := "HOA: v1 States: 1 Start: 0 " + rest + header + " --BODY-- State: 0 [t] 0 --END--\n"
			r := hoa.NewReader(strings.NewReader(text), "long.hoa")
			r.LimitBy(func(int) error { return full })
			for range 2 {
				if a, err := r.Read(); a != nil || !errors.Is(err, full) {
					t.Errorf("%s%.20s...: error %v, expected that of the limit", rest, header, err)
				}
			}
		}
	}
}

// TestLimitOfLabels: a label of few characters that takes decision diagrams of 2^18 nodes asks while
// it makes them, and reading ends with the reason when there is no more.
func TestLimitOfLabels(t *testing.T) {
	var text strings.Builder
	text.WriteString(`HOA: v1 States: 1 Start: 0 AP: 40`)
	for p := range 40 {
		fmt.Fprintf(&text, ` "p%d"`, p)
	}
	text.WriteString(" Acceptance: 0 t --BODY-- State: 0\n[t")
	for p := range 20 {
		fmt.Fprintf(&text, " & (%d | %d)", p, p+20)
	}
	text.WriteString("] 0\n--END--\n")
	asked := 0
	r := hoa.NewReader(strings.NewReader(text.String()), "a.hoa")
	r.LimitBy(func(int) error { asked++; return nil })
	if _, err := r.Read(); err == nil || asked < 20 {
		t.Errorf("asked %d times, %v", asked, err)
	}
	full := errors.New("no more")
	left := 3
	r = hoa.NewReader(strings.NewReader(text.String()), "a.hoa")
	r.LimitBy(func(int) error {
		if left--; left < 0 {
			return full
		}
		return nil
	})
	for range 2 {
		if _, err := r.Read(); !errors.Is(err, full) {
			t.Errorf("%v, expected the error of the limit", err)
		}
	}
	if left < -2 {
		t.Errorf("asked %d times after the end", -left)
	}
}

// TestLongTokensAreAskedFor: each string or name that is long is asked for before it is read, and the
// reason why there is no room ends the stream.
func TestLongTokensAreAskedFor(t *testing.T) {
	const length = 1 << 20
	full := errors.New("full")
	x := strings.Repeat("x", length)
	for _, text := range []string{
		`HOA: v1 name: "` + x + `"`, `HOA: v1 AP: 1 "` + x + `"`, `HOA: v1 foo: "` + x + `"`, x, "HOA: v1 " + x + ": 1",
		`HOA: v1 States: 1 Start: 0 AP: 0 Acceptance: 0 t --BODY-- State: 0 "` + x + `"`,
		`HOA: v1 States: 1 Start: 0 AP: 0 Acceptance: 0 t --BODY-- State: 0 [` + strings.Repeat("t&", length) + "t] 0",
	} {
		r := hoa.NewReader(strings.NewReader(text+" --END--\n"), "long.hoa")
		asked := 0
		r.LimitBy(func(bytes int) error {
			if asked = max(asked, bytes); bytes < length {
				return nil
			}
			return full
		})
		for range 2 {
			if a, err := r.Read(); a != nil || !errors.Is(err, full) {
				t.Errorf("%.80s...: asked for %d bytes, %.200v", text, asked, err)
			}
		}
	}
}

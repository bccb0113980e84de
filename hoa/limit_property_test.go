package hoa_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"

	"pnmc/hoa"
	"pnmc/internal/automatatest"
)

// hinted returns an automaton with these properties, two states, and so many loops of the first one.
func hinted(properties, loop string, loops int) string {
	return "HOA: v1 States: 2 Start: 0 AP: 1 \"p\" Acceptance: 2 Inf(0) & Fin(1)\nproperties: " + properties +
		"\n--BODY-- State: 0\n" + strings.Repeat(loop+"\n", loops) + "[0] 1 {0}\nState: 1\n[t] 1 {0}\n--END--\n"
}

// TestLimitOfProperties: while properties are checked the limit is asked, and ends the stream; a property
// beyond the bound on the work is dropped with a warning, as without a limit.
func TestLimitOfProperties(t *testing.T) {
	full := errors.New("full")
	const all = "deterministic !deterministic exist-branch unambiguous !unambiguous complete !complete semi-deterministic weak terminal"
	for name, text := range map[string]string{
		"within the bound": hinted(all, "[t] 0 {0}", 500),
		"beyond the bound": hinted("unambiguous", "[0] 0 {0}\n[!0] 1 {1}", 10_000),
	} {
		read := func(limit func(int) error) (string, error) {
			r := hoa.NewReader(strings.NewReader(text), "")
			r.LimitBy(limit)
			_, err := r.Read()
			var b strings.Builder
			for _, w := range r.Warnings() {
				b.WriteString(w.Message + "\n")
			}
			return b.String(), err
		}
		asked, plain := 0, 0
		warnings, err := read(func(bytes int) error { asked++; return nil })
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		r := hoa.NewReader(strings.NewReader(strings.ReplaceAll(text, "properties", "other")), "")
		r.LimitBy(func(int) error { plain++; return nil })
		if _, err := r.Read(); err != nil {
			t.Fatal(err)
		}
		if name == "beyond the bound" && !strings.Contains(warnings, "property unambiguous was not checked, and is dropped") {
			t.Errorf("%s: %s", name, warnings)
		}
		if asked < plain+5 {
			t.Errorf("%s: asked %d times, and %d times without properties", name, asked, plain)
		}
		left := plain + 2
		if _, err := read(func(int) error {
			if left--; left < 0 {
				return full
			}
			return nil
		}); !errors.Is(err, full) || left < -1 {
			t.Errorf("%s: %v, expected the error of the limit, which was asked %d times after that", name, err, -1-left)
		}
		automatatest.EndsAtEachLook(t, name, plain+5, func(ctx context.Context) (any, error) {
			return read(func(int) error { return ctx.Err() })
		})
	}
}

// TestManyProperties: reading takes work linear in the number of properties. Looking at each for each
// would allocate some hundred megabytes.
func TestManyProperties(t *testing.T) {
	allocated := func(properties int) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r := hoa.NewReader(strings.NewReader(hinted(strings.Repeat("!"+strings.Repeat("x", 40)+" ", properties), "[0] 0", 1)), "")
		if _, err := r.Read(); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	allocated(1) // what is made once
	if once, more := allocated(500), allocated(4000); more > 16*once {
		t.Errorf("%d bytes for 500 properties, %d for 4000", once, more)
	}
}

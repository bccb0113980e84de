package cross

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

// TestClockThatJumps: the seconds of rows are those of the clock of the settings, looked at
// before and after each translation, however far it jumps.
func TestClockThatJumps(t *testing.T) {
	t.Setenv(asTranslator, "right")
	c, err := ParseCommand("{it} " + self(t) + " %f")
	if err != nil {
		t.Fatal(err)
	}
	s, formulas := parseAll(t, "a U b", "G a")
	settings := defaultSettings()
	looks := 0
	settings.Clock = func() time.Duration {
		looks++
		return time.Duration(looks*looks) * time.Hour // jumps by more and more
	}
	r, err := Run(context.Background(), s, formulas, []Translator{c}, settings)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Rows) != 4 || len(r.Differences) > 0 {
		t.Fatalf("%+v", r.Rows)
	}
	for i, row := range r.Rows {
		if hours := row.Seconds / 3600; row.Status != "ok" || hours != float64(4*i+3) {
			t.Errorf("row %d: %s after %v hours", i, row.Status, hours)
		}
	}
}

// TestChecksHaveTheirOwnContext: what ends the context of a check, such as a budget of memory,
// ends no more than that check, which is counted and told with the reason.
func TestChecksHaveTheirOwnContext(t *testing.T) {
	s, formulas := parseAll(t, "GFa -> GFb", "a U (b R c)")
	settings, made := defaultSettings(), 0
	full := errors.New("the memory is full")
	settings.Within = func(ctx context.Context) (context.Context, context.CancelFunc) {
		made++
		ctx, cancel := context.WithCancelCause(ctx)
		cancel(full)
		return ctx, func() {}
	}
	r, err := Run(context.Background(), s, formulas, []Translator{ours, wrong}, settings)
	if err != nil || len(r.Differences) > 0 || r.Compared != len(formulas) {
		t.Errorf("%d of %d formulas are compared, with %d differences, error %v", r.Compared, len(formulas), len(r.Differences), err)
	}
	if r.Skipped == 0 || r.Skipped > made || len(r.SkipReasons) == 0 || !strings.Contains(r.SkipReasons[0], full.Error()) {
		t.Errorf("%d checks were begun, %d skipped: %q", made, r.Skipped, r.SkipReasons)
	}
}

package cross

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"pnmc/internal/account"
)

// TestTranslationsHaveRoom: what a translator prints is kept as long as there is memory for it, which a
// failure of its own says.
func TestTranslationsHaveRoom(t *testing.T) {
	c, err := ParseCommand("{it} " + self(t) + " %f")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(asTranslator, "long name")
	s, formulas := parseAll(t, "a U b")
	settings := defaultSettings()
	settings.Within = func(ctx context.Context) (context.Context, context.CancelFunc) {
		ctx, stop := account.Within(ctx, account.Budget{MemoryBytes: 1})
		return ctx, func() { stop(nil) }
	}
	r, err := Run(context.Background(), s, formulas, []Translator{c}, settings)
	if err != nil || len(r.Rows) != 2 {
		t.Fatal(r.Rows, err)
	}
	for _, row := range r.Rows {
		if row.Status != string(NoRoom) || !strings.Contains(row.Reason, "memory limit") {
			t.Errorf("%+v", row)
		}
	}

	ctx, stop := account.Within(context.Background(), account.Budget{MemoryBytes: account.InUse() + 40<<20})
	defer stop(nil)
	stopped := false
	b := &outputBuffer{limitedBuffer: limitedBuffer{limit: maxOutput}, account: account.Of(ctx), stop: func() { stopped = true }}
	largest := 0
	for line := bytes.Repeat([]byte("#"), 1<<16); b.full == nil && !b.over; largest = max(largest, b.Cap()) {
		if n, err := b.Write(line); n != len(line) || err != nil {
			t.Fatal(n, err)
		}
	}
	if b.full == nil || !stopped || b.Cap() > 0 || largest > 40<<20 {
		t.Errorf("%v, stopped %v, %d bytes kept of %d", b.full, stopped, b.Cap(), largest)
	}
}

package limits

import (
	"math"
	"testing"
	"time"
)

func TestDuration(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"10": 10 * time.Second, "1.5": 1500 * time.Millisecond, "0": 0, "90s": 90 * time.Second, "1h30m": 90 * time.Minute,
		" 1e2 ": 100 * time.Second, "-3": -3 * time.Second, "-1m": -time.Minute, "99999999999999": math.MaxInt64, "-1e300": -math.MaxInt64,
	} {
		var d duration
		if err := d.Set(text); err != nil || time.Duration(d) != want {
			t.Errorf("%q: %s, %v", text, time.Duration(d), err)
			continue
		}
		again := duration(1)
		if err := again.Set(d.String()); err != nil || again != d {
			t.Errorf("%q prints as %s, which is %s, %v", text, &d, &again, err)
		}
	}
	for _, text := range []string{"", "ten", "10 s", "NaN", "0x10", "1_0", "10S", "s"} {
		var d duration
		if err := d.Set(text); err == nil {
			t.Errorf("%q is %s", text, &d)
		}
	}
}

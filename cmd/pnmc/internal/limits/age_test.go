package limits

import (
	"os"
	"testing"
	"time"
)

func TestProcessAge(t *testing.T) {
	const tail = " S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4250 20 21\n"
	for _, test := range []struct {
		stat, uptime string
		want         time.Duration
	}{
		{"77 (pnmc)" + tail, "43.25 80.00\n", 750 * time.Millisecond},
		{"77 (a ) b)" + tail, "42.50 80.00\n", 0},
		{"77 (pnmc)" + tail, "42.00 80.00\n", 0}, // clocks are read one after the other
		{"77 (pnmc) S 1 2", "43.25 80.00\n", 0},
		{"", "43.25 80.00\n", 0},
		{"77 (pnmc)" + tail, "", 0},
	} {
		if got := processAge([]byte(test.stat), []byte(test.uptime)); got != test.want {
			t.Errorf("%q, %q: %v, should be %v", test.stat, test.uptime, got, test.want)
		}
	}
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("no /proc/self/stat here")
	}
	if age := time.Since(Begun()); age <= 0 || age > mostAge+time.Second {
		t.Errorf("this process is %v old", age)
	}
}

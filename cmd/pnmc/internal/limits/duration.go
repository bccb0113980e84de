package limits

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/exit"
)

// duration is a time as a flag takes it: 90s, 10m or 1h30m, or a number of seconds.
type duration time.Duration

// Set reads a time. A longer time than some 290 years counts as 290 years.
//
// For example, 90 and 90s are a minute and a half, 0.5 is half a second, and 1h30m is as Go reads
// it.
func (d *duration) Set(text string) error {
	text = strings.TrimSpace(text)
	if seconds, err := strconv.ParseFloat(text, 64); err == nil && !math.IsNaN(seconds) && !strings.ContainsAny(text, "xXpP_") {
		if nanoseconds := seconds * float64(time.Second); math.Abs(nanoseconds) < math.MaxInt64 {
			*d = duration(nanoseconds)
		} else if *d = math.MaxInt64; seconds < 0 {
			*d = -math.MaxInt64
		}
		return nil
	}
	parsed, err := time.ParseDuration(text)
	if err != nil {
		return fmt.Errorf("expected a time such as 90s or 10m, or seconds")
	}
	*d = duration(parsed)
	return nil
}

// String returns the time as Set and the library read it.
func (d *duration) String() string { return time.Duration(*d).String() }

// DurationFlag takes a time that is not negative, which c.Duration gives.
func DurationFlag(name string, value time.Duration, usage string) *cli.GenericFlag {
	d := duration(value)
	return &cli.GenericFlag{Name: name, Value: &d, Usage: usage, Action: func(c *cli.Context, _ any) error {
		if d := c.Duration(name); d < 0 {
			return wrongDuration(name, d)
		}
		return nil
	}}
}

// wrongDuration returns the usage error for a time that a flag does not take.
func wrongDuration(name string, d time.Duration) error {
	return exit.UsageError("--%s: expected a time such as 90s or 10m, found %s", name, d)
}

// TimeoutFlag limits the time of a command; there is no limit without it. After is what
// follows in the help.
func TimeoutFlag(after string) cli.Flag {
	f := DurationFlag("timeout", 0, "give up after this `TIME`, such as 90s or 10m; a number is seconds"+after)
	f.DefaultText = "none"
	f.Action = func(c *cli.Context, _ any) error {
		if d := c.Duration("timeout"); d <= 0 {
			return wrongDuration("timeout", d)
		}
		return nil
	}
	return f
}

// WholeSeconds returns the time that a flag gives, in seconds, rounded down so that the limit
// is kept.
func WholeSeconds(c *cli.Context, name string) (int64, error) {
	d := c.Duration(name)
	if d < time.Second {
		return 0, exit.UsageError("--%s: expected seconds from 1 on, found %s", name, d)
	}
	return int64(d / time.Second), nil
}

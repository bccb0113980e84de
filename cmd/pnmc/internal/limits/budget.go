// Package limits has the flags that limit time and memory, and what follows from them.
//
// In come the values of flags, out go contexts that end and budgets that hold. Next are the
// packages that read input, and all commands. Whoever allocates by the work done keeps an
// account itself: see pnmc/internal/account.
package limits

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/KimMachineGun/automemlimit/memlimit"
	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/output"
	"pnmc/internal/account"
	"pnmc/petri"
)

// memoryShare is the part of the machine's memory used unless --max-memory says
// otherwise.
const memoryShare = 0.8

// LeastMemory is the smallest limit that can be kept.
const LeastMemory = 40 << 20

// MostThreads is how many threads one may ask for.
const MostThreads = 1 << 10

// Flags returns the flags that limit time and memory. whatHasIt, in parentheses, adds
// to the help for what the time begins anew.
func Flags(whatHasIt string) []cli.Flag {
	return []cli.Flag{
		TimeoutFlag(whatHasIt),
		MemoryFlag(),
	}
}

// MemoryFlag limits the memory of the whole process.
func MemoryFlag() cli.Flag {
	return &cli.StringFlag{Name: "max-memory", Usage: "give up when the whole process, as the system counts it, comes close to this `SIZE`, such as 800MB or 4GB",
		DefaultText: "80% of what the machine or cgroup has"}
}

// Budget returns the budget that the flags give, and makes the garbage
// collector keep within it.
func Budget(c *cli.Context) (petri.Budget, error) {
	limit := int64(0)
	if text := c.String("max-memory"); text != "" {
		var err error
		if limit, err = ParseSize(text); err != nil {
			return petri.Budget{}, exit.UsageError("--max-memory: %w", err)
		}
		if limit < LeastMemory {
			return petri.Budget{}, exit.UsageError("--max-memory: expected 40MB or more, found %q", text)
		}
	} else if all, err := memlimit.ApplyFallback(memlimit.FromCgroup, memlimit.FromSystem)(); err == nil {
		if system, err := memlimit.FromSystem(); err == nil {
			all = min(all, system)
		}
		limit = int64(float64(min(all, math.MaxInt64)) * memoryShare)
	}
	return KeepWithin(limit), nil
}

// KeepWithin returns a budget of that many bytes, 0 for any, and makes the garbage collector
// keep within it.
func KeepWithin(limit int64) petri.Budget {
	if limit == 0 {
		return petri.Budget{}
	}
	budget := petri.Budget{MemoryBytes: limit}
	budget.LimitCollector()
	return budget
}

// ParseSize reads a number of bytes, perhaps with a decimal fraction and a unit. Units
// are B, kB, MB, GB and TB, all powers of 1024, with or without the B or an i before
// it.
//
// For example, 1.5GB, 1.5 g and 1.5GiB are all 1610612736 bytes.
func ParseSize(text string) (int64, error) {
	s := strings.ToUpper(strings.TrimSpace(text))
	s = strings.TrimSuffix(strings.TrimSuffix(s, "B"), "I")
	factor := 1.0
	if i := strings.IndexAny(s, "KMGT"); i >= 0 && i == len(s)-1 {
		factor = math.Pow(1024, float64(1+strings.IndexByte("KMGT", s[i])))
		s = strings.TrimSpace(s[:i])
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || !(v > 0) || v*factor >= math.MaxInt64 {
		return 0, fmt.Errorf("expected a size such as 800MB or 4GB, found %q", text)
	}
	return int64(v * factor), nil
}

// WithinMemory returns a context for work that has no account of its own, such as a
// translation. It ends when the memory that the process holds, without garbage, reaches
// the budget. What works by steps asks that itself (account.Reason); the rest is asked
// about by the clock, which a busy machine may make late. The caller must cancel it.
func WithinMemory(ctx context.Context, b petri.Budget) (context.Context, context.CancelFunc) {
	ctx, cancel := account.Within(ctx, b)
	go func() {
		if err := account.Watch(ctx, func() error { return b.Poll(ctx) }); err != nil {
			cancel(err)
		}
	}()
	return ctx, func() { cancel(context.Canceled) }
}

// BoundMemory lets the context of a command end when what the process holds comes to what the flags
// give it, as WithinMemory does. The caller must cancel it.
func BoundMemory(c *cli.Context) (context.CancelFunc, error) {
	budget, err := Budget(c)
	if err != nil {
		return nil, err
	}
	var cancel context.CancelFunc
	c.Context, cancel = WithinMemory(c.Context, budget)
	return cancel, nil
}

// Allowance is the time that a command has.
//
// For example, with --timeout 10s, a net that took 4 seconds to read, and three questions, the
// first question has 6 seconds, and the others have 10 each. So a command with one question ends
// in the time that the flag says, reading included.
type Allowance struct {
	// Gone is what is gone of the time that --timeout gives, before the first thing begins that
	// has it.
	Gone time.Duration
	// Whole, unless nil, ends when the time of all together is over.
	Whole context.Context
	// Answer, unless nil, ends when the time of the question at hand is over, and with it that of
	// what is written about it.
	Answer context.Context
	// Memory, unless 0, is what the process may take in bytes, where another flag than --max-memory says so.
	Memory int64
	// Reading, unless nil, ends when nothing is to be waited for any more that is not written yet.
	Reading context.Context
}

// AllowanceOf returns that of the command.
func AllowanceOf(c *cli.Context) *Allowance {
	if a, ok := c.App.Metadata[AllowanceKey].(*Allowance); ok {
		return a
	}
	return &Allowance{}
}

// Given returns the budget that a flag gives the process, and whether one does.
func Given(c *cli.Context) (b petri.Budget, given bool, err error) {
	if c.String("max-memory") != "" {
		b, err = Budget(c)
		return b, true, err
	}
	m := AllowanceOf(c).Memory
	return petri.Budget{MemoryBytes: m}, m > 0, nil
}

// Whole returns the context of all that the command does.
func Whole(c *cli.Context) context.Context {
	if whole := AllowanceOf(c).Whole; whole != nil {
		return whole
	}
	return c.Context
}

// AllowanceKey is where an app keeps its allowance.
const AllowanceKey = "allowance"

// WithTimeout limits the command's context by --timeout, if given.
func WithTimeout(c *cli.Context) (context.Context, context.CancelFunc) {
	return Within(c.Context, c)
}

// Within limits a context by --timeout, if given. The time for reading is taken from
// the time of the first question.
func Within(ctx context.Context, c *cli.Context) (context.Context, context.CancelFunc) {
	d := c.Duration("timeout")
	if d <= 0 {
		return context.WithCancel(ctx)
	}
	spent := AllowanceOf(c)
	left := d - spent.Gone
	spent.Gone = 0
	why := fmt.Errorf("time limit of %s reached", d)
	timed, cancel := context.WithTimeoutCause(ctx, left, why)
	if !c.IsSet("timeout") { // nobody asked for an end of what is read slowly
		return timed, cancel
	}
	output.NotePatience(ctx, d, why)
	release := output.NoteLimit(ctx, time.Now().Add(left), why)
	return timed, func() { release(); cancel() }
}

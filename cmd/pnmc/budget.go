package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/KimMachineGun/automemlimit/memlimit"
	"github.com/urfave/cli/v2"

	"pnmc/internal/account"
	"pnmc/logic"
	"pnmc/petri"
)

// memoryShare is the part of the machine's memory used unless --max-memory says
// otherwise.
const memoryShare = 0.8

// leastMemory is the smallest limit that can be kept.
const leastMemory = 40 << 20

// budgetFlags limit time and memory; whatHasIt, in parentheses, adds to the help what
// has the time anew.
func budgetFlags(whatHasIt string) []cli.Flag {
	return []cli.Flag{
		timeoutFlag(whatHasIt),
		memoryFlag(),
	}
}

func memoryFlag() cli.Flag {
	return &cli.StringFlag{Name: "max-memory", Usage: "give up when the whole process, as the system counts it, comes close to this `SIZE`, such as 800MB or 4GB",
		DefaultText: "80% of what the machine or cgroup has"}
}

// memoryBudget is the budget that the flags give, and makes the garbage
// collector keep within it.
func memoryBudget(c *cli.Context) (petri.Budget, error) {
	limit := int64(0)
	if text := c.String("max-memory"); text != "" {
		var err error
		if limit, err = parseSize(text); err != nil {
			return petri.Budget{}, usageError("--max-memory: %w", err)
		}
		if limit < leastMemory {
			return petri.Budget{}, usageError("--max-memory: expected 40MB or more, found %q", text)
		}
	} else if all, err := memlimit.ApplyFallback(memlimit.FromCgroup, memlimit.FromSystem)(); err == nil {
		if system, err := memlimit.FromSystem(); err == nil {
			all = min(all, system)
		}
		limit = int64(float64(min(all, math.MaxInt64)) * memoryShare)
	}
	return keepWithin(limit), nil
}

// keepWithin is a budget of that many bytes, 0 for any, and makes the garbage collector
// keep within it.
func keepWithin(limit int64) petri.Budget {
	if limit == 0 {
		return petri.Budget{}
	}
	budget := petri.Budget{MemoryBytes: limit}
	budget.LimitCollector()
	return budget
}

// parseSize reads a number of bytes with a decimal fraction and a unit: B, kB,
// MB, GB or TB, all powers of 1024, with or without the B or an i before it.
func parseSize(text string) (int64, error) {
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

// withinMemory is a context for work that has no account of its own, such as a
// translation: it ends when what the process holds comes to the budget, and is not
// garbage. What works by steps asks that itself (account.Reason); the rest is asked
// about by the clock, which a busy machine may make late. The caller must cancel it.
func withinMemory(ctx context.Context, b petri.Budget) (context.Context, context.CancelFunc) {
	ctx, cancel := account.Within(ctx, b)
	go func() {
		if err := account.Watch(ctx, func() error { return b.Poll(ctx) }); err != nil {
			cancel(err)
		}
	}()
	return ctx, func() { cancel(context.Canceled) }
}

// readLook is how many bytes of a net are read between two looks at the memory in use.
const readLook = 4 << 20

// A budgetReader ends with a *petri.MemoryError when what is made of its text takes the
// budget, so that there would be nothing left to work with, and with a *readTimeError when
// that takes too long. What the text is waited for does not count: whoever writes into a
// pipe may take their time.
type budgetReader struct {
	ctx    context.Context
	r      io.Reader
	budget petri.Budget
	limit  time.Duration // of work; 0: none
	work   time.Duration
	left   time.Time // when the last read ended
	read   int       // since the last look
	failed error     // why reading ended, if not at the end of r
	whole  bool      // the text is kept as a whole, which is copied when it grows
	total  int       // bytes read
	made   int       // of the text, in bytes, since the last look
}

// look finds out whether there is memory for what is read next. A text that is kept as a
// whole is copied when it has outgrown its place, to one that is a quarter larger.
func (b *budgetReader) look() error {
	if !b.whole {
		return b.budget.Poll(b.ctx)
	}
	a := account.New(b.budget)
	a.Begin(b.ctx)
	return a.Reserve(b.total/4*5 + readLook)
}

// reserve is the logic.Limit of what is made of a text that was read as a whole.
func (b *budgetReader) reserve(bytes int) error {
	if b.failed != nil && b.failed != io.EOF {
		return b.failed
	}
	if b.made += bytes; b.made < madeLook {
		return nil
	}
	a := account.New(b.budget)
	a.Begin(b.ctx)
	b.failed = a.Reserve(b.made)
	b.made = 0
	if b.failed == nil && b.limit > 0 && b.worked() > b.limit {
		b.failed = &readTimeError{b.limit}
	}
	return b.failed
}

// madeLook is how many bytes are made of a text between two looks.
const madeLook = 1 << 20

// limitOf is the limit of what is made of the text of a file that withText opened.
func limitOf(r io.Reader) logic.Limit {
	if text, ok := r.(*budgetReader); ok {
		return text.reserve
	}
	return nil
}

// readTimeError says that reading took too long.
type readTimeError struct{ limit time.Duration }

func (e *readTimeError) Error() string { return fmt.Sprintf("time limit of %s reached", e.limit) }

// begin begins something new, such as the next automaton of a stream, for which there is
// all the time, and no text yet.
func (b *budgetReader) begin() { b.read, b.work, b.left = 0, 0, time.Now() }

// worked is the time since reading began, without that in which text was waited for.
func (b *budgetReader) worked() time.Duration {
	if b.left.IsZero() {
		return b.work
	}
	return b.work + time.Since(b.left)
}

func (b *budgetReader) Read(p []byte) (int, error) {
	if b.work = b.worked(); b.failed == nil && b.limit > 0 && b.work > b.limit {
		b.failed = &readTimeError{b.limit}
	}
	if b.failed != nil {
		b.left = time.Now()
		return 0, b.failed
	}
	n, err := b.r.Read(p)
	b.total += n
	if b.read += n; b.read >= readLook && err == nil {
		b.read = 0
		err = b.look()
	}
	if err != nil && err != io.EOF {
		b.failed = err
	}
	b.left = time.Now()
	return n, err
}

// allowance is what is gone of the time that --timeout gives, before the first thing
// begins that has it.
type allowance struct{ gone time.Duration }

// allowanceOf is that of the command.
func allowanceOf(c *cli.Context) *allowance {
	if a, ok := c.App.Metadata[allowanceKey].(*allowance); ok {
		return a
	}
	return &allowance{}
}

const allowanceKey = "allowance"

// withTimeout limits the command's context by --timeout, if given.
func withTimeout(c *cli.Context) (context.Context, context.CancelFunc) {
	return withinTimeout(c.Context, c)
}

// withinTimeout limits a context by --timeout, if given. What reading took is taken from the
// time of what comes first.
func withinTimeout(ctx context.Context, c *cli.Context) (context.Context, context.CancelFunc) {
	d := c.Duration("timeout")
	if d <= 0 {
		return context.WithCancel(ctx)
	}
	spent := allowanceOf(c)
	left := d - spent.gone
	spent.gone = 0
	return context.WithTimeoutCause(ctx, left, fmt.Errorf("time limit of %s reached", d))
}

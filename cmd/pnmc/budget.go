package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/KimMachineGun/automemlimit/memlimit"
	"github.com/urfave/cli/v2"

	"pnmc/petri"
)

// memoryShare is the part of the machine's memory used unless --max-memory says
// otherwise.
const memoryShare = 0.8

// programMemory is what the program's own code and tables take: the budget of
// what it allocates is that much less.
const programMemory = 24 << 20

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
	return &cli.StringFlag{Name: "max-memory", Usage: "give up at this `SIZE`, such as 800MB or 4GB",
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
	budget := petri.Budget{MemoryBytes: limit, ProgramBytes: min(limit/2, programMemory)}
	free := limit - budget.ProgramBytes
	debug.SetMemoryLimit(free - free/16)
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

// memoryLook is the time between two looks at the memory in use.
const memoryLook = 20 * time.Millisecond

// withinMemory is a context for work that does not look at b itself, such as a
// translation: it ends when what the process holds comes to the budget, and is not
// garbage. The caller must cancel it.
func withinMemory(ctx context.Context, b petri.Budget) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		look := time.NewTicker(memoryLook)
		defer look.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-look.C:
			}
			if b.Poll(ctx) == nil {
				continue
			}
			debug.FreeOSMemory()
			most := b // leaves so much that this is not to be done again soon
			most.MemoryBytes -= b.MemoryBytes / 4
			if most.Poll(ctx) != nil {
				cancel(&petri.MemoryError{Limit: b.MemoryBytes})
				return
			}
		}
	}()
	return ctx, func() { cancel(context.Canceled) }
}

// readLook is how many bytes of a net are read between two looks at the memory in use.
const readLook = 4 << 20

// A budgetReader ends with a *petri.MemoryError when what is made of its text takes the
// budget, so that there would be nothing left to work with.
type budgetReader struct {
	ctx    context.Context
	r      io.Reader
	budget petri.Budget
	read   int   // since the last look
	failed error // why reading ended, if not at the end of r
}

func (b *budgetReader) Read(p []byte) (int, error) {
	if b.failed != nil {
		return 0, b.failed
	}
	n, err := b.r.Read(p)
	if b.read += n; b.read >= readLook && err == nil {
		b.read = 0
		if b.budget.Poll(b.ctx) != nil {
			debug.FreeOSMemory() // what is not the net
			err = b.budget.Poll(b.ctx)
		}
	}
	if err != nil && err != io.EOF {
		b.failed = err
	}
	return n, err
}

// withTimeout limits a context by --timeout, if given.
func withTimeout(c *cli.Context) (context.Context, context.CancelFunc) {
	d := c.Duration("timeout")
	if d <= 0 {
		return c.Context, func() {}
	}
	return context.WithTimeoutCause(c.Context, d, fmt.Errorf("time limit of %s reached", d))
}

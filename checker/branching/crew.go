package branching

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"pnmc/checker/internal/lanes"
	"pnmc/internal/account"
	"pnmc/petri"
)

// crew has several threads do parts of some work: the thread of the caller, and others that begin and
// end with it. Each charges an account of its own.
type crew struct {
	accounts []*account.Account
	sizes
}

// sizes say how work is divided.
type sizes struct {
	block int    // states that a thread takes at a time, whole words of a stateSet
	part  int    // states that a thread gives to another at a time
	yield func() // nil but in tests: lets other threads go on
}

// asEver are the sizes but in tests. Blocks of members of a set, and of states to be looked at, take
// some tens of microseconds.
var asEver = sizes{block: 1 << 12, part: 1 << 8}

// giveWay lets other threads go on, in tests.
func (s *sizes) giveWay() {
	if s.yield != nil {
		s.yield()
	}
}

// newCrew returns one of so many threads, the first of which charges a.
func newCrew(ctx context.Context, a *account.Account, threads int) *crew {
	c := &crew{accounts: []*account.Account{a}, sizes: asEver}
	for range threads - 1 {
		c.accounts = append(c.accounts, account.New(a.Budget()))
	}
	c.begin(ctx)
	return c
}

// begin has the work be that of another question, for all threads but the first, which has begun it.
func (c *crew) begin(ctx context.Context) {
	if c == nil {
		return
	}
	for _, a := range c.accounts[1:] {
		a.Begin(lanes.Plain(ctx))
	}
}

// each has each thread do its part, with its number and account, and returns when all have. The error
// is that of one of them. It panics if one does.
func (c *crew) each(part func(thread int, a *account.Account) error) error {
	errs := make([]error, len(c.accounts))
	defects := make([]any, len(c.accounts))
	run := func(i int) {
		defer func() {
			if defect := recover(); defect != nil {
				defects[i] = fmt.Sprintf("%v\n%s", defect, debug.Stack())
			}
		}()
		errs[i] = part(i, c.accounts[i])
	}
	var others sync.WaitGroup
	for i := range c.accounts[1:] {
		others.Go(func() { run(i + 1) })
	}
	run(0)
	others.Wait()
	for _, defect := range defects {
		if defect != nil {
			panic(defect)
		}
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// eachBlock has the threads read the states below n of k, which is complete and which nobody changes
// meanwhile: each takes one block after the other, from state first up to, but not including, end.
func (c *crew) eachBlock(k *petri.Kripke, n int, prepare func(k *petri.Kripke, a *account.Account) (block func(first, end uint32) error)) error {
	var next atomic.Int64
	size := int64(c.block)
	return c.each(func(_ int, a *account.Account) error {
		block := prepare(k.Reader(a), a)
		for {
			first := (next.Add(1) - 1) * size
			c.giveWay()
			if first >= int64(n) {
				return nil
			}
			if err := block(uint32(first), uint32(min(first+size, int64(n)))); err != nil {
				return err
			}
		}
	})
}

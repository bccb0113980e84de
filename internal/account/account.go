package account

import (
	"context"
	"errors"
	"unsafe"
)

// An Account is that of one question after the other, each between its Begin and the next.
// The zero value has no limits. Not safe for concurrent use.
//
// The problem: a look at the clock costs tens of nanoseconds, and a look at the memory a
// microsecond. That is more than most steps of a search. But a search that never looks does not
// end. So steps charge what they cost, which is an addition and a comparison, and every lookEvery
// units the account looks. A unit is a byte written or a nanosecond spent, whichever is more, so
// that there is a look for each mebibyte and for each millisecond. For example, a state of 100
// bytes that took 300 ns to make is charged with 300, and after some 3,500 of them there is a look.
//
// Ask Reserve before a single large allocation: the memory in use now says nothing about what a
// slice that doubles will take.
type Account struct {
	budget Budget
	stop   context.CancelCauseFunc // of the context that carries the budget, or nil
	ctx    context.Context         // of the question; nil: nothing ends it
	asks   *asking                 // ctx or one that it was made of, if that asks a limit, or nil
	work   int                     // charged since the last look
	spent  int64                   // charged before that
	grace  int64                   // beyond the budget
}

// lookEvery is how much work there may be between two looks.
const lookEvery = 1 << 20

// graceBytes is how much memory a question has beyond its budget to tell what it has found
// out. It lies within what a process may be larger than its limit.
const graceBytes = 12 << 20

// New returns an account with these limits.
func New(b Budget) *Account { return &Account{budget: b} }

// Budget returns what the account is limited by.
func (a *Account) Budget() Budget { return a.budget }

// Begin makes the account that of another question, which ends with ctx. Its first charge
// looks, so that a context that has ended already is seen at once.
func (a *Account) Begin(ctx context.Context) {
	*a = Account{budget: a.budget, stop: a.stop, ctx: ctx, work: lookEvery}
}

// Tell begins as Begin does, with a little more memory: enough to report what was
// found.
func (a *Account) Tell(ctx context.Context) {
	a.Begin(ctx)
	a.grace = graceBytes
}

// Charge counts work, and looks if enough has come together. An error is the reason to stop.
func (a *Account) Charge(work int) error {
	if a.work += work; a.work < lookEvery {
		return nil
	}
	return a.Look()
}

// Add counts work where nothing can stop; the next Charge looks.
func (a *Account) Add(work int) { a.work += work }

// Due reports whether enough work has come together for a look.
func (a *Account) Due() bool { return a.work >= lookEvery }

// Spent returns all the work charged to the question.
func (a *Account) Spent() int64 { return a.spent + int64(a.work) }

// Look looks at the context and the memory. An error is the reason to stop.
func (a *Account) Look() error {
	a.spent += int64(a.work)
	a.work = 0
	return a.room(0)
}

// room asks the budget for so many bytes. Where there is no room it also ends the context that
// carries the budget, so that all who work within it stop. The end of a part of that context, such
// as one of less time, is no reason for that.
func (a *Account) room(bytes int64) error {
	err := a.budget.room(a.Context(), bytes, a.grace)
	if err == nil && a.asks != nil && bytes > 0 {
		err = a.asks.ask(int(bytes))
	}
	if a.stop != nil && isMemory(err) {
		a.stop(err)
	}
	return err
}

// isMemory reports whether err says that the memory budget is spent.
func isMemory(err error) bool { return err != nil && errors.As(err, new(*MemoryError)) }

// Reserve asks for a single allocation of that many bytes before it is made: an error says that there
// is no room for it, or is another reason to stop.
func (a *Account) Reserve(bytes int) error {
	if bytes < lookEvery {
		return a.Charge(bytes)
	}
	a.spent += int64(a.work)
	a.work = 0
	return a.room(int64(bytes))
}

// Context returns the context of the question.
func (a *Account) Context() context.Context {
	if a.ctx == nil {
		return context.Background()
	}
	return a.ctx
}

// Room asks for room to append n elements to s: it charges what they take, and reserves what the
// slice grows by if they don't fit.
//
// For example, for one element more in a full slice of a million elements of 8 bytes it reserves
// 10 MB: append will allocate as much, while the 8 MB of the old slice are still there.
func Room[T any](a *Account, s []T, n int) error {
	size := int(unsafe.Sizeof(*new(T)))
	if len(s)+n <= cap(s) {
		return a.Charge(n * size)
	}
	// What append allocates: twice as much for small slices, a quarter more for large ones.
	return a.Reserve((len(s) + len(s)/4 + n) * size)
}

// A Meter charges an account for what goes on until the account's end, such as writing a file. It
// keeps the end: after it nothing is charged.
type Meter struct {
	*Account
	End error // the reason to stop
}

// Asked charges work, and reports whether to go on.
func (m *Meter) Asked(work int) bool {
	if m.End == nil {
		m.End = m.Charge(work)
	}
	return m.End == nil
}

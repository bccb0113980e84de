package account

import "context"

// budgeted is what a context carries that Within made.
type budgeted struct {
	budget Budget
	stop   context.CancelCauseFunc
}

type budgetKey struct{}

// Within returns a context that also ends once the process has come to the budget. Nobody watches
// that in the background: whoever works within the context finds it out, by Reason or by the account
// that Of returns, and ends the context for all the others. Its caller must call stop.
func Within(ctx context.Context, b Budget) (within context.Context, stop context.CancelCauseFunc) {
	ctx, stop = context.WithCancelCause(ctx)
	if b.MemoryBytes <= 0 {
		return ctx, stop
	}
	return context.WithValue(ctx, budgetKey{}, &budgeted{b, stop}), stop
}

// Reason returns the reason to stop, of the context or of the budget that it carries, or nil.
// It takes some microseconds: it is for looks that a millisecond of work lies between.
func Reason(ctx context.Context) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	carried, _ := ctx.Value(budgetKey{}).(*budgeted)
	if carried == nil {
		return nil
	}
	err := carried.budget.Poll(ctx)
	if isMemory(err) {
		carried.stop(err)
	}
	return err
}

// Of returns an account of the question that ends with the context, nil for none, within the
// budget that it carries. Once that is spent, the context ends.
func Of(ctx context.Context) *Account {
	a := new(Account)
	if ctx == nil {
		return a
	}
	if carried, _ := ctx.Value(budgetKey{}).(*budgeted); carried != nil {
		a.budget, a.stop = carried.budget, carried.stop
	}
	a.Begin(ctx)
	a.asks, _ = ctx.Value(askingKey{}).(*asking)
	return a
}

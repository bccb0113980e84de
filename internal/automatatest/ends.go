package automatatest

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"pnmc/internal/account"
)

// countedLooks counts how often a context is asked whether it has ended.
type countedLooks struct {
	context.Context
	count int
}

// Err counts a look.
func (c *countedLooks) Err() error {
	c.count++
	return nil
}

// EndsAtEachLook ends an operation at each of its looks at the context in turn; of many looks, at some. There
// must be so many of them at least. Each time the operation must return the context's error, or the answer that it has
// without an end: an end that is lost on the way would make "not known" an answer. An end at the first
// look must be told.
func EndsAtEachLook(t testing.TB, name string, least int, do func(context.Context) (answer any, err error)) {
	t.Helper()
	counted := &countedLooks{Context: context.Background()}
	whole, err := do(counted)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if counted.count < least {
		t.Errorf("%s: %d looks, expected %d", name, counted.count, least)
	}
	const tried = 32
	for looks := 0; looks < counted.count; looks += 1 + counted.count/tried {
		answer, err := do(account.EndsAfter(looks))
		if err == nil && (looks == 0 || !reflect.DeepEqual(answer, whole)) || err != nil && !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: ended at look %d of %d: answer %v instead of %v, error %v", name, looks+1, counted.count, answer, whole, err)
			return
		}
	}
}

package account

import "context"

// asking is a context that a limit ends, such as that of a reader, whose caller has the context.
type asking struct {
	context.Context
	limit func(bytes int) error
	bytes int
	end   error // what limit said; a context that has ended stays so
}

type askingKey struct{}

// Asking returns a context that ends once limit returns an error, which is then the context's. Each
// look at the context asks limit for so many bytes: about what is made between two looks. An account
// of the context asks limit for what it is to reserve. The context is for one goroutine.
//
// It is for readers: what they do with a text may be far more than linear, and their limit is all
// that they know of time and memory.
func Asking(limit func(bytes int) error, bytes int) context.Context {
	return &asking{Context: context.Background(), limit: limit, bytes: bytes}
}

// Err asks the limit.
func (a *asking) Err() error { return a.ask(a.bytes) }

// ask asks for so many bytes, unless the context has ended.
func (a *asking) ask(bytes int) error {
	if a.end == nil {
		a.end = a.limit(bytes)
	}
	return a.end
}

// Value returns the context itself to those who ask for what limits it.
func (a *asking) Value(key any) any {
	if key == (askingKey{}) {
		return a
	}
	return a.Context.Value(key)
}

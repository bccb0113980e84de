package account

import "context"

// EndsAfter returns a context that ends when its error was asked for so many times: a bound on
// work that does not depend on the machine. A test can so end an operation at each of its looks in
// turn.
func EndsAfter(looks int) context.Context { return &countdown{context.Background(), looks} }

// countdown is a context that counts looks down.
type countdown struct {
	context.Context
	left int
}

// Err counts a look.
func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

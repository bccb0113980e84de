package symmetric

import (
	"context"

	"pgregory.net/rapid"
)

// RandomNet lets the tests outside draw the nets that those in here draw.
func RandomNet(t *rapid.T) *Net { return randomNet(t) }

// Replay is what tests in here ask of a run of package replay. That imports this package, so that they cannot
// import it.
type Replay interface {
	Sums() []int64
	Fire(Firing) error
	Enabled(transition, limit int) (enabled, certain bool)
}

// StartReplay starts a replay. The tests outside set it.
var StartReplay func(ctx context.Context, n *Net) (Replay, error)

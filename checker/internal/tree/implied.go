package tree

import (
	"context"

	"pnmc/checker/internal/core"
)

// OfImplied makes an engine of linear time refute what the formulas, or their negations, imply
// of all runs.
func OfImplied(engine core.Engine) core.Engine {
	return func(ctx context.Context, r *core.Task) error {
		if r.Implied == nil {
			return nil
		}
		r.Implied.Prospects = r.Prospects
		return engine(ctx, r.Implied)
	}
}

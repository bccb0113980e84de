package batch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"pnmc/internal/account"
	"pnmc/internal/unpack"
	"pnmc/mcc"
	"pnmc/query"
)

// errLate says that a run could not begin in the time that it may take.
var errLate = errors.New("time limit reached")

// preparing returns ctx for what comes before a run: unpacking its archive, and finding out what is asked. That may take as
// long as the run itself.
func (p *Plan) preparing(ctx context.Context) (context.Context, context.CancelFunc) {
	if p.Settings.Seconds <= 0 {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, time.Duration(p.Settings.Seconds)*time.Second, errLate)
}

// questions returns what the examination of the files in folder asks, until ctx ends. It keeps nothing of a property
// file but the names of properties: the memory of the batch is not that of its runs.
func questions(ctx context.Context, folder, examination string) ([]string, error) {
	switch {
	case examination == "StateSpace":
		return mcc.Measures(), nil
	case !mcc.HasPropertyFile(examination):
		return []string{examination}, nil
	}
	path := filepath.Join(folder, examination+".xml")
	if err := cmp.Or(unpack.Regular(path), unpack.Regular(path+".gz")); err != nil {
		return nil, err
	}
	file, err := unpack.Open(path, mostUnpacked)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	ids, err := query.ReadIDs(file.Name, file, account.Of(ctx).Charge)
	if cause := context.Cause(ctx); err != nil && cause != nil {
		return nil, fmt.Errorf("%s: %w while it was read", file.Name, cause)
	}
	return ids, err
}

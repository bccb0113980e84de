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

// errLate says that what a run asks was not known when its time was over.
var errLate = errors.New("time limit reached")

// questions returns what the examination of the files in folder asks. It reads property files for
// as long as a run may take, or until ctx ends, and keeps nothing of them but the names of properties: the
// memory of the batch is not that of its runs.
func (p *Plan) questions(ctx context.Context, folder, examination string) ([]string, error) {
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
	if p.Settings.Seconds > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, time.Duration(p.Settings.Seconds)*time.Second, errLate)
		defer cancel()
	}
	file, err := unpack.Open(path, mostUnpacked)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	ids, err := query.ReadIDs(file.Name, readerWithin{ctx, file}, account.Of(ctx).Charge)
	if cause := context.Cause(ctx); err != nil && cause != nil {
		return nil, fmt.Errorf("%s: %w while it was read", file.Name, cause)
	}
	return ids, err
}

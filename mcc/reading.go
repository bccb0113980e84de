package mcc

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"pnmc/internal/account"
	"pnmc/internal/unpack"
	"pnmc/pnml"
	"pnmc/query"
)

// readModel reads the model of a folder within the limits, which end it with an error that
// is theirs.
func readModel(ctx context.Context, folder string, memory int64) (document pnml.Document, err error) {
	model, err := unpack.Open(filepath.Join(folder, "model.pnml"), memory)
	if err != nil {
		return document, err
	}
	defer model.Close()
	text := newLimitedReader(ctx, model, memory)
	document, err = pnml.Reader{Limit: text.limit}.ReadDocument(text, model.Name)
	return document, cmp.Or(text.failure(model.Name), err)
}

// readProperties reads a property file within the limits, as readModel does. Errors of some
// properties are a *query.UnreadError.
func readProperties(ctx context.Context, path string, memory int64) ([]query.Property, error) {
	file, err := unpack.Open(path, memory)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text := newLimitedReader(ctx, file, memory)
	source, err := text.all()
	if err != nil {
		return nil, cmp.Or(text.failure(file.Name), fmt.Errorf("%s: %w", file.Name, err))
	}
	return query.ReadContestWithin(file.Name, source, text.account.Reserve)
}

// lateError says that the time was over, and is context.DeadlineExceeded.
type lateError struct{}

func (lateError) Error() string { return "time limit reached" }

// Is has errors.Is take the error for the end of a context's time.
func (lateError) Is(target error) bool { return target == context.DeadlineExceeded }

// limitedReader charges what is read to an account, and ends when that does.
type limitedReader struct {
	r       io.Reader
	account *account.Account
	failed  error
}

// newLimitedReader returns a reader of r that ends with ctx, or when the process has that much
// memory.
func newLimitedReader(ctx context.Context, r io.Reader, memory int64) *limitedReader {
	l := &limitedReader{r: r, account: account.New(account.Budget{MemoryBytes: memory})}
	l.account.Begin(ctx)
	return l
}

// readWork is about what it takes to read a byte of a net, in nanoseconds.
const readWork = 24

// Read reads from the model, and charges the time that parsing takes.
func (l *limitedReader) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	if l.failed = cmp.Or(l.failed, l.account.Charge(readWork*n)); l.failed != nil {
		return 0, l.failed
	}
	return n, err
}

// limit reserves memory for what is made of the model. The error says that there is not enough.
func (l *limitedReader) limit(bytes int) error {
	l.failed = cmp.Or(l.failed, l.account.Reserve(bytes))
	return l.failed
}

// all returns all that is left to read.
func (l *limitedReader) all() ([]byte, error) {
	const chunk = 64 << 10
	var text []byte
	for {
		if l.failed = cmp.Or(l.failed, account.Room(l.account, text, chunk)); l.failed != nil {
			return nil, l.failed
		}
		text = slices.Grow(text, chunk)
		n, err := l.Read(text[len(text):cap(text)])
		text = text[:len(text)+n]
		if err == io.EOF {
			return text, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// failure returns an error that says by what limit the reading of the file of that name ended, or nil.
func (l *limitedReader) failure(name string) error {
	if l.failed == nil {
		return nil
	}
	reason := l.failed
	if errors.Is(reason, context.DeadlineExceeded) {
		reason = lateError{}
	}
	return fmt.Errorf("%s: %w while it was read", name, reason)
}

package multicore

import (
	"context"
	"errors"

	"pnmc/internal/account"
	"pnmc/petri"
)

// Exploring is a way to explore.
type Exploring = func(ctx context.Context, net *petri.Net, facts petri.Facts, budget petri.Budget, threads int, progress func(petri.Statistics), uncounted ...petri.Place) (petri.Statistics, error)

// Numbered explores with markings that have numbers, however they are packed.
var Numbered Exploring = func(ctx context.Context, net *petri.Net, facts petri.Facts, budget petri.Budget, threads int, progress func(petri.Statistics), uncounted ...petri.Place) (petri.Statistics, error) {
	return exploreNumbered(ctx, ctx, net, facts, budget, threads, progress, uncounted...)
}

// NumberedBeside is Numbered with another context for threads other than the caller's.
func NumberedBeside(ctx, others context.Context, net *petri.Net, threads int) (petri.Statistics, error) {
	return exploreNumbered(ctx, others, net, petri.Facts{}, petri.Budget{}, threads, nil)
}

// Count counts from the first marking on. TooNarrow says that an
// error is that of a field.
func Count(ctx context.Context, net *petri.Net, facts petri.Facts, budget petri.Budget, threads int, progress func(petri.Statistics), uncounted ...petri.Place) (petri.Statistics, error) {
	layout, _ := net.InitialLayout(new(account.Account), facts)
	return count(ctx, ctx, net, layout, budget, threads, progress, uncounted)
}

func TooNarrow(err error) bool { return errors.Is(err, errTooNarrow) }

func TooManyParts(err error) bool { return errors.Is(err, errTooManyParts) }

// CountAfter has markings counted after so many were explored. It lasts until the function that it returns
// is called.
func CountAfter(most int) (reset func()) {
	knobs.first = most
	return func() { knobs.first = 0 }
}

// MostNumbers has so many numbers be there for markings. It lasts until the function that it returns is
// called.
func MostNumbers(most uint64) (reset func()) {
	knobs.most = most
	return func() { knobs.most = 0 }
}

// MostNumbers has so many numbers be there for the markings of a structure that no run has begun.
func (k *Kripke) MostNumbers(most uint64) { k.knobs.most = most }

// UseUpRows has the next chunk of rows be the last one but so many. It is for a structure that a run
// has begun.
func (k *Kripke) UseUpRows(but uint32) { k.used.Store(k.most + 1 - but) }

// ForTests has f called where another thread may come between, the table filled anew after
// each step markings, and at most batch markings interned at a time. It lasts until the function
// that it returns is called.
func ForTests(f func(), step, batch int) (reset func()) {
	knobs = forTests{yield: f, step: step, batch: batch}
	return func() { knobs = forTests{} }
}

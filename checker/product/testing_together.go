package product

import (
	"context"

	"pnmc/checker/internal/lanes"
	"pnmc/checker/product/internal/stuttering"
	"pnmc/checker/properties"
	"pnmc/checker/witness"
	"pnmc/petri/multicore"
)

// testingTogether is a search of the product with a testing automaton by several threads.
type testingTogether struct {
	*stuttering.Together
	kripke   *multicore.Kripke
	alone    *stuttering.Search // what one thread did before
	property properties.Property
	distrust bool
}

// search is what each thread does.
func (t *testingTogether) search(w *multicore.Walker) error { return t.Search(w) }

// hasFound reports whether some thread has found an accepted run.
func (t *testingTogether) hasFound() bool { return t.Found() }

// statistics returns what was explored.
func (t *testingTogether) statistics() properties.Statistics { return t.Statistics() }

// counterexample turns what was found into a run, which is always looked for as in a search alone. One
// thread looks for it, the others only meet.
func (t *testingTogether) counterexample(ctx context.Context, _ bool) (*witness.Counterexample, error) {
	telling, cancel := tellingTime(ctx)
	defer cancel()
	k := t.alone.Kripke
	var run FiredRun
	err := t.kripke.Run(telling, lanes.Plain(telling), func(w *multicore.Walker) error {
		if w.Number() != 0 {
			return w.Attend()
		}
		w.Account().Tell(telling)
		l, label, err := t.Lasso(w)
		if err == nil {
			run, err = fired(k.Net(), w.Account(), w.Firing, label, l)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	k.Account().Tell(telling)
	return explained(telling, k, t.property, t.distrust, run)
}

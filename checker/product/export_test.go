package product

import (
	"context"

	"pnmc/checker/product/internal/states"
	"pnmc/checker/properties"
	"pnmc/petri"
)

// MostPositions has so many positions be there for rows. It lasts until the function that it returns is called.
func MostPositions(most int) (reset func()) {
	all := mostPositions
	mostPositions = most
	return func() { mostPositions = all }
}

// SearchWithNumbers searches where so many numbers of product states are left. It reports whether an
// accepted run was found, or else why not.
func SearchWithNumbers(ctx context.Context, k *petri.Kripke, property properties.Property, left uint32) (found bool, err error) {
	k.Begin(ctx)
	x := &componentsOnTheFly{product: newProduct(ctx, k, properties.CompileAll(k.Net(), property.Predicates), property.Automaton), most: states.Most}
	x.numbering.Count = states.Most - left
	f, err := x.search()
	return f != nil, err
}

// ForTests has f called where another thread may come between, and threads meet after each step
// markings, of which at most batch are interned at a time. With far, no run is looked for near the
// initial states.
func (t *Threads) ForTests(f func(), step, batch int, far bool) {
	t.knobs.yield, t.knobs.step, t.knobs.batch, t.knobs.far = f, step, batch, far
}

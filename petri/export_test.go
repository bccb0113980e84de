package petri

import (
	"context"
)

// MostStates has so many numbers be there for states. It lasts until the function that it returns is called.
func MostStates(most int) (reset func()) {
	all := mostStates
	mostStates = most
	return func() { mostStates = all }
}

// ManyRules has rules be filed under single places from so many transitions on. It lasts until the function that
// it returns is called.
func ManyRules(many int) (reset func()) {
	usual := manyRules
	manyRules = many
	return func() { manyRules = usual }
}

// UseUpChunks has all chunks of edges but so many be in use: their positions are the largest that there are.
func (k *Kripke) UseUpChunks(but int) {
	k.edges.chunks = make([]edgeChunk, mostChunks-but)
	k.edges.words, k.edges.deltas = edgeFill{}, edgeFill{}
}

// Met is what is known of the markings that were met.
type Met interface {
	ancestry
	Layout() *Layout
}

// Met returns the markings that k has met, and their number, and whether their parents are known.
func (k *Kripke) Met() (met Met, states int, known bool) {
	return k.space, k.space.Len(), k.space.trackParent
}

// ExploreMet explores a net, and returns what Kripke.Met does.
func ExploreMet(ctx context.Context, net *Net, facts Facts) (met Met, states int, known bool, err error) {
	e := newExplorer(ctx, net, facts, Budget{}, nil)
	err = e.run(nil)
	return e.space, e.space.Len(), e.space.trackParent, err
}

// PairAll has rules be found by pairs in any plain net. It lasts until the function that it returns is called.
func PairAll() (reset func()) {
	pairsAll = true
	return func() { pairsAll = false }
}

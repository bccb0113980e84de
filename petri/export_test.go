package petri

import "pnmc/petri/internal/store"

// MostStates has so many numbers be there for states. It lasts until the function that it returns is called.
func MostStates(most int) (reset func()) {
	mostStates = most
	return func() { mostStates = store.MaxStates }
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

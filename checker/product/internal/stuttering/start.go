package stuttering

import (
	"pnmc/automata"
	"pnmc/automata/testingautomata"
	"pnmc/checker/product/internal/states"
	"pnmc/checker/properties"
	"pnmc/petri"
)

// New prepares the search by the acceptance of reader.
func New(k *petri.Kripke, property properties.Property, reader Reader) (*Search, error) {
	x := &Search{predicates: property.Predicates, most: states.Most}
	sets := 0
	switch r := reader.(type) {
	case *testingautomata.OnTheFly:
		x.livelocks, sets = r.Kind() == automata.TA, r.Sets()
	case *Built:
		if x.livelocks = r.Automaton.Kind == automata.TA; x.livelocks && r.buchi == 0 {
			return nil, &properties.UnsupportedError{Reason: "a TA whose acceptance is not Inf(0) | (Fin(2) & Inf(1)), or with up to ten sets for Inf(0) that of a generalized one"}
		}
		x.buchi = furtherBuchiMarks(r.buchi)
		if sets = r.Automaton.Acceptance.Sets; !x.livelocks && !r.Automaton.Acceptance.IsGeneralizedBuchi() {
			return nil, &properties.UnsupportedError{Reason: "a TGTA whose acceptance is not generalized Büchi"}
		}
	case Plain:
		sets = r.Automaton.Acceptance.Sets
	}
	x.wanted = uint64(1)<<sets - 1
	accepts := acceptsAll(x.wanted)
	if x.livelocks {
		x.buchi |= testingautomata.BuchiMark
		x.wanted = x.buchi
		accepts = acceptsLivelock(x.buchi)
	}
	x.Product = newProduct(k, properties.CompileAll(k.Net(), property.Predicates), reader, accepts)
	return x, nil
}

package stuttering

import (
	"pnmc/automata"
	"pnmc/automata/testingautomata"
	"pnmc/checker/properties"
	"pnmc/petri"
)

// New prepares the search by the acceptance of reader.
func New(k *petri.Kripke, property properties.Property, reader Reader) (*Search, error) {
	x := &Search{}
	var accepts func(uint64) bool
	switch r := reader.(type) {
	case *testingautomata.OnTheFly:
		x.livelocks = r.Kind() == automata.TA
		accepts = acceptsAllSets(r.Sets())
	case *Built:
		if x.livelocks = r.Automaton.Kind == automata.TA; x.livelocks && r.buchi == 0 {
			return nil, &properties.UnsupportedError{Reason: "a TA whose acceptance is not Inf(0) | (Fin(2) & Inf(1)), or with up to ten sets for Inf(0) that of a generalized one"}
		}
		x.buchi = furtherBuchiMarks(r.buchi)
		if accepts = acceptsAllSets(r.Automaton.Acceptance.Sets); !x.livelocks && !r.Automaton.Acceptance.IsGeneralizedBuchi() {
			return nil, &properties.UnsupportedError{Reason: "a TGTA whose acceptance is not generalized Büchi"}
		}
	case Plain:
		accepts = acceptsAllSets(r.Automaton.Acceptance.Sets)
	}
	if x.livelocks {
		x.buchi |= testingautomata.BuchiMark
		accepts = acceptsLivelock(x.buchi)
	}
	x.Product = newProduct(k, properties.CompileAll(k.Net(), property.Predicates), reader, accepts)
	return x, nil
}

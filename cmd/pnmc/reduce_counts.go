package main

import (
	"pnmc/petri"
	"pnmc/petri/reduce"
)

// mappedCounts says how markings of the net are counted on its reduced net. With n tokens in a place that
// has the tokens of k places of the net, a marking counts binomial(n+k-1, k-1) times; for several such
// places, the product of these.
type mappedCounts struct {
	// Groups are the places of the reduced net that have the tokens of several places, in any split.
	Groups []mappedGroup `json:"groups"`
	// Equations are the places that are in no group and not in the reduced net.
	Equations []mappedEquation `json:"equations"`
	// Dead are transitions of the net that never fire. Any other fires where it has what it needs of the
	// places that are in groups or in the reduced net.
	Dead []string `json:"dead"`
}

type mappedGroup struct {
	ID     string   `json:"id"`
	Places []string `json:"places"`
}

// mappedEquation says that a place has so many tokens, and those of the terms.
type mappedEquation struct {
	Place    string   `json:"place"`
	Constant int64    `json:"constant"`
	Terms    []string `json:"terms"`
}

// countsOf returns what the map says of counting, or nil where markings are not to be counted.
func countsOf(net *petri.Net, r *reduce.Reduction) *mappedCounts {
	counts := r.Counts()
	if counts == nil {
		return nil
	}
	names := func(places []petri.Place) []string {
		ids := []string{}
		for _, p := range places {
			ids = append(ids, net.PlaceLabel(p).ID)
		}
		return ids
	}
	m := &mappedCounts{Groups: []mappedGroup{}, Equations: []mappedEquation{}, Dead: []string{}}
	for p, group := range counts.Groups {
		if len(group) > 1 {
			m.Groups = append(m.Groups, mappedGroup{r.Net.PlaceLabel(petri.Place(p)).ID, names(group)})
		}
	}
	for _, e := range counts.Equations {
		m.Equations = append(m.Equations, mappedEquation{net.PlaceLabel(e.Place).ID, e.Constant, names(e.Terms)})
	}
	for t := range petri.Transition(net.Transitions()) {
		if _, fires := counts.Needs(t); !fires {
			m.Dead = append(m.Dead, net.TransitionLabel(t).ID)
		}
	}
	return m
}

package main

import (
	"slices"

	"pnmc/logic"
)

// hide notes that a word or number of the property at hand stands for itself, and not for
// the place that is called so.
func (s *session) hide(place string) {
	if !slices.Contains(s.hidden, place) {
		s.hidden = append(s.hidden, place)
	}
}

// hideConstant is hide for a constant of temporal logic, if there is such a place.
func (s *session) hideConstant(word string) {
	vocabularies := []logic.Vocabulary{s.vocabulary}
	for _, m := range s.models {
		vocabularies = append(vocabularies, m.vocabulary)
	}
	for _, v := range vocabularies {
		if v != nil && v.Places(word) != nil {
			s.hide(word)
		}
	}
}

// tellHidden tells, for a property that could be read, which places its words hide.
func (s *session) tellHidden(property string, wrong error) {
	hidden := s.hidden
	if s.hidden = nil; wrong != nil {
		return
	}
	for _, place := range hidden {
		s.Warn(property+": ", "warning: "+place+" is not the place of that name here, which is tokens("+place+")")
	}
}

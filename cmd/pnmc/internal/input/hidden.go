package input

import (
	"slices"

	"pnmc/cmd/pnmc/internal/progress"
	"pnmc/logic"
)

// Hidden has the places that words and numbers of the property at hand hide: these stand
// for themselves, and not for the places that are called so.
type Hidden struct{ places []string }

// Hide notes that a word or number stands for itself.
func (h *Hidden) Hide(place string) {
	if !slices.Contains(h.places, place) {
		h.places = append(h.places, place)
	}
}

// HideConstant notes, as Hide does, a constant of temporal logic, if a vocabulary,
// which may be nil, has a place of that name.
func (h *Hidden) HideConstant(word string, vocabularies ...logic.Vocabulary) {
	for _, v := range vocabularies {
		if v != nil && v.Places(word) != nil {
			h.Hide(word)
		}
	}
}

// Tell reports, for a property that could be read, which places its words hide, and
// forgets them.
func (h *Hidden) Tell(m *progress.Messenger, property string, wrong error) {
	hidden := h.places
	if h.places = nil; wrong != nil {
		return
	}
	for _, place := range hidden {
		m.Warn(property+": ", "warning: "+place+" is not the place of that name here, which is tokens("+place+")")
	}
}

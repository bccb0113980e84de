package checker

import (
	"pnmc/logic"
	"pnmc/petri"
)

// skeleton is what is known of a coloured net's skeleton.
type skeleton struct {
	net           *petri.Net
	approximation *approximation
	stoppable     *petri.Net
	falseEnd      *logic.Predicate
}

package checker

import (
	"time"

	"pnmc/checker/internal/turns"
)

// atomTurns take turns among the open atoms.
func (r *task) atomTurns(first time.Duration, growth float64) *turns.Queue[int] {
	return &turns.Queue[int]{First: first, Growth: growth, Open: r.ledger.openAtoms, IsOpen: r.ledger.isOpen}
}

// questionTurns take turns among the open questions.
func (r *task) questionTurns(first time.Duration, growth float64) *turns.Queue[*question] {
	return &turns.Queue[*question]{First: first, Growth: growth, Open: r.ledger.openQuestions,
		IsOpen: func(q *question) bool { return !r.ledger.isAnswered(q) }}
}

// firstDiagramSlice is how long the first fixpoints may take for one formula.
const firstDiagramSlice = 500 * time.Millisecond

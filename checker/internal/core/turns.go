package core

import (
	"time"

	"pnmc/checker/internal/ledger"
	"pnmc/checker/internal/turns"
)

// AtomTurns take turns among the open atoms.
func (r *Task) AtomTurns(first time.Duration, growth float64) *turns.Queue[int] {
	return &turns.Queue[int]{First: first, Growth: growth, Open: r.Ledger.OpenAtoms, IsOpen: r.Ledger.IsOpen}
}

// QuestionTurns take turns among the open questions.
func (r *Task) QuestionTurns(first time.Duration, growth float64) *turns.Queue[*ledger.Question] {
	return &turns.Queue[*ledger.Question]{First: first, Growth: growth, Open: r.Ledger.OpenQuestions,
		IsOpen: func(q *ledger.Question) bool { return !r.Ledger.IsAnswered(q) }}
}

// FirstDiagramSlice is how long the first fixpoints may take for one formula.
const FirstDiagramSlice = 500 * time.Millisecond

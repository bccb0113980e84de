package core

import (
	"time"

	"pnmc/checker/internal/ledger"
	"pnmc/checker/internal/turns"
)

// AtomTurns returns a queue in which the open atoms take turns. If tries of different atoms may run beside
// each other, Beside is to be set.
func (r *Task) AtomTurns(first time.Duration, growth float64) *turns.Queue[int] {
	return &turns.Queue[int]{First: first, Growth: growth, Open: r.Ledger.OpenAtoms, IsOpen: r.Ledger.IsOpen}
}

// QuestionTurns returns a queue in which the open questions take turns.
func (r *Task) QuestionTurns(first time.Duration, growth float64) *turns.Queue[*ledger.Question] {
	return &turns.Queue[*ledger.Question]{First: first, Growth: growth, Open: r.Ledger.OpenQuestions,
		IsOpen: func(q *ledger.Question) bool { return !r.Ledger.IsAnswered(q) }}
}

// Beside returns how many things of a queue may be tried beside each other: as many as there is memory for.
// Threads bound it, too (turns.Queue).
func (r *Task) Beside() int { return r.mostThreads() }

// FirstDiagramSlice is how long the first fixpoints may take for one formula.
const FirstDiagramSlice = 500 * time.Millisecond

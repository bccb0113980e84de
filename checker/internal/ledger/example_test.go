package ledger_test

import (
	"fmt"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/ledger"
	"pnmc/checker/witness"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
)

// What an engine finds of an atom answers the question, once.
func ExampleLedger() {
	answers := ledger.NewAnswers(1, func(a inquiry.Answer) { fmt.Println(a.Value, a.By) })
	book := &ledger.Ledger{Net: petritest.Philosophers(2), Answers: answers}
	book.Ask(&ledger.Question{OnReached: inquiry.Truth(true), OnUnreachable: inquiry.Truth(false)},
		&ledger.Atom{Goal: &logic.Predicate{Operator: logic.Deadlocked}})
	for _, atom := range book.OpenAtoms() {
		leftForks := witness.Bursts([]petri.Transition{0, 5})
		fmt.Println("replays:", book.Witnessed(atom, leftForks, inquiry.RandomWalk))
	}
	fmt.Println("open:", len(book.OpenAtoms()))
	// Output:
	// true RANDOM_WALK
	// replays: true
	// open: 0
}

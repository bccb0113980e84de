package core_test

import (
	"context"
	"fmt"
	"time"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/asking"
	"pnmc/checker/internal/atoms"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/ledger"
	"pnmc/checker/internal/rephrase"
	"pnmc/internal/petritest"
)

// A question's way: it is put to a task, engines work by a plan, and the ledger answers.
func ExampleTask() {
	ctx := context.Background()
	net := petritest.Philosophers(3)
	questions := []inquiry.Question{inquiry.Deadlock{}}
	answers := ledger.NewAnswers(len(questions), func(a inquiry.Answer) { fmt.Println(a.Value, a.By) })
	shared := core.NewShared(core.Settings{}, 1)
	task := &core.Task{
		Shared: shared, Clock: core.Clock{Start: time.Now(), Horizon: time.Minute}, Whole: ctx, Family: inquiry.DeadlockFamily,
		Net: net, Groups: rephrase.SameNodes(net.Places(), net.Transitions()), Facts: shared.FactsAbout(net),
		Ledger: &ledger.Ledger{Net: net, Answers: answers},
	}
	asking.Put(ctx, task, asking.Parts(questions, answers)[0], questions)
	task.Follow(ctx, []core.Phase{
		{Lane: core.Proving, Name: "place invariants", Until: 0.1, Engine: atoms.Invariants},
		{Lane: core.Proving, Name: "state graph", Until: 1, Engine: atoms.Graph},
	})
	// Output: true EXPLICIT STRUCTURAL_REDUCTION STATE_COMPRESSION
}

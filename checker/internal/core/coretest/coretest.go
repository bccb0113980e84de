// Package coretest makes tasks for tests of engines. In come a net and a limit of time; out
// come a task without questions, and a recorder of what is answered and explained. Decide runs
// one engine on questions, as examples do.
package coretest

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/asking"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/ledger"
	"pnmc/checker/internal/rephrase"
	"pnmc/petri"
)

// Recorder keeps the answers of a task, and what it explains.
type Recorder struct {
	mutex       sync.Mutex
	Answers     []inquiry.Answer
	explanation strings.Builder
}

// Explained returns what was explained.
func (r *Recorder) Explained() string {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.explanation.String()
}

// Value returns the answer to a question, or unknown.
func (r *Recorder) Value(question int) inquiry.Value { return r.Answer(question).Value }

// Answer returns the answer to a question, or the zero Answer.
func (r *Recorder) Answer(question int) inquiry.Answer {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for _, a := range r.Answers {
		if a.Question == question {
			return a
		}
	}
	return inquiry.Answer{}
}

// NewTask returns a task about a net, with room for some questions, and so much time.
func NewTask(t testing.TB, net *petri.Net, questions int, limit time.Duration) (*core.Task, *Recorder) {
	record := new(Recorder)
	s := core.NewShared(core.Settings{Explain: func(message string) {
		record.mutex.Lock()
		defer record.mutex.Unlock()
		fmt.Fprintln(&record.explanation, message)
	}}, 0)
	a := ledger.NewAnswers(questions, func(a inquiry.Answer) {
		record.mutex.Lock()
		defer record.mutex.Unlock()
		record.Answers = append(record.Answers, a)
	})
	return task(t.Context(), s, net, a, limit), record
}

func task(ctx context.Context, s *core.Shared, net *petri.Net, a *ledger.Answers, limit time.Duration) *core.Task {
	r := &core.Task{Shared: s, Clock: core.Clock{Start: time.Now(), Horizon: limit}, Whole: ctx, Net: net, Facts: s.FactsAbout(net)}
	r.Groups = rephrase.SameNodes(net.Places(), net.Transitions())
	r.Ledger = &ledger.Ledger{Net: net, Answers: a}
	return r
}

// Decide puts questions of one family to a net, runs one engine until it ends, and gives the
// answers in the order in which they came.
func Decide(engine core.Engine, net *petri.Net, questions ...inquiry.Question) (answers []inquiry.Answer) {
	ctx := context.Background()
	given := ledger.NewAnswers(len(questions), func(a inquiry.Answer) { answers = append(answers, a) })
	r := task(ctx, core.NewShared(core.Settings{}, 0), net, given, time.Minute)
	for _, p := range asking.Parts(questions, given) {
		r.Family = p.Family
		asking.Put(ctx, r, p, questions)
	}
	if err := engine(ctx, r); err != nil {
		panic(err)
	}
	return answers
}

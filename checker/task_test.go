package checker

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"pnmc/checker/internal/rephrase"
	"pnmc/petri"
)

// recorder keeps the answers of a task, and what it explains.
type recorder struct {
	mutex       sync.Mutex
	answers     []Answer
	explanation strings.Builder
}

// explained is what was explained.
func (r *recorder) explained() string {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.explanation.String()
}

// value is the answer to a question, or unknown.
func (r *recorder) value(question int) Value { return r.answer(question).Value }

func (r *recorder) answer(question int) Answer {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for _, a := range r.answers {
		if a.Question == question {
			return a
		}
	}
	return Answer{}
}

// newTestTask is a task about a net, with room for some questions, and so much time.
func newTestTask(t testing.TB, net *petri.Net, questions int, limit time.Duration) (*task, *recorder) {
	record := new(recorder)
	s := newShared(settings{explain: func(message string) {
		record.mutex.Lock()
		defer record.mutex.Unlock()
		fmt.Fprintln(&record.explanation, message)
	}}, 0)
	a := newAnswers(questions, func(a Answer) {
		record.mutex.Lock()
		defer record.mutex.Unlock()
		record.answers = append(record.answers, a)
	})
	r := &task{shared: s, clock: clock{start: time.Now(), horizon: limit}, whole: t.Context(), net: net, facts: s.factsAbout(net)}
	r.groups = rephrase.SameNodes(net.Places(), net.Transitions())
	r.ledger = &ledger{net: net, answers: a}
	return r, record
}

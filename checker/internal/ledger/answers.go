package ledger

import (
	"sync"

	"pnmc/checker/inquiry"
)

// Answers passes on the answers of one call of Decide, each once. Engines of several
// goroutines report to it, by way of ledgers.
type Answers struct {
	mutex sync.Mutex
	found func(inquiry.Answer)
	given []bool  // by question
	parts []*Part // that each question belongs to
	// refused says why a question was not put when that was tried last; nil for the others.
	refused []error
}

// Part is some questions of a call of Decide, which the same engines decide.
type Part struct {
	Family   inquiry.Family
	Numbers  []int  // of the questions
	left     int    // not answered
	finished func() // called when none is left; it must not answer
	refusals int    // how often all work on them ended for lack of memory
}

// mostRefusals is how often all work on a part may end for lack of memory before nothing more is tried. What
// filled it may be gone then, and questions that are easy may be left.
const mostRefusals = 3

// RefusedAgain counts that all work on the part ended for lack of memory. It reports whether to try once more.
func (p *Part) RefusedAgain() bool {
	p.refusals++
	return p.refusals < mostRefusals
}

// NewAnswers calls found with the answers to so many questions.
func NewAnswers(questions int, found func(inquiry.Answer)) *Answers {
	return &Answers{found: found, given: make([]bool, questions), parts: make([]*Part, questions), refused: make([]error, questions)}
}

// Refuse notes why questions are not put, or with nil that they are.
func (a *Answers) Refuse(reason error, questions ...int) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	for _, i := range questions {
		a.refused[i] = reason
	}
}

// Refused returns why a question was not put when that was tried last, or nil if it was.
func (a *Answers) Refused(question int) error {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return a.refused[question]
}

// Assign makes a question one of those of a part.
func (a *Answers) Assign(question int, p *Part) {
	p.Numbers = append(p.Numbers, question)
	p.left++
	a.parts[question] = p
}

// Give passes on an answer, unless there is one to the question.
func (a *Answers) Give(answer inquiry.Answer) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	i := answer.Question
	if a.given[i] {
		return
	}
	a.given[i] = true
	a.found(answer)
	p := a.parts[i]
	if p == nil {
		return
	}
	if p.left--; p.left == 0 && p.finished != nil {
		p.finished()
	}
}

// isGiven reports whether a question is answered, by whomever.
func (a *Answers) isGiven(question int) bool {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return a.given[question]
}

// Watch has finished called when all questions of p are answered.
func (a *Answers) Watch(p *Part, finished func()) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if p.finished = finished; p.left == 0 && finished != nil {
		finished()
	}
}

// Open returns how many questions of p are not answered.
func (a *Answers) Open(p *Part) int {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return p.left
}

package checker

import (
	"sync"

	"pnmc/checker/inquiry"
)

// answers passes on the answers of one call of Decide, each once. Engines of several
// goroutines report to it, by way of ledgers.
type answers struct {
	mutex sync.Mutex
	found func(Answer)
	given []bool  // by question
	parts []*part // that each question belongs to
}

// part is some questions of a call of Decide, which the same engines decide.
type part struct {
	family   inquiry.Family
	numbers  []int
	left     int    // not answered
	finished func() // called when none is left; it must not answer
}

func newAnswers(questions int, found func(Answer)) *answers {
	return &answers{found: found, given: make([]bool, questions), parts: make([]*part, questions)}
}

// assign makes a question one of those of a part.
func (a *answers) assign(question int, p *part) {
	p.numbers = append(p.numbers, question)
	p.left++
	a.parts[question] = p
}

// give passes on an answer, unless there is one to the question.
func (a *answers) give(answer Answer) {
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
func (a *answers) isGiven(question int) bool {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return a.given[question]
}

// watch has finished called when all questions of p are answered.
func (a *answers) watch(p *part, finished func()) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if p.finished = finished; p.left == 0 && finished != nil {
		finished()
	}
}

// open is how many questions of p are not answered.
func (a *answers) open(p *part) int {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return p.left
}

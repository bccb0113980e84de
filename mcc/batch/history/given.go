package history

import "slices"

// fewQuestions is the length up to which the lists of a run are looked through: a run of the contest
// asks 16 questions. A file of others may ask tens of thousands.
const fewQuestions = 64

// given says where questions are in the list of a run, and their answers in the other one.
type given struct {
	questions, answers map[string]int
	answered           int // how many answers are in the map
}

// find returns the place of a question in the list of questions, and that of its first answer; -1 where it
// has none.
func (r *Run) find(question string) (asked, answered int) {
	if len(r.Questions) <= fewQuestions && len(r.Answers) <= fewQuestions {
		return slices.Index(r.Questions, question), slices.IndexFunc(r.Answers, func(a Answer) bool { return a.Question == question })
	}
	if r.given == nil {
		r.given = &given{questions: make(map[string]int, len(r.Questions)), answers: make(map[string]int, len(r.Questions))}
		for i, q := range r.Questions {
			r.given.questions[q] = i
		}
	}
	for ; r.given.answered < len(r.Answers); r.given.answered++ {
		r.given.answers[r.Answers[r.given.answered].Question] = r.given.answered
	}
	place := func(list map[string]int) int {
		if i, ok := list[question]; ok {
			return i
		}
		return -1
	}
	return place(r.given.questions), place(r.given.answers)
}

// take adds an answer: the first to a question counts, and one that differs contradicts it.
func (r *Run) take(a Answer) {
	asked, answered := r.find(a.Question)
	if asked >= 0 {
		a.Question = r.Questions[asked] // one copy of the word is kept
	}
	switch {
	case answered < 0:
		r.Answers = append(r.Answers, a)
	case Normal(r.Answers[answered].Value) != Normal(a.Value):
		r.Contradictions = append(r.Contradictions, a)
	}
}

// Answer returns the first answer to a question. Not safe for concurrent use.
func (r *Run) Answer(question string) (Answer, bool) {
	if _, i := r.find(question); i >= 0 {
		return r.Answers[i], true
	}
	return Answer{}, false
}

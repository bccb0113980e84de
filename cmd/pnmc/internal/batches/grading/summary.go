package grading

import (
	"cmp"
	"slices"

	"pnmc/mcc"
	"pnmc/mcc/batch/history"
)

// Grade is how an answer compares with the right one.
type Grade uint8

// The grades.
const (
	// Missing: there is no answer.
	Missing Grade = iota
	// Unrated: there is an answer, but no right one is known.
	Unrated
	// Right: the answer is right.
	Right
	// Wrong: the answer is not the right one.
	Wrong
)

// String returns the grade's name.
func (g Grade) String() string { return [...]string{"missing", "unrated", "right", "wrong"}[g] }

// Item is what a question got.
type Item struct {
	history.Job
	history.Answer
	// Expected is the right answer, "" where it is not known.
	Expected string
	Grade    Grade
	// Weight are the contest's points for a right answer: sixteen for a run.
	Weight float64
}

// Summary is how a batch went.
type Summary struct {
	Settings history.Settings
	Runs     []*history.Run
	Items    []Item
	// Rated says that right answers are known for some question.
	Rated bool
}

// Summarize compares the answers of a journal with known ones. oracle is nil if none
// are known.
func Summarize(settings history.Settings, runs []*history.Run, oracle *Oracle) *Summary {
	s := &Summary{Settings: settings, Runs: slices.Clone(runs)}
	slices.SortStableFunc(s.Runs, func(a, b *history.Run) int { return cmp.Compare(a.Instance, b.Instance) })
	for _, r := range s.Runs {
		for place, q := range r.Questions {
			i := Item{Job: r.Job, Weight: 16 / float64(len(r.Questions))}
			expected, known := oracle.Expected(r, place)
			answer, given := r.Answer(q)
			answer.Question = q
			i.Answer, i.Expected = answer, expected
			switch {
			case !given:
				i.Grade = Missing
			case !known:
				i.Grade = Unrated
			case agree(history.Normal(answer.Value), expected):
				i.Grade = Right
			default:
				i.Grade = Wrong
			}
			s.Rated = s.Rated || known
			s.Items = append(s.Items, i)
		}
	}
	return s
}

// Score adds up items. A run brings 16 points, divided by its questions. A right answer to one of
// 16 questions brings 1 point, a wrong one costs 2, and a missing one nothing.
type Score struct {
	Name                           string
	Asked                          int
	Right, Wrong, Missing, Unrated int
	// Points are as the contest gives them, MostPoints the most that could be won.
	Points, MostPoints float64
	// Seconds of all runs.
	Seconds float64
}

// add counts an item.
func (c *Score) add(i Item) {
	c.Asked++
	c.MostPoints += i.Weight
	switch i.Grade {
	case Right:
		c.Right++
		c.Points += i.Weight
	case Wrong:
		c.Wrong++
		c.Points -= 2 * i.Weight
	case Missing:
		c.Missing++
	default:
		c.Unrated++
	}
}

// Answered returns the number of answers of any grade.
func (c Score) Answered() int { return c.Asked - c.Missing }

// Percent returns the part of the questions with an answer that is not wrong.
func (c Score) Percent() float64 {
	return 100 * float64(c.Right+c.Unrated) / float64(max(1, c.Asked))
}

// Total returns the score of the whole batch.
func (s *Summary) Total() Score {
	return s.by(func(history.Job) string { return "all" })["all"]
}

// ByExamination returns scores in the contest's order of examinations.
func (s *Summary) ByExamination() []Score {
	scores := s.by(func(j history.Job) string { return j.Examination })
	var list []Score
	for _, e := range mcc.Examinations() {
		if c, ok := scores[e]; ok {
			list = append(list, c)
		}
	}
	return list
}

// ByFamily returns the scores of families, by name.
func (s *Summary) ByFamily() []Score {
	scores := s.by(func(j history.Job) string { return j.Family() })
	var list []Score
	for _, c := range scores {
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b Score) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// by adds up the items and runs of jobs that name gives the same name.
func (s *Summary) by(name func(history.Job) string) map[string]Score {
	scores := make(map[string]Score)
	at := func(j history.Job) Score {
		c := scores[name(j)]
		c.Name = name(j)
		return c
	}
	for _, i := range s.Items {
		c := at(i.Job)
		c.add(i)
		scores[c.Name] = c
	}
	for _, r := range s.Runs {
		c := at(r.Job)
		c.Seconds += r.Seconds
		scores[c.Name] = c
	}
	return scores
}

// Graded returns the items of one grade.
func (s *Summary) Graded(g Grade) []Item {
	var list []Item
	for _, i := range s.Items {
		if i.Grade == g {
			list = append(list, i)
		}
	}
	return list
}

// contradiction is a question that got two different answers, in two runs, one of them
// cut off.
type contradiction struct {
	history.Job
	First, Second history.Answer
}

// Contradictions returns those of all runs.
func (s *Summary) Contradictions() []contradiction {
	var list []contradiction
	for _, r := range s.Runs {
		for _, a := range r.Contradictions {
			first, _ := r.Answer(a.Question)
			list = append(list, contradiction{r.Job, first, a})
		}
	}
	return list
}

// machine is a kind of processor, or a host, and what it ran.
type machine struct {
	Host, Processor string
	Runs            int
	Seconds         float64
}

// machines returns where runs ended, by name; there are none if journals do not tell.
func (s *Summary) machines() []machine {
	byName := make(map[[2]string]*machine)
	var list []*machine
	for _, r := range s.Runs {
		if r.Host == "" || !r.Ended {
			continue
		}
		name := [2]string{r.Host, r.Processor}
		m := byName[name]
		if m == nil {
			m = &machine{Host: r.Host, Processor: r.Processor}
			byName[name] = m
			list = append(list, m)
		}
		m.Runs++
		m.Seconds += r.Seconds
	}
	slices.SortFunc(list, func(a, b *machine) int {
		return cmp.Or(cmp.Compare(a.Host, b.Host), cmp.Compare(a.Processor, b.Processor))
	})
	machines := make([]machine, len(list))
	for i, m := range list {
		machines[i] = *m
	}
	return machines
}

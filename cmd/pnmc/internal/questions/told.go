package questions

import (
	"pnmc/cmd/pnmc/internal/told"
	"pnmc/internal/process"
)

// asTold returns the property with its answer as the room told takes it.
func (d decided) asTold() told.Decided {
	t := told.Decided{
		Name: d.name, Kind: d.kind, Question: d.question, Opposite: d.opposite, Err: d.err, Answer: d.answer, Spent: d.spent,
	}
	if d.model != nil {
		t.Problem, t.Vocabulary = &d.model.problem, d.model.vocabulary
	}
	return t
}

// reportOf returns what is told of a property.
func (s *session) reportOf(d decided) *told.Answer {
	r := told.Of(d.asTold())
	if s.c.String("format") == "json" { // to find it out takes longer than to tell the rest
		r.PeakRSSBytes = process.Peak()
	}
	return r
}

package questions

import (
	"context"

	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/cmd/pnmc/internal/told"
	"pnmc/internal/account"
	"pnmc/internal/process"
)

// asTold returns the property with its answer as the room told takes it. Ctx carries the limits of
// what is told.
func (d decided) asTold(ctx context.Context) told.Decided {
	t := told.Decided{
		Context: ctx,
		Name:    d.name, Kind: d.kind, Question: d.question, Opposite: d.opposite, Err: d.err, Answer: d.answer, Spent: d.spent,
	}
	if d.model != nil {
		t.Problem, t.Vocabulary = &d.model.problem, d.model.vocabulary
	}
	return t
}

// reportOf returns what is told of a property.
func (s *session) reportOf(ctx context.Context, d decided) *told.Answer {
	r := told.Of(d.asTold(ctx))
	if s.c.String("format") == "json" { // to find it out takes longer than to tell the rest
		r.PeakRSSBytes = process.Peak()
	}
	return r
}

// telling returns ctx, which has the time of a question, with the memory within which its run is
// told. The caller must call end.
func (s *session) telling(ctx context.Context) (within context.Context, end func()) {
	within, stop := account.Within(ctx, s.budget)
	return within, func() { stop(nil) }
}

// leftOut reports whether err says that a run is left out of where it should be, and tells so: the
// answer stands without it.
func (s *session) leftOut(name, where string, err error) (reason error, yes bool) {
	if reason, yes = limits.IsLeftOut(err); yes {
		s.Say("%s: its run is not %s: %v", name, where, reason)
	}
	return reason, yes
}

// tellNoRoom tells why there is no room to tell a run, where one is wanted.
func (s *session) tellNoRoom(name string, reason error) {
	if reason != nil && (s.trace != nil || s.c.String("format") == "json") {
		s.Say("%s: its run is not told: %v", name, reason)
	}
}

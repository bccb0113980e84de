package questions

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"pnmc/checker"
	"pnmc/cmd/pnmc/internal/asked"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/cmd/pnmc/internal/output"
	"pnmc/cmd/pnmc/internal/page"
	"pnmc/cmd/pnmc/internal/told"
	"pnmc/internal/process"
)

// decided is a property with its answer, as it was found.
type decided struct {
	*property
	answer checker.Answer
	spent  time.Duration
}

// decide has the portfolio answer what the input asks. There are three ways, by how questions come
// and what limits them:
//
//   - one by one, with --timeout, where each question has a time of its own, or from a pipe without
//     any limit, which may have no end: an answer comes before the next question is read;
//   - as they arrive, from a pipe with --total-timeout (decideArriving);
//   - all together otherwise, so that engines share what they find out about the net. Answers are
//     printed in the order of the questions, unless --stream asks for them as they come.
func (s *session) decide(list []asked.Flag) error {
	if err := s.readModels(); err != nil {
		return err
	}
	defer func() {
		for _, m := range s.models {
			if m.solver != nil && m.deciding.busy == nil {
				m.solver.Close()
			}
			s.TellClaim(m.problem.Net)
		}
	}()
	ctx := s.whole
	if s.oneByOne(list) {
		return s.eachProperty(list, func(p *property) error {
			own, cancel := limits.Within(ctx, s.c)
			defer cancel()
			s.beginAnswer(own)
			return s.decideAll(own, []*property{p}, s.emitting(own))
		})
	}
	if piped(list) {
		return s.decideArriving(ctx, list)
	}
	var all []*property
	err := s.eachProperty(list, func(p *property) error {
		all = append(all, p)
		return nil
	})
	if err != nil && len(all) == 0 {
		return err
	}
	order := &inOrder{emit: s.emitting(ctx), stream: s.c.Bool("stream"), waiting: make(map[*property]decided), all: all}
	return errors.Join(s.decideAll(ctx, all, order.add), err)
}

// oneByOne reports whether questions are decided one after the other: where each has a
// limit of its own, and where they come from a pipe that may have no end.
func (s *session) oneByOne(list []asked.Flag) bool {
	if s.c.Duration("timeout") > 0 {
		return true
	}
	return piped(list) && s.c.Duration("total-timeout") <= 0
}

// piped reports whether automata come from a pipe.
func piped(list []asked.Flag) bool {
	return slices.ContainsFunc(list, func(a asked.Flag) bool { return (a.Name == "hoa" || a.Name == "tgta") && a.Value == "-" })
}

// beginTime sets the time of the command, and that of waiting for what it asks, until over is
// called.
func (s *session) beginTime() (over func()) {
	whole, cancel := s.wholeTime()
	s.whole = whole
	s.reading, s.stopReading = context.WithCancelCause(whole)
	allowance := limits.AllowanceOf(s.c)
	allowance.Whole, allowance.Reading = whole, s.reading
	s.beginAnswer(whole)
	return cancel
}

// beginAnswer notes the time of a question, which is that of its page too. The time of a search that
// nobody has asked for is not.
func (s *session) beginAnswer(ctx context.Context) {
	if end, limited := ctx.Deadline(); s.ownTime && limited {
		if whole, is := s.whole.Deadline(); is && !end.Before(whole) {
			return
		}
	}
	limits.AllowanceOf(s.c).Answer = ctx
}

// wholeTime returns the time that --total-timeout gives the command since it began.
func (s *session) wholeTime() (context.Context, context.CancelFunc) {
	d := s.c.Duration("total-timeout")
	if d <= 0 {
		return context.WithCancel(s.c.Context)
	}
	end, why := s.Start.Add(d), fmt.Errorf("total time limit of %s reached", d)
	output.NoteLimit(s.c.Context, end, why) // until the process ends: answers are written after the last question
	return context.WithDeadlineCause(s.c.Context, end, why)
}

// late returns why nothing is to be decided any more: the whole time is over, or the user
// interrupted; nil before.
func (s *session) late() error {
	return context.Cause(s.whole)
}

// decideAll hands over all properties with their answers, as they are known. Where some
// are about what a coloured net unfolds to, those come last, with their share of the time.
//
// Properties may be about two models, the coloured net and its unfolding. Each has a solver of its
// own. A model gets a share of the remaining time: that of its properties among all that are left.
// For example, let there be 60 seconds, 9 questions about the first model and 3 about the second.
// They get 45 and 15 seconds. The second also gets the time that the first does not use. A
// question that can be drawn in two ways is decided in both; it holds only if it does so in both,
// see doubt.
func (s *session) decideAll(ctx context.Context, all []*property, found func(decided) error) error {
	start := time.Now()
	var failure error
	var doubtful []decided
	tell := func(d decided) {
		s.explainAnswer(ctx, d)
		switch {
		case failure != nil:
		case d.larger != nil && d.answer.Value.IsTrue():
			doubtful = append(doubtful, d)
		default:
			failure = found(d)
		}
	}
	rest := 0
	for _, p := range all {
		if p.err == nil && p.formula != nil && s.translator.External != nil {
			if err := s.translate(ctx, p); err != nil {
				p.unknown = err
			}
		}
		if p.err != nil {
			tell(decided{p, checker.Answer{Reason: p.err}, 0})
		} else if p.unknown != nil {
			tell(decided{p, checker.Answer{Reason: p.unknown}, time.Since(start)})
		} else {
			rest++
		}
	}
	for _, m := range s.models {
		var own []*property
		for _, p := range all {
			if p.err == nil && p.unknown == nil && p.model == m {
				own = append(own, p)
			}
		}
		if len(own) == 0 || failure != nil {
			continue
		}
		share, cancel := context.WithCancel(ctx)
		if end, limited := ctx.Deadline(); limited && len(own) < rest {
			share, cancel = context.WithDeadlineCause(ctx, time.Now().Add(time.Until(end)/time.Duration(rest)*time.Duration(len(own))), errors.New("share of the time limit reached"))
		}
		rest -= len(own)
		err := s.decideOf(share, m, own, func(a checker.Answer) { tell(decided{own[a.Question], a, time.Since(start)}) })
		cancel()
		if err != nil {
			return err
		}
	}
	for _, d := range doubtful {
		if failure != nil {
			return failure
		}
		larger := *d.property
		larger.question = d.larger
		err := s.decideOf(ctx, d.model, []*property{&larger}, func(a checker.Answer) {
			if a.Value.IsFalse() {
				a = checker.Answer{Reason: errors.New(doubt)}
			}
			failure = found(decided{d.property, a, time.Since(start)})
		})
		if err != nil {
			return err
		}
	}
	return failure
}

// decideOf answers questions about one model. An error of a solver is that some question can't be
// put, and does not say which: so the questions are then put one by one, and the ones that fail are
// told.
func (s *session) decideOf(ctx context.Context, m *model, own []*property, found func(checker.Answer)) error {
	if m.solver == nil {
		var err error
		if m.solver, err = checker.New(m.problem, s.solverOptions()); err != nil {
			return err
		}
	}
	questions, names := make([]checker.Question, len(own)), make([]string, len(own))
	for i, p := range own {
		questions[i], names[i] = p.question, p.name
	}
	progress := s.Watch(names)
	err := m.decide(ctx, questions, func(a checker.Answer) { progress.Tell(a.Question, func() { found(a) }) })
	progress.End()
	if err == nil {
		return nil
	}
	if len(own) == 1 {
		own[0].err = err
		s.bad = true
		s.Fail("%s: %v", own[0].name, err)
		found(checker.Answer{Reason: err})
		return nil
	}
	for i, p := range own {
		one := func(a checker.Answer) {
			a.Question = i
			found(a)
		}
		if err := s.decideOf(ctx, m, []*property{p}, one); err != nil {
			return err
		}
	}
	return nil
}

// solverOptions returns what the flags say.
func (s *session) solverOptions() checker.Options {
	o := checker.Options{
		MemoryBytes: s.budget.MemoryBytes, Threads: s.c.Int("threads"), Seed: s.c.Uint64("seed"),
		SMTSolver: s.c.String("smt-solver"), Disk: s.folder, Warn: func(warning string) { s.Say("%s", warning) },
		Without: s.without, KeepBindings: s.trace != nil || s.c.String("format") == "json" || s.wordy(),
	}
	if s.c.Bool("explain") {
		o.Explain = func(message string) {
			s.Explain("%8.3fs %s", time.Since(s.Start).Seconds(), message)
		}
	}
	return o
}

// explainAnswer reports what decided a question, once it is known, where --explain asks for
// it.
func (s *session) explainAnswer(ctx context.Context, d decided) {
	if !s.c.Bool("explain") || d.err != nil {
		return
	}
	ctx, end := s.telling(ctx)
	defer end()
	r := s.reportOf(ctx, d)
	text := "not decided: " + r.Name + ": " + r.Reason
	if r.Verdict != told.Unknown {
		text = "decided by " + strings.Join(r.Techniques, " ") + ": " + r.InWords(s.c.String("trace"))
	}
	s.Explain("%8.3fs %s", time.Since(s.Start).Seconds(), text)
}

// inOrder holds answers back until those before them are known, unless they are to come
// as they are.
type inOrder struct {
	emit    func(decided) error
	stream  bool
	all     []*property // not yet handed over, in order
	waiting map[*property]decided
}

// add hands an answer over if all those before it are known, and with it those behind it that
// waited.
func (o *inOrder) add(d decided) error {
	if o.stream {
		return o.emit(d)
	}
	o.waiting[d.property] = d
	for len(o.all) > 0 {
		next, known := o.waiting[o.all[0]]
		if !known {
			return nil
		}
		delete(o.waiting, o.all[0])
		o.all = o.all[1:]
		if err := o.emit(next); err != nil {
			return err
		}
	}
	return nil
}

// emitting returns a function that prints an answer, with its run as far as ctx gives time for it, and
// what it means for the exit code.
func (s *session) emitting(ctx context.Context) func(decided) error {
	return func(d decided) error {
		telling, end := s.telling(ctx)
		defer end()
		return s.emit(telling, d)
	}
}

// emit prints an answer as emitting says.
func (s *session) emit(ctx context.Context, d decided) error {
	r := s.reportOf(ctx, d)
	if r.Verdict != told.Unknown {
		s.decided++
	}
	switch {
	case d.err != nil:
	case r.Verdict == told.Violated:
		s.violated = true
	case r.Verdict == told.Unknown:
		s.unknown = true
		if d.property.unknown != nil && s.tooLate(d.property.unknown) {
			break
		}
		if d.property.unknown != nil {
			s.Say("%s: unknown: %s", d.name, r.Reason)
			break
		}
		s.Say("%s: unknown: %d MB: %s", d.name, process.Peak()>>20, r.Reason)
	}
	s.tellNoRoom(r.Name, r.NoRoom)
	if err := s.printAnswer(ctx, r); err != nil {
		return err
	}
	if s.trace != nil && s.trace.page != nil {
		if err := s.trace.page.Add(s.shown(), page.AnswerOf(s.c, d.asTold(ctx), r)); err != nil {
			return err
		}
	} else if s.trace != nil && r.Trace != nil {
		err := s.trace.addTold(ctx, r)
		if reason, leftOut := s.leftOut(r.Name, s.trace.where(), err); leftOut {
			r = r.WithoutRun(reason)
		} else if err != nil {
			return err
		}
	}
	if d.err == nil && r.Verdict != told.Unknown {
		s.inWords(r)
	}
	return nil
}

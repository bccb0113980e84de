// Package questions answers what the flags ask about a net.
//
// In come flags: a net, questions, an approach. Out go lines or objects, runs in a file or on
// a page, and the exit code. The files, in the order in which a question passes them:
//
//	model.go         the net that is asked about, and what names mean
//	property.go      a question that a flag asks by itself
//	identifiers.go   whether a text may name what only the unfolded net has
//	from_file.go     the questions of a file
//	session.go       what all questions share; a named approach, one question at a time
//	diagrams.go      the same on decision diagrams
//	decide.go        all engines at once, all questions together
//	arriving.go      the same for what comes from a pipe, as it comes
//	worker.go        work that ends soon when its context does
//	doubt.go         drawings that can be read in two ways
//	told.go          an answer as package told takes it
//	report.go        what is printed
//	trace.go         the file of runs
//	on_page.go       a page with all answers
//	interrupted.go   what is told of an interruption
//
// Package pnmc/checker decides, and pnmc/checker/product for a named approach. Next are the
// commands: pnmc itself, and view.
package questions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/urfave/cli/v2"

	"pnmc/checker"
	"pnmc/checker/inquiry"
	"pnmc/checker/product"
	"pnmc/checker/properties"
	"pnmc/cmd/pnmc/internal/approach"
	"pnmc/cmd/pnmc/internal/asked"
	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/input"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/cmd/pnmc/internal/output"
	"pnmc/cmd/pnmc/internal/page"
	"pnmc/cmd/pnmc/internal/progress"
	"pnmc/cmd/pnmc/internal/told"
	"pnmc/cmd/pnmc/internal/wording"
	"pnmc/internal/process"
	"pnmc/logic"
	"pnmc/logic/ltl"
	"pnmc/petri"
	"pnmc/petri/disk"
	"pnmc/petri/symmetric"
)

// Answer decides what the flags ask, in order, and prints it as they say.
func Answer(c *cli.Context) error {
	s := &session{c: c, Messenger: progress.NewMessenger(c)}
	defer s.TellRepeated()
	list, err := s.readFlags()
	if err != nil {
		return err
	}
	if s.folder, err = s.diskFolder(); err != nil {
		return err
	}
	if s.folder != nil {
		defer s.folder.Remove()
	}
	path := c.String("trace")
	format, err := traceFormat(c)
	if err != nil {
		return err
	}
	if path != "" && path != "-" {
		if err := output.Try(path); err != nil {
			return err
		}
	}
	if path != "" {
		if s.trace, err = s.createTrace(path, format); err != nil {
			return err
		}
	}
	return s.answerAll(list)
}

// answerAll decides what is asked, ends the file of runs, and gives the exit code.
//
// Whatever happens while it is decided, the file of runs has its end. It appears unless an error
// or bad input left nothing decided: then a file that was there before stays. The exit code says
// the worst that happened, as exit.Outcome orders it.
func (s *session) answerAll(list []asked.Flag) error {
	defer s.beginTime()()
	var err error
	if s.settings.Approach == product.Auto {
		err = s.decide(list)
	} else {
		err = s.check(list)
	}
	if s.trace != nil && s.trace.File != nil && s.decided == 0 && (err != nil || s.bad) {
		s.trace.Discard() // nothing was decided: a file that is there is left alone
	} else if s.trace != nil {
		if traceErr := s.finishTrace(); traceErr != nil && err == nil {
			err = traceErr
		}
	}
	if err != nil {
		return s.outcome().And(err)
	}
	if s.c.Context.Err() != nil {
		s.tellInterrupted()
	} else {
		s.tellTooLate()
	}
	return s.outcome().Err()
}

// readFlags returns what the flags ask, and how.
func (s *session) readFlags() (list []asked.Flag, err error) {
	if s.settings, err = approach.Settings(s.c); err != nil {
		return nil, err
	}
	if s.without, err = approach.Without(s.c, s.settings); err != nil {
		return nil, err
	}
	if err = approach.CheckSolver(s.c); err != nil {
		return nil, err
	}
	list = asked.All(s.c)
	if err := asked.Check(s.c, list, s.settings.Approach); err != nil {
		return nil, err
	}
	if err := told.CheckFormat(s.c); err != nil {
		return nil, err
	}
	if s.syntax, err = input.Syntax(s.c); err != nil {
		return nil, err
	}
	if d := s.c.Duration("total-timeout"); d < 0 || d == 0 && s.c.IsSet("total-timeout") {
		return nil, exit.UsageError("--total-timeout: expected a time such as 90s or 10m, found %s", d)
	}
	if n := s.c.Int("threads"); n < 0 || n == 0 && s.c.IsSet("threads") {
		return nil, exit.UsageError("--threads: expected a number from 1 on, found %d", n)
	}
	if s.budget, err = limits.Budget(s.c); err != nil {
		return nil, err
	}
	if s.translator, err = input.NewTranslator(s.c, s.budget, s.Warn); err != nil {
		return nil, err
	}
	return list, nil
}

// diskFolder makes the folder that --disk asks for, nil for none.
func (s *session) diskFolder() (*disk.Folder, error) {
	if s.c.IsSet("disk") && s.settings.Approach != product.Auto {
		return nil, exit.UsageError("--disk is for --approach auto")
	}
	return limits.DiskFolder(s.c)
}

// check checks what the input asks by a named approach, in order, on one state graph.
func (s *session) check(list []asked.Flag) error {
	if err := s.readModel(); err != nil {
		return err
	}
	var err error
	if s.defined, err = input.Definitions(s.c, s.vocabulary); err != nil {
		return err
	}
	s.models = []*model{{vocabulary: s.vocabulary, defined: s.defined}}
	return s.eachProperty(list, func(p *property) error {
		ctx, cancel := limits.Within(s.whole, s.c)
		s.beginAnswer(ctx)
		defer cancel()
		report, err := s.checkProperty(ctx, p)
		if p.err == nil {
			s.explainReport(&report)
		}
		return cmp.Or(s.print(ctx, report), err) // the verdict is told also where the page can't be written
	})
}

// checkProperty checks one property: the runs that violate a formula are those that the
// automaton of its negation accepts. If a drawing can be read in two ways and the property holds in
// the first, it is checked in the second, too. An error is one of writing.
func (s *session) checkProperty(ctx context.Context, p *property) (told.Report, error) {
	if p.err != nil {
		return s.notUsable(p.name, p.err), nil
	}
	if late := cmp.Or(p.unknown, s.late()); late != nil {
		return s.notBegun(p.name, late), nil
	}
	start := time.Now()
	if p.formula != nil {
		if err := s.translate(ctx, p); err != nil {
			s.unknown = true
			s.Say("%s: unknown: %v", p.name, err)
			return s.notUsable(p.name, err), nil
		}
	}
	// Our own translation has proven what it says of stuttering.
	s.proven = p.formula != nil && s.translator.External == nil && !s.c.IsSet("distrust")
	r, err := s.checkAutomaton(ctx, start, p.question.(checker.Automaton).Property, p.name, "")
	if err != nil || p.larger == nil || r.Verdict != properties.Holds.String() {
		return r, err
	}
	return s.checkAutomaton(ctx, start, p.larger.(checker.Automaton).Property, p.name, doubt)
}

// translate makes a question of the automaton of a formula's negation.
func (s *session) translate(ctx context.Context, p *property) error {
	a, err := s.translator.Negation(ctx, p.formulas, p.formula, p.name)
	if err != nil {
		s.bad = s.bad || input.IsOurs(err)
		return err
	}
	s.Phase("%s: automaton of %d states and %d edges for the negation", p.name, a.States(), a.Edges())
	property, err := properties.Bind(a, p.model.vocabulary, p.model.defined)
	p.question = checker.Automaton{Property: property}
	return err
}

// readModel reads the net or model that the flags name.
func (s *session) readModel() (err error) {
	if s.settings.Approach.Symbolic() {
		s.symbolic = &symbolicSession{}
		if s.symbolic.settings, err = approach.DiagramSettings(s.c, s.settings); err != nil {
			return err
		}
		defer func() { s.symbolic.share(s.budget) }() // of what the model leaves
	}
	if s.c.String("etf") != "" {
		return s.readETF()
	}
	if s.net, s.vocabulary, err = input.Net(s.c); err != nil {
		return err
	}
	s.label = s.net.TransitionLabel
	s.Phase("read %d places, %d transitions, %d arcs", s.net.Places(), s.net.Transitions(), s.net.Arcs())
	return nil
}

// session is a stream of properties being decided about one net.
type session struct {
	*progress.Messenger
	c          *cli.Context
	net        *petri.Net                           // or nil for another model
	label      func(t petri.Transition) petri.Label // of steps in counterexamples
	vocabulary logic.Vocabulary
	defined    map[string]*logic.Predicate
	budget     petri.Budget
	facts      *petri.Facts     // of net, or nil if they were not asked for yet
	kripke     *petri.Kripke    // or nil: a check begins with a new one
	threads    *product.Threads // that check together, or nil
	symbolic   *symbolicSession // or nil
	checking   worker           // on kripke or symbolic
	trace      *traceFile
	settings   product.Settings
	without    inquiry.Techniques // with approach auto
	proven     bool               // what the automaton at hand claims
	syntax     ltl.Syntax         // of formulas of linear temporal logic
	limit      logic.Limit        // of what is made of the text of the file that is read, or nil
	translator *input.Translator
	folder     *disk.Folder // for markings that memory has no room for, or nil

	models          []*model       // that properties may be about: a second one if the net is coloured
	coloured        *symmetric.Net // or nil
	identifiers     *identifiers   // of coloured, or nil if nobody has asked yet
	unfoldingTried  bool
	definitions     []byte // the text of --ap, or nil
	definitionsFile string

	hidden input.Hidden

	count, decided              int             // properties read, and those with a verdict
	lateSince                   time.Time       // when that was over
	notBegunCount               int             // properties for which there was no time left
	restUnread                  bool            // of a stream that was interrupted
	whole                       context.Context // the time of the command
	ownTime                     bool            // that is none that a flag gives
	reading                     context.Context // that of reading what it asks
	stopReading                 context.CancelCauseFunc
	violated, unknown, bad, bug bool
}

// name returns what the property is called: by --name, or else by its own name.
func (s *session) name(own string) string {
	switch given := s.c.String("name"); {
	case given != "" && s.count == 1:
		return wording.OneLine(given)
	case given != "":
		return fmt.Sprintf("%s-%d", wording.OneLine(given), s.count)
	}
	return own
}

// checkAutomaton checks one automaton, on which work began at start. A counterexample may
// be none if there is a doubt. An error is one of writing.
func (s *session) checkAutomaton(ctx context.Context, start time.Time, property properties.Property, name, doubt string) (told.Report, error) {
	defer s.TellClaim(s.net)
	if s.symbolic != nil {
		return s.checkSymbolically(ctx, start, property, name, doubt)
	}
	var found properties.Result
	ended, err := s.checking.do(ctx, func() (err error) {
		if s.facts == nil {
			end := s.During(name, "looking for invariants")
			facts := limits.Prove(ctx, s.net, s.budget)
			end()
			s.Phase("found %d semiflows", len(facts.Semiflows))
			s.facts = &facts
			if n := s.c.Int("threads"); n > 1 {
				s.threads = product.NewThreads(n, facts)
			}
		}
		found, err = s.checkExplicitly(ctx, property, name)
		return err
	})
	s.Clear()
	if err != nil {
		return s.failed(name, err), nil
	}
	result := properties.Result{Reason: fmt.Sprint(context.Cause(ctx))}
	if ended {
		result = found
	}
	result = doubted(doubt, result)
	s.Phase("%s: %v, %d product states, %d product transitions", name, result.Verdict,
		result.Statistics.ProductStates, result.Statistics.ProductTransitions)
	return s.report(ctx, name, result, time.Since(start)), s.tell(name, property, result)
}

// checkExplicitly checks on the state graph that the properties before have left, so that states
// are explored once for all of them. If memory gets full on a graph that other properties have
// filled, the graph is thrown away, and the property is checked again on an empty one. It must not
// fail because of what the others needed. With stubborn sets each property has a graph of its own,
// as each keeps other firings.
func (s *session) checkExplicitly(ctx context.Context, property properties.Property, name string) (properties.Result, error) {
	settings := s.settings
	settings.Distrust = settings.Distrust && !s.proven
	settings.Threads = s.threads
	settings.Progress = func(t properties.Statistics) {
		if ctx.Err() == nil {
			s.Progress(name, t.Transitions, t.States)
		}
	}
	if settings.Stubborn {
		s.kripke = nil // what one property does not need, the next may
	}
	for {
		shared := s.kripke != nil
		if !shared {
			s.kripke = petri.NewKripkeWithin(ctx, s.net, *s.facts, s.budget)
		}
		result, err := product.CheckBy(ctx, s.kripke, property, settings)
		if !result.MemoryFull {
			return result, err
		}
		s.kripke = nil
		debug.FreeOSMemory()
		if !shared || ctx.Err() != nil {
			return result, err
		}
		s.Phase("%s: memory is full: again, on a state graph of its own", name)
	}
}

// failed notes why a check had no result.
func (s *session) failed(name string, err error) told.Report {
	var unsupported *product.UnsupportedError
	if errors.As(err, &unsupported) {
		s.bad = true
		s.FailOnce(name+": ", err.Error())
	} else {
		s.bug = true
		s.Fail("%s: internal error: %v", name, err)
	}
	return s.notUsable(name, err)
}

// tell notes a verdict for the exit code, and what goes with it.
func (s *session) tell(name string, property properties.Property, result properties.Result) error {
	switch result.Verdict {
	case properties.Unknown:
		s.unknown = true
		if s.symbolic != nil {
			s.Say("%s: unknown: %d MB: %s", name, process.Peak()>>20, result.Reason)
			break
		}
		s.Say("%s: unknown: %s, %d MB: %s", name, wording.Counted(int(result.Statistics.States), "state", "states"), process.Peak()>>20, result.Reason)
	case properties.Violated:
		s.violated = true
	}
	if s.trace == nil || s.trace.page == nil {
		return nil
	}
	return s.trace.page.Add(s.shown(), page.AnswerOfCheck(s.c, s.net, name, property, result))
}

// outcome returns what the verdicts lead to.
func (s *session) outcome() exit.Outcome {
	return exit.Outcome{Bug: s.bug, Bad: s.bad, Violated: s.violated, Unknown: s.unknown || s.restUnread}
}

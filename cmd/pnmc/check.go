package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/urfave/cli/v2"

	"pnmc/automata"
	"pnmc/checker"
	"pnmc/hoa"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/invariant"
)

func checkFlags() []cli.Flag {
	flags := append(netFlags(),
		etfFlag("to be checked on decision diagrams"),
		automataFlag("automata of negated properties"),
		tgtaFlag("testing automata of negated properties"),
		setsFlag(),
	)
	flags = append(append(flags, formulaFlags()...), translatorFlags()...)
	flags = append(flags,
		&cli.StringFlag{Name: "ap", Usage: "read from `FILE` what names of propositions mean, a line 'name: expression' each", TakesFile: true},
		&cli.StringFlag{Name: "name", Usage: "call the property `NAME`, and further ones of a stream NAME-2, NAME-3, …"},
		formatFlag(),
		&cli.StringFlag{Name: "trace", Usage: "write counterexamples to `FILE`, as JSON if it ends in .json", TakesFile: true},
	)
	return append(append(append(flags, approachFlags()...), budgetFlags(" (each formula or automaton has it anew)")...), messageFlags()...)
}

// checkAction checks each automaton or formula, in order, on one state graph.
func checkAction(c *cli.Context) error {
	if c.Args().Present() {
		return usageError("no command %q (see pnmc --help)", c.Args().First())
	}
	if c.NumFlags() == 0 {
		return cli.ShowAppHelp(c)
	}
	source, err := propertySource(c)
	if err != nil {
		return err
	}
	if err := checkFormat(c); err != nil {
		return err
	}
	s := &session{c: c, messenger: newMessenger(c)}
	if s.settings, err = approachSettings(c); err != nil {
		return err
	}
	if s.budget, err = memoryBudget(c); err != nil {
		return err
	}
	if err := s.readModel(); err != nil {
		return err
	}
	if s.defined, err = readDefinitions(c, s.vocabulary); err != nil {
		return err
	}
	if path := c.String("trace"); path != "" {
		if s.trace, err = createTrace(c.Context, path, s.label); err != nil {
			return err
		}
	}
	if source == "hoa" || source == "tgta" {
		err = withInput(c, c.String(source), func(r io.Reader, file string) error {
			return s.checkStream(newAutomatonReader(c, source, r, file), file)
		})
	} else {
		err = s.checkFormulas()
	}
	if s.trace != nil {
		if traceErr := s.trace.keep(); traceErr != nil && err == nil {
			err = traceErr
		}
	}
	if err != nil {
		return err
	}
	if c.Context.Err() != nil {
		s.tellInterrupted()
	}
	return s.outcome()
}

// propertySource is the flag that says which properties: there is exactly one.
func propertySource(c *cli.Context) (string, error) {
	source := ""
	for _, flag := range []string{"hoa", "tgta", "ltl", "ltl-file"} {
		switch {
		case !c.IsSet(flag) || flag != "ltl" && c.String(flag) == "":
		case source != "":
			return "", usageError("--%s and --%s: expected one of them", source, flag)
		case c.String("etf") == "-" && flag != "ltl" && c.String(flag) == "-":
			return "", usageError("--etf and --%s can't both be standard input", flag)
		case c.String("pnml") == "-" && flag != "ltl" && c.String(flag) == "-":
			return "", usageError("--pnml and --%s can't both be standard input", flag)
		default:
			source = flag
		}
	}
	if err := checkModelFlags(c); err != nil {
		return "", err
	}
	switch net := c.String("pnml") != "" || c.String("etf") != ""; {
	case source == "" && !net:
		return "", usageError("--pnml and --ltl or --hoa are missing: which net, and which property?")
	case source == "":
		return "", usageError("--ltl, --ltl-file or --hoa is missing: which property?")
	case !net:
		return "", usageError("--pnml is missing: which net?")
	}
	return source, nil
}

// readModel reads the net or model that the flags name.
func (s *session) readModel() (err error) {
	if s.settings.Approach.Symbolic() {
		s.symbolic = &symbolicSession{}
		if s.symbolic.settings, err = symbolicSettings(s.c, s.settings); err != nil {
			return err
		}
		defer func() { s.symbolic.share(s.budget) }() // of what the model leaves
	}
	if s.c.String("etf") != "" {
		return s.readETF()
	}
	if s.net, s.vocabulary, err = readNet(s.c); err != nil {
		return err
	}
	s.label = s.net.TransitionLabel
	s.phase("read %d places, %d transitions, %d arcs", s.net.Places(), s.net.Transitions(), s.net.Arcs())
	return nil
}

// session is a stream of properties being checked against one net.
type session struct {
	*messenger
	c          *cli.Context
	net        *petri.Net                           // or nil for another model
	label      func(t petri.Transition) petri.Label // of steps in counterexamples
	vocabulary logic.Vocabulary
	defined    map[string]*logic.Predicate
	budget     petri.Budget
	kripke     *petri.Kripke
	symbolic   *symbolicSession // or nil
	trace      *traceFile
	settings   checker.Settings
	positions  func(proposition int) string // of the automaton in hand, if known, or nil
	doubt      string                       // why a counterexample of the automaton in hand may be none, or empty

	count, decided              int  // properties read, and those with a verdict
	restUnread                  bool // of a stream that was interrupted
	violated, unknown, bad, bug bool
}

// checkStream checks all automata that the reader of a file gives. Those that
// can't be used don't end it; an error is one of reading or writing.
func (s *session) checkStream(reader automatonReader, file string) error {
	s.positions = func(proposition int) string {
		at := reader.PropositionPosition(proposition)
		if at.Line == 0 {
			return ""
		}
		return fmt.Sprintf("%s:%d:%d", file, at.Line, at.Column)
	}
	var interrupted time.Time
	for {
		if s.c.Context.Err() != nil && interrupted.IsZero() {
			interrupted = time.Now()
		}
		if !interrupted.IsZero() && time.Since(interrupted) > readRest {
			s.restUnread = true
			return nil
		}
		a, err := reader.Read()
		if errors.Is(err, errInterrupted) {
			s.restUnread = true
			return nil
		}
		if err == io.EOF {
			return nil
		}
		if isGarbage(err) {
			s.bad = true
			s.fail("%v", err)
			continue
		}
		s.count++
		other := reader.Other()
		for _, w := range reader.Warnings() {
			if other == nil {
				s.say("warning: %v", w)
			}
		}
		own := ""
		var unread *hoa.AutomatonError
		if a != nil {
			own = oneLine(a.Name)
		} else if errors.As(err, &unread) {
			own = oneLine(unread.Name)
		}
		name := s.name(own, fmt.Sprintf("%s:%d", file, s.count))
		var report report
		switch {
		case err == nil && s.c.Context.Err() != nil:
			report = s.notBegun(name)
		case err == nil:
			ctx, cancel := withTimeout(s.c)
			if other == nil {
				report, err = s.check(ctx, time.Now(), a, name)
			} else {
				report, err = s.checkBoth(ctx, time.Now(), a, other, name)
			}
			cancel()
			if err != nil {
				return err
			}
		case skippable(err):
			s.bad = true
			s.fail("%v", err)
			report = s.notUsable(name, err)
		default:
			return err
		}
		if err := s.print(report); err != nil {
			return err
		}
	}
}

// name is what the property is called: by --name, by its own name, or by where it
// stands.
func (s *session) name(own, place string) string {
	switch given := s.c.String("name"); {
	case given != "" && s.count == 1:
		return oneLine(given)
	case given != "":
		return fmt.Sprintf("%s-%d", oneLine(given), s.count)
	case own != "":
		return own
	}
	return oneLine(place)
}

// check checks one automaton, on which work began at start. An error is one of
// writing.
func (s *session) check(ctx context.Context, start time.Time, a *automata.Automaton, name string) (report, error) {
	property, err := checker.Bind(a, s.vocabulary, s.defined)
	if err != nil {
		s.bad = true
		return s.notUsable(name, s.tellUnbound(name, err)), nil
	}
	defer s.tellClaim(s.net)
	if s.symbolic != nil {
		return s.checkSymbolically(ctx, start, property, name)
	}
	if s.kripke == nil {
		facts := invariant.Prove(ctx, s.net, 0)
		s.phase("found %d semiflows", len(facts.Semiflows))
		s.kripke = petri.NewKripke(s.net, facts, s.budget)
	}
	settings := s.settings
	settings.Progress = func(t checker.Statistics) { s.progress(t.States, t.Transitions) }
	result, err := checker.CheckBy(ctx, s.kripke, property, settings)
	s.clear()
	if err != nil {
		return s.failed(name, err), nil
	}
	result.Verdict, result.Counterexample, result.Reason = s.doubted(result.Verdict, result.Counterexample, result.Reason)
	s.phase("%s: %v, %d product states, %d product transitions", name, result.Verdict,
		result.Statistics.ProductStates, result.Statistics.ProductTransitions)
	return s.report(name, result, time.Since(start)), s.tell(name, result)
}

// failed notes why a check had no result.
func (s *session) failed(name string, err error) report {
	var unsupported *checker.UnsupportedError
	if errors.As(err, &unsupported) {
		s.bad = true
		s.fail("%s: %v", name, err)
	} else {
		s.bug = true
		s.fail("%s: internal error: %v", name, err)
	}
	return s.notUsable(name, err)
}

// tellUnbound tells of each proposition that can't be read, and where the
// automaton of that name has it. The result has it all.
func (s *session) tellUnbound(name string, err error) error {
	var all []error
	for _, one := range parts(err) {
		var proposition *checker.PropositionError
		place := ""
		if s.positions != nil && errors.As(one, &proposition) {
			place = s.positions(proposition.Number)
		}
		one = fmt.Errorf("%s: %w", cmp.Or(place, name), one)
		s.fail("%v", one)
		all = append(all, one)
	}
	return errors.Join(all...)
}

// tell notes a verdict for the exit code, and what goes with it.
func (s *session) tell(name string, result checker.Result) error {
	switch result.Verdict {
	case checker.Unknown:
		s.unknown = true
		if s.symbolic != nil {
			s.say("%s: unknown: %d MB: %s", name, peakMemory()>>20, result.Reason)
			break
		}
		s.say("%s: unknown: %d states, %d MB: %s", name, result.Statistics.States, peakMemory()>>20, result.Reason)
	case checker.Violated:
		s.violated = true
		if s.trace != nil {
			return s.trace.add(name, result.Counterexample)
		}
	}
	return nil
}

// outcome is the exit code that the verdicts lead to.
func (s *session) outcome() error {
	switch {
	case s.bug:
		return &failure{exitInternal, nil}
	case s.bad:
		return &failure{exitInput, nil}
	case s.violated:
		return &failure{exitViolated, nil}
	case s.unknown || s.restUnread:
		return &failure{exitUnknown, nil}
	}
	return nil
}

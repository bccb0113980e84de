package questions

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"pnmc/automata"
	"pnmc/checker"
	"pnmc/checker/properties"
	"pnmc/cmd/pnmc/internal/asked"
	"pnmc/cmd/pnmc/internal/input"
	"pnmc/cmd/pnmc/internal/interrupt"
	"pnmc/cmd/pnmc/internal/told"
	"pnmc/cmd/pnmc/internal/wording"
	"pnmc/hoa"
	"pnmc/internal/lazy"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/logic/ltl"
	"pnmc/petri"
	"pnmc/query"
)

// eachOfFile hands over what a file asks. Files of formulas are read as a whole, those
// of automata one by one.
func (s *session) eachOfFile(a asked.Flag, use func(*property) error) error {
	automata := a.Name == "hoa" || a.Name == "tgta"
	return input.WithReader(s.c, a.Value, !automata, func(r io.Reader, file string) error {
		s.limit = input.LimitOf(r)
		decide := use
		use := func(p *property) error { return input.Aside(r, func() error { return decide(p) }) }
		switch a.Name {
		case "hoa", "tgta":
			return s.eachAutomaton(input.NewAutomatonReader(s.c, a.Name, r, file), file, use)
		case "ltl-file":
			return s.eachFormula(r, file, use)
		case "ctl-file":
			return s.eachCTL(r, file, use)
		}
		return s.eachQuery(r, file, use)
	})
}

// lateFor returns why nothing is to be decided any more, as late says. It also reports whether the
// rest of the file is not even listed, as that would take too long.
func (s *session) lateFor(file string) (reason error, over bool) {
	if reason = s.late(); reason == nil {
		return nil, false
	}
	if s.lateSince.IsZero() {
		s.lateSince = time.Now()
	}
	if time.Since(s.lateSince) <= interrupt.ReadRest {
		return reason, false
	}
	s.restUnread = true
	if s.c.Context.Err() == nil {
		s.Say("%s: the rest is not read: %v", file, reason)
	}
	return reason, true
}

// eachAutomaton hands over all automata that the reader of a file gives. Those that
// can't be used don't end it. After an interruption, or the end of the whole time, it goes on
// for a while, so that each automaton has a line.
//
// Scripts pair verdicts with automata by their order, so that each automaton needs a line, also
// one that cannot be used and one that nobody has time for. But a stream may come through a pipe
// and never end. So after the end of the whole time automata are still read, for as long as
// interrupt.ReadRest says, and get the verdict unknown. Then a message says that the rest is not
// read.
func (s *session) eachAutomaton(reader input.AutomatonReader, file string, use func(*property) error) error {
	for number := 1; ; {
		late, over := s.lateFor(file)
		if over {
			return nil
		}
		a, err := reader.Read()
		switch {
		case errors.Is(err, interrupt.ErrInterrupted):
			s.restUnread = true
			return nil
		case err != nil && s.reading != nil && s.reading.Err() != nil && errors.Is(err, context.Cause(s.reading)):
			s.restUnread = true
			s.Say("%s: the rest is not read: %v", file, context.Cause(s.reading))
			return nil
		case err == io.EOF:
			return nil
		case input.IsGarbage(err):
			s.bad = true
			s.Fail("%v", err)
			continue
		case err != nil && !input.Skippable(err):
			return err
		}
		p := &property{kind: told.Automaton, name: place(file, number), err: err}
		number++
		var unread *hoa.AutomatonError
		if a != nil && a.Name != "" {
			p.name = wording.OneLine(a.Name)
		} else if errors.As(err, &unread) && unread.Name != "" {
			p.name = wording.OneLine(unread.Name)
		}
		other := reader.Other()
		if other == nil {
			input.WarnOf(s.Messenger, reader)
		}
		if err == nil && late == nil {
			s.bindBoth(p, a, other, positionsOf(a, reader, file))
		}
		if err := s.handOver(p, use); err != nil {
			return err
		}
	}
}

// positionsOf returns the places of the names of an automaton's propositions, or empty.
func positionsOf(a *automata.Automaton, reader input.AutomatonReader, file string) []string {
	positions := make([]string, len(a.Propositions))
	for i := range positions {
		if at := reader.PropositionPosition(i); at.Line > 0 {
			positions[i] = fmt.Sprintf("%s:%d:%d", file, at.Line, at.Column)
		}
	}
	return positions
}

// bindBoth makes a question of an automaton; or of two, if other is another one that the
// text may mean.
func (s *session) bindBoth(p *property, a, other *automata.Automaton, positions []string) {
	if other == nil {
		s.bind(p, a, positions)
		return
	}
	smaller, larger := a, other
	if acceptsChange(a) {
		smaller, larger = other, a
	}
	if s.bind(p, larger, positions); p.err == nil {
		p.larger = p.question
		s.bind(p, smaller, positions)
	}
}

// bind makes a question of an automaton.
func (s *session) bind(p *property, a *automata.Automaton, positions []string) {
	err := s.resolve(p, strings.Join(a.Propositions, "\n"), func(m *model) error {
		property, err := properties.BindWithin(a, m.vocabulary, m.defined, s.limit)
		p.question = checker.Automaton{Property: property}
		return err
	})
	var over *logic.LimitError
	if errors.As(err, &over) {
		p.err, p.unknown = nil, over
		return
	}
	var all []error
	for _, one := range input.Parts(err) {
		place := ""
		var proposition *properties.PropositionError
		if errors.As(one, &proposition) {
			place = positions[proposition.Number]
		}
		if place == "" {
			s.count++ // what handOver will count
			place = s.name(p.name)
			s.count--
		}
		all = append(all, fmt.Errorf("%s: %w", place, one))
	}
	p.err = errors.Join(all...)
}

// eachFormula hands over the formulas of a file.
func (s *session) eachFormula(r io.Reader, file string, use func(*property) error) error {
	formulas := ltl.NewFormulas()
	list, err := input.ReadFormulas(r, file, s.formulaParser(formulas))
	s.hidden.Tell(s.Messenger, file, err)
	for _, f := range list {
		p := &property{kind: told.LTL, name: f.Name, formulas: formulas, formula: f.Formula, err: f.Err, unknown: f.Unknown}
		late, tooLate := s.lateFor(file)
		if tooLate {
			return err
		}
		if late == nil && p.unknown == nil {
			s.linear(p, input.OnePart(r))
		}
		var over *logic.LimitError
		if errors.As(cmp.Or(p.err, p.unknown), &over) {
			if !errors.As(over, new(*petri.MemoryError)) {
				return over
			}
			p.err, p.unknown = nil, over // it ends alone
		}
		if err := s.handOver(p, use); err != nil {
			return err
		}
	}
	return err
}

// eachCTL hands over the formulas of CTL in a file.
//
// All lines are parsed against one model after the other, until one model knows the names in all
// of them: a coloured net is unfolded only if some name asks for it. A line keeps the question
// that the first model gave it. A line that no model understands is a property with its mistake,
// in its place among the others.
func (s *session) eachCTL(r io.Reader, file string, use func(*property) error) error {
	text, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if s.limit != nil { // before it is copied
		if err := s.limit(3 * len(text)); err != nil {
			return err
		}
	}
	byLine := make(map[int]*property)
	wrong := make(map[int]*logic.SyntaxError)
	_, err = s.someModel(string(text), func(m *model) error {
		clear(wrong)
		parser := m.parser()
		parser.Limit, parser.Hidden = s.limit, s.hidden.Hide
		found, err := ctl.Read(bytes.NewReader(text), file, parser)
		for _, f := range found {
			if byLine[f.Line] == nil {
				p := &property{name: f.Text, model: m}
				if f.Name != "" {
					p.name = f.Name
				}
				p.question, _ = branching(f.Formula)
				p.kind, p.name = told.CTL, wording.OneLine(p.name)
				byLine[f.Line] = p
			}
		}
		for _, one := range input.Parts(err) {
			var syntax *logic.SyntaxError
			if !errors.As(one, &syntax) {
				return one
			}
			wrong[syntax.Line] = syntax
		}
		return err
	})
	s.hidden.Tell(s.Messenger, file, nil)
	var over *logic.LimitError
	if errors.As(err, &over) {
		return over
	}
	for line, reason := range wrong {
		byLine[line] = &property{kind: told.CTL, name: wording.OneLine(reason.Formula), err: reason}
	}
	if len(byLine) == 0 {
		if err == nil {
			err = fmt.Errorf("%s: expected a formula, found none", file)
		}
		return err
	}
	for _, line := range slices.Sorted(maps.Keys(byLine)) {
		if _, over := s.lateFor(file); over {
			return nil
		}
		if err := s.handOver(byLine[line], use); err != nil {
			return err
		}
	}
	return nil
}

// eachQuery hands over the properties of a file in XML.
func (s *session) eachQuery(r io.Reader, file string, use func(*property) error) error {
	text, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	list, err := query.ReadWithin(file, text, s.limit)
	var unread *query.UnreadError
	if err != nil && !errors.As(err, &unread) {
		return err
	}
	for _, q := range list {
		late, over := s.lateFor(file)
		if over {
			return nil
		}
		p, limit := &property{name: wording.OneLine(q.ID)}, input.OnePart(r)
		if late != nil {
			p.kind = kindsByLogic.Get()[q.Logic]
			if err := s.handOver(p, use); err != nil {
				return err
			}
			continue
		}
		p.err = s.resolve(p, q.Formula.Text(query.Nested), func(m *model) (err error) {
			p.question, p.kind, p.opposite, err = OfQueryWithin(q, m.vocabulary, limit)
			return err
		})
		if over := (*logic.LimitError)(nil); errors.As(p.err, &over) {
			p.err, p.unknown = nil, over // the others may be small enough
		}
		if err := s.handOver(p, use); err != nil {
			return err
		}
	}
	if unread == nil {
		return nil
	}
	s.bad = true
	for _, one := range input.Parts(unread.Err) {
		s.Fail("%v", one)
	}
	for _, id := range unread.IDs {
		s.count++
		if err := use(&property{kind: told.CTL, name: s.name(wording.OneLine(id)), err: unread.Err}); err != nil {
			return err
		}
	}
	return nil
}

// kindsByLogic is what properties are called that were not looked at.
var kindsByLogic = lazy.Value[map[query.Logic]told.Kind]{Make: func() map[query.Logic]told.Kind {
	return map[query.Logic]told.Kind{query.UpperBound: told.Bound, query.LinearTime: told.LTL, query.BranchingTime: told.CTL}
}}

// OfQuery returns what a property of a file asks about a model.
func OfQuery(q query.Property, v logic.Vocabulary) (question checker.Question, k told.Kind, opposite bool, err error) {
	return OfQueryWithin(q, v, nil)
}

// OfQueryWithin returns what OfQuery does, within a limit, whose error is a *logic.LimitError.
func OfQueryWithin(q query.Property, v logic.Vocabulary, limit logic.Limit) (question checker.Question, k told.Kind, opposite bool, err error) {
	switch q.Logic {
	case query.UpperBound:
		sum, err := q.BoundWithin(v, limit)
		return checker.Bound{Sum: sum}, told.Bound, false, err
	case query.LinearTime:
		l, err := q.LinearWithin(v, limit)
		if err != nil {
			return nil, told.LTL, false, err
		}
		f := l.Formula
		if l.Exists { // some run satisfies it unless all satisfy the opposite
			f = l.Formulas.Not(f)
		}
		return checker.Linear{Formulas: l.Formulas, Formula: f, Predicates: l.Predicates}, told.LTL, l.Exists, nil
	}
	f, err := q.CTLWithin(v, limit)
	if err != nil {
		return nil, told.CTL, false, err
	}
	question, k = branching(f)
	return question, k, false, nil
}

// place returns where a property is that has no name of its own.
func place(file string, number int) string { return fmt.Sprintf("%s:%d", file, number) }

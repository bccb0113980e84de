package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"pnmc/automata"
	"pnmc/checker"
	"pnmc/hoa"
	"pnmc/logic"
	"pnmc/query"
)

// kind is what a question is, as JSON tells it.
type kind string

const (
	kindLTL       kind = "ltl"
	kindAutomaton kind = "automaton"
	kindCTL       kind = "ctl"
	kindReachable kind = "reachable"
	kindInvariant kind = "invariant"
	kindBound     kind = "bound"
	kindDeadlock  kind = "deadlock"
	kindLive      kind = "live"
	kindQuasiLive kind = "quasi-live"
	kindSafe      kind = "safe"
	kindStable    kind = "stable"
)

// property is one question of the input.
type property struct {
	kind kind
	name string
	err  error // why it can't be used, if it can't; it was told

	model    *model // that the question is about
	question checker.Question
	// larger, unless nil, is the question about another automaton that a drawing may mean,
	// and that accepts all that the one of question does. The property holds if it does of
	// both.
	larger   checker.Question
	opposite bool  // the property holds if the answer is no
	unknown  error // why it need not be asked: its translation failed

	// formula is that of linear temporal logic, which formulas made, or nil.
	formulas *logic.Formulas
	formula  *logic.Formula
}

// eachProperty hands what the input asks to use, in order, until that fails. What can't be
// used is handed over too. Other errors are of reading.
func (s *session) eachProperty(list []asked, use func(*property) error) error {
	texts := 0 // questions with a text of their own
	for _, a := range list {
		if !slices.Contains(fileFlags, a.flag) && a.value != "" {
			texts++
		}
	}
	number := 0
	for _, a := range list {
		if slices.Contains(fileFlags, a.flag) {
			if err := s.eachOfFile(a, use); err != nil {
				return err
			}
			continue
		}
		where := "formula"
		if number++; texts > 1 {
			where = fmt.Sprintf("formula %d", number)
		}
		if err := s.handOver(s.single(a, where), use); err != nil {
			return err
		}
	}
	return nil
}

// handOver gives a property its name, tells what is wrong with it, and hands it over.
func (s *session) handOver(p *property, use func(*property) error) error {
	s.count++
	p.name = s.name(p.name)
	if p.err != nil {
		s.bad = true
		for _, one := range parts(p.err) {
			s.fail("%v", one)
		}
	}
	return use(p)
}

// single is what a flag asks by itself; where is how messages call its text.
func (s *session) single(a asked, where string) *property {
	p := &property{kind: kind(a.flag), name: oneLine(a.value)}
	_, isSwitch := flagCalled(s.c.App.Flags, a.flag).(*cli.BoolFlag)
	switch {
	case isSwitch:
		p.name = a.flag
	case p.name == "": // perhaps of a variable that is not set
		p.name, p.err = where, fmt.Errorf("%s: expected a formula, found none", where)
		return p
	}
	switch a.flag {
	case "ltl":
		p.formulas = logic.NewFormulas()
		p.formula, p.err = s.formulaParser(p.formulas).Parse(a.value)
		s.linear(p)
	case "ctl":
		p.err = s.resolve(p, a.value, func(m *model) error {
			f, err := m.parser().Parse(a.value)
			p.question, p.kind = branching(f)
			return err
		})
		p.kind = kindCTL
	case "reachable", "invariant":
		p.name = a.flag + " " + p.name
		p.err = s.resolve(p, a.value, func(m *model) error {
			predicate, err := m.predicate(a.value)
			p.question = checker.Reachable{Predicate: predicate}
			if a.flag == "invariant" {
				p.question = checker.Invariant{Predicate: predicate}
			}
			return err
		})
	case "bound":
		p.name = a.flag + " " + p.name
		p.err = s.resolve(p, a.value, func(m *model) error {
			sum, err := logic.ParseSum(a.value, m.vocabulary)
			p.question = checker.Bound{Sum: sum}
			return err
		})
	default:
		p.model = s.models[0]
		p.question = map[string]checker.Question{
			"deadlock": checker.Deadlock{}, "live": checker.Live{}, "quasi-live": checker.QuasiLive{},
			"safe": checker.OneSafe{}, "stable": checker.StableMarking{},
		}[a.flag]
	}
	p.err = inFile(p.err, where)
	return p
}

// inFile gives an error of syntax a file name, if it has none.
func inFile(err error, file string) error {
	var wrong *logic.SyntaxError
	if !errors.As(err, &wrong) || wrong.File != "" {
		return err
	}
	told := *wrong
	told.File = file
	return &told
}

// branching is the question whether a formula of CTL holds, as one about reachability if
// it is that.
func branching(f *logic.CTL) (checker.Question, kind) {
	if f == nil {
		return nil, kindCTL
	}
	merged := f.MergeStates()
	if len(merged.Operands) == 1 && merged.Operands[0].Operator == logic.CTLState {
		switch p := merged.Operands[0].Predicate; merged.Operator {
		case logic.CTLExistsFinally:
			return checker.Reachable{Predicate: p}, kindReachable
		case logic.CTLAllGlobally:
			return checker.Invariant{Predicate: p}, kindInvariant
		}
	}
	return checker.Branching{Formula: f}, kindCTL
}

// eachOfFile hands over what a file asks. Files of formulas are read as a whole, those
// of automata one by one.
func (s *session) eachOfFile(a asked, use func(*property) error) error {
	return withInput(s.c, a.value, func(r io.Reader, file string) error {
		switch a.flag {
		case "hoa", "tgta":
			return s.eachAutomaton(newAutomatonReader(s.c, a.flag, r, file), file, use)
		case "ltl-file":
			return s.eachFormula(r, file, use)
		case "ctl-file":
			return s.eachCTL(r, file, use)
		}
		return s.eachQuery(r, file, use)
	})
}

// eachAutomaton hands over all automata that the reader of a file gives. Those that
// can't be used don't end it. After an interruption it goes on for a while, so that each
// automaton has a line.
func (s *session) eachAutomaton(reader automatonReader, file string, use func(*property) error) error {
	var interrupted time.Time
	for number := 1; ; {
		if s.c.Context.Err() != nil && interrupted.IsZero() {
			interrupted = time.Now()
		}
		if !interrupted.IsZero() && time.Since(interrupted) > readRest {
			s.restUnread = true
			return nil
		}
		a, err := reader.Read()
		switch {
		case errors.Is(err, errInterrupted):
			s.restUnread = true
			return nil
		case err == io.EOF:
			return nil
		case isGarbage(err):
			s.bad = true
			s.fail("%v", err)
			continue
		case err != nil && !skippable(err):
			return err
		}
		p := &property{kind: kindAutomaton, name: place(file, number), err: err}
		number++
		var unread *hoa.AutomatonError
		if a != nil && a.Name != "" {
			p.name = oneLine(a.Name)
		} else if errors.As(err, &unread) && unread.Name != "" {
			p.name = oneLine(unread.Name)
		}
		other := reader.Other()
		for _, w := range reader.Warnings() {
			if other == nil {
				s.say("warning: %v", w)
			}
		}
		if err == nil {
			s.bindBoth(p, a, other, positionsOf(a, reader, file))
		}
		if err := s.handOver(p, use); err != nil {
			return err
		}
	}
}

// positionsOf are the places of the names of an automaton's propositions, or empty.
func positionsOf(a *automata.Automaton, reader automatonReader, file string) []string {
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
		property, err := checker.Bind(a, m.vocabulary, m.defined)
		p.question = checker.Automaton{Property: property}
		return err
	})
	var all []error
	for _, one := range parts(err) {
		place := ""
		var proposition *checker.PropositionError
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

// formulaParser reads formulas of linear temporal logic whose propositions some model has.
func (s *session) formulaParser(formulas *logic.Formulas) logic.FormulaParser {
	return logic.FormulaParser{Formulas: formulas, Syntax: s.syntax, Check: func(name string) error {
		_, err := s.someModel(name, func(m *model) error {
			if m.defined[name] != nil {
				return nil
			}
			_, err := logic.ParsePredicate(name, m.vocabulary)
			return err
		})
		return err
	}}
}

// linear makes a question of a formula of linear temporal logic.
func (s *session) linear(p *property) {
	if p.err != nil {
		return
	}
	own := logic.NewFormulas()
	f := own.Import(p.formula, p.formulas)
	p.err = s.resolve(p, strings.Join(own.Propositions(), "\n"), func(m *model) error {
		predicates := make([]*logic.Predicate, len(own.Propositions()))
		for i, name := range own.Propositions() {
			var err error
			if predicates[i] = m.defined[name]; predicates[i] != nil {
				continue
			}
			if predicates[i], err = logic.ParsePredicate(name, m.vocabulary); err != nil {
				return fmt.Errorf("proposition %q: %w", name, err)
			}
		}
		p.question = checker.Linear{Formulas: own, Formula: f, Predicates: predicates}
		return nil
	})
}

// eachFormula hands over the formulas of a file.
func (s *session) eachFormula(r io.Reader, file string, use func(*property) error) error {
	formulas := logic.NewFormulas()
	list, err := readFormulas(r, file, s.formulaParser(formulas))
	for _, f := range list {
		p := &property{kind: kindLTL, name: f.name, formulas: formulas, formula: f.formula, err: f.err}
		s.linear(p)
		if err := s.handOver(p, use); err != nil {
			return err
		}
	}
	return err
}

// eachCTL hands over the formulas of CTL in a file.
func (s *session) eachCTL(r io.Reader, file string, use func(*property) error) error {
	text, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	byLine := make(map[int]*property)
	wrong := make(map[int]*logic.SyntaxError)
	_, err = s.someModel(string(text), func(m *model) error {
		clear(wrong)
		found, err := logic.ReadCTL(strings.NewReader(string(text)), file, m.parser())
		for _, f := range found {
			if byLine[f.Line] == nil {
				p := &property{name: f.Text, model: m}
				if f.Name != "" {
					p.name = f.Name
				}
				p.question, _ = branching(f.Formula)
				p.kind, p.name = kindCTL, oneLine(p.name)
				byLine[f.Line] = p
			}
		}
		for _, one := range parts(err) {
			var syntax *logic.SyntaxError
			if !errors.As(one, &syntax) {
				return one
			}
			wrong[syntax.Line] = syntax
		}
		return err
	})
	for line, reason := range wrong {
		byLine[line] = &property{kind: kindCTL, name: oneLine(reason.Formula), err: reason}
	}
	if len(byLine) == 0 {
		if err == nil {
			err = fmt.Errorf("%s: expected a formula, found none", file)
		}
		return err
	}
	for _, line := range slices.Sorted(maps.Keys(byLine)) {
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
	list, err := query.Read(file, text)
	var unread *query.UnreadError
	if err != nil && !errors.As(err, &unread) {
		return err
	}
	for _, q := range list {
		p := &property{name: oneLine(q.ID)}
		p.err = s.resolve(p, q.Formula.Text(query.Nested), func(m *model) (err error) {
			p.question, p.kind, p.opposite, err = asQuestion(q, m)
			return err
		})
		if err := s.handOver(p, use); err != nil {
			return err
		}
	}
	if unread == nil {
		return nil
	}
	s.bad = true
	for _, one := range parts(unread.Err) {
		s.fail("%v", one)
	}
	for _, id := range unread.IDs {
		s.count++
		if err := use(&property{kind: kindCTL, name: s.name(oneLine(id)), err: unread.Err}); err != nil {
			return err
		}
	}
	return nil
}

// asQuestion is what a property of a file asks about a model.
func asQuestion(q query.Property, m *model) (question checker.Question, k kind, opposite bool, err error) {
	switch q.Logic {
	case query.UpperBound:
		sum, err := q.Bound(m.vocabulary)
		return checker.Bound{Sum: sum}, kindBound, false, err
	case query.LinearTime:
		l, err := q.Linear(m.vocabulary)
		if err != nil {
			return nil, kindLTL, false, err
		}
		f := l.Formula
		if l.Exists { // some run satisfies it unless all satisfy the opposite
			f = l.Formulas.Not(f)
		}
		return checker.Linear{Formulas: l.Formulas, Formula: f, Predicates: l.Predicates}, kindLTL, l.Exists, nil
	}
	f, err := q.CTL(m.vocabulary)
	if err != nil {
		return nil, kindCTL, false, err
	}
	question, k = branching(f)
	return question, k, false, nil
}

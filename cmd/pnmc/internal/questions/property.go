package questions

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"pnmc/checker"
	"pnmc/cmd/pnmc/internal/asked"
	"pnmc/cmd/pnmc/internal/input"
	"pnmc/cmd/pnmc/internal/told"
	"pnmc/cmd/pnmc/internal/usage"
	"pnmc/cmd/pnmc/internal/wording"
	"pnmc/internal/lazy"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/logic/ltl"
)

// property is one question of the input.
type property struct {
	kind told.Kind
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
	formulas *ltl.Formulas
	formula  *ltl.Formula
}

// eachProperty hands what the input asks to use, in order, until that fails. Properties that
// can't be used are handed over, too. Other errors are of files that can't be read; what is
// asked behind them is handed over nevertheless.
func (s *session) eachProperty(list []asked.Flag, use func(*property) error) error {
	texts := 0 // questions with a text of their own, be it empty
	for _, a := range list {
		if slices.Contains(usage.TextFlags, a.Name) {
			texts++
		}
	}
	number := 0
	var unread error
	for _, a := range list {
		if a.OfFile() {
			var failed error
			err := s.eachOfFile(a, func(p *property) error {
				failed = use(p)
				return failed
			})
			switch {
			case failed != nil:
				return errors.Join(failed, unread)
			case err != nil && unread != nil:
				s.bad = true
				s.Fail("%v", unread)
			}
			unread = cmp.Or(err, unread)
			continue
		}
		where := "formula"
		if slices.Contains(usage.TextFlags, a.Name) {
			number++
		}
		if texts > 1 {
			where = fmt.Sprintf("formula %d", number)
		}
		if err := s.handOver(s.single(a, where), use); err != nil {
			return errors.Join(err, unread)
		}
	}
	return unread
}

// handOver gives a property its name, says what is wrong with it, and hands it over.
func (s *session) handOver(p *property, use func(*property) error) error {
	s.count++
	p.name = s.name(p.name)
	if p.err != nil {
		s.bad = true
		for _, one := range input.Parts(p.err) {
			s.Fail("%v", one)
		}
	} else if p.unknown == nil {
		p.unknown = s.late()
	}
	s.hidden.Tell(s.Messenger, p.name, p.err)
	return use(p)
}

// asksFor is what flags with a text expect.
var asksFor = lazy.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{
		"ltl": "a formula", "ctl": "a formula", "reachable": "a predicate", "invariant": "a predicate", "bound": "a sum of places",
	}
}}

// single returns what a flag asks by itself; where is how messages call its text.
func (s *session) single(a asked.Flag, where string) *property {
	p := &property{kind: told.Kind(a.Name), name: wording.OneLine(a.Value)}
	switch {
	case a.IsSwitch(s.c):
		p.name = a.Name
	case p.name == "": // perhaps of a variable that is not set
		p.name, p.err = where, fmt.Errorf("%s: expected %s, found none", where, asksFor.Get()[a.Name])
		return p
	}
	switch a.Name {
	case "ltl":
		p.formulas = ltl.NewFormulas()
		err := input.WithArgument(s.c, where, func(limit logic.Limit) error {
			parser := s.formulaParser(p.formulas)
			parser.Limit = limit
			p.formula, p.err = parser.Parse(a.Value)
			s.linear(p, limit)
			return nil
		})
		p.err = cmp.Or(p.err, err)
	case "ctl":
		p.err = s.resolve(p, a.Value, func(m *model) error {
			parser := m.parser()
			parser.Hidden = s.hidden.Hide
			f, err := parser.Parse(a.Value)
			p.question, p.kind = branching(f)
			return err
		})
		p.kind = told.CTL
	case "reachable", "invariant":
		p.name = a.Name + " " + p.name
		p.err = s.resolve(p, a.Value, func(m *model) error {
			predicate, err := m.predicate(a.Value, s.hidden.Hide)
			p.question = checker.Reachable{Predicate: predicate}
			if a.Name == "invariant" {
				p.question = checker.Invariant{Predicate: predicate}
			}
			return err
		})
	case "bound":
		p.name = a.Name + " " + p.name
		p.err = s.resolve(p, a.Value, func(m *model) error {
			number, err := logic.PredicateParser{Vocabulary: m.vocabulary, Hidden: s.hidden.Hide}.ParsePolynomial(a.Value)
			p.question = checker.Bound{Sum: number.Sum, Products: number.Products}
			return err
		})
	default:
		p.model = s.models[0]
		p.question = map[string]checker.Question{
			"deadlock": checker.Deadlock{}, "live": checker.Live{}, "quasi-live": checker.QuasiLive{},
			"safe": checker.OneSafe{}, "stable": checker.StableMarking{},
		}[a.Name]
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

// branching returns the question whether a formula of CTL holds, as one about reachability if
// it is that.
//
// Engines know shorter ways for reachability than for CTL. MergeStates makes one predicate of
// what has no temporal operators. Then EF of a predicate is the question whether it is reachable,
// and AG of one is whether it is invariant.
func branching(f *ctl.Formula) (checker.Question, told.Kind) {
	if f == nil {
		return nil, told.CTL
	}
	merged := f.MergeStates()
	if len(merged.Operands) == 1 && merged.Operands[0].Operator == ctl.State {
		switch p := merged.Operands[0].Predicate; merged.Operator {
		case ctl.ExistsFinally:
			return checker.Reachable{Predicate: p}, told.Reachable
		case ctl.AllGlobally:
			return checker.Invariant{Predicate: p}, told.Invariant
		}
	}
	return checker.Branching{Formula: f}, told.CTL
}

// formulaParser reads formulas of linear temporal logic whose propositions some model has.
func (s *session) formulaParser(formulas *ltl.Formulas) ltl.Parser {
	return ltl.Parser{Formulas: formulas, Syntax: s.syntax, Constant: s.hideConstant, Check: func(name string) error {
		_, err := s.someModel(name, func(m *model) error {
			if m.defined[name] != nil {
				return nil
			}
			_, err := logic.PredicateParser{Vocabulary: m.vocabulary, Limit: s.limit, Hidden: s.hidden.Hide}.Parse(name)
			return err
		})
		return err
	}}
}

// linear makes a question of a formula of linear temporal logic, which was read within a limit. Where that
// ends, it is unknown what is asked.
func (s *session) linear(p *property, limit logic.Limit) {
	own := ltl.NewFormulas()
	var f *ltl.Formula
	if p.err == nil {
		f, p.err = own.ImportWithin(limit, p.formula, p.formulas)
	}
	var over *logic.LimitError
	if errors.As(p.err, &over) {
		p.formula, p.err, p.unknown = nil, nil, over
	}
	if p.err != nil || p.unknown != nil {
		return
	}
	p.err = s.resolve(p, strings.Join(own.Propositions(), "\n"), func(m *model) error {
		predicates := make([]*logic.Predicate, len(own.Propositions()))
		for i, name := range own.Propositions() {
			var err error
			if predicates[i] = m.defined[name]; predicates[i] != nil {
				continue
			}
			if predicates[i], err = (logic.PredicateParser{Vocabulary: m.vocabulary, Limit: limit}).Parse(name); err != nil {
				return fmt.Errorf("proposition %q: %w", name, err)
			}
		}
		p.question = checker.Linear{Formulas: own, Formula: f, Predicates: predicates}
		return nil
	})
}

package questions

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"pnmc/checker"
	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/input"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/petri/symmetric"
	"pnmc/petri/symmetric/names"
)

// model is a net that questions are asked about, with how they speak of it.
type model struct {
	problem    checker.Problem
	vocabulary logic.Vocabulary
	defined    map[string]*logic.Predicate // what --ap says of names
	solver     *checker.Solver             // made when something is asked
	deciding   worker
}

// newModel returns a model, with the names that --ap explains.
func (s *session) newModel(problem checker.Problem, vocabulary logic.Vocabulary) (*model, error) {
	m := &model{problem: problem, vocabulary: vocabulary}
	if s.definitions == nil {
		return m, nil
	}
	budget, err := limits.Budget(s.c)
	if err != nil {
		return nil, err
	}
	m.defined = make(map[string]*logic.Predicate)
	err = input.Within(s.c, budget, bytes.NewReader(s.definitions), s.definitionsFile, true, func(r io.Reader, file string) error {
		list, err := logic.PredicateParser{Vocabulary: vocabulary, Limit: input.LimitOf(r)}.ReadPropositions(r, file)
		for _, p := range list {
			m.defined[p.Name] = p.Predicate
		}
		if err == nil && len(list) == 0 {
			err = fmt.Errorf("%s: expected a line 'name: expression', found none", file)
		}
		return err
	})
	return m, err
}

// readDefinitionsText reads the file that --ap names.
func (s *session) readDefinitionsText() error {
	path := s.c.String("ap")
	if path == "" {
		return nil
	}
	return input.WithText(s.c, path, func(r io.Reader, file string) (err error) {
		s.definitionsFile = file
		s.definitions, err = io.ReadAll(r)
		if s.definitions == nil {
			s.definitions = []byte{}
		}
		return err
	})
}

// readModels reads the net for the portfolio. In a coloured net, propositions mean
// coloured nodes. Single colours and bindings have names only in the unfolded net, which
// is made when such a name comes up.
func (s *session) readModels() error {
	document, err := input.Document(s.c)
	if err != nil {
		return err
	}
	if err := s.readDefinitionsText(); err != nil {
		return err
	}
	problem := checker.Problem{Net: document.Net, Coloured: document.Symmetric}
	if document.Net != nil {
		s.net = document.Net
		s.Phase("read %d places, %d transitions, %d arcs", s.net.Places(), s.net.Transitions(), s.net.Arcs())
	} else {
		s.coloured = document.Symmetric
		s.Phase("read %d coloured places and %d transitions", len(s.coloured.Places), len(s.coloured.Transitions))
	}
	m, err := s.newModel(problem, problem.Vocabulary())
	var f *exit.Failure
	if errors.As(err, &f) && f.Code == exit.Input && s.coloured != nil && s.mayNameColours(string(s.definitions)) {
		if m, err = s.unfolded(); err == nil {
			s.models = []*model{m}
			return nil
		}
	}
	s.models = []*model{m}
	return err
}

// unfolded returns the model of the unfolded net.
func (s *session) unfolded() (*model, error) {
	s.unfoldingTried = true
	unfolding, err := input.Unfold(s.c, s.coloured, symmetric.Options{})
	if err != nil {
		return nil, err
	}
	s.Phase("unfolded for the sake of a name: %d places, %d transitions", unfolding.Net.Places(), unfolding.Net.Transitions())
	return s.newModel(checker.Problem{Net: unfolding.Net}, names.Of(unfolding))
}

// someModel returns the first model that try has no error with. The error is of the last. The
// coloured net is unfolded if text may name single colours or bindings.
//
// For example, let the coloured place p have the colours 1 to 3. The predicate p <= 2 is about
// the coloured net: it counts the tokens of p of all colours. The predicate p_2 <= 2 is not: no
// node has that name. As it begins like p and an underscore, the net is unfolded once, where
// p_2 may be a place. A mistyped name such as q <= 2 does not cost an unfolding.
func (s *session) someModel(text string, try func(*model) error) (*model, error) {
	var err error
	for _, m := range s.models {
		if err = try(m); err == nil {
			return m, nil
		}
		if errors.As(err, new(*logic.LimitError)) {
			return m, err // that is not for lack of a name
		}
	}
	if s.coloured == nil || s.unfoldingTried || !s.mayNameColours(text) {
		return nil, err
	}
	m, failure := s.unfolded()
	if failure != nil {
		s.Say("%v", failure)
		return nil, err
	}
	s.models = append(s.models, m)
	if err = try(m); err != nil {
		return nil, err
	}
	return m, nil
}

// mayNameColours reports whether a text has the identifier of a coloured node with what
// may be a colour behind it. It reports false where the time is over before that is known.
func (s *session) mayNameColours(text string) bool {
	if s.identifiers == nil {
		s.identifiers = identifiersOf(s.coloured)
	}
	return s.identifiers.beforeUnderscore(s.whole, text)
}

// resolve finds the model that a property is about, which has this text.
func (s *session) resolve(p *property, text string, try func(*model) error) error {
	m, err := s.someModel(text, try)
	p.model = m
	return err
}

// parser reads formulas of CTL about the model.
func (m *model) parser() ctl.Parser {
	return ctl.Parser{Vocabulary: m.vocabulary, Defined: m.defined}
}

// predicate reads a state predicate about the model; hidden is as that of
// logic.PredicateParser.
func (m *model) predicate(text string, hidden func(place string)) (*logic.Predicate, error) {
	parser := m.parser()
	parser.Hidden = hidden
	f, err := parser.Parse(text)
	if wrong := (*logic.SyntaxError)(nil); errors.As(err, &wrong) {
		told := *wrong // formulas of CTL are read to say what they are: none of theirs is expected
		told.Message = strings.Replace(wrong.Message, logic.OperandOfFormula, logic.OperandOfPredicate, 1)
		return nil, &told
	}
	if err != nil {
		return nil, err
	}
	if f.Operator != ctl.State {
		return nil, &logic.SyntaxError{Line: 1, Column: 1, Message: "a formula of CTL, which --ctl takes; expected a state predicate"}
	}
	return f.Predicate, nil
}

// hideConstant notes a constant of temporal logic that some model has a place for.
func (s *session) hideConstant(word string) {
	vocabularies := []logic.Vocabulary{s.vocabulary}
	for _, m := range s.models {
		vocabularies = append(vocabularies, m.vocabulary)
	}
	s.hidden.HideConstant(word, vocabularies...)
}

package measure

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"pnmc/automata"
	"pnmc/checker/properties"
	"pnmc/cmd/pnmc/internal/approach"
	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/input"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/cmd/pnmc/internal/wording"
	"pnmc/experiment"
	"pnmc/hoa"
	"pnmc/logic"
	"pnmc/logic/ltl"
	"pnmc/petri"
	"pnmc/pnml"
)

// propertyInput reads the properties to measure.
type propertyInput struct {
	*measuring
	net      []byte // its hash
	isChosen func(line int) bool
}

// chosenLines returns which numbers a text such as 1,4,10-20 has; all if it is empty.
func chosenLines(text string) (func(line int) bool, error) {
	if text == "" {
		return func(int) bool { return true }, nil
	}
	type span struct{ first, last int }
	var spans []span
	for _, part := range strings.Split(text, ",") {
		first, last, isSpan := strings.Cut(strings.TrimSpace(part), "-")
		if !isSpan {
			last = first
		}
		from, errFrom := strconv.Atoi(first)
		to, errTo := strconv.Atoi(last)
		if errFrom != nil || errTo != nil || from < 1 || to < from {
			return nil, exit.UsageError("--lines: expected numbers from 1 on and spans of them, such as 1,4,10-20, found %q", part)
		}
		spans = append(spans, span{from, to})
	}
	return func(line int) bool {
		return slices.ContainsFunc(spans, func(s span) bool { return s.first <= line && line <= s.last })
	}, nil
}

// automata reads properties as automata. A property that can't be used is reported, and
// left out.
func (s *propertyInput) automata(path string) (list []experiment.Property, err error) {
	err = input.WithFile(s.c, path, func(r io.Reader, file string) error {
		reader := input.NewAutomatonReader(s.c, "hoa", r, file)
		for line := 1; ; line++ {
			a, err := reader.Read()
			switch {
			case !s.isChosen(line) && (err == nil || input.Skippable(err)):
				continue
			case err == io.EOF:
				return nil
			case err != nil && input.Skippable(err):
				s.bad = true
				s.Say("%v", err)
				continue
			case err != nil:
				return err
			}
			input.WarnOf(s.Messenger, reader)
			name := wording.OneLine(a.Name)
			a, limited, err := s.plain(a)
			var p properties.Property
			if err == nil {
				p, err = properties.Bind(a, s.vocabulary, s.defined)
			}
			if err != nil {
				s.unknown = s.unknown || limited
				s.bad = s.bad || !limited
				s.Say("%s: automaton %d: %v", file, line, err)
				continue
			}
			property := experiment.Property{Name: name, Line: line, Property: p}
			if property.Fingerprint, err = s.fingerprint(property, ""); err != nil {
				return err
			}
			list = append(list, property)
		}
	})
	return list, err
}

// plain returns an automaton that reads valuations and has no livelocks, within the time of a measurement and
// the memory of all. limited reports whether an error is that of a limit.
func (s *propertyInput) plain(a *automata.Automaton) (plain *automata.Automaton, limited bool, err error) {
	ctx, cancel := limits.WithinMemory(s.c.Context, s.budget)
	defer cancel()
	if d := s.c.Duration("timeout"); d > 0 {
		ctx, cancel = context.WithTimeoutCause(ctx, d, fmt.Errorf("time limit of %s reached", d))
		defer cancel()
	}
	if a.Kind == automata.TA { // livelocks have no generalized Büchi condition
		plain, err = approach.Convert(ctx, a, "tgba", false)
	} else {
		plain, err = automata.ReadingValuations(ctx, a)
	}
	if err != nil && ctx.Err() != nil {
		return nil, true, context.Cause(ctx)
	}
	return plain, approach.IsLimit(err), err
}

// formulas reads properties as formulas, and translates their negations.
func (s *propertyInput) formulas(path string) (list []experiment.Property, err error) {
	syntax, err := input.Syntax(s.c)
	if err != nil {
		return nil, err
	}
	parser := ltl.Parser{Formulas: ltl.NewFormulas(), Syntax: syntax, Check: s.propositionCheck, Constant: func(word string) { s.hidden.HideConstant(word, s.vocabulary) }}
	t, err := input.NewTranslator(s.c, s.budget, s.Warn)
	if err != nil {
		return nil, err
	}
	err = input.WithText(s.c, path, func(r io.Reader, file string) error {
		s.limit = input.LimitOf(r)
		formulas, err := input.ReadFormulas(r, file, parser)
		s.hidden.Tell(s.Messenger, file, err)
		if err != nil {
			return err
		}
		for _, f := range formulas {
			if !s.isChosen(f.Line) {
				continue
			}
			if f.Err != nil {
				s.bad = true
				s.Say("%v", f.Err)
				continue
			}
			if f.Unknown != nil {
				s.unknown = true
				s.Say("%s:%d: unknown: %v", file, f.Line, f.Unknown)
				continue
			}
			a, err := t.Negation(s.c.Context, parser.Formulas, f.Formula, f.Name)
			if input.IsOurs(err) {
				return exit.InputError(err)
			}
			if err != nil {
				s.unknown = true
				s.Say("%s:%d: unknown: %v", file, f.Line, err)
				continue
			}
			p, err := properties.Bind(a, s.vocabulary, s.defined)
			if err != nil {
				s.bad = true
				s.Say("%s:%d: %v", file, f.Line, err)
				continue
			}
			property := experiment.Property{Name: f.Name, Line: f.Line, Property: p}
			if property.Fingerprint, err = s.fingerprint(property, parser.Formulas.Text(f.Formula, ltl.SpotSyntax)); err != nil {
				return err
			}
			list = append(list, property)
		}
		return nil
	})
	return list, err
}

// hashOfNet returns a hash of the net as PNML: the same net in another file, or with other
// spaces, has the same hash.
func hashOfNet(net *petri.Net) ([]byte, error) {
	hash := sha256.New()
	err := pnml.Write(hash, net)
	return hash.Sum(nil), err
}

// fingerprintBytes make a chance equality unlikely, and a column short.
const fingerprintBytes = 8

// fingerprint returns a text that distinguishes nets and properties. It is made of the
// text of a formula or, if that is empty, of the automaton, and of what the
// propositions mean.
//
// A file of measurements is gone on with another day. Rows of one day must not be mixed with
// those of another net, or of names that mean something else by then, although files and lines
// are called the same. For example, the formula G a gets another fingerprint when the file of
// --ap says that a is p >= 2, and no longer p >= 1; then experiment refuses to go on.
func (s *propertyInput) fingerprint(p experiment.Property, formula string) (string, error) {
	hash := sha256.New()
	hash.Write(s.net)
	text := formula
	if text == "" {
		var automaton strings.Builder
		if err := hoa.Write(context.Background(), &automaton, p.Automaton, hoa.Options{}); err != nil {
			return "", err
		}
		text = automaton.String()
	}
	io.WriteString(hash, text)
	for i, predicate := range p.Predicates {
		io.WriteString(hash, "\x00"+p.Automaton.Propositions[i]+"\x00"+predicate.Text(s.vocabulary))
	}
	return hex.EncodeToString(hash.Sum(nil)[:fingerprintBytes]), nil
}

// propositionCheck reports for a name what keeps it from being a state predicate.
func (s *measuring) propositionCheck(name string) error {
	if s.defined[name] != nil {
		return nil
	}
	_, err := logic.PredicateParser{Vocabulary: s.vocabulary, Limit: s.limit, Hidden: s.hidden.Hide}.Parse(name)
	return err
}

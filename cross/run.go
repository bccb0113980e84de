package cross

import (
	"context"
	"errors"
	"fmt"
	"time"

	"pnmc/automata"
	"pnmc/logic/ltl"
)

// Settings say what Run does. The zero value checks intersections only.
type Settings struct {
	// Timeout is for each translation; 0: none.
	Timeout time.Duration
	// Spaces is the number of random state spaces for each formula, each of States
	// states, and Density the probability of an edge between two of them.
	Spaces, States int
	Density        float64
	// Seed determines the random state spaces.
	Seed uint64
	// ComplementLimit is the number of states up to which automata that are not
	// deterministic are complemented; 0: only deterministic ones are.
	ComplementLimit int
	// CheckLimit is the time for each single check; one that takes longer is
	// skipped and counted.
	CheckLimit time.Duration
	// Within, if set, makes the context of each translation and of each single check, such as one that
	// ends where memory does. A translation that it ends has failed, a check is skipped and counted, too.
	Within func(ctx context.Context) (context.Context, context.CancelFunc)
	// Room, if set, is asked for the bytes that the copies of a formula's text may take. Where it has an
	// error, the formula is given up and counted.
	Room func(bytes int64) error
	// Shrink looks for smaller formulas with a difference.
	Shrink bool
	// System, if set, is a run of a given system that an automaton over the formula's
	// propositions accepts, nil if there is none.
	System func(ctx context.Context, a *automata.Automaton, propositions []string) (*SystemRun, error)
	// Progress, if set, is called before each formula.
	Progress func(number, of int, formula string)
	// Translated, if set, is called after each translation of a formula or its negation. It
	// is told how many there are for a formula.
	Translated func(number, of int)
	// Clock returns the time since some moment. If it is nil, the clock does not follow
	// the time of day, which may jump.
	Clock func() time.Duration
}

// SystemRun is a run of a system: what happens, step by step, and then again and again.
type SystemRun struct {
	Prefix []string `json:"prefix"`
	Cycle  []string `json:"cycle"`
	// Word are the values of the formula's propositions in the run; nil: not known.
	Word *automata.Lasso `json:"-"`
}

// Formula is one to be translated.
type Formula struct {
	Name    string
	Formula *ltl.Formula
}

// Run compares the translators on formulas, which s made. The report has a row for
// each translation, also when the error is not nil, which is that of the context, or a *FileError.
func Run(ctx context.Context, s *ltl.Formulas, formulas []Formula, translators []Translator, settings Settings) (*Report, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	r := &runner{settings: settings, translators: translators, report: newReport(translators), stop: stop}
	small := map[[2]string]rememberedTranslation{}
	for i, f := range formulas {
		if ctx.Err() != nil {
			break
		}
		if err := writable(s, f.Formula, settings.Room); err != nil {
			r.report.Checks++
			r.report.giveUp(i+1, err)
			continue
		}
		if settings.Progress != nil {
			settings.Progress(i+1, len(formulas), s.Text(f.Formula, ltl.SpotSyntax))
		}
		c := newCase(s, f.Formula)
		c.number, c.name = i+1, f.Name
		r.translate(ctx, c)
		r.report.Rows = append(r.report.Rows, c.rows...)
		if ctx.Err() != nil {
			break
		}
		shrunk := map[[2]int]*Difference{} // by the translators: one formula each
		for _, d := range r.compare(ctx, c) {
			pair := [2]int{min(d.left, d.right), max(d.left, d.right)}
			if first := shrunk[pair]; first != nil {
				d.Minimal, d.MinimalCheck, d.MinimalWord = first.Minimal, first.MinimalCheck, first.MinimalWord
			} else if settings.Shrink {
				r.shrink(ctx, c, d, small)
				shrunk[pair] = d
			}
			r.report.add(d)
		}
		if ctx.Err() == nil {
			r.report.Compared++
		}
	}
	var failed *FileError
	if errors.As(context.Cause(ctx), &failed) {
		return r.report, failed
	}
	return r.report, ctx.Err()
}

// textCopies is how often the text of a formula is there at a time, in the most: in rows, in commands and
// what they print, and in what is told of them.
const textCopies = 32

// connectiveBytes is what a connective or a short proposition takes, with its parentheses.
const connectiveBytes = 8

// writable returns nil if the text of f can be given to a program, and there is room for its copies. No text
// is made for that, which may be far longer than the formula: it has no more than each connective with
// the longest of the propositions.
func writable(s *ltl.Formulas, f *ltl.Formula, room func(bytes int64) error) error {
	if err := Writable(f); err != nil || room == nil {
		return err
	}
	own := ltl.NewFormulas()
	own.Import(f, s)
	longest := connectiveBytes
	for _, name := range own.Propositions() {
		longest = max(longest, len(name))
	}
	return room(textCopies * f.Length() * int64(longest))
}

// runner runs the translators of a comparison.
type runner struct {
	settings    Settings
	translators []Translator
	report      *Report
	stop        context.CancelCauseFunc // ends the comparison, as the next translation would fail alike
	// remembered are translations made while formulas were shrunk, which come to the
	// same small formulas again and again; nil: none are to be remembered.
	remembered map[[2]string]rememberedTranslation
}

// rememberedTranslation is an automaton, or nil for a failure, with its row.
type rememberedTranslation struct {
	automaton *automata.Automaton
	row       Row
}

// maxRemembered bounds the translations that are remembered.
const maxRemembered = 1 << 12

// formulaCase is one formula with what the translators made of it. For translator i,
// positive[i] is the automaton of the formula, and negative[i] that of its negation. It
// is nil if there is none.
type formulaCase struct {
	number             int
	name               string
	formulas           *ltl.Formulas
	formula            *ltl.Formula
	text               string
	positive, negative []*automata.Automaton
	rows               []*Row
}

// newCase gives the formula a home of its own, whose propositions are those of the
// formula.
func newCase(s *ltl.Formulas, f *ltl.Formula) *formulaCase {
	own := ltl.NewFormulas()
	c := &formulaCase{formulas: own, formula: own.Import(f, s)}
	c.text = own.Text(c.formula, ltl.SpotSyntax)
	return c
}

// translate has all translators translate the formula and its negation, until ctx ends.
func (r *runner) translate(ctx context.Context, c *formulaCase) {
	c.positive = make([]*automata.Automaton, len(r.translators))
	c.negative = make([]*automata.Automaton, len(r.translators))
	for i, t := range r.translators {
		for _, negated := range [2]bool{false, true} {
			a, row := r.translateOne(ctx, c, t, negated)
			if ctx.Err() != nil && a == nil {
				return // its end says nothing of the translator
			}
			c.rows = append(c.rows, row)
			if r.settings.Translated != nil {
				r.settings.Translated(len(c.rows), 2*len(r.translators))
			}
			if negated {
				c.negative[i] = a
			} else {
				c.positive[i] = a
			}
		}
	}
}

// translateOne translates the formula, or its negation, by t, and returns the automaton with its
// row of the report. If translations are remembered, as they are while a formula is made smaller,
// none is made twice.
func (r *runner) translateOne(ctx context.Context, c *formulaCase, t Translator, negated bool) (*automata.Automaton, *Row) {
	f := c.formula
	if negated {
		f = c.formulas.Not(f)
	}
	row := &Row{
		Number: c.number, Name: c.name, Formula: c.formulas.Text(f, ltl.SpotSyntax), Negated: negated,
		Translator: t.Name(), Status: "ok",
	}
	key := [2]string{t.Name(), row.Formula}
	if known, ok := r.remembered[key]; ok {
		*row = known.row
		row.Negated = negated
		return known.automaton, row
	}
	a := r.translateNow(ctx, c, t, f, row)
	if r.remembered != nil && len(r.remembered) < maxRemembered {
		r.remembered[key] = rememberedTranslation{a, *row}
	}
	return a, row
}

// translateNow runs the translator, and fills in the row.
func (r *runner) translateNow(ctx context.Context, c *formulaCase, t Translator, f *ltl.Formula, row *Row) *automata.Automaton {
	limited, cancel := r.settings.withinMemory(withLimit(ctx, r.settings.Timeout))
	defer cancel()
	clock := r.settings.Clock
	if clock == nil {
		start := time.Now() // with a monotonic reading, which Since uses
		clock = func() time.Duration { return time.Since(start) }
	}
	began := clock()
	a, err := t.Translate(limited, c.formulas, f)
	row.Seconds = (clock() - began).Seconds()
	if err == nil {
		row.describe(limited, a)
		return a
	}
	var failure *Failure
	var failed *FileError
	switch {
	case errors.As(err, &failed):
		r.stop(failed)
	case errors.As(err, &failure):
		row.Status, row.Reason = string(failure.Kind), failure.Reason
	case limited.Err() != nil:
		failure = ended(limited, nil)
		row.Status, row.Reason = string(failure.Kind), failure.Reason
	default:
		row.Status, row.Reason = string(Crashed), err.Error()
	}
	return nil
}

// withLimit returns ctx with a time limit, if there is one.
func withLimit(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit <= 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, limit)
}

// within returns the context of a check. The caller must cancel it.
func (s *Settings) within(ctx context.Context) (context.Context, context.CancelFunc) {
	return s.withinMemory(withLimit(ctx, s.CheckLimit))
}

// withinMemory returns the context that Within makes of timed, and what ends both.
func (s *Settings) withinMemory(timed context.Context, cancel context.CancelFunc) (context.Context, context.CancelFunc) {
	if s.Within == nil {
		return timed, cancel
	}
	limited, stop := s.Within(timed)
	return limited, func() { stop(); cancel() }
}

// Function returns a translator that is a function of the program itself.
func Function(name string, translate func(ctx context.Context, s *ltl.Formulas, f *ltl.Formula) (*automata.Automaton, error)) Translator {
	return function{name, translate}
}

// function is a translator within this process.
type function struct {
	name      string
	translate func(ctx context.Context, s *ltl.Formulas, f *ltl.Formula) (*automata.Automaton, error)
}

func (t function) Name() string { return t.name }

// Translate calls the function. If that panics, this is a failure of the kind Crashed, as if a
// program had crashed.
func (t function) Translate(ctx context.Context, s *ltl.Formulas, f *ltl.Formula) (a *automata.Automaton, err error) {
	defer func() {
		if p := recover(); p != nil {
			a, err = nil, &Failure{Kind: Crashed, Reason: fmt.Sprint(p)}
		}
	}()
	return t.translate(ctx, s, f)
}

package mcc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"pnmc/automata"
	"pnmc/checker"
	"pnmc/internal/account"
	"pnmc/logic"
	"pnmc/logic/ltl"
	"pnmc/pnml"
	"pnmc/query"
)

// Options direct a run.
type Options struct {
	// Time is what the run may take, from Start on; it ends a little earlier.
	Time  time.Duration
	Start time.Time
	// MemoryBytes is what the process may use; 0: no limit.
	MemoryBytes int64
	// Explain, unless nil, is told which engine decided what, and when.
	Explain io.Writer
	// Warn, unless nil, is called with mistakes of the model that do not make an answer
	// wrong, such as a false claim of its units; and if all engines end before the time does, with how
	// many questions have no answer, and why.
	Warn func(warning string)
	// Answered, unless nil, gets each answer that is known, with the name of its property, and is to call
	// write, which writes the line, unless it is too late for that. It may be called from several goroutines.
	Answered func(name string, problem checker.Problem, question checker.Question, answer checker.Answer, write func())
	// Asked, unless nil, is called once, with the names of the questions, before they are
	// decided. What it returns gets each answer's question and is to call write, which
	// writes the line; from several goroutines.
	Asked func(names []string) (answered func(question int, write func()))
	// Seed drives random choices.
	Seed uint64
	// Threads bounds how many engines work at the same time; 0: as many as there are. See
	// checker.Options.
	Threads int
	// Without has techniques that are not to be used.
	Without checker.Techniques
	// SMTSolver, unless empty, is the command line of a solver modulo theories. See checker.Options.
	SMTSolver string
	// Translator, unless nil, translates negated formulas of LTL that package
	// translate does not in time; called from several goroutines.
	Translator func(ctx context.Context, s *ltl.Formulas, negated *ltl.Formula) (*automata.Automaton, error)
}

// Run answers an examination of the model in folder, and writes the answers to out: one line for
// each, as soon as it is known. Questions that cannot be decided in time are left out. When Run
// returns, all engines have stopped.
//
// The error says that the examination is unknown, that files cannot be read, or that answers cannot
// be written; no answer is wrong because of it. If it is a *query.UnreadError, only some properties
// cannot be used: lines say that they were given up, and the others are answered.
func Run(ctx context.Context, folder, name string, options Options, out io.Writer) error {
	for _, e := range examinations() {
		if e.name == name {
			return answer(ctx, folder, &e, options, out)
		}
	}
	return fmt.Errorf("unknown examination %q, expected one of %v", name, Examinations())
}

// Some time is left at the end, so that the process ends by itself: a twentieth of what
// it was given, at most two seconds.
const (
	reserveShare = 20
	reserveMost  = 2 * time.Second
)

// usable returns the time that engines get: of 10 seconds 9.5, and of an hour all but two seconds.
func usable(limit time.Duration) time.Duration {
	return limit - min(limit/reserveShare, reserveMost)
}

// answer answers as Run does, for an examination as the table has it.
func answer(ctx context.Context, folder string, e *examination, options Options, out io.Writer) error {
	if options.Start.IsZero() {
		options.Start = time.Now()
	}
	if options.Time <= 0 {
		options.Time = time.Hour
	}
	ctx, cancel := context.WithDeadline(ctx, options.Start.Add(usable(options.Time)))
	defer cancel()
	a := &answers{out: out, explain: options.Explain, start: options.Start}
	document, err := readModel(ctx, folder, options.MemoryBytes)
	if err != nil {
		return err
	}
	keys, questions, err := ask(ctx, e, folder, options.MemoryBytes, document, a)
	if err != nil {
		return err
	}
	if err := decide(ctx, document, keys, questions, options, a); err != nil {
		return err
	}
	if net := document.Net; net != nil && net.FalseClaim() != nil && options.Warn != nil {
		options.Warn(net.FalseClaim().String())
	}
	if a.err != nil || a.unread == nil {
		return a.err
	}
	return a.unread
}

// decide decides the questions and answers them under their keys.
func decide(ctx context.Context, document pnml.Document, keys []string, questions []checker.Question, options Options, a *answers) error {
	if len(questions) == 0 {
		return nil
	}
	problem := checker.Problem{Net: document.Net, Coloured: document.Symmetric}
	limits := checker.Options{
		MemoryBytes: options.MemoryBytes, Threads: options.Threads, Seed: options.Seed, Translator: options.Translator, Without: options.Without,
		SMTSolver: options.SMTSolver, Warn: options.Warn,
		KeepBindings: options.Answered != nil, // runs are told by bindings
	}
	if options.Explain != nil {
		limits.Explain = a.note
	}
	solver, err := checker.New(problem, limits)
	if err != nil {
		return err
	}
	defer solver.Close()
	write := func(_ int, write func()) { write() }
	if options.Asked != nil {
		names := make([]string, len(keys))
		for i, key := range keys {
			names[i] = strings.TrimPrefix(key, "FORMULA ")
		}
		write = options.Asked(names)
	}
	open, reason := 0, error(nil)
	defer func() {
		if open > 0 && !errors.Is(reason, context.DeadlineExceeded) && !errors.Is(reason, context.Canceled) && options.Warn != nil {
			options.Warn(fmt.Sprintf("%d of %d questions have no answer: %v", open, len(questions), reason))
		}
	}()
	return solver.Decide(ctx, questions, func(answer checker.Answer) {
		if !answer.Value.IsKnown() {
			open, reason = open+1, answer.Reason
			return
		}
		key := keys[answer.Question]
		line := func() { write(answer.Question, func() { a.line(key, answer, shown(problem, answer)) }) }
		if options.Answered == nil {
			line()
			return
		}
		options.Answered(strings.TrimPrefix(key, "FORMULA "), problem, questions[answer.Question], answer, line)
	})
}

// ask returns the questions of an examination, and the keys under which they are answered, such as
// "FORMULA OneSafe" and "STATE_SPACE STATES". Properties that can't be read or resolved are given up,
// and the others are asked. The error says that there is no file of properties, or nothing in it that
// can be read.
func ask(ctx context.Context, e *examination, folder string, memory int64, document pnml.Document, a *answers) (keys []string, questions []checker.Question, err error) {
	if e.compile == nil {
		for i := range e.asks {
			key := "FORMULA " + e.name
			if len(e.asks) > 1 {
				key = "STATE_SPACE " + measureNames[i]
			}
			keys = append(keys, key)
		}
		return keys, e.asks, nil
	}
	properties, err := readProperties(ctx, filepath.Join(folder, e.name+".xml"), memory)
	if unread := (*query.UnreadError)(nil); errors.As(err, &unread) {
		if len(properties) == 0 {
			return nil, nil, unread.Err
		}
		a.giveUp(unread)
	} else if err != nil {
		return nil, nil, err
	}
	resolver := &query.Resolver{Vocabulary: namesOf(document)}
	unread, large := new(query.UnreadError), new(query.UnreadError)
	var errs, limits []error // joined once, as the text of errors joined one by one takes squares of time
	for _, p := range properties {
		within := account.New(account.Budget{MemoryBytes: memory}) // of each property: one that is too large ends alone
		within.Begin(ctx)
		resolver.Limit = within.Reserve
		q, err := e.compile(resolver, p.Formula)
		if err != nil {
			if over := (*logic.LimitError)(nil); errors.As(err, &over) { // to find its position takes memory, too
				large.IDs = append(large.IDs, p.ID)
				limits = append(limits, fmt.Errorf("property %s: %w", p.ID, over))
				continue
			}
			unread.IDs = append(unread.IDs, p.ID)
			errs = append(errs, fmt.Errorf("%s: property %s: %w", p.Position(), p.ID, err))
			continue
		}
		keys = append(keys, "FORMULA "+p.ID)
		questions = append(questions, q)
	}
	if unread.Err = errors.Join(errs...); unread.Err != nil {
		a.giveUp(unread)
	}
	if large.Err = errors.Join(limits...); large.Err != nil {
		a.giveUp(large)
	}
	return keys, questions, nil
}

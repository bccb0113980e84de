package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/urfave/cli/v2"

	"pnmc/automata"
	"pnmc/checker/product"
	"pnmc/cmd/pnmc/internal/approach"
	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/input"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/cmd/pnmc/internal/output"
	"pnmc/cmd/pnmc/internal/progress"
	"pnmc/cmd/pnmc/internal/usage"
	"pnmc/cmd/pnmc/internal/wording"
	"pnmc/internal/suggest"
	"pnmc/internal/unpack"
	"pnmc/logic"
	"pnmc/logic/ltl"
	"pnmc/mcc"
	"pnmc/mcc/batch"
	"pnmc/petri"
	"pnmc/query"
)

const mccDescription = `Reads model.pnml and the examination's property file in FOLDER, by default the
current directory, and writes one line for each answer as soon as it is known. Both
files may be compressed by gzip. Flags have the meaning of the contest's variables BK_EXAMINATION, BK_INPUT,
BK_TIME_CONFINEMENT and BK_MEMORY_CONFINEMENT, which are read too. What cannot
be decided within the limits is left out. Formulas that cannot be read get a line
with CANNOT_COMPUTE; the others are answered.`

func mccFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "examination", Usage: "answer `NAME`, such as ReachabilityFireability", EnvVars: []string{"BK_EXAMINATION"}},
		&cli.StringFlag{Name: "input", Usage: "the instance is called `NAME`", EnvVars: []string{"BK_INPUT"}},
		limits.DurationFlag("time", defaultSeconds*time.Second, "end within this `TIME`, such as 90s or 10m; a number is seconds"),
		&cli.StringFlag{Name: "memory", DefaultText: strconv.Itoa(defaultMegabytes), Usage: "use at most this many `MEGABYTES`, or a size such as 800MB or 4GB"},
		&cli.BoolFlag{Name: "explain", Usage: "tell on standard error which engine decided what, and when"},
		&cli.Uint64Flag{Name: "seed", Usage: "random choices follow from `NUMBER`"},
		approach.StubbornFlag("on"),
		approach.WithoutFlag(),
		approach.SolverFlag(),
		&cli.IntFlag{Name: "threads", Usage: "let at most this `NUMBER` of engines work at the same time, 0 for all, which use the threads that are left for further questions and to explore; with 1 and a seed, what time does not decide is the same again"},
		&cli.StringFlag{Name: "trace", Usage: "write a page into `FOLDER` that shows the answers with their runs in a browser; that takes some seconds more", TakesFile: true},
		&cli.StringFlag{Name: "translator", Usage: "let `COMMAND` translate formulas of LTL that pnmc does not translate in time (see pnmc --help)"},
	}
}

// mccAction answers an examination. An unknown examination is answered with DO_NOT_COMPETE, and
// an instance that is no folder with CANNOT_COMPUTE, as the contest asks for.
func mccAction(c *cli.Context) error {
	start := limits.Begun()
	if c.NArg() > 1 {
		return exit.UsageError("unexpected argument %q", c.Args().Get(1))
	}
	if n := c.Int("threads"); n < 0 {
		return exit.UsageError("--threads: expected 0 or more, found %d", n)
	}
	stubborn, err := approach.Stubborn(c, true)
	if err != nil {
		return err
	}
	without, err := approach.Without(c, product.Settings{Stubborn: stubborn})
	if err != nil {
		return err
	}
	if err := approach.CheckSolver(c); err != nil {
		return err
	}
	name := c.String("examination")
	if name == "" {
		return exit.UsageError("--examination is missing: expected one of %s", strings.Join(mcc.Examinations(), ", "))
	}
	if !slices.Contains(mcc.Examinations(), name) {
		return doNotCompete(c, name)
	}
	limit, memory, err := contestLimits(c)
	if err != nil {
		return err
	}
	m := progress.NewMessenger(c)
	output.NoteLimit(c.Context, start.Add(limit), errLate) // until the process ends
	options := mcc.Options{
		Start: start, Time: limit, MemoryBytes: memory, Seed: c.Uint64("seed"), Threads: c.Int("threads"), Without: without,
		SMTSolver: c.String("smt-solver"),
		Warn:      func(warning string) { m.Say("warning: %s", warning) },
	}
	if c.Bool("explain") {
		options.Explain = m.Beside()
	}
	if err := setTranslator(c, name, &options); err != nil {
		return err
	}
	folder := instanceFolder(c)
	if info, err := os.Stat(folder); err == nil && !info.IsDir() {
		return cannotCompute(c, fmt.Errorf("%s: expected a folder with a file model.pnml, or that file; archives are for pnmc batch", folder))
	}
	return examine(c, m, folder, name, options)
}

// instanceFolder returns the folder of the instance: what the argument names, or the present one,
// or that which is called as the instance is.
func instanceFolder(c *cli.Context) string {
	folder := c.Args().First()
	if batch.IsModel(folder) {
		folder = filepath.Dir(folder)
	}
	if folder == "" {
		folder = "."
		if input := c.String("input"); input != "" && !batch.HasModel(folder) && batch.HasModel(input) {
			folder = input
		}
	}
	return folder
}

// setTranslator makes options translate formulas by what --translator names, if it is given.
func setTranslator(c *cli.Context, examination string, options *mcc.Options) error {
	if !c.IsSet("translator") {
		return nil
	}
	external, plain, err := input.ExternalTranslator(c.String("translator"))
	if err != nil {
		return exit.UsageError("--translator: %w", err)
	}
	options.Translator = func(ctx context.Context, s *ltl.Formulas, negated *ltl.Formula) (*automata.Automaton, error) {
		command := *external // each run has its own complaints
		t := input.Translator{External: &command, Plain: plain, Warn: func(string, string) {}}
		return t.Run(ctx, s, negated, examination)
	}
	return nil
}

// examine writes the answers of an examination, and the pages that --trace asks for.
func examine(c *cli.Context, m *progress.Messenger, folder, name string, options mcc.Options) error {
	pages, err := newContestPages(c, folder, name, options.MemoryBytes)
	if err != nil {
		return err
	}
	if pages != nil {
		options.Answered = pages.add
	}
	petri.Budget{MemoryBytes: options.MemoryBytes}.LimitCollector()
	progress := &contestProgress{m: m, end: m.During(name, "reading")}
	options.Asked = progress.asked
	err = withinLimit(options.Start, options.Time, func() error { return mcc.Run(c.Context, folder, name, options, c.App.Writer) })
	if begun := progress.close(); !begun && errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("%s: %w while files were read", folder, errLate)
	}
	if err == errLate { // what was answered stays
		err = nil
	}
	if pages != nil {
		answer, done := context.WithDeadline(c.Context, options.Start.Add(options.Time))
		defer done()
		allowance := limits.AllowanceOf(c)
		allowance.Answer, allowance.Memory = answer, options.MemoryBytes
		if pageErr := pages.write(); pageErr != nil && err == nil {
			return pageErr
		}
	}
	interrupted := c.Context.Err() != nil
	if interrupted {
		fmt.Fprintln(c.App.ErrWriter, "pnmc: interrupted: answers are missing that have no line")
	}
	if unread := (*query.UnreadError)(nil); errors.As(err, &unread) { // the lines are out
		if onlyLimits(unread.Err) {
			return exit.With(exit.Unknown, err)
		}
		return exit.InputError(err)
	}
	if err != nil {
		return cannotCompute(c, err)
	}
	if interrupted {
		return exit.With(exit.Unknown, nil)
	}
	return nil
}

// errLate says that a run did not end by itself in time.
var errLate = &lateError{}

type lateError struct{}

func (*lateError) Error() string { return "time limit reached" }

// Is has errors.Is take the error for the end of a context's time.
func (*lateError) Is(target error) bool { return target == context.DeadlineExceeded }

// withinLimit waits for run, but not beyond its limit less a fortieth, or a second: engines
// end by themselves before. If one does not, the process ends without it; the error is
// errLate then.
func withinLimit(start time.Time, limit time.Duration, run func() error) error {
	done := make(chan error, 1)
	go func() { done <- run() }()
	select {
	case err := <-done:
		return err
	case <-time.After(time.Until(start.Add(limit - min(limit/40, time.Second)))):
		return errLate
	}
}

// doNotCompete answers the contest that there is no such examination here. Whoever gave
// the name by a flag misspelled it.
func doNotCompete(c *cli.Context, name string) error {
	if _, err := fmt.Fprintln(c.App.Writer, "DO_NOT_COMPETE"); err != nil {
		return err
	}
	names := mcc.Examinations()
	err := exit.UsageError("--examination: there is no %q; expected one of %s%s", name, strings.Join(names, ", "), suggest.DidYouMean(name, names))
	if !usage.IsGiven(c, "examination") {
		fmt.Fprint(c.App.ErrWriter, wording.Complaint(err.Error()))
		return nil
	}
	return err
}

// onlyLimits reports whether err is nothing but limits of time or memory, all of what it joins.
func onlyLimits(err error) bool {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return !slices.ContainsFunc(joined.Unwrap(), func(one error) bool { return !onlyLimits(one) })
	}
	return errors.As(err, new(*logic.LimitError))
}

// cannotCompute answers that for err nothing can be answered.
func cannotCompute(c *cli.Context, err error) error {
	if _, err := fmt.Fprintln(c.App.Writer, "CANNOT_COMPUTE"); err != nil {
		return err
	}
	limit, large, full := (*logic.LimitError)(nil), (*unpack.TooLargeError)(nil), (*petri.MemoryError)(nil)
	if errors.As(err, &limit) || errors.As(err, &large) || errors.As(err, &full) || errors.Is(err, context.DeadlineExceeded) {
		return exit.With(exit.Unknown, err)
	}
	return exit.InputError(err)
}

// The limits without flags and variables.
const (
	defaultSeconds   = 3600
	defaultMegabytes = 16000
)

// contestLimits returns the time and the bytes that flags give, or else the contest's
// variables. More than a century or an exabyte counts as a century or an exabyte.
func contestLimits(c *cli.Context) (limit time.Duration, bytes int64, err error) {
	seconds := int64(0)
	if c.IsSet("time") {
		if seconds, err = limits.WholeSeconds(c, "time"); err != nil {
			return 0, 0, err
		}
	} else {
		seconds = contestVariable(c, "s", defaultSeconds, "BK_TIME_CONFINEMENT")
	}
	megabytes := int64(0)
	if c.IsSet("memory") {
		if megabytes, err = parseMegabytes(c.String("memory")); err != nil {
			return 0, 0, exit.UsageError("--memory: %w", err)
		}
	} else {
		megabytes = contestVariable(c, "", defaultMegabytes, "BK_MEMORY_CONFINEMENT", "BK_MEM_CONFINEMENT")
	}
	const century, exabyte = 100 * 365 * 24 * 3600, 1 << 40
	return time.Duration(min(seconds, century)) * time.Second, min(megabytes, exabyte) << 20, nil
}

// parseMegabytes reads a number of megabytes, or a size with a unit.
func parseMegabytes(text string) (int64, error) {
	if n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64); err == nil && n > 0 {
		return n, nil
	}
	bytes, err := limits.ParseSize(text)
	if err == nil && bytes < 1<<20 {
		err = fmt.Errorf("expected megabytes from 1 on, or a size such as 800MB or 4GB, found %q", text)
	}
	return bytes >> 20, err
}

// contestVariable returns the number in the first of the variables that is set, with the unit
// behind it or not. One that is no positive number is reported, and the default taken: it is
// better to answer than not to.
//
// For example, BK_TIME_CONFINEMENT may be 3600 or 3600s. Of 3600.5 the whole seconds count.
func contestVariable(c *cli.Context, unit string, otherwise int64, variables ...string) int64 {
	for _, name := range variables {
		text := strings.TrimSpace(os.Getenv(name))
		if text == "" {
			continue
		}
		number := strings.TrimSuffix(text, unit)
		value, err := strconv.ParseFloat(number, 64)
		if err == nil && value >= 1 && value < math.MaxInt64 && !strings.ContainsAny(number, "xXpP_") {
			return int64(value) // whole ones, so that the limit is kept
		}
		fmt.Fprintf(c.App.ErrWriter, "pnmc: %s: expected a number from 1 on, found %q; taking %d\n", name, text, otherwise)
		break
	}
	return otherwise
}

// contestProgress shows how far an examination is: that files are read, then which questions
// are open. The run may go on when nobody waits for it any more.
type contestProgress struct {
	m     *progress.Messenger
	mutex sync.Mutex // guards what follows
	begun bool       // questions are known
	end   func()     // of what is shown; nil: closed
}

// asked shows questions from now on.
func (p *contestProgress) asked(names []string) (answered func(question int, write func())) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.end == nil && !p.begun { // it was told that nothing can be answered
		return func(int, func()) {}
	}
	if p.begun = true; p.end == nil {
		return func(_ int, write func()) { write() }
	}
	p.end()
	w := p.m.Watch(names)
	p.end = w.End
	return w.Tell
}

// close takes the line off the terminal, and reports whether questions were known by then.
func (p *contestProgress) close() (begun bool) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.end != nil {
		p.end()
		p.end = nil
	}
	return p.begun
}

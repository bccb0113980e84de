// Package input reads the files that flags name: nets, automata, formulas, definitions.
//
// In come flags and files, compressed or not, or standard input; out go nets, automata and
// formulas, and errors with exit codes. Reading keeps within the limits of time and memory,
// and ends when the user stops it. The grammars are elsewhere: pnml, hoa, dot, logic. Next
// are the rooms questions and bench, and the commands.
package input

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/urfave/cli/v2"

	"pnmc/checker"
	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/interrupt"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/cmd/pnmc/internal/wording"
	"pnmc/exchange"
	"pnmc/internal/account"
	"pnmc/internal/process"
	"pnmc/internal/unpack"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/symmetric"
	"pnmc/petri/symmetric/names"
	"pnmc/pnml"
	"pnmc/symbolic/etf"
)

// NetFlags returns the flags that choose a net.
func NetFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "pnml", Usage: "read the net from `FILE`; - is standard input", TakesFile: true},
		&cli.StringFlag{Name: "net", Usage: "of several nets in the file, choose the one with this `ID`"},
		&cli.StringFlag{Name: "net-format", Usage: "read the net as `FORMAT`: pnml, tina or lola", DefaultText: "by the ending of the file: .net, .lola, or else PNML"},
	}
}

// NetFormats are the formats that nets are read from.
var NetFormats = []string{"pnml", "tina", "lola"}

// NetFormat returns the format of the net that the flags name.
func NetFormat(c *cli.Context) (string, error) {
	switch format := c.String("net-format"); {
	case slices.Contains(NetFormats, format):
		return format, nil
	case format != "":
		return "", exit.UsageError("--net-format: a net can be read as pnml, tina or lola, not %q", format)
	}
	switch filepath.Ext(strings.TrimSuffix(strings.ToLower(c.String("pnml")), ".gz")) {
	case ".net":
		return "tina", nil
	case ".lola":
		return "lola", nil
	}
	return "pnml", nil
}

// readNet reads a net in that format.
func readNet(c *cli.Context, r io.Reader, file, format string) (document pnml.Document, err error) {
	if format != "pnml" && c.IsSet("net") {
		return document, exit.UsageError("--net chooses one of several nets in PNML; %s has one net", file)
	}
	switch format {
	case "tina":
		document.Net, err = exchange.ReadTina(r, file, exchange.Limit(LimitOf(r)))
	case "lola":
		document.Net, err = exchange.ReadLoLA(r, file, exchange.Limit(LimitOf(r)))
	default:
		process.ForgetProgram() // what has opened the file
		document, err = pnml.Reader{Net: c.String("net"), Limit: parsed(LimitOf(r))}.ReadDocument(r, file)
		if errors.Is(err, pnml.ErrSeveralNets) {
			err = fmt.Errorf("%w: --net ID chooses one", err)
		}
	}
	return document, err
}

// parsed returns a limit of reading that also lets the program's own pages go when it is first asked, mostly after all
// is parsed: the code that makes a net of it is other code.
func parsed(limit func(bytes int) error) func(bytes int) error {
	var once sync.Once
	return func(bytes int) error {
		once.Do(process.ForgetProgram)
		if limit == nil {
			return nil
		}
		return limit(bytes)
	}
}

// ETFFlag chooses a model in another format in place of a net; what says what for.
func ETFFlag(what string) cli.Flag {
	return &cli.StringFlag{Name: "etf", Usage: "read a model in LTSmin's ETF from `FILE` instead of a net, " + what, TakesFile: true}
}

// CheckModelFlags refuses flags that choose a net and a model both.
func CheckModelFlags(c *cli.Context) error {
	switch {
	case c.String("pnml") != "" && c.String("etf") != "":
		return exit.UsageError("--pnml and --etf: expected one of them")
	case c.String("etf") != "" && c.IsSet("net"):
		return exit.UsageError("--net chooses one of several nets in PNML; a file in ETF has one model")
	}
	return nil
}

// ETF reads the model that --etf names.
func ETF(c *cli.Context) (m *etf.Model, err error) {
	err = WithFile(c, c.String("etf"), func(r io.Reader, file string) (err error) {
		m, err = etf.Reader{Limit: LimitOf(r)}.Read(r, file)
		return err
	})
	return m, err
}

// Net reads the net that the flags name, and how formulas speak of it. A
// symmetric net is unfolded; formulas speak of its coloured nodes.
func Net(c *cli.Context) (*petri.Net, logic.Vocabulary, error) {
	net, unfolding, err := unfolded(c)
	switch {
	case err != nil:
		return nil, nil, err
	case unfolding == nil:
		return net, checker.Vocabulary(net), nil
	}
	return net, names.Of(unfolding), nil
}

// CountedNet reads the net that the flags name. A symmetric net is unfolded; sums are
// places beside those of its colours, whose tokens are none of the net's.
func CountedNet(c *cli.Context) (net *petri.Net, sums []petri.Place, err error) {
	net, unfolding, err := unfolded(c)
	if unfolding != nil {
		sums = unfolding.Sums
	}
	return net, sums, err
}

// unfolded returns the net that the flags name, by its unfolding if it is a symmetric net.
func unfolded(c *cli.Context) (*petri.Net, *symmetric.Unfolding, error) {
	document, err := Document(c)
	if err != nil || document.Symmetric == nil {
		return document.Net, nil, err
	}
	unfolding, err := Unfold(c, document.Symmetric, symmetric.Options{})
	if err != nil {
		return nil, nil, err
	}
	return unfolding.Net, unfolding, nil
}

// Unfold unfolds a net within the limits of time and memory that the flags give. If
// reading does not finish within them, that is no error of the input: the rest is
// unknown.
func Unfold(c *cli.Context, net *symmetric.Net, options symmetric.Options) (*symmetric.Unfolding, error) {
	budget, err := limits.Budget(c)
	if err != nil {
		return nil, err
	}
	begun, spent := time.Now(), limits.AllowanceOf(c)
	defer func(before time.Duration) { spent.Gone = before + time.Since(begun) }(spent.Gone)
	whole := limits.Whole(c)
	timed, cancel := limits.Within(whole, c)
	defer cancel()
	ctx, cancelMemory := limits.WithinMemory(timed, budget)
	defer cancelMemory()
	unfolding, err := net.Unfold(ctx, options)
	switch {
	case err == nil:
		return unfolding, nil
	case c.Context.Err() != nil:
		return nil, exit.With(exit.Unknown, fmt.Errorf("%w while %s was unfolded", context.Cause(c.Context), Name(c.String("pnml"))))
	case errors.Is(err, symmetric.ErrTooLarge):
		return nil, exit.With(exit.Unknown, fmt.Errorf("%s: %w", Name(c.String("pnml")), err))
	case ctx.Err() == nil:
		return nil, exit.InputError(fmt.Errorf("%s: %w", Name(c.String("pnml")), err))
	case timed.Err() != nil && whole.Err() == nil:
		err = fmt.Errorf("%s: unfolding not finished within %s", Name(c.String("pnml")), c.Duration("timeout"))
	default:
		err = fmt.Errorf("%s: unfolding not finished: %w", Name(c.String("pnml")), context.Cause(ctx))
	}
	return nil, exit.With(exit.Unknown, err)
}

// NetName returns what a net is called: by itself or, failing that, by its file.
func NetName(c *cli.Context, net *petri.Net) string {
	if name := wording.OneLine(net.Name); name != "" {
		return name
	}
	return Title(c.String("pnml"))
}

// Title returns what a model in a file is called that has no name.
func Title(path string) string {
	title := filepath.Base(Name(path))
	for _, ending := range []string{".gz", ".pnml", ".etf", ".net", ".lola"} {
		if n := len(title) - len(ending); n >= 0 && strings.EqualFold(title[n:], ending) {
			title = title[:n]
		}
	}
	return title
}

// Document reads the net that the flags name as it stands.
func Document(c *cli.Context) (document pnml.Document, err error) {
	path := c.String("pnml")
	if path == "" {
		return document, exit.UsageError("--pnml is missing: which net?")
	}
	format, err := NetFormat(c)
	if err != nil {
		return document, err
	}
	err = WithFile(c, path, func(r io.Reader, file string) (err error) {
		document, err = readNet(c, r, file, format)
		return err
	})
	return document, err
}

// StandardInput is what messages call standard input, and names that tell where
// something stands.
const StandardInput = "<stdin>"

// Name returns what messages call a file that a flag names.
func Name(path string) string {
	if path == "-" {
		return StandardInput
	}
	return path
}

// WithFile opens a file, or standard input for "-", unpacks it if gzip compressed it, and
// lets use read it, within the limit of memory. Errors are those of bad input, but those
// that tell what else they are. If memory is short, or the user stopped it, the input is
// not to blame for what could not be read.
func WithFile(c *cli.Context, path string, use func(r io.Reader, file string) error) error {
	return WithReader(c, path, false, use)
}

// WithText passes on a file as WithFile does, for what is kept as one text before anything is made of it.
func WithText(c *cli.Context, path string, use func(r io.Reader, file string) error) error {
	return WithReader(c, path, true, use)
}

// WithReader passes on a file as WithFile does, or as WithText if whole.
func WithReader(c *cli.Context, path string, whole bool, use func(r io.Reader, file string) error) error {
	budget, err := limits.Budget(c)
	if err != nil {
		return err
	}
	r, file := c.App.Reader, Name(path)
	if path != "-" {
		f, err := open(c, path)
		if err != nil {
			return err
		}
		defer f.Close()
		r = f
	}
	return Within(c, budget, r, file, whole, use)
}

// Within lets use read r, within the limits of reading.
//
// An error of use may have a cause that use knows nothing of: a text that was cut off looks like
// bad syntax. So the reader's own reason comes first. If time or memory ended the reading, the
// exit code is that of unknown, as the input may be right. If the text could not be read or
// unpacked, it is that of bad input. Otherwise the error is that of use. A failure with an exit
// code of its own stays as it is.
func Within(c *cli.Context, budget petri.Budget, r io.Reader, file string, whole bool, use func(r io.Reader, file string) error) (err error) {
	ctx := waiting(c)
	text := &budgetReader{ctx: limits.Whole(c), budget: budget, limit: c.Duration("timeout"), whole: whole}
	defer func() { limits.AllowanceOf(c).Gone += text.worked() }()
	if text.r, text.failed = unpack.Reader(interruptible(ctx, r), budget.MemoryBytes); text.failed == nil {
		err = use(text, file)
	}
	var large *unpack.TooLargeError
	var full *petri.MemoryError
	var late *readTimeError
	var other *exit.Failure
	switch {
	case err == nil && text.failed == nil || errors.As(err, &other):
		return err
	case err == nil && (errors.Is(text.failed, interrupt.ErrInterrupted) || ctx.Err() != nil && errors.Is(text.failed, context.Cause(ctx))):
		return nil // use ended early
	case errors.As(text.failed, &late):
		return exit.With(exit.Unknown, fmt.Errorf("%s: %w while it was read", file, late))
	case errors.As(text.failed, &full):
		return exit.With(exit.Unknown, fmt.Errorf("%s: %w while it was read", file, full))
	case ctx.Err() != nil:
		return exit.With(exit.Unknown, fmt.Errorf("%w while %s was read", context.Cause(ctx), file))
	case errors.As(text.failed, &large):
		return exit.With(exit.Unknown, fmt.Errorf("%s: %w", file, large))
	case text.failed != nil: // whatever a parser made of it
		return exit.InputError(fmt.Errorf("%s: %w", file, text.failed))
	}
	return exit.InputError(err)
}

// Twice prepares for reading the net's document again after it was read. Standard input
// is kept for that.
//
// For example, with --pnml - and --trace x.html the net is read to be checked, and once more for
// the positions of its nodes when the page is written. A pipe has its text once.
func Twice(c *cli.Context) func(use func(r io.Reader, file string) error) error {
	path := c.String("pnml")
	var copied *keeper
	if path == "-" {
		budget, _ := limits.Budget(c) // who reads says what is wrong with the flags
		copied = &keeper{r: interruptible(c.Context, c.App.Reader), account: account.New(budget)}
		copied.account.Begin(c.Context)
		c.App.Reader = copied
	}
	return func(use func(r io.Reader, file string) error) error {
		if copied != nil {
			c.App.Reader = bytes.NewReader(copied.text)
		}
		return WithFile(c, path, use)
	}
}

// interruptible returns r, whose reads end with the cause when ctx ends: who waits for
// a pipe must not wait for ever. Regular files are read as they are.
func interruptible(ctx context.Context, r io.Reader) io.Reader {
	if f, ok := r.(*os.File); ok {
		if info, err := f.Stat(); err == nil && !info.Mode().IsRegular() {
			return &interruptibleReader{ctx: ctx, r: r}
		}
	}
	return r
}

// interruptibleReader reads into a buffer of its own, which a read that is left behind may still
// fill.
type interruptibleReader struct {
	ctx    context.Context
	r      io.Reader
	buffer [1 << 16]byte // what the read under way fills
}

// Read reads in a goroutine, into a buffer of its own. If the context ends first, the goroutine
// stays behind with its read, and nobody looks at the buffer any more.
func (i *interruptibleReader) Read(p []byte) (int, error) {
	if i.ctx.Err() != nil {
		return 0, context.Cause(i.ctx)
	}
	type result struct {
		n   int
		err error
	}
	done := make(chan result, 1)
	length := min(len(p), len(i.buffer))
	go func() {
		n, err := i.r.Read(i.buffer[:length])
		done <- result{n, err}
	}()
	select {
	case r := <-done:
		copy(p, i.buffer[:r.n])
		return r.n, r.err
	case <-i.ctx.Done():
		return 0, context.Cause(i.ctx)
	}
}

// Definitions reads what --ap says of names.
func Definitions(c *cli.Context, v logic.Vocabulary) (map[string]*logic.Predicate, error) {
	path := c.String("ap")
	if path == "" {
		return nil, nil
	}
	defined := map[string]*logic.Predicate{}
	err := WithText(c, path, func(r io.Reader, file string) error {
		list, err := logic.PredicateParser{Vocabulary: v, Limit: LimitOf(r)}.ReadPropositions(r, file)
		for _, p := range list {
			defined[p.Name] = p.Predicate
		}
		if err == nil && len(list) == 0 {
			err = fmt.Errorf("%s: expected a line 'name: expression', found none", file)
		}
		return err
	})
	return defined, err
}

// Package page writes the pages that play runs, with what the flags and files of the command
// say of them.
//
// In come answers as package told has them and the net's document, which is read again for
// positions; out goes a page, whose look is that of pnmc/view. Next are the rooms questions
// and measure, and the command mcc.
package page

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/input"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/cmd/pnmc/internal/wording"
	"pnmc/internal/account"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/invariant"
	"pnmc/petri/symmetric"
	"pnmc/pnml"
	"pnmc/view"
)

// File writes a page that shows runs. It reads the net's document a second time, for
// the positions of its nodes: other commands pay nothing for pages.
//
// Engines may work on another net than the page draws, and tell runs by their own transitions. A
// run of a net without colours is translated by identifiers. A coloured net is unfolded for the
// page, within largestUnfolding and unfoldingTime, and a run is translated by the names of
// bindings, such as t[x=1,y=2], whichever engine has found it.
//
// If the unfolding is too large, only the bindings of all runs are unfolded, once all answers are
// known. So a net that no engine could unfold has a page, too, as its runs are short. The page
// then knows too little to tell what else is enabled, and says so.
type File struct {
	c   *cli.Context
	out io.Writer
	// path and id name the net, and open reads its document again.
	path, id string
	open     func(use func(r io.Reader, file string) error) error
	ByHand   bool // the page begins with the net, not with a run

	coloured *symmetric.Net // or nil
	net      *view.Net      // made when it is needed, or nil
	page     *view.Page
	// waiting are answers that are not written. If the net is too large to be unfolded, these are
	// all: the page has what their runs need, so that it is written at the end.
	waiting []*Answer
	partial bool
	late    bool // a limit left no time or memory to begin the page
}

// Begun reports whether something of the page is written.
func (f *File) Begun() bool { return f.page != nil && f.page.Begun() }

// New returns a page on out about the net that the flags name.
func New(c *cli.Context, out io.Writer) *File {
	return &File{c: c, out: out, path: c.String("pnml"), id: c.String("net"), open: input.Twice(c)}
}

// Of returns a page on out about the net at path, which open reads.
func Of(c *cli.Context, out io.Writer, path string, open func(use func(r io.Reader, file string) error) error) *File {
	return &File{c: c, out: out, path: path, open: open}
}

// largestUnfolding bounds the places and transitions of the unfolded net that a page has,
// and unfoldingTime how long it may take.
const (
	largestUnfolding = 60_000
	unfoldingTime    = 20 * time.Second
)

// Flags may say when the time of a question and of its page is over. A question that is not decided
// takes all of that, and its page is to show the net even so. So the page has a little time more:
// preparingLate to draw the net as it would otherwise, and finishingLate, counted from the same end,
// for what is then left. These lie within what a command may take beyond its limit.
const (
	preparingLate = 250 * time.Millisecond
	finishingLate = 500 * time.Millisecond
)

// interruptedTime is how long a part of the page may take after an interruption: it is to have what
// is known by then.
const interruptedTime = 2 * time.Second

// Subject is what a page is about, as it was read.
type Subject struct {
	Net      *petri.Net     // or nil
	Coloured *symmetric.Net // or nil
	// Unfolded says that Net may be the unfolding of a coloured net that is not in Coloured.
	Unfolded bool
}

// prepare finds out what the page draws, so long after the time of the question at the latest.
func (f *File) prepare(of Subject, late time.Duration) error {
	if f.net != nil || f.partial {
		return nil
	}
	ctx, cancel, err := f.limited(late)
	if err != nil {
		return err
	}
	defer cancel()
	f.coloured = of.Coloured
	if of.Coloured == nil && of.Unfolded {
		format, err := input.NetFormat(f.c)
		if err == nil && format == "pnml" { // others have no colours
			err = f.open(func(r io.Reader, file string) error {
				document, err := pnml.Reader{Net: f.id, Limit: limitOf(ctx, r)}.ReadDocument(&endingReader{ctx, r}, file)
				f.coloured = document.Symmetric
				return err
			})
		}
		if err != nil {
			return notWritten(ctx, err)
		}
	}
	net := &view.Net{Net: of.Net, ByHand: f.ByHand}
	if f.coloured != nil {
		unfolding, err := f.coloured.Unfold(ctx, symmetric.Options{MaxNodes: largestUnfolding})
		if err != nil {
			f.partial = true
			return nil
		}
		net.Net, net.Unfolding = unfolding.Net, unfolding
	}
	f.dress(ctx, net)
	f.net, f.page = net, view.NewPage(f.out, net)
	return nil
}

// limited returns a context within which a part of the page is made: what the flags leave to one
// question, and so much more once that is over.
func (f *File) limited(late time.Duration) (context.Context, context.CancelFunc, error) {
	limit := unfoldingTime
	if d := f.c.Duration("timeout"); d > 0 {
		limit = min(limit, d)
	}
	end := time.Now().Add(limit)
	reason := fmt.Errorf("time limit of %s reached", limit)
	if given := limits.AllowanceOf(f.c).Answer; given != nil {
		if over, is := given.Deadline(); is && over.Add(late).Before(end) {
			end, reason = over.Add(late), errors.New("time limit reached")
		}
	}
	parent := f.c.Context
	if parent.Err() != nil {
		parent, end = context.WithoutCancel(parent), time.Now().Add(min(limit, interruptedTime))
	}
	ctx, cancel := context.WithDeadlineCause(parent, end, reason)
	budget, given, err := limits.Given(f.c)
	if err != nil {
		cancel()
		return nil, nil, err
	}
	if !given {
		return ctx, cancel, nil
	}
	within, stop := account.Within(ctx, budget)
	return within, func() { stop(nil); cancel() }, nil
}

// limitOf returns the limit of what is made of the text of r, for a part of the page.
func limitOf(ctx context.Context, r io.Reader) logic.Limit {
	if limit := input.LimitOf(r); limit != nil {
		return limit
	}
	return account.Of(ctx).Reserve
}

// endingReader reads on until a context ends, or its memory is used up.
type endingReader struct {
	ctx context.Context
	io.Reader
}

// Read reads on, or fails with the reason of the context.
func (r *endingReader) Read(p []byte) (int, error) {
	if err := account.Reason(r.ctx); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}

// notWritten returns err as the reason why there is no page, or nil. If the context has ended, or a limit has ended
// the second reading of the net, that reason is no fault of the input.
func notWritten(ctx context.Context, err error) error {
	var failure *exit.Failure
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return exit.With(exit.Unknown, fmt.Errorf("no page is written: %w", context.Cause(ctx)))
	case errors.As(err, &failure) && failure.Code == exit.Unknown && failure.Err != nil:
		return exit.With(exit.Unknown, fmt.Errorf("no page is written: %w", failure.Err))
	}
	return err
}

// Limits of the invariants that a page shows.
const (
	invariantWork  = 2_000_000
	invariantTime  = 2 * time.Second
	mostInvariants = 200
	mostDressed    = 20_000 // nodes of a net whose invariants are looked for
)

// dress gives the net what the page shows beside it: a title, positions, invariants.
func (f *File) dress(ctx context.Context, net *view.Net) {
	net.Title = wording.OneLine(net.Net.Name)
	if f.coloured != nil {
		net.Title = wording.OneLine(f.coloured.Name)
	}
	if net.Title == "" {
		net.Title = strings.TrimSuffix(strings.TrimSuffix(filepath.Base(input.Name(f.path)), ".gz"), ".pnml")
	}
	_ = f.open(func(r io.Reader, file string) (err error) {
		net.Drawing, err = pnml.Reader{Net: f.id, Limit: limitOf(ctx, r)}.ReadDrawing(&endingReader{ctx, r}, file)
		return err // without positions the page lays the net out
	})
	if net.Unfolding == nil && net.Net.Places()+net.Net.Transitions() <= mostDressed {
		ctx, cancel := context.WithTimeout(ctx, invariantTime)
		defer cancel()
		net.Semiflows = invariant.Semiflows(ctx, net.Net, invariantWork)
		net.Semiflows = net.Semiflows[:min(len(net.Semiflows), mostInvariants)]
	}
}

// Add adds an answer to the page. Where a limit leaves no time or memory to begin the page, the answer waits
// for the next one, or for Finish: of a question that has no time left, there is mostly none for its page.
func (f *File) Add(of Subject, a *Answer) error {
	f.waiting = append(f.waiting, a)
	preparing, finishing := preparingLate, finishingLate
	if f.late && !f.Begun() { // once is enough: it comes on top of the time of each question
		preparing, finishing = 0, 0
	}
	err := f.prepare(of, preparing)
	if err == nil && !f.partial {
		err = f.writeWaiting(finishing)
	}
	var failure *exit.Failure
	if errors.As(err, &failure) && failure.Code == exit.Unknown {
		f.late = true
		return nil
	}
	return err
}

// writeWaiting writes the answers that wait.
func (f *File) writeWaiting(late time.Duration) error {
	for len(f.waiting) > 0 {
		if err := f.write(f.waiting[0], late); err != nil {
			return err
		}
		f.waiting = f.waiting[1:]
	}
	return nil
}

// write writes an answer. It gives runs by the transitions of the page's net.
func (f *File) write(a *Answer, late time.Duration) error {
	answer := a.answer
	for _, run := range a.runs {
		told, err := run.in(f.net)
		if err != nil {
			return exit.InputError(err)
		}
		answer.Runs = append(answer.Runs, told)
	}
	if f.partial && answer.Cells {
		answer.Atoms, answer.Formula, answer.Automaton, answer.Sum = nil, nil, nil, nil
	}
	ctx, cancel, err := f.limited(late)
	if err != nil {
		return err
	}
	defer cancel()
	f.page.Within(ctx)
	if err := f.page.Add(&answer); err != nil {
		var told *exit.Failure
		if err = notWritten(ctx, err); errors.As(err, &told) {
			return err
		}
		return exit.With(exit.Internal, err)
	}
	return nil
}

// Finish writes what is not written yet. If a limit leaves no page, it says so.
func (f *File) Finish(of Subject) error {
	if of.Net == nil && of.Coloured == nil { // there was nothing to read
		return nil
	}
	preparing := preparingLate
	if f.late {
		preparing = finishingLate
	}
	if err := f.prepare(of, preparing); err != nil {
		return err
	}
	ctx, cancel, err := f.limited(finishingLate)
	if err != nil {
		return err
	}
	defer cancel()
	if f.partial && f.net == nil {
		var firings []symmetric.Firing
		for _, a := range f.waiting {
			for _, run := range a.runs {
				own, err := run.firings(f.coloured)
				if err != nil {
					return exit.InputError(err)
				}
				firings = append(firings, own...)
			}
		}
		unfolding, err := f.coloured.UnfoldRun(ctx, firings, largestUnfolding)
		switch {
		case errors.Is(err, symmetric.ErrTooLarge) || ctx.Err() != nil:
			return exit.With(exit.Unknown, fmt.Errorf("no page is written: %w", cmp.Or(context.Cause(ctx), err)))
		case err != nil:
			return exit.InputError(err)
		}
		net := &view.Net{Net: unfolding.Net, Unfolding: unfolding, Partial: true, ByHand: f.ByHand}
		f.dress(ctx, net)
		f.net, f.page = net, view.NewPage(f.out, net)
	}
	if err := f.writeWaiting(finishingLate); err != nil {
		return err
	}
	f.page.Within(ctx)
	return notWritten(ctx, f.page.Close())
}

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
	// waiting are answers about a net that is too large to be unfolded: the page has what
	// their runs need, so that it is written at the end.
	partial bool
	waiting []*Answer
}

// Begun reports whether something of the page is written.
func (f *File) Begun() bool { return f.page != nil }

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

// Subject is what a page is about, as it was read.
type Subject struct {
	Net      *petri.Net     // or nil
	Coloured *symmetric.Net // or nil
	// Unfolded says that Net may be the unfolding of a coloured net that is not in Coloured.
	Unfolded bool
}

// prepare finds out what the page draws.
func (f *File) prepare(of Subject) error {
	if f.net != nil || f.partial {
		return nil
	}
	f.coloured = of.Coloured
	if of.Coloured == nil && of.Unfolded {
		format, err := input.NetFormat(f.c)
		if err == nil && format == "pnml" { // others have no colours
			err = f.open(func(r io.Reader, file string) error {
				document, err := pnml.Reader{Net: f.id, Limit: input.LimitOf(r)}.ReadDocument(r, file)
				f.coloured = document.Symmetric
				return err
			})
		}
		if err != nil {
			return err
		}
	}
	net := &view.Net{Net: of.Net, ByHand: f.ByHand}
	if f.coloured != nil {
		ctx, cancel, err := f.limited()
		if err != nil {
			return err
		}
		defer cancel()
		unfolding, err := f.coloured.Unfold(ctx, symmetric.Options{MaxNodes: largestUnfolding})
		if err != nil {
			f.partial = true
			return nil
		}
		net.Net, net.Unfolding = unfolding.Net, unfolding
	}
	f.dress(net)
	f.net, f.page = net, view.NewPage(f.out, net)
	return nil
}

// limited returns a context within which the page's net is made: what the flags leave to one
// question, if they do.
func (f *File) limited() (context.Context, context.CancelFunc, error) {
	limit := unfoldingTime
	if d := f.c.Duration("timeout"); d > 0 {
		limit = min(limit, d)
	}
	ctx, cancel := context.WithTimeoutCause(f.c.Context, limit, fmt.Errorf("time limit of %s reached", limit))
	if f.c.String("max-memory") == "" {
		return ctx, cancel, nil
	}
	budget, err := limits.Budget(f.c)
	if err != nil {
		cancel()
		return nil, nil, err
	}
	within, stop := account.Within(ctx, budget)
	return within, func() { stop(nil); cancel() }, nil
}

// Limits of the invariants that a page shows.
const (
	invariantWork  = 2_000_000
	invariantTime  = 2 * time.Second
	mostInvariants = 200
	mostDressed    = 20_000 // nodes of a net whose invariants are looked for
)

// dress gives the net what the page shows beside it: a title, positions, invariants.
func (f *File) dress(net *view.Net) {
	net.Title = wording.OneLine(net.Net.Name)
	if f.coloured != nil {
		net.Title = wording.OneLine(f.coloured.Name)
	}
	if net.Title == "" {
		net.Title = strings.TrimSuffix(strings.TrimSuffix(filepath.Base(input.Name(f.path)), ".gz"), ".pnml")
	}
	_ = f.open(func(r io.Reader, file string) (err error) {
		net.Drawing, err = pnml.Reader{Net: f.id, Limit: input.LimitOf(r)}.ReadDrawing(r, file)
		return err // without positions the page lays the net out
	})
	if net.Unfolding == nil && net.Net.Places()+net.Net.Transitions() <= mostDressed {
		ctx, cancel := context.WithTimeout(f.c.Context, invariantTime)
		defer cancel()
		net.Semiflows = invariant.Semiflows(ctx, net.Net, invariantWork)
		net.Semiflows = net.Semiflows[:min(len(net.Semiflows), mostInvariants)]
	}
}

// Add adds an answer to the page.
func (f *File) Add(of Subject, a *Answer) error {
	if err := f.prepare(of); err != nil {
		return err
	}
	if f.partial {
		f.waiting = append(f.waiting, a)
		return nil
	}
	return f.write(a)
}

// write writes an answer. It gives runs by the transitions of the page's net.
func (f *File) write(a *Answer) error {
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
	ctx, cancel, err := f.limited()
	if err != nil {
		return err
	}
	defer cancel()
	f.page.Within(ctx)
	if err := f.page.Add(&answer); err != nil {
		var told *exit.Failure
		if errors.As(err, &told) {
			return err
		}
		return exit.With(exit.Internal, err)
	}
	return nil
}

// Finish writes what is not written yet.
func (f *File) Finish(of Subject) error {
	if of.Net == nil && of.Coloured == nil { // there was nothing to read
		return nil
	}
	if err := f.prepare(of); err != nil {
		return err
	}
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
		ctx, cancel, err := f.limited()
		if err != nil {
			return err
		}
		defer cancel()
		unfolding, err := f.coloured.UnfoldRun(ctx, firings, largestUnfolding)
		switch {
		case errors.Is(err, symmetric.ErrTooLarge) || ctx.Err() != nil:
			return exit.With(exit.Unknown, fmt.Errorf("no page is written: %w", cmp.Or(context.Cause(ctx), err)))
		case err != nil:
			return exit.InputError(err)
		}
		net := &view.Net{Net: unfolding.Net, Unfolding: unfolding, Partial: true, ByHand: f.ByHand}
		f.dress(net)
		f.net, f.page = net, view.NewPage(f.out, net)
		for _, a := range f.waiting {
			if err := f.write(a); err != nil {
				return err
			}
		}
	}
	return f.page.Close()
}

// pageRun is a run as an engine gives it, by the transitions of its own net.
type pageRun struct {
	net      *petri.Net // or nil
	coloured bool
	// Steps of a place/transition net; or bindings of a coloured one.
	prefix, cycle   []view.Step
	bindings, round []symmetric.Firing
	stays           bool // a deadlock that stays is the cycle
	run             view.Run
}

// in returns the run by the transitions of the page's net: those with the same
// identifier or, in a coloured net, the bindings with the same name.
func (r *pageRun) in(net *view.Net) (view.Run, error) {
	run := r.run
	var err error
	if r.coloured {
		names := namesOf(net)
		if run.Prefix, err = firingSteps(net, names, r.bindings); err != nil {
			return run, err
		}
		if run.Cycle, err = firingSteps(net, names, r.round); err != nil {
			return run, err
		}
	} else {
		if run.Prefix, err = translateSteps(net.Net, r.net, r.prefix); err != nil {
			return run, err
		}
		if run.Cycle, err = translateSteps(net.Net, r.net, r.cycle); err != nil {
			return run, err
		}
	}
	if r.stays {
		run.Cycle = append(run.Cycle, view.Step{Times: 1, Stays: true})
	}
	return run, nil
}

// translateSteps replaces steps of one net by the transitions of another that have the
// same identifiers.
func translateSteps(to, from *petri.Net, steps []view.Step) ([]view.Step, error) {
	if to == from || from == nil {
		return steps, nil
	}
	list := make([]view.Step, len(steps))
	for i, step := range steps {
		list[i] = step
		if step.Stays {
			continue
		}
		label := from.TransitionLabel(step.Transition)
		number, known := to.TransitionByID(label.ID)
		if !known {
			return nil, errors.New("the page lacks transition " + label.ID)
		}
		list[i].Transition = number
	}
	return list, nil
}

// namesOf finds transitions of the unfolded net by coloured transition and name.
func namesOf(net *view.Net) []map[string]petri.Transition {
	names := make([]map[string]petri.Transition, len(net.Unfolding.Transitions))
	for t, modes := range net.Unfolding.Transitions {
		names[t] = make(map[string]petri.Transition, len(modes))
		for _, m := range modes {
			names[t][net.Net.TransitionLabel(m).Name] = m
		}
	}
	return names
}

// firingSteps replaces bindings by the transitions of the unfolded net, which it finds by
// their names.
func firingSteps(net *view.Net, names []map[string]petri.Transition, firings []symmetric.Firing) ([]view.Step, error) {
	list := make([]view.Step, len(firings))
	for i, f := range firings {
		t := &net.Unfolding.Coloured.Transitions[f.Transition]
		name := t.Name
		if name == "" {
			name = t.ID
		}
		if binding := t.Binding(f.Binding); binding != "" {
			name += "[" + binding + "]"
		}
		number, known := names[f.Transition][name]
		if !known {
			return nil, errors.New("the page lacks " + name)
		}
		list[i] = view.Step{Transition: number, Times: 1}
	}
	return list, nil
}

// firings returns the bindings that a run fires.
func (r *pageRun) firings(net *symmetric.Net) ([]symmetric.Firing, error) {
	if r.coloured {
		return append(append([]symmetric.Firing{}, r.bindings...), r.round...), nil
	}
	var list []symmetric.Firing
	for _, steps := range [][]view.Step{r.prefix, r.cycle} {
		for _, s := range steps {
			if s.Stays {
				continue
			}
			f, err := bindingCalled(net, r.net.TransitionLabel(s.Transition))
			if err != nil {
				return nil, err
			}
			list = append(list, f)
		}
	}
	return list, nil
}

// bindingCalled finds the binding that an unfolded transition stands for, by its name.
func bindingCalled(net *symmetric.Net, label petri.Label) (symmetric.Firing, error) {
	for i := range net.Transitions {
		t := &net.Transitions[i]
		name := t.Name
		if name == "" {
			name = t.ID
		}
		rest, found := strings.CutPrefix(label.Name, name)
		if !found {
			continue
		}
		if rest == "" && len(t.Variables) == 0 {
			return symmetric.Firing{Transition: i}, nil
		}
		binding, ok := readBinding(t, strings.TrimSuffix(strings.TrimPrefix(rest, "["), "]"))
		if ok && t.Binding(binding) == strings.TrimSuffix(strings.TrimPrefix(rest, "["), "]") {
			return symmetric.Firing{Transition: i, Binding: binding}, nil
		}
	}
	return symmetric.Firing{}, errors.New("no binding is called " + label.Name)
}

// readBinding reads what Transition.Binding writes.
//
// Names of colours may have commas and signs of equality in them, so that the text cannot be
// split at these. A colour goes up to ",y=", where y is the next variable. If a colour has that
// in it as well, the wrong part may be cut: so who calls it writes the binding again and
// compares.
func readBinding(t *symmetric.Transition, text string) ([]int64, bool) {
	binding := make([]int64, len(t.Variables))
	for i, v := range t.Variables {
		rest, found := strings.CutPrefix(text, v.Name+"=")
		if !found {
			return nil, false
		}
		colour := rest
		text = ""
		if i+1 < len(t.Variables) {
			at := strings.Index(rest, ","+t.Variables[i+1].Name+"=")
			if at < 0 {
				return nil, false
			}
			colour, text = rest[:at], rest[at+1:]
		}
		var known bool
		if binding[i], known = v.Class.Number(colour); !known {
			return nil, false
		}
	}
	return binding, true
}

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"pnmc/cmd/pnmc/internal/told"
	"pnmc/cmd/pnmc/internal/wording"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/symmetric"
	"pnmc/play"
)

// expectedRuns is what a file that is no file of runs is told.
const expectedRuns = "expected runs as --trace writes them to a file that ends in .json"

// mostPlayed bounds the steps of a run that is read: nobody looks at more.
const mostPlayed = 1_000_000

// longestValue bounds a step, a name or a number, in bytes.
const longestValue = 16 << 20

// runReader reads runs as --trace writes them in JSON.
//
// A file may have many runs, and a short text may say that a transition fires a million times. So
// the file is not decoded as a whole: a step is read after the other, and asks the limit for what it
// becomes.
type runReader struct {
	net      *petri.Net
	coloured *symmetric.Net // that net was unfolded, or nil
	byName   map[string]petri.Transition
	limit    logic.Limit // of time and memory, or nil

	decoder *json.Decoder
	text    io.Reader
	passed  int64 // bytes of text that the decoder has
}

// What runs take, in bytes or nanoseconds, whichever is more.
const (
	stepWork   = 1 << 10 // a step that is read
	firedBytes = 4       // one of its firings
	namedBytes = 200     // a transition that can be found by its name
	valueWork  = 16      // a byte of a long value: it is copied, and becomes a map
)

// Read passes the text on to the decoder, which keeps a value as a whole.
func (r *runReader) Read(p []byte) (int, error) {
	n, err := r.text.Read(p)
	r.passed += int64(n)
	pending := r.passed - r.decoder.InputOffset()
	if pending > longestValue {
		return 0, fmt.Errorf("a value of more than %d MB", longestValue>>20)
	}
	work := n
	if pending > 1<<16 {
		work = valueWork * int(pending)
	}
	if full := r.limit.Charge(work); full != nil {
		return 0, full
	}
	return n, err
}

// toldRun is a run, or the branches of one, as it is read.
type toldRun struct {
	told          bool // the object has a run
	prefix, cycle []petri.Transition
	branches      []toldRun
	from, at      *int // of a branch
	trace         *toldRun
	name          string
}

// read reads an object a line. Objects of --format json, which have the run under the key
// trace, are read too; those without a run are passed over.
func (r *runReader) read(in io.Reader) (runs []play.Run, err error) {
	r.text, r.passed = in, 0
	r.decoder = json.NewDecoder(r)
	for number := 1; ; number++ {
		t, err := r.object()
		if err == io.EOF && number == 1 {
			return nil, errors.New(expectedRuns + ", found nothing")
		} else if err == io.EOF {
			break
		} else if wrong := (*json.SyntaxError)(nil); number == 1 && errors.As(err, &wrong) && wrong.Offset == 1 {
			return nil, errors.New(expectedRuns + ", found something else")
		} else if err != nil {
			return nil, fmt.Errorf("object %d: %w", number, err)
		}
		if t == nil {
			continue
		}
		name := wording.OneLine(t.name)
		if t.trace != nil {
			t = t.trace
		}
		if !t.told {
			continue
		}
		own, err := r.runsOf(t, name)
		if err != nil {
			return nil, fmt.Errorf("object %d: %w", number, err)
		}
		runs = append(runs, own...)
	}
	if len(runs) == 0 {
		return nil, errors.New("it has no run")
	}
	return runs, nil
}

// object reads an object with a run; it returns nil for null. At the end of the text the error is
// io.EOF.
func (r *runReader) object() (*toldRun, error) {
	if is, err := r.begins('{', "an object"); err != nil {
		return nil, err
	} else if !is {
		return nil, nil
	}
	t, err := new(toldRun), error(nil)
	for err == nil && r.decoder.More() {
		var key json.Token
		if key, err = r.decoder.Token(); err != nil {
			break
		}
		switch strings.ToLower(fmt.Sprint(key)) {
		case "name":
			err = r.decoder.Decode(&t.name)
		case "from":
			err = r.decoder.Decode(&t.from)
		case "at":
			err = r.decoder.Decode(&t.at)
		case "prefix":
			t.prefix = nil
			err = r.list(t, func() error { return r.step(&t.prefix) })
		case "cycle":
			t.cycle = nil
			err = r.list(t, func() error { return r.step(&t.cycle) })
		case "branches":
			t.branches = nil
			err = r.list(t, func() error { return r.branch(t) })
		case "trace":
			t.trace, err = r.object()
		default:
			err = r.skip()
		}
	}
	if err == nil {
		_, err = r.decoder.Token() // the end of the object
	}
	return t, inside(err)
}

// branch reads a branch of a run.
func (r *runReader) branch(t *toldRun) error {
	b, err := r.object()
	switch {
	case err != nil:
		return err
	case b == nil:
		b = new(toldRun)
	}
	t.branches = append(t.branches, *b)
	return r.limit.Charge(stepWork)
}

// inside turns the end of the text within an object into an error.
func inside(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// begins reads the bracket that an object or a list begins with. It reports false for null.
func (r *runReader) begins(bracket json.Delim, what string) (bool, error) {
	token, err := r.decoder.Token()
	switch {
	case err != nil:
		return false, err
	case token == nil:
		return false, nil
	case token != bracket:
		return false, fmt.Errorf("expected %s, found %.20v", what, token)
	}
	return true, nil
}

// list reads a list, whose elements element reads. The run has it unless it is null.
func (r *runReader) list(t *toldRun, element func() error) error {
	is, err := r.begins('[', "a list")
	if err != nil || !is {
		return err
	}
	t.told = true
	for r.decoder.More() {
		if err := element(); err != nil {
			return err
		}
	}
	_, err = r.decoder.Token() // the end of the list
	return err
}

// skip passes over a value.
func (r *runReader) skip() error {
	for depth := 0; ; {
		token, err := r.decoder.Token()
		if err != nil {
			return err
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return nil
		}
	}
}

// step reads a step, and adds the transitions that it fires.
func (r *runReader) step(list *[]petri.Transition) error {
	var s told.Step
	if err := r.decoder.Decode(&s); err != nil {
		return err
	}
	t := play.Stay
	if !s.Deadlock {
		var err error
		if t, err = r.transition(s); err != nil {
			return err
		}
	}
	times := max(1, s.Times)
	if times > mostPlayed-int64(len(*list)) {
		return fmt.Errorf("a run of more than %d steps is not played", mostPlayed)
	}
	if err := r.grow(list, int(times)); err != nil {
		return err
	}
	for range times {
		*list = append(*list, t)
	}
	return nil
}

// grow makes room for so many more transitions.
func (r *runReader) grow(list *[]petri.Transition, more int) error {
	work := stepWork
	if n := len(*list) + more; n > cap(*list) {
		work += firedBytes * (n + n/4)
	}
	if err := r.limit.Charge(work); err != nil {
		return err
	}
	*list = slices.Grow(*list, more)
	return nil
}

// runsOf returns the runs of an answer: one, or one for each branch of a formula of CTL. A
// branch that begins within another is played from the initial marking.
//
// For example, part 1 fires t1 t2 t3, and part 2 begins in part 1 after 2 firings and fires t4.
// The game has one marking and one history, so that part 2 is played as t1 t2 t4.
func (r *runReader) runsOf(t *toldRun, name string) (runs []play.Run, err error) {
	if len(t.branches) == 0 {
		return []play.Run{{Name: name, Prefix: t.prefix, Cycle: t.cycle}}, nil
	}
	lengths := make([]int, len(t.branches)) // of each branch, what leads to it left out
	for i, b := range t.branches {
		run := play.Run{Name: fmt.Sprintf("%s, part %d", name, i+1), Prefix: b.prefix, Cycle: b.cycle}
		if err := r.limit.Charge(len(name)); err != nil {
			return nil, err
		}
		lengths[i] = len(run.Prefix) + len(run.Cycle)
		if b.from != nil {
			at := 0
			if b.at != nil {
				at = *b.at
			}
			if *b.from < 0 || *b.from >= i || at < 0 {
				return nil, fmt.Errorf("branch %d begins in branch %d, which does not come before it", i, *b.from)
			}
			before := &runs[*b.from]
			if own := lengths[*b.from]; at > own {
				return nil, fmt.Errorf("branch %d begins after %d steps of branch %d, which has %d", i, at, *b.from, own)
			}
			at += len(before.Prefix) + len(before.Cycle) - lengths[*b.from]
			whole, err := r.behind(before, at, run.Prefix)
			if err != nil {
				return nil, err
			}
			run.Prefix = whole
		}
		runs = append(runs, run)
	}
	return runs, nil
}

// behind returns the first steps of a run, so many, and others behind them.
func (r *runReader) behind(before *play.Run, at int, own []petri.Transition) ([]petri.Transition, error) {
	if at+len(own) > mostPlayed {
		return nil, fmt.Errorf("a run of more than %d steps is not played", mostPlayed)
	}
	var whole []petri.Transition
	if err := r.grow(&whole, at+len(own)); err != nil {
		return nil, err
	}
	whole = append(whole, before.Prefix[:min(at, len(before.Prefix))]...)
	whole = append(whole, before.Cycle[:at-len(whole)]...)
	return append(whole, own...), nil
}

// transition finds the transition that a step names: by its identifier, by its name, or by
// that of a coloured transition with the binding.
func (r *runReader) transition(s told.Step) (petri.Transition, error) {
	if t, known := r.net.TransitionByID(s.Transition); known {
		return t, nil
	}
	if r.coloured != nil {
		if r.byName == nil {
			if err := r.limit.Charge(r.net.Transitions() * namedBytes); err != nil {
				return 0, err
			}
			r.byName = make(map[string]petri.Transition, r.net.Transitions())
			for t := range petri.Transition(r.net.Transitions()) {
				r.byName[r.net.TransitionLabel(t).Name] = t
			}
		}
		for i := range r.coloured.Transitions {
			if c := &r.coloured.Transitions[i]; c.ID == s.Transition {
				if t, known := r.byName[bindingName(c, s.Binding)]; known {
					return t, nil
				}
			}
		}
		if t, known := r.byName[s.Name]; known && s.Name != "" {
			return t, nil
		}
	}
	return 0, fmt.Errorf("the net has no transition %q", s.Transition)
}

// bindingName returns what the unfolded net calls a binding of a transition.
func bindingName(t *symmetric.Transition, binding map[string]string) string {
	name := t.Name
	if name == "" {
		name = t.ID
	}
	var parts []string
	for _, v := range t.Variables {
		parts = append(parts, v.Name+"="+binding[v.Name])
	}
	if len(parts) == 0 {
		return name
	}
	return name + "[" + strings.Join(parts, ",") + "]"
}

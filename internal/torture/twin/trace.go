package twin

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Trace is a counterexample as pnmc writes it: an object of JSON, a text, or part of a page.
type Trace struct {
	Name string
	// Title is what a text has instead of the name, which is at its end.
	Title         string
	Prefix, Cycle []Step
	// Branches are there instead if several runs show a formula of branching time.
	Branches []Branch
}

// Branch is one of several runs. It begins where the one numbered From is after At firings, or in
// the initial marking if there is no From.
type Branch struct {
	From, At      *int
	Prefix, Cycle []Step
}

// Step is a firing, or nothing where nothing can fire.
type Step struct {
	Transition string
	Name       string // if it is not the identifier
	Times      int    // how often in a row, if not once
	Deadlock   bool
}

// ReadTrace reads a line of a file of traces.
func ReadTrace(line []byte) (*Trace, error) {
	t := &Trace{}
	err := json.Unmarshal(line, t)
	return t, err
}

// mostFirings is how many firings of a trace are replayed.
const mostFirings = 1 << 20

// ErrTooLong is what the replay of a trace ends with that fires more often.
var ErrTooLong = errors.New("more firings than are replayed")

// firings returns how often transitions fire in steps, or mostFirings and more.
func firings(steps []Step) (n int) {
	for _, s := range steps {
		if n += max(1, s.Times); s.Times > mostFirings || n > mostFirings {
			return mostFirings + 1
		}
	}
	return n
}

// ReplayBranches fires all runs of a trace on the net, each from where it begins, and returns what
// is wrong with the first that can't be fired.
func (t *Trace) ReplayBranches(n *Net, atoms []*Atom) error {
	if len(t.Branches) == 0 {
		_, _, err := t.Replay(n, atoms)
		return err
	}
	for i, b := range t.Branches {
		from := *n
		if b.From != nil {
			if *b.From < 0 || *b.From >= i || b.At == nil {
				return fmt.Errorf("run %d begins in a run that does not come before it", i+1)
			}
			var err error
			if from.Initial, err = t.marking(n, *b.From, *b.At); err != nil {
				return fmt.Errorf("run %d: where it begins: %w", i+1, err)
			}
		}
		if _, _, err := (&Trace{Prefix: b.Prefix, Cycle: b.Cycle}).Replay(&from, atoms); err != nil {
			return fmt.Errorf("run %d: %w", i+1, err)
		}
	}
	return nil
}

// marking returns the marking that a branch has after some firings.
func (t *Trace) marking(n *Net, branch, firings int) ([]int64, error) {
	b := t.Branches[branch]
	m := n.Initial
	if b.From != nil {
		var err error
		if m, err = t.marking(n, *b.From, *b.At); err != nil {
			return nil, err
		}
	}
	for _, s := range slices.Concat(b.Prefix, b.Cycle) {
		for range max(1, s.Times) {
			if firings == 0 {
				return m, nil
			}
			var err error
			if m, err = n.step(m, s); err != nil {
				return nil, err
			}
			firings--
		}
	}
	if firings > 0 {
		return nil, fmt.Errorf("the run before it has %d firings too few", firings)
	}
	return m, nil
}

// Replay fires the trace on the net, and returns the marking it leads to. The word has the
// atoms' values on the way. It is nil if the cycle gains tokens, so that its next round
// may look different. A run without a cycle shows what no continuation can repair, so any will do:
// the first transition that is enabled is fired until a marking comes again, and the word is nil if
// that is not soon. An error is that a step can't be fired, or that the cycle loses tokens.
func (t *Trace) Replay(n *Net, atoms []*Atom) (*Word, []int64, error) {
	if firings(t.Prefix) > mostFirings || firings(t.Cycle) > mostFirings {
		return nil, nil, ErrTooLong
	}
	m := n.Initial
	run := func(part string, steps []Step) (letters []uint64, err error) {
		for i, s := range steps {
			for range max(1, s.Times) {
				letters = append(letters, letter(n, m, atoms))
				if m, err = n.step(m, s); err != nil {
					return nil, fmt.Errorf("%s, step %d: %w", part, i+1, err)
				}
			}
		}
		return letters, nil
	}
	w := &Word{}
	var err error
	if w.Prefix, err = run("prefix", t.Prefix); err != nil {
		return nil, nil, err
	}
	before := m
	if len(t.Cycle) == 0 {
		return n.goOn(w, m, atoms), m, nil
	}
	if w.Cycle, err = run("cycle", t.Cycle); err != nil {
		return nil, nil, err
	}
	for p := range m {
		if m[p] < before[p] {
			return nil, nil, fmt.Errorf("the cycle ends with fewer tokens in place %d than it started with", p)
		}
	}
	if !slices.Equal(before, m) {
		return nil, m, nil
	}
	return w, m, nil
}

// longest is how far a run is continued in search of a cycle.
const longest = 500

// goOn continues a word from m by the transition that is enabled first, until a marking
// comes again; nil if none does.
func (n *Net) goOn(w *Word, m []int64, atoms []*Atom) *Word {
	seen := map[string]int{}
	var letters []uint64
	for range longest {
		if at, again := seen[key(m)]; again {
			return &Word{append(w.Prefix, letters[:at]...), letters[at:]}
		}
		seen[key(m)] = len(letters)
		letters = append(letters, letter(n, m, atoms))
		for t := range n.Inputs {
			if n.Enabled(m, t) {
				next, err := n.Fire(m, t)
				if err != nil {
					return nil
				}
				m = next
				break
			}
		}
	}
	return nil
}

// step does a step. The name of an unfolded transition has its binding, which neither the
// identifier that pnmc made has, nor that of the coloured net, which all bindings share.
func (n *Net) step(m []int64, s Step) ([]int64, error) {
	if s.Deadlock {
		if !n.Deadlock(m) {
			return nil, fmt.Errorf("a transition could fire, and none does")
		}
		return m, nil
	}
	list, known := n.Bindings[inOrder(s.Name)]
	if !known {
		list = n.Transitions[s.Transition]
	}
	for _, t := range list {
		if n.Enabled(m, t) {
			return n.Fire(m, t)
		}
	}
	return nil, fmt.Errorf("transition %q is not enabled, or not there", s.Transition)
}

// inOrder returns a name such as t[y=c1,x=c0] with the variables in order.
func inOrder(name string) string {
	transition, binding, _ := strings.Cut(strings.TrimSuffix(name, "]"), "[")
	values := strings.Split(binding, ",")
	slices.Sort(values)
	return transition + "[" + strings.Join(values, ",") + "]"
}

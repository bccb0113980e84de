package twin

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Trace is a counterexample as pnmc writes it: an object of JSON.
type Trace struct {
	Name          string
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

// Replay fires the trace on the net, and returns the marking it leads to. The word has the
// atoms' values on the way. It is nil if the cycle gains tokens, so that its next round
// may look different. A run without a cycle shows what no continuation can repair, so any will do:
// the first transition that is enabled is fired until a marking comes again, and the word is nil if
// that is not soon. An error is that a step can't be fired, or that the cycle loses tokens.
func (t *Trace) Replay(n *Net, atoms []*Atom) (*Word, []int64, error) {
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

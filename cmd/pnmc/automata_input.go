package main

import (
	"errors"
	"fmt"
	"io"

	"pnmc/automata"
	"pnmc/dot"
	"pnmc/hoa"
)

// automatonReader gives one automaton after the other. Of the last one it has
// warnings, the place where it begins, and the place of each proposition's name,
// on line 0 if that is not known.
type automatonReader interface {
	Read() (*automata.Automaton, error)
	Warnings() []*hoa.Diagnostic
	Position() hoa.Position
	PropositionPosition(proposition int) hoa.Position
}

// newAutomatonReader reads what the flag of that name takes: hoa or tgta. A file
// without automata is bad input: what should have written them may have failed.
func newAutomatonReader(flag string, r io.Reader, file string) automatonReader {
	n := &nonempty{file: file}
	n.input, _ = r.(*budgetReader)
	if flag == "tgta" {
		n.automatonReader = drawings{dot.NewReader(r, file)}
	} else {
		n.automatonReader = hoa.NewReader(r, file)
	}
	return n
}

// nonempty is an automatonReader for which it is an error that nothing is there.
type nonempty struct {
	automatonReader
	file  string
	input *budgetReader // or nil
	some  bool          // an automaton was read, or it was said why not
}

func (n *nonempty) Read() (*automata.Automaton, error) {
	if n.input != nil {
		n.input.read = 0 // a long stream of short automata takes no memory
	}
	a, err := n.automatonReader.Read()
	if err == io.EOF && !n.some {
		return nil, fmt.Errorf("%s: expected an automaton, found none", n.file)
	}
	n.some = true
	return a, err
}

// drawings are testing automata as ltl2tgta draws them.
type drawings struct{ *dot.Reader }

func (d drawings) Position() hoa.Position { return hoa.Position{Line: d.Line(), Column: 1} }

func (drawings) Warnings() []*hoa.Diagnostic { return nil }

func (drawings) PropositionPosition(int) hoa.Position { return hoa.Position{} }

// skippable tells whether reading can go on with the next automaton.
func skippable(err error) bool {
	var bad *hoa.AutomatonError
	var aborted *hoa.AbortedError
	var drawn *dot.Error
	return errors.As(err, &bad) || errors.As(err, &aborted) || errors.As(err, &drawn) || isGarbage(err)
}

// isGarbage tells whether err is of text that is no automaton.
func isGarbage(err error) bool {
	var garbage *hoa.GarbageError
	return errors.As(err, &garbage)
}

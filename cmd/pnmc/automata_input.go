package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"pnmc/automata"
	"pnmc/cmd/pnmc/internal/progress"
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
	// Other is another automaton that the text may mean, or nil.
	Other() *automata.Automaton
}

// automataFlag and tgtaFlag name a file of automata of some sort. Either can be in HOA or
// drawn: the first word tells.
func automataFlag(sort string) cli.Flag {
	return &cli.StringFlag{Name: "hoa", Usage: "read " + sort + ", in HOA or drawn by Spot's ltl2tgta, from `FILE`; - is standard input", TakesFile: true}
}

func tgtaFlag(sort string) cli.Flag {
	return &cli.StringFlag{Name: "tgta", Usage: "likewise " + sort + ", as Spot's ltl2tgta draws them, from `FILE`; - is standard input", TakesFile: true}
}

// setsFlag says what some drawings don't.
func setsFlag() cli.Flag {
	return &cli.IntFlag{Name: "sets", Value: -1, DefaultText: "as drawn", Usage: "there are `N` acceptance sets where a drawing doesn't tell; 0 or 1 are enough to tell a GTA without any from other automata"}
}

// newAutomatonReader reads automata in HOA, or drawn if the first word is that of a
// drawing, or if there is none and the flag that named the file is --tgta. A file
// without automata is bad input: what should have written them may have failed.
func newAutomatonReader(c *cli.Context, flag string, r io.Reader, file string) automatonReader {
	n := &nonempty{file: file}
	n.input, _ = r.(*budgetReader)
	text, first := dot.FirstWord(r)
	if first == dot.Drawing || first == dot.Nothing && flag == "tgta" {
		d := dot.NewReader(text, file)
		if sets := c.Int("sets"); c.IsSet("sets") && sets >= 0 {
			d.AssumeSets(sets)
		}
		n.automatonReader = drawings{d}
	} else {
		reader := hoa.NewReader(text, file)
		if n.input != nil {
			reader.LimitBy(n.input.reserve)
		}
		n.automatonReader = inHOA{reader}
	}
	return n
}

// warnOf tells what is noteworthy of the automaton read last.
func warnOf(m *progress.Messenger, reader automatonReader) {
	for _, w := range reader.Warnings() {
		place := *w
		place.Message = ""
		m.Warn("warning: "+place.Error(), w.Message)
	}
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
		n.input.begin() // a long stream of short automata takes no memory
	}
	a, err := n.automatonReader.Read()
	if err == io.EOF && !n.some {
		return nil, fmt.Errorf("%s: expected an automaton, found none", n.file)
	}
	n.some = true
	return a, err
}

// inHOA are automata in HOA, which means one automaton.
type inHOA struct{ *hoa.Reader }

// Other is nil.
func (inHOA) Other() *automata.Automaton { return nil }

// drawings are testing automata as ltl2tgta draws them.
type drawings struct{ *dot.Reader }

func (d drawings) Position() hoa.Position { return hoa.Position{Line: d.Line(), Column: 1} }

// Warnings tells of a drawing that can be read in two ways.
func (d drawings) Warnings() []*hoa.Diagnostic {
	_, doubt := d.Unsure()
	if doubt == nil {
		return nil
	}
	return []*hoa.Diagnostic{{
		File: doubt.File, Position: hoa.Position{Line: doubt.Line, Column: doubt.Column},
		Message: doubt.Message + "; --sets 0 or --sets 1 says which",
	}}
}

// Other is the second of two ways.
func (d drawings) Other() *automata.Automaton {
	other, _ := d.Unsure()
	return other
}

func (drawings) PropositionPosition(int) hoa.Position { return hoa.Position{} }

// skippable reports whether reading can go on with the next automaton.
func skippable(err error) bool {
	var bad *hoa.AutomatonError
	var aborted *hoa.AbortedError
	var drawn *dot.Error
	return errors.As(err, &bad) || errors.As(err, &aborted) || errors.As(err, &drawn) || isGarbage(err)
}

// isGarbage reports whether err is of text that is no automaton.
func isGarbage(err error) bool {
	var garbage *hoa.GarbageError
	return errors.As(err, &garbage)
}

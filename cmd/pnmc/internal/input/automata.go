package input

import (
	"errors"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"pnmc/automata"
	"pnmc/cmd/pnmc/internal/progress"
	"pnmc/dot"
	"pnmc/hoa"
	"pnmc/internal/firstword"
)

// AutomatonReader gives one automaton after the other. Of the last one it has
// warnings, the place where it begins, and the place of each proposition's name,
// on line 0 if that is not known.
type AutomatonReader interface {
	Read() (*automata.Automaton, error)
	Warnings() []*hoa.Diagnostic
	Position() hoa.Position
	PropositionPosition(proposition int) hoa.Position
	// Other returns another automaton that the text may mean, or nil.
	Other() *automata.Automaton
}

// AutomataFlag and TGTAFlag name a file of automata of some sort. Either can be in HOA or
// drawn: the first word decides.
func AutomataFlag(sort string) cli.Flag {
	return &cli.StringFlag{Name: "hoa", Usage: "read " + sort + ", in HOA or drawn by Spot's ltl2tgta, from `FILE`; - is standard input", TakesFile: true}
}

// TGTAFlag reads testing automata.
func TGTAFlag(sort string) cli.Flag {
	return &cli.StringFlag{Name: "tgta", Usage: "likewise " + sort + ", as Spot's ltl2tgta draws them, from `FILE`; - is standard input", TakesFile: true}
}

// SetsFlag says what some drawings don't.
func SetsFlag() cli.Flag {
	return &cli.IntFlag{Name: "sets", Value: -1, DefaultText: "as drawn", Usage: "there are `N` acceptance sets where a drawing doesn't tell; 0 or 1 are enough to tell a GTA without any from other automata"}
}

// StrictFlag has texts refused that are otherwise warned of.
func StrictFlag() cli.Flag {
	return &cli.BoolFlag{Name: "strict", Usage: "refuse automata in HOA that the format does not allow though their meaning is clear, and that have false hints among their properties, instead of warning"}
}

// NewAutomatonReader reads automata in HOA, or drawn if the first word is that of a
// drawing, or if there is none and the flag that named the file is --tgta. A file
// without automata is bad input: what should have written them may have failed.
func NewAutomatonReader(c *cli.Context, flag string, r io.Reader, file string) AutomatonReader {
	n := &nonempty{file: file}
	n.input, _ = r.(*budgetReader)
	text, first := firstword.Of(r)
	if first == firstword.Drawing || first == firstword.Nothing && flag == "tgta" {
		d := dot.NewReader(text, file)
		if n.input != nil {
			d.LimitBy(n.input.reserve)
		}
		if sets := c.Int("sets"); c.IsSet("sets") && sets >= 0 {
			d.AssumeSets(sets)
		}
		n.AutomatonReader = drawings{d}
	} else {
		reader := hoa.NewReader(text, file)
		if c.Bool("strict") {
			reader.BeStrict()
		}
		if n.input != nil {
			reader.LimitBy(n.input.reserve)
		}
		n.AutomatonReader = inHOA{reader}
	}
	return n
}

// WarnOf reports what is noteworthy of the automaton read last.
func WarnOf(m *progress.Messenger, reader AutomatonReader) {
	for _, w := range reader.Warnings() {
		place := *w
		place.Message = ""
		m.Warn("warning: "+place.Error(), w.Message)
	}
}

// nonempty is an AutomatonReader for which it is an error that nothing is there.
type nonempty struct {
	AutomatonReader
	file  string
	input *budgetReader // or nil
	some  bool          // an automaton was read, or it was said why not
}

// Read reads the next automaton. A stream that ends without any is bad input, not an end.
func (n *nonempty) Read() (*automata.Automaton, error) {
	if n.input != nil {
		n.input.begin() // a long stream of short automata takes no memory
	}
	a, err := n.AutomatonReader.Read()
	if err == io.EOF && !n.some {
		return nil, fmt.Errorf("%s: expected an automaton, found none", n.file)
	}
	n.some = true
	return a, err
}

// inHOA are automata in HOA, which means one automaton.
type inHOA struct{ *hoa.Reader }

// Other returns nil.
func (inHOA) Other() *automata.Automaton { return nil }

// drawings are testing automata as ltl2tgta draws them.
type drawings struct{ *dot.Reader }

// Position returns the line in which the last drawing begins.
func (d drawings) Position() hoa.Position { return hoa.Position{Line: d.Line(), Column: 1} }

// Warnings report a drawing that can be read in two ways.
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

// Other returns the second of two ways.
func (d drawings) Other() *automata.Automaton {
	other, _ := d.Unsure()
	return other
}

// PropositionPosition returns none.
func (drawings) PropositionPosition(int) hoa.Position { return hoa.Position{} }

// Skippable reports whether reading can go on with the next automaton.
func Skippable(err error) bool {
	var bad *hoa.AutomatonError
	var aborted *hoa.AbortedError
	var drawn *dot.Error
	return errors.As(err, &bad) || errors.As(err, &aborted) || errors.As(err, &drawn) || IsGarbage(err)
}

// IsGarbage reports whether err is of text that is no automaton.
func IsGarbage(err error) bool {
	var garbage *hoa.GarbageError
	return errors.As(err, &garbage)
}

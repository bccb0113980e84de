package dot

import (
	"errors"

	"pnmc/automata"
	"pnmc/automata/bdd"
	"pnmc/internal/account"
	"pnmc/internal/bitset"
)

const (
	// functionNodes bounds the decision diagrams of initial valuations.
	functionNodes = 1 << 20
	// diagramBytes is about what diagrams grow by between two looks at their context.
	diagramBytes = 1 << 17
	// formulaBytes is what a character of a formula takes as a part of its tree.
	formulaBytes = 40
	// meaningBytes is what a meaning takes, without its parts.
	meaningBytes = 64
	// wordBytes and sliceBytes are what words take, and slices beside their elements.
	wordBytes  = 8
	sliceBytes = 24
)

// meaning is what a label stands for.
type meaning struct {
	read    bool
	formula *formula       // of first valuations
	letters automata.Label // the valuations, or one changeset
	empty   bool           // nothing changes
	sets    []int
}

var (
	errNoLabel = errors.New("an edge without a label")
	errNoSets  = errors.New("a label without acceptance sets, which are drawn below it, as {} where there are none")
)

// understand reads the labels of all edges. First valuations come first, as they
// make the propositions known.
//
// The order matters as labels mean nothing by themselves. The changeset {b} is a letter over all
// propositions: b changes, and each other one does not. Which others there are is only said by
// first valuations, such as a & !b, which name all of them. And a valuation that leaves one open
// is a function of all of them, whose decision diagram needs their number first. So formulas are
// read in one pass, made letters in a second one, and changesets come last.
func (d *drawn) understand() error {
	n := len(d.labels.texts)
	if err := d.ask(2 * meaningBytes * n); err != nil {
		return err
	}
	d.starting, d.changing = make([]meaning, n), make([]meaning, n)
	if err := d.read(d.starts, d.starting, d.readStart); err != nil {
		return err
	}
	if err := d.makeLetters(); err != nil {
		return err
	}
	return d.read(d.edges, d.changing, d.readChange)
}

// makeLetters makes the valuations of the edges that read the first one. It ends where they have become too
// many for an automaton (see checkSize).
func (d *drawn) makeLetters() error {
	functions := bdd.New(len(d.labels.names), functionNodes)
	if d.limit != nil {
		functions.Watch(account.Asking(d.ask, diagramBytes))
	}
	words, each := 0, 2*automata.WordsFor(len(d.labels.names))
	for _, e := range d.starts {
		m := &d.starting[e.label]
		if m.formula != nil {
			if err := d.ask(wordBytes*each + sliceBytes); err != nil {
				return err
			}
			var err error
			if m.letters, err = m.formula.letters(functions, len(d.labels.names)); err != nil {
				return problem(e.at(), "%v", err)
			}
			m.formula = nil
		}
		if words += each * len(m.letters); words > wordsBound {
			return d.tooManyLetters(e)
		}
	}
	return nil
}

// read reads the label of each edge, once each.
func (d *drawn) read(edges []drawnEdge, all []meaning, read func(e drawnEdge, m *meaning) error) error {
	for _, e := range edges {
		if e.label == noLabel {
			return problem(e.at(), "%v", errNoLabel)
		}
		m := &all[e.label]
		if m.read {
			continue
		}
		m.read = true
		if err := read(e, m); err != nil {
			return problem(e.at(), "%v", err)
		}
	}
	return nil
}

// readStart reads the label of an edge that reads the first valuation: a formula, and acceptance
// sets. Labelled arrows to initial states may lack the sets.
func (d *drawn) readStart(e drawnEdge, m *meaning) (err error) {
	letter, sets, hasSets := d.labels.parts(e.label)
	if err := d.ask(formulaBytes * len(letter)); err != nil {
		return err
	}
	if m.formula, err = d.labels.parseFormula(letter); err != nil {
		return err
	}
	return d.readSets(e, m, sets, hasSets || d.root < 0)
}

// readChange reads the label of an edge other than an arrow to an initial state: the set of
// propositions that change, and acceptance sets. No change is marked as empty.
func (d *drawn) readChange(e drawnEdge, m *meaning) error {
	letter, sets, hasSets := d.labels.parts(e.label)
	if err := d.ask(len(letter) + 2*wordBytes*automata.WordsFor(len(d.labels.names))); err != nil {
		return err
	}
	changes, err := d.labels.parseChanges(letter)
	if err != nil {
		return err
	}
	m.empty = len(changes) == 0
	m.letters = automata.Label{exactly(len(d.labels.names), changes)}
	return d.readSets(e, m, sets, hasSets)
}

// readSets reads acceptance sets, and notes where each set number was met first, for messages
// about it. It is errNoSets if none are drawn.
func (d *drawn) readSets(e drawnEdge, m *meaning, text string, drawn bool) (err error) {
	if !drawn {
		return errNoSets
	}
	if err := d.ask(wordBytes * len(text)); err != nil {
		return err
	}
	if m.sets, err = parseSets(text); err != nil {
		return err
	}
	for _, set := range m.sets {
		for len(d.mentioned) <= set {
			d.mentioned = append(d.mentioned, position{})
		}
		if d.mentioned[set] == (position{}) {
			d.mentioned[set] = e.at()
		}
	}
	return nil
}

// exactly returns the cube of one valuation or changeset, that of these propositions.
func exactly(propositions int, in []int) automata.Cube {
	v := make(automata.Valuation, automata.WordsFor(propositions))
	for _, p := range in {
		bitset.Add(v, p)
	}
	return automata.CompleteCube(propositions, v)
}

// letters returns the valuations that satisfy f. Spot draws one: then f is a conjunction
// of literals, which needs no decision diagram.
func (f *formula) letters(functions *bdd.Functions, propositions int) (automata.Label, error) {
	cube := automata.NewCube(propositions)
	literals := []*formula{f}
	if f.operator == '&' {
		literals = f.operands
	}
	for _, l := range literals {
		positive := l.operator != '!'
		if !positive {
			l = l.operands[0]
		}
		if l.operator != 'p' {
			return functions.Label(f.function(functions))
		}
		if some, other := cube.Literal(l.proposition); some && other != positive {
			return nil, nil
		}
		cube = cube.With(l.proposition, positive)
	}
	return automata.Label{cube}, nil
}

// function returns f as a decision diagram.
func (f *formula) function(functions *bdd.Functions) bdd.Function {
	switch f.operator {
	case 'p':
		return functions.Proposition(f.proposition)
	case '0':
		return bdd.FalseFunction
	case '1':
		return bdd.TrueFunction
	case '!':
		return functions.Not(f.operands[0].function(functions))
	}
	result := f.operands[0].function(functions)
	for _, g := range f.operands[1:] {
		if f.operator == '&' {
			result = functions.And(result, g.function(functions))
		} else {
			result = functions.Or(result, g.function(functions))
		}
	}
	return result
}

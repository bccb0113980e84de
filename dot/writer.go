package dot

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"pnmc/automata"
	"pnmc/internal/account"
)

// Style says how automata are drawn. Its fields are for testing automata; the zero value draws
// them as ltl2tgta does without flags.
type Style struct {
	// UTF8 draws valuations with mathematical symbols, as ltl2tgta -8 does.
	UTF8 bool
	// Generalized draws one with livelock acceptance as ltl2tgta --gta does: acceptance
	// sets are on edges only, also where all those of a state are in the only set.
	Generalized bool
}

// Write draws an automaton from left to right.
//
// A testing automaton is drawn as Spot's ltl2tgta draws it, an edge for each valuation or
// changeset; what the drawing shows can be read with a Reader. There must not be more than 2^21
// of them. Another automaton has labels with the names of the propositions, and acceptance sets
// as numbers in braces. If all edges of each state have the same sets, these stand on the states;
// in Büchi automata they are a double border.
//
// If the context ends, or the memory that it carries is used up, the error is the reason.
// Then nothing of a testing automaton is written. Of another automaton whole lines are
// written, without the closing brace.
//
// For example, an automaton of GFa:
//
//	digraph "GFa" {
//	  rankdir=LR
//	  node [shape=circle]
//	  I0 [label="", style=invis, width=0]
//	  I0 -> 0
//	  0 [label="0"]
//	  0 -> 0 [label="a\n{0}"]
//	  0 -> 0 [label="!a"]
//	}
func (style Style) Write(ctx context.Context, w io.Writer, a *automata.Automaton) error {
	work := account.Of(ctx)
	if a.Kind != automata.Plain {
		return writeTesting(work, w, a, style)
	}
	d := drawing{Writer: bufio.NewWriter(w), a: a, onStates: true, work: account.Meter{Account: work}}
	for s := range automata.State(a.States()) {
		if d.onStates = d.onStates && sameMarks(a, s); !d.work.Asked(account.EdgeWork * edges(a, s)) {
			return d.work.End // nothing is written
		}
	}
	fmt.Fprintf(d, "digraph %s {\n  rankdir=LR\n  node [shape=circle]\n", quote(a.Name))
	if !a.Acceptance.IsGeneralizedBuchi() || a.Acceptance.Sets > 1 {
		fmt.Fprintf(d, "  label=%s\n  labelloc=t\n", quote(a.Acceptance.Condition.String()))
	}
	for i, s := range a.Initial() {
		fmt.Fprintf(d, "  I%d [label=\"\", style=invis, width=0]\n  I%d -> %d\n", i, i, s)
	}
	for s := range automata.State(a.States()) {
		if d.state(s); d.work.End != nil {
			return errors.Join(d.work.End, d.Flush())
		}
	}
	d.WriteString("}\n")
	return d.Flush()
}

// edges returns the number of edges of a state, and one for the state.
func edges(a *automata.Automaton, s automata.State) int {
	first, end := a.Out(s)
	return int(1 + end - first)
}

// drawing writes one automaton; an error stays in the bufio.Writer.
type drawing struct {
	*bufio.Writer
	a        *automata.Automaton
	onStates bool          // the marks are drawn
	work     account.Meter // at its end what is drawn is cut
}

// labelWork is about what it takes to write a line, and each proposition of a label, in bytes or
// nanoseconds, beside the names of propositions.
const labelWork = 64

// timesWritten is how often there is a label while it is written: a name in quotes, the names of a
// cube, all cubes, and that in quotes.
const timesWritten = 4

// labelRoom asks for room for the label of an edge: names may be long, and stand in each label.
func labelRoom(work *account.Account, a *automata.Automaton, e automata.Edge) error {
	size := labelWork
	for i := range a.Cubes(e) {
		c := a.Cube(e, i)
		for p, name := range a.Propositions {
			size += labelWork
			if occurs, _ := c.Literal(p); occurs {
				size += timesWritten * len(name)
			}
		}
		if err := work.Charge(labelWork); err != nil {
			return err
		}
	}
	return work.Reserve(size)
}

// state writes a state with its edges, or as many as there is time for.
func (d *drawing) state(s automata.State) {
	if !d.work.Asked(account.StateWork) {
		return
	}
	a := d.a
	first, end := a.Out(s)
	text := stateName(a.StateNames, s)
	border := ""
	if d.onStates && first < end && a.Marks(first).Count() > 0 {
		if a.Acceptance.Name == "Buchi" {
			border = ", peripheries=2"
		} else {
			text += "\n" + marks(a, first)
		}
	}
	fmt.Fprintf(d, "  %d [label=%s%s]\n", s, quote(text), border)
	for e := first; e < end; e++ {
		if d.work.End == nil {
			d.work.End = labelRoom(d.work.Account, a, e)
		}
		if d.work.End != nil {
			return
		}
		text := label(a, e)
		if m := marks(a, e); m != "" && !d.onStates {
			text += "\n" + m
		}
		fmt.Fprintf(d, "  %d -> %d [label=%s]\n", s, a.Destination(e), quote(text))
	}
}

// label returns the label of an edge with the names of the propositions.
func label(a *automata.Automaton, e automata.Edge) string {
	if a.Cubes(e) == 0 {
		return "0"
	}
	cubes := make([]string, a.Cubes(e))
	for i := range cubes {
		cubes[i] = conjunction(a, a.Cube(e, i))
	}
	return strings.Join(cubes, " | ")
}

// conjunction returns a cube as text, such as "a & !b", and "1" for one without literals.
func conjunction(a *automata.Automaton, c automata.Cube) string {
	var literals []string
	for p, name := range a.Propositions {
		switch occurs, positive := c.Literal(p); {
		case occurs && positive:
			literals = append(literals, operand(name))
		case occurs:
			literals = append(literals, "!"+operand(name))
		}
	}
	if len(literals) == 0 {
		return "1"
	}
	return strings.Join(literals, " & ")
}

// operand returns a proposition's name, in quotes unless Spot reads it without.
func operand(name string) string {
	if isBareWord(name) && !isReserved(name) {
		return name
	}
	return quotedName(name)
}

// quotedName returns a proposition's name in quotes, as it stands in formulas.
func quotedName(name string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(name) + `"`
}

// isBareWord reports whether Spot writes a word without quotes: letters, digits, _ and
// dots, the first not being a digit.
func isBareWord(word string) bool {
	for i := 0; i < len(word); i++ {
		c := word[i]
		letter := c == '_' || c == '.' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return word != ""
}

// isReserved reports whether a word in a formula would be read as an operator or a
// constant, or, as Fa, begins with an operator.
func isReserved(word string) bool {
	switch word {
	case "U", "W", "R", "V", "M", "xor", "not":
		return true
	}
	return strings.EqualFold(word, "true") || strings.EqualFold(word, "false") || strings.IndexByte("FGX", word[0]) >= 0
}

// marks returns the acceptance sets of an edge in braces, or empty for none.
func marks(a *automata.Automaton, e automata.Edge) string {
	var sets []string
	for i := range a.Acceptance.Sets {
		if a.Marks(e).Has(i) {
			sets = append(sets, fmt.Sprint(i))
		}
	}
	if sets == nil {
		return ""
	}
	return "{" + strings.Join(sets, ",") + "}"
}

// sameMarks reports whether all edges of s have the same marks.
func sameMarks(a *automata.Automaton, s automata.State) bool {
	first, end := a.Out(s)
	for e := first; e < end; e++ {
		if !slices.Equal(a.Marks(e), a.Marks(first)) {
			return false
		}
	}
	return true
}

// quote returns s as a DOT string; a new line is Graphviz's centred line break.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}

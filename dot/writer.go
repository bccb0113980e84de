package dot

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"pnmc/automata"
)

// Write draws an automaton from left to right: labels with the names of the
// propositions, acceptance sets as numbers in braces. Where all edges of each
// state have the same sets they stand on the states, or are a double border in
// Büchi automata. Labels of testing automata beyond initial states are written
// as changesets, {a} for one that a is in, a* for one that it may be in.
func Write(w io.Writer, a *automata.Automaton) error {
	d := drawing{Writer: bufio.NewWriter(w), a: a}
	d.onStates = a.Kind == automata.Plain
	for s := range automata.State(a.States()) {
		d.onStates = d.onStates && sameMarks(a, s)
	}
	fmt.Fprintf(d, "digraph %s {\n  rankdir=LR\n  node [shape=circle]\n", quote(a.Name))
	if !a.Acceptance.IsGeneralizedBuchi() || a.Acceptance.Sets > 1 {
		fmt.Fprintf(d, "  label=%s\n  labelloc=t\n", quote(a.Acceptance.Condition.String()))
	}
	for i, s := range a.Initial() {
		fmt.Fprintf(d, "  I%d [label=\"\", style=invis, width=0]\n  I%d -> %d\n", i, i, s)
	}
	for s := range automata.State(a.States()) {
		d.state(s)
	}
	d.WriteString("}\n")
	return d.Flush()
}

// drawing writes one automaton; an error stays in the bufio.Writer.
type drawing struct {
	*bufio.Writer
	a        *automata.Automaton
	onStates bool // the marks are drawn
}

func (d *drawing) state(s automata.State) {
	a := d.a
	first, end := a.Out(s)
	label := fmt.Sprint(s)
	if a.StateNames != nil && a.StateNames[s] != "" {
		label = a.StateNames[s]
	}
	border := ""
	if d.onStates && first < end && a.Marks(first).Count() > 0 {
		if a.Acceptance.Name == "Buchi" {
			border = ", peripheries=2"
		} else {
			label += "\n" + marks(a, first)
		}
	}
	fmt.Fprintf(d, "  %d [label=%s%s]\n", s, quote(label), border)
	initial := slices.Contains(a.Initial(), s)
	for e := first; e < end; e++ {
		label := Label(a, e, initial)
		if m := marks(a, e); m != "" && !d.onStates {
			label += "\n" + m
		}
		fmt.Fprintf(d, "  %d -> %d [label=%s]\n", s, a.Destination(e), quote(label))
	}
}

// Label is the label of an edge with the names of the propositions: a formula,
// or, for a testing automaton's edge that doesn't leave an initial state, its
// changesets.
func Label(a *automata.Automaton, e automata.Edge, initial bool) string {
	if a.Cubes(e) == 0 {
		return "0"
	}
	cubes := make([]string, a.Cubes(e))
	for i := range cubes {
		if a.Kind == automata.Plain || initial {
			cubes[i] = conjunction(a, a.Cube(e, i))
		} else {
			cubes[i] = changeset(a, a.Cube(e, i))
		}
	}
	return strings.Join(cubes, " | ")
}

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

// changeset lists the propositions that change, and with '*' those that may.
func changeset(a *automata.Automaton, c automata.Cube) string {
	var members []string
	for p, name := range a.Propositions {
		switch occurs, positive := c.Literal(p); {
		case occurs && positive:
			members = append(members, operand(name))
		case !occurs:
			members = append(members, operand(name)+"*")
		}
	}
	return "{" + strings.Join(members, ", ") + "}"
}

// operand is a proposition's name, quoted unless it is an identifier.
func operand(name string) string {
	for i, c := range name {
		letter := c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(name) + `"`
		}
	}
	if name == "" {
		return `""`
	}
	return name
}

// marks is the acceptance sets of an edge in braces, or empty for none.
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

// sameMarks tells whether all edges of s have the same marks.
func sameMarks(a *automata.Automaton, s automata.State) bool {
	first, end := a.Out(s)
	for e := first; e < end; e++ {
		if !slices.Equal(a.Marks(e), a.Marks(first)) {
			return false
		}
	}
	return true
}

// quote is s as a DOT string; a new line is Graphviz's centred line break.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}

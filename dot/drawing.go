package dot

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"pnmc/automata"
	"pnmc/internal/account"
)

// initialName is what Spot calls the artificial initial state.
const initialName = "init"

// writeTesting draws a testing automaton as Spot's ltl2tgta does. It reads its own
// drawing. If that gives another automaton, a comment in the drawing says what is
// meant.
//
// A drawing says less than an automaton has: it mentions only those acceptance sets that some
// edge is in, and only those propositions that a first valuation names. Whether that loses
// something is not decided by rules, which might be wrong, but by reading the drawing back. If
// another automaton comes out, it is drawn once more with a comment that names the kind, the sets
// and the propositions. Graphviz shows no comments, and the reader of this package knows them.
func writeTesting(work *account.Account, w io.Writer, a *automata.Automaton, style Style) error {
	a, err := spotForm(work, a)
	if err != nil {
		return err
	}
	d := testingDrawing{a: a, style: style, sets: a.Acceptance.Sets, work: work}
	if a.Kind == automata.TA {
		d.sets, _ = a.Acceptance.LivelockSets()
	}
	for range 2 {
		if err := d.draw(); err != nil {
			return err
		}
		if d.Len() > graphSize {
			return &DrawingError{true, fmt.Sprintf("the drawing has more than %d bytes: the automaton can be written as HOA", graphSize)}
		}
		r := NewReader(bytes.NewReader(d.Bytes()), "")
		var over error
		r.LimitBy(func(bytes int) error {
			over = work.Charge(bytes)
			return over
		})
		read, err := r.Read()
		if over != nil {
			return over
		}
		if err == nil && r.unsure == nil && sameAutomaton(a, read) {
			_, err = w.Write(d.Bytes())
			return err
		}
		d.hint = (&hint{a.Kind, d.sets}).text(a.Propositions)
	}
	return &DrawingError{Message: "the automaton can't be drawn: the drawing would be read as another one"}
}

// DrawingError reports that a testing automaton can't be drawn. Nothing of it was
// written.
type DrawingError struct {
	// TooLarge: it only has too many valuations and changesets.
	TooLarge bool
	Message  string
}

func (e *DrawingError) Error() string { return e.Message }

// sameAutomaton reports whether two automata have the same drawing.
func sameAutomaton(a, b *automata.Automaton) bool {
	if a.Kind != b.Kind || a.States() != b.States() || a.Edges() != b.Edges() || a.Acceptance.Sets != b.Acceptance.Sets ||
		!slices.Equal(a.Propositions, b.Propositions) || !slices.Equal(a.StateNames, b.StateNames) ||
		!slices.Equal(a.AllMarks(), b.AllMarks()) {
		return false
	}
	for e := range automata.Edge(a.Edges()) {
		if a.Source(e) != b.Source(e) || a.Destination(e) != b.Destination(e) || a.Cubes(e) != 1 || b.Cubes(e) != 1 ||
			!slices.Equal(a.Cube(e, 0), b.Cube(e, 0)) {
			return false
		}
	}
	return true
}

// keywords are words of Graphviz's language. As names they need quotes, and so do names
// with dots; Spot has no such names.
var keywords = []string{"node", "edge", "graph", "digraph", "subgraph", "strict"}

// testingDrawing draws an automaton in Spot's form.
type testingDrawing struct {
	bytes.Buffer
	a     *automata.Automaton
	style Style
	sets  int    // of the drawing
	hint  string // or empty
	work  *account.Account
}

// draw draws all states. It ends early if the drawing becomes larger than graphSize; the caller
// reports that. The work is charged state by state, so that limits are noticed within a large
// automaton.
func (d *testingDrawing) draw() error {
	d.Reset()
	d.WriteString("digraph G {\n  rankdir=LR\n")
	if d.hint != "" {
		fmt.Fprintf(d, "  comment=%s\n", quote(d.hint))
	}
	d.WriteString("  0 [label=\"\", style=invis, height=0]\n  0 -> 1\n")
	for s := range automata.State(d.a.States()) {
		before := d.Len()
		if err := d.state(s); err != nil {
			return err
		}
		if err := d.work.Charge(account.StateWork + drawnTwice*(d.Len()-before)); err != nil {
			return err
		}
		if d.Len() > graphSize {
			break // which is told
		}
	}
	d.WriteString("}\n")
	return nil
}

// drawnTwice: what is drawn is read again.
const drawnTwice = 2

// state draws a state and its edges. Node 0 being invisible, nodes are numbered one
// higher than states. An error is that of the account.
func (d *testingDrawing) state(s automata.State) error {
	first, end := d.a.Out(s)
	livelocks := d.a.Kind == automata.TA && s != 0
	style := ""
	if livelocks && d.isBuchi(s) {
		style = ",peripheries=2"
	}
	if livelocks && slices.ContainsFunc(d.edges(first, end), func(e automata.Edge) bool { return d.a.Marks(e).Has(d.sets) }) {
		style += ",shape=box"
	}
	name := initialName
	if s != 0 {
		name = stateName(d.a.StateNames, s)
	}
	if !isBareWord(name) || strings.Contains(name, ".") || slices.Contains(keywords, strings.ToLower(name)) {
		name = quote(name)
	}
	fmt.Fprintf(d, "  %d [label=%s%s]\n", s+1, name, style)
	for e := first; e < end; e++ {
		if livelocks && isStutter(d.a.Cube(e, 0)) {
			continue
		}
		if err := labelRoom(d.work, d.a, e); err != nil {
			return err
		}
		label := d.letter(d.a.Cube(e, 0), s == 0) + "\n{" + joined(d.marks(e)) + "}"
		fmt.Fprintf(d, "  %d -> %d [label=%s]\n", s+1, d.a.Destination(e)+1, quote(label))
	}
	return nil
}

// edges lists the edges from first to end, end excluded.
func (d *testingDrawing) edges(first, end automata.Edge) []automata.Edge {
	all := make([]automata.Edge, 0, end-first)
	for e := first; e < end; e++ {
		all = append(all, e)
	}
	return all
}

// isBuchi reports whether a state is drawn as Büchi-accepting, as Spot does in TA.
func (d *testingDrawing) isBuchi(s automata.State) bool {
	changes := 0
	for e, end := d.a.Out(s); e < end; e++ {
		if isStutter(d.a.Cube(e, 0)) {
			continue
		}
		if changes++; !d.a.Marks(e).Has(0) {
			return false
		}
	}
	return changes > 0 && d.sets == 1 && !d.style.Generalized
}

// marks returns the sets of the drawing that an edge is in.
func (d *testingDrawing) marks(e automata.Edge) []string {
	var sets []string
	for set := range d.sets {
		if d.a.Marks(e).Has(set) {
			sets = append(sets, strconv.Itoa(set))
		}
	}
	return sets
}

func joined(sets []string) string { return strings.Join(sets, ",") }

// letter returns a valuation as a conjunction, or a changeset.
func (d *testingDrawing) letter(c automata.Cube, valuation bool) string {
	var parts []string
	for p, name := range d.a.Propositions {
		_, holds := c.Literal(p)
		switch name := operand(name); {
		case holds:
			parts = append(parts, name)
		case !valuation:
		case d.style.UTF8 && len(name) == 1:
			parts = append(parts, name+overline)
		case d.style.UTF8:
			parts = append(parts, "¬"+name)
		default:
			parts = append(parts, "!"+name)
		}
	}
	switch {
	case !valuation:
		return "{" + strings.Join(parts, ", ") + "}"
	case len(parts) == 0:
		return "1"
	case d.style.UTF8:
		return strings.Join(parts, "∧")
	}
	return strings.Join(parts, " & ")
}

// stateName returns a state's name, or its number.
func stateName(names []string, s automata.State) string {
	if names == nil || names[s] == "" {
		return strconv.Itoa(int(s))
	}
	return names[s]
}

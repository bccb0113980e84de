package exchange

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"pnmc/petri"
)

// WriteDOT draws the net for Graphviz: places as circles with their initial
// tokens and capacities, transitions as boxes, weights on arcs where they are not one.
// Inhibitor arcs end in a circle, reset arcs in two arrow heads.
func WriteDOT(w io.Writer, net *petri.Net) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "digraph %s {\n  rankdir=LR\n  node [fontsize=10]\n", quoteDOT(net.ID))
	for p := range petri.Place(net.Places()) {
		label := net.PlaceLabel(p)
		text := label.ID
		if label.Name != "" && label.Name != label.ID {
			text += "\n" + label.Name
		}
		if n := net.InitialTokens(p); n > 0 {
			text += "\n" + strconv.FormatInt(n, 10)
		}
		if c := net.Capacity(p); c != petri.Unbounded {
			text += "\n≤ " + strconv.FormatInt(c, 10)
		}
		fmt.Fprintf(out, "  p%d [shape=circle, label=%s]\n", p, quoteDOT(text))
	}
	for t := range petri.Transition(net.Transitions()) {
		label := net.TransitionLabel(t)
		text := label.ID
		if label.Name != "" && label.Name != label.ID {
			text += "\n" + label.Name
		}
		fmt.Fprintf(out, "  t%d [shape=box, label=%s]\n", t, quoteDOT(text))
		for _, a := range net.Pre(t) {
			fmt.Fprintf(out, "  p%d -> t%d%s\n", a.Place, t, weightDOT(a.Weight))
		}
		for _, a := range net.Inhibitors(t) {
			fmt.Fprintf(out, "  p%d -> t%d [arrowhead=odot%s]\n", a.Place, t, inhibitorText(a.Weight))
		}
		for _, p := range net.Resets(t) {
			fmt.Fprintf(out, "  p%d -> t%d [arrowhead=normalnormal]\n", p, t)
		}
		for _, a := range net.Post(t) {
			fmt.Fprintf(out, "  t%d -> p%d%s\n", t, a.Place, weightDOT(a.Weight))
		}
	}
	fmt.Fprintln(out, "}")
	return out.Flush()
}

// inhibitorText labels an inhibitor arc with its weight, if it is not one.
func inhibitorText(weight int64) string {
	if weight == 1 {
		return ""
	}
	return fmt.Sprintf(", label=\"%d\"", weight)
}

// weightDOT returns the label of an arc: a weight of 1 is not written.
func weightDOT(weight int64) string {
	if weight == 1 {
		return ""
	}
	return fmt.Sprintf(" [label=\"%d\"]", weight)
}

// quoteDOT quotes text: in the DOT language only quotes, and backslashes before
// them, are special in a string; a line break is written as an escape.
func quoteDOT(text string) string {
	quoted := make([]byte, 0, len(text)+2)
	quoted = append(quoted, '"')
	for i := range len(text) {
		switch c := text[i]; c {
		case '"', '\\':
			quoted = append(quoted, '\\', c)
		case '\n':
			quoted = append(quoted, '\\', 'n')
		default:
			quoted = append(quoted, c)
		}
	}
	return string(append(quoted, '"'))
}

package draw

import (
	"fmt"
	"strings"

	"pnmc/internal/torture/twin"
)

// DrawingKinds returns the names of the kinds of drawings of testing automata.
func DrawingKinds() []string {
	return []string{"drawing-small", "drawing-large", "drawing-formulas", "drawing-damaged", "drawing-long"}
}

// NewDrawing draws a testing automaton for Graphviz, as ltl2tgta of Spot does, over
// the atoms.
func NewDrawing(s Source, kind string, atoms []*twin.Atom) []byte {
	names := atomNames(atoms)
	switch kind {
	case "drawing-small":
		return drawing(s, names, s.Between(1, 8), s.Between(1, 5), s.IntN(4))
	case "drawing-large":
		if s.Chance(0.3) {
			for i := range s.Magnitude(2, 300) {
				names = append(names, fmt.Sprintf("%d <= %d", i, i))
			}
		}
		return drawing(s, names, s.Magnitude(1, 500), s.Magnitude(1, 100), s.Magnitude(1, 100))
	case "drawing-formulas":
		for i := range s.Magnitude(2, 20) {
			names = append(names, fmt.Sprintf("%d <= %d", i, i))
		}
		return formulaDrawing(s, names, s.Magnitude(1, 100))
	case "drawing-long":
		return longDrawing(s, names)
	case "drawing-damaged":
		return Damage(s, NewDrawing(s, "drawing-small", atoms))
	}
	panic("no kind of drawings: " + kind)
}

// formulaDrawing returns a testing automaton with so many edges from its start, whose labels are formulas: of
// whether an odd number of propositions is true, which has exponentially many products; or products of sums.
func formulaDrawing(s Source, names []string, edges int) []byte {
	var b strings.Builder
	b.WriteString("digraph G {\n  rankdir=LR\n  0 [label=\"\", style=invis, height=0]\n  0 -> 1\n  1 [label=init]\n  2 [label=\"2\"]\n")
	literals := quotedInLabel(names)
	label := odd(literals, true)
	for i := range edges {
		if s.Chance(0.3) {
			var sums []string
			for range s.Magnitude(1, 40) {
				sums = append(sums, "("+Pick(s, "", "!")+Pick(s, literals...)+" | "+Pick(s, "", "!")+Pick(s, literals...)+")")
			}
			label = strings.Join(sums, " & ")
		}
		fmt.Fprintf(&b, "  1 -> 2 [label=\"%s\\n{%d}\"]\n", label, i%10)
	}
	fmt.Fprintf(&b, "  2 -> 2 [label=\"{%s}\\n{0,1,2,3,4,5,6,7,8,9}\"]\n  2 -> 2 [label=\"{}\\n{0}\"]\n}\n", literals[0])
	return []byte(b.String())
}

// odd returns a formula that is true if an odd number of the propositions is true, or an even one. Its
// length is about the square of their number.
func odd(names []string, is bool) string {
	if len(names) == 1 {
		if is {
			return names[0]
		}
		return "!" + names[0]
	}
	left, right := names[:len(names)/2], names[len(names)/2:]
	return "(" + odd(left, true) + " & " + odd(right, !is) + " | " + odd(left, false) + " & " + odd(right, is) + ")"
}

// quotedInLabel returns the names as they stand in a label of a drawing.
func quotedInLabel(names []string) []string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = `\"` + strings.ReplaceAll(n, `"`, `\\\"`) + `\"`
	}
	return quoted
}

// drawing returns a testing automaton as ltl2tgta draws it: node 0 is invisible, node 1 the start
// whose edges have valuations, and the others are states whose edges have changes.
func drawing(s Source, names []string, states, edges, sets int) []byte {
	var b strings.Builder
	b.WriteString("digraph G {\n  rankdir=LR\n  0 [label=\"\", style=invis, height=0]\n  0 -> 1\n  1 [label=init]\n")
	quoted := quotedInLabel(names)
	acceptance := func() string {
		var list []string
		for i := range sets {
			if s.Chance(0.3) {
				list = append(list, fmt.Sprint(i))
			}
		}
		return `\n{` + strings.Join(list, ",") + "}"
	}
	for range s.Magnitude(1, 8) {
		var valuation []string
		for _, q := range quoted {
			valuation = append(valuation, Pick(s, "", "!")+q)
		}
		fmt.Fprintf(&b, "  1 -> %d [label=\"%s%s\"]\n", 2+s.IntN(states), strings.Join(valuation, " & "), acceptance())
	}
	// States of a TGTA are plain, and its edges may change nothing; those of a TA may be accepting,
	// and their edges change something. One drawing in ten mixes them, which is refused.
	shapes, mixed := []string{""}, s.Chance(0.1)
	testing := s.Chance(0.3)
	if testing || mixed {
		shapes = []string{"", ",shape=box", ",peripheries=2", ",shape=box,peripheries=2"}
	}
	for q := range states {
		fmt.Fprintf(&b, "  %d [label=\"%d\"%s]\n", q+2, q, Pick(s, shapes...))
		for range edges {
			var changes []string
			for _, x := range quoted {
				if s.Chance(0.4) {
					changes = append(changes, x)
				}
			}
			if testing && !mixed && len(changes) == 0 {
				changes = quoted[:min(1, len(quoted))]
			}
			fmt.Fprintf(&b, "  %d -> %d [label=\"{%s}%s\"]\n", q+2, 2+s.IntN(states), strings.Join(changes, ", "), acceptance())
		}
	}
	b.WriteString("}\n")
	return []byte(b.String())
}
